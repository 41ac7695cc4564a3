// Finds where HTTP answers end in a stream of bytes and keeps none of their bodies: a client that
// gathers them collects its own garbage in the middle of a measurement.

const HEAD_END = '\r\n\r\n'

/**
 * Gives a function that takes chunks as they arrive and calls `note` with the status (`200`) of
 * each answer that is whole; answers carry a content-length.
 */
export function createAnswerScanner(note: (status: string) => void): (chunk: Buffer) => void {
  // What there is of a head that is not whole.
  let head: Buffer | null = null
  let status = ''
  let rest = 0
  return (chunk) => {
    let bytes = chunk
    while (bytes.length > 0) {
      if (rest > 0) {
        if (bytes.length < rest) {
          rest -= bytes.length
          return
        }
        bytes = bytes.subarray(rest)
        rest = 0
        note(status)
        continue
      }
      if (head !== null) {
        bytes = Buffer.concat([head, bytes])
        head = null
      }
      const end = bytes.indexOf(HEAD_END)
      if (end < 0) {
        head = bytes
        return
      }
      const text = bytes.toString('latin1', 0, end)
      status = text.slice(9, 12)
      rest = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      bytes = bytes.subarray(end + HEAD_END.length)
      if (rest === 0) note(status)
    }
  }
}
