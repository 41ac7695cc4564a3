// Standard output: a command that writes piece by piece waits for a slow reader, and learns that
// the reader has closed the pipe (`| head`), so that its work can end. A terminal gets bytes of
// others as text that cannot steer it.

import { escapeControls } from './format-table.ts'

let isWatched = false
let isClosed = false

/** Resolves when more may be written: `enough` once nobody reads any more. */
export async function writeOutput(piece: string | Uint8Array): Promise<'more' | 'enough'> {
  watch()
  const mustWait = !isClosed && piece.length > 0 && !process.stdout.write(piece)
  if (mustWait) await whenRead(process.stdout)
  return isClosed ? 'enough' : 'more'
}

/** Errors other than that of a closed pipe end the process (cli.ts). */
function watch(): void {
  if (isWatched) return
  isWatched = true
  process.stdout.on('error', () => {
    isClosed = true
  })
}

const EVENTS = ['drain', 'close', 'error'] as const

// Not `once` of node:events, two of which race: the listeners of the slower one would stay.
async function whenRead(stream: NodeJS.WriteStream): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      for (const event of EVENTS) stream.off(event, done)
      resolve()
    }
    for (const event of EVENTS) stream.once(event, done)
  })
}

/** The bytes as they came; for a terminal as lines without control characters. */
export function showBytes(bytes: Buffer): string | Buffer {
  if (!process.stdout.isTTY) return bytes
  const lines = bytes.toString('utf8').split('\n')
  return lines.map((line) => escapeControls(line.replace(/\r$/, ''))).join('\n')
}
