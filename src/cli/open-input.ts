// The file that a command reads, or standard input.

import { createReadStream, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { CommandFailure, EXIT } from './exit-codes.ts'

export interface Input {
  readonly stream: Readable
  /** Null for standard input and for a pipe such as `<(…)`, whose length is not known. */
  readonly bytes: number | null
}

/**
 * Opens `file`, or standard input for "-". Throws a `CommandFailure` when there is none, or a
 * folder of that name.
 */
export async function openInput(file: string, chunkBytes: number): Promise<Input> {
  if (file === '-') {
    claimInput('the file')
    return { stream: process.stdin, bytes: null }
  }
  const found = await stat(file).catch(() => null)
  if (found?.isDirectory() === true) {
    throw new CommandFailure(`${file} is a folder, not a file.`, EXIT.usage)
  }
  if (found === null) throw new CommandFailure(`There is no file ${file}.`, EXIT.notFound)
  const bytes = found.isFile() ? found.size : null
  return { stream: createReadStream(file, { highWaterMark: chunkBytes }), bytes }
}

let claimedAs: string | null = null

/**
 * Standard input ends with its first reading, so one part of a command line may have it. Throws for
 * a second one, which would get nothing.
 */
export function claimInput(purpose: string): void {
  if (claimedAs !== null && claimedAs !== purpose) {
    throw new CommandFailure(
      `Standard input is ${claimedAs}, so it cannot be ${purpose} as well: put one of them into a file.`,
      EXIT.usage,
    )
  }
  claimedAs = purpose
}

let whole: Buffer | null = null

/** All of standard input, as often as the same purpose asks for it. */
export function readInput(purpose: string): Buffer {
  claimInput(purpose)
  whole ??= readFileSync(0)
  return whole
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
