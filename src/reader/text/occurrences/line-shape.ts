// What a line looks like without its words and numbers, and how many words it has. `<ip>`, `<url>`
// … stand where something was found.

const SHAPE_LENGTH_MAX = 200

/** Letters as one `a`, digits as one `0`, blanks as one: lines of one list have the same shape. */
export function shapeOf(rest: string): string {
  const text = rest.slice(0, SHAPE_LENGTH_MAX)
  if (isPlain(text)) return shapeOfPlain(text)
  const words = text.replaceAll(/\p{L}+(?!>)/gu, 'a')
  return words.replaceAll(/\d+/g, '0').replaceAll(/\s+/g, ' ').trim()
}

/** Of two letters and more. */
export function countWords(rest: string): number {
  if (isPlain(rest)) return countPlainWords(rest)
  return rest.replaceAll(/<\w+>/g, ' ').match(/\p{L}{2,}/gu)?.length ?? 0
}

// Lines of logs are plain as a rule, and a loop reads one in a fifth of the time that the patterns
// take.
function isPlain(text: string): boolean {
  return !/[^ -~\t]/.test(text)
}

const MARK_END = 0x3e

function shapeOfPlain(text: string): string {
  let shape = ''
  for (let at = 0; at < text.length; ) {
    const kind = kindOf(text.charCodeAt(at))
    let end = at + 1
    if (kind !== 'mark') while (end < text.length && kindOf(text.charCodeAt(end)) === kind) end += 1
    if (kind === 'letter') shape += letterShape(text, at, end)
    else if (kind === 'digit') shape += '0'
    else if (kind === 'blank') shape += ' '
    else shape += text.charAt(at)
    at = end
  }
  return shape.trim()
}

// The last letter of a mark such as `<ip>` stays, and so does one that is alone.
function letterShape(text: string, at: number, end: number): string {
  if (text.charCodeAt(end) !== MARK_END) return 'a'
  return `${end - at > 1 ? 'a' : ''}${text.charAt(end - 1)}`
}

function kindOf(code: number): 'letter' | 'digit' | 'blank' | 'mark' {
  if (isLetterCode(code)) return 'letter'
  if (code >= 0x30 && code <= 0x39) return 'digit'
  return code === 0x20 || code === 0x09 ? 'blank' : 'mark'
}

function countPlainWords(text: string): number {
  let count = 0
  let length = 0
  for (let at = 0; at <= text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (isLetterCode(code)) {
      length += 1
      continue
    }
    if (length >= 2) count += 1
    length = 0
    if (code === 0x3c) at = endOfMark(text, at)
  }
  return count
}

/** Where the mark that begins at `at` ends; `at` itself where none does. */
function endOfMark(text: string, at: number): number {
  let end = at + 1
  while (isNameCode(text.charCodeAt(end))) end += 1
  return end > at + 1 && text.charCodeAt(end) === MARK_END ? end : at
}

// NaN, behind the end, is none.
function isLetterCode(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)
}

function isNameCode(code: number): boolean {
  return isLetterCode(code) || (code >= 0x30 && code <= 0x39) || code === 0x5f
}
