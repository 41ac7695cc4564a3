// Text that marks names of the program by backticks, as descriptions of playbooks do.

/** Each `name` between two backticks is shown as code; an odd one stands for itself. */
export function CodeText({ text }: { readonly text: string }) {
  const parts = text.split('`')
  if (parts.length % 2 === 0) return text
  return parts.map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- the parts of one text stay in their places
      <code key={index} className="code-word">
        {part}
      </code>
    ),
  )
}
