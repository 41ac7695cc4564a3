// Reads the lines of a file that may be large or binary: one at a time, with their numbers, none
// longer than a bound.

export interface NumberedLine {
  /** Counting from 1, as editors do. */
  readonly number: number
  /** Without its line end; null when the line is longer than the bound. */
  readonly text: string | null
}

// A Cowrie line with a long command has a few KiB; no format here has longer lines than this.
const LINE_LENGTH_MAX = 64 * 1_024

/**
 * Splits bytes or text at line feeds. Bytes that are not UTF-8 become replacement characters, so
 * the line cannot be read.
 */
export async function* readLines(
  input: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<NumberedLine> {
  const decoder = new TextDecoder()
  let rest = ''
  let isTooLong = false
  let number = 0
  for await (const chunk of input) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    const lines = text.split('\n')
    const last = lines.pop() ?? ''
    for (const line of lines) {
      number += 1
      const whole = rest + line
      yield {
        number,
        text: isTooLong || whole.length > LINE_LENGTH_MAX ? null : withoutReturn(whole),
      }
      rest = ''
      isTooLong = false
    }
    // The rest of a line that is too long is dropped.
    rest = isTooLong ? '' : rest + last
    if (rest.length > LINE_LENGTH_MAX) {
      isTooLong = true
      rest = ''
    }
  }
  rest += decoder.decode()
  if (isTooLong) yield { number: number + 1, text: null }
  else if (rest !== '') yield { number: number + 1, text: withoutReturn(rest) }
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
