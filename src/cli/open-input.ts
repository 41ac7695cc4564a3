// The file that a command reads, or standard input.

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { CommandFailure, EXIT } from './exit-codes.ts'

export interface Input {
  readonly stream: Readable
  /** Null for standard input, whose length is not known. */
  readonly bytes: number | null
}

/**
 * Opens `file`, or standard input for "-". Throws a `CommandFailure` when there is none, or a
 * folder of that name.
 */
export async function openInput(file: string, chunkBytes: number): Promise<Input> {
  if (file === '-') return { stream: process.stdin, bytes: null }
  const found = await stat(file).catch(() => null)
  if (found?.isDirectory() === true) {
    throw new CommandFailure(`${file} is a folder, not a file.`, EXIT.usage)
  }
  if (found === null || !found.isFile()) {
    throw new CommandFailure(`There is no file ${file}.`, EXIT.notFound)
  }
  return { stream: createReadStream(file, { highWaterMark: chunkBytes }), bytes: found.size }
}

export async function* countBytes(
  stream: AsyncIterable<Buffer>,
  meter: { bytesRead: number },
): AsyncGenerator<Buffer> {
  for await (const chunk of stream) {
    meter.bytesRead += chunk.length
    yield chunk
  }
}
