// What test files say: the titles of their tests, and their texts without comments and titles. For
// the tidy tests, which ask for tests that exist, and not for words somewhere in a file.

// A string, a template or a comment. Strings first, so that `//` within one is no comment.
const PIECE = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|\/\/[^\n]*|\/\*[^]*?\*\//g
const TITLE = /\b(?:test|it)\(\s*('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)/g

function withoutComments(text: string): string {
  return text.replaceAll(PIECE, (piece) => (piece.startsWith('/') ? '' : piece))
}

/**
 * Titles of tests that run: not of skipped ones, of suites, or in comments. A part that differs by
 * the case is `…`.
 */
export function readTitles(text: string): readonly string[] {
  return [...withoutComments(text).matchAll(TITLE)].map((match) =>
    (match[1] ?? '')
      .slice(1, -1)
      .replaceAll(/\\(['"`])/g, '$1')
      .replaceAll(/\$\{[^}]*\}/g, '…'),
  )
}

/** The text without comments and titles: what a test does. */
export function readTestCode(text: string): string {
  return withoutComments(text).replaceAll(TITLE, '')
}

/**
 * The tests that a cell names, separated by semicolons, which titles have too; null when a part of
 * it is no whole title.
 */
export function splitTitles(cell: string, titles: ReadonlySet<string>): readonly string[] | null {
  const [first = '', ...others] = cell.split(';')
  let title = first
  for (let index = 0; ; index += 1) {
    if (titles.has(title.trim())) {
      const rest = others.slice(index).join(';')
      const found = index === others.length ? [] : splitTitles(rest, titles)
      if (found !== null) return [title.trim(), ...found]
    }
    if (index === others.length) return null
    title += `;${others[index]}`
  }
}
