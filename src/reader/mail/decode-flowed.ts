// Joins each paragraph of format=flowed text (RFC 3676) to one line, so that long URLs are whole.

/** Input and output have `\n` between lines. */
export function decodeFlowed(text: string, deletesSpace: boolean): string {
  const paragraphs: string[] = []
  let pieces: string[] = []
  let depth = 0
  for (const line of text.split('\n')) {
    const quotes = /^>*/.exec(line)?.[0].length ?? 0
    const content = line.slice(quotes).replace(/^ /, '')
    if (pieces.length > 0 && quotes !== depth) {
      paragraphs.push(pieces.join(''))
      pieces = []
    }
    if (pieces.length === 0 && quotes > 0) pieces.push(`${'>'.repeat(quotes)} `)
    depth = quotes
    const isSoft = content.endsWith(' ') && content !== '-- '
    pieces.push(isSoft && deletesSpace ? content.slice(0, -1) : content)
    if (!isSoft) {
      paragraphs.push(pieces.join(''))
      pieces = []
    }
  }
  if (pieces.length > 0) paragraphs.push(pieces.join(''))
  return paragraphs.join('\n')
}
