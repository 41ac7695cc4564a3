// A log in batches of lines, with the items of each line.

import { readLines } from '../../app/read-file-lines.ts'
import { countBytes, openInput } from '../open-input.ts'
import { createProgress } from '../progress.ts'
import { findItems } from './find-items.ts'

const CHUNK_BYTES = 64 * 1_024
const LINES_A_BATCH = 2_000

export interface LogLine {
  /** Null for a line of more than 64 KiB. */
  readonly text: string | null
  readonly items: readonly string[]
}

/** Calls `take` with each batch, until it has enough. */
export async function readLog(
  file: string,
  take: (batch: readonly LogLine[]) => Promise<'more' | 'enough'>,
): Promise<void> {
  const input = await openInput(file, CHUNK_BYTES)
  const progress = createProgress(input.bytes)
  const meter = { bytesRead: 0 }
  let lines = 0
  let batch: LogLine[] = []
  const flush = async (): Promise<'more' | 'enough'> => {
    const given = batch
    batch = []
    lines += given.length
    const next = await take(given)
    if (!process.stdout.isTTY) progress.show(meter.bytesRead, lines)
    return next
  }
  try {
    for await (const { text } of readLines(countBytes(input.stream, meter))) {
      batch.push({ text, items: text === null ? [] : findItems(text) })
      if (batch.length >= LINES_A_BATCH && (await flush()) === 'enough') return
    }
    if (batch.length > 0) await flush()
  } finally {
    progress.end()
    input.stream.destroy()
  }
}
