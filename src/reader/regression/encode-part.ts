// The text of a part as a case can hold it: as it is, or in quoted-printable where a line would end
// the case or begin another part.

// `=== name` begins the next case, `--- html` the next part.
const MARK = /^(?:=== |--- (?:text|html|attachment|enclosed)\b|---$)/m
// RFC 5322 section 2.1.1.
const LINE_LENGTH_MAX = 998

export function encodePart(text: string): {
  readonly encoding: string | null
  readonly body: string
} {
  const lines = text.replaceAll('\0', '').split('\n')
  const isPlain = !MARK.test(text) && lines.every((line) => line.length <= LINE_LENGTH_MAX)
  if (isPlain) return { encoding: '8bit', body: lines.join('\n') }
  return { encoding: 'quoted-printable', body: lines.map(encodeLine).join('\n') }
}

const PIECE_LENGTH = 900

// RFC 2045 section 6.7, as far as it must be: the text stays readable.
function encodeLine(line: string): string {
  const pieces = line.match(new RegExp(`[^]{1,${PIECE_LENGTH}}`, 'gu')) ?? ['']
  return pieces
    .map((piece) => piece.replaceAll('=', '=3D').replace(/^-/, '=2D').replace(/ $/, '=20'))
    .join('=\n')
}
