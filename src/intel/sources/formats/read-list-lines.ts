// Lines of a file that may be large and may not be text at all: one at a time, with their numbers,
// none longer than a bound.

export interface NumberedLine {
  /** Counting from 1, as editors do. */
  readonly number: number
  /** Without its end; null when the line is longer than the bound. */
  readonly text: string | null
}

// A Cowrie line with a long command has a few KiB; beyond this a line is no line of any format
// here.
const LINE_LENGTH_MAX = 64 * 1_024

/**
 * Splits bytes or text at line feeds. Bytes that are no UTF-8 become replacement characters, and
 * the line then says nothing.
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
      yield { number, text: isTooLong || whole.length > LINE_LENGTH_MAX ? null : endOf(whole) }
      rest = ''
      isTooLong = false
    }
    // Of a line that is too long nothing more is kept.
    rest = isTooLong ? '' : rest + last
    if (rest.length > LINE_LENGTH_MAX) {
      isTooLong = true
      rest = ''
    }
  }
  rest += decoder.decode()
  if (isTooLong) yield { number: number + 1, text: null }
  else if (rest !== '') yield { number: number + 1, text: endOf(rest) }
}

function endOf(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
