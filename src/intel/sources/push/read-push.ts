// Reads the body of a push: a JSON array, or NDJSON as it arrives. No database is touched until the
// whole body was read, so a slow client holds no transaction open and a body that breaks off leaves
// nothing behind. Small bodies are read at once, others beside this thread.

import type { Readable } from 'node:stream'
import type { Clock } from '../../../kernel/clock.ts'
import type { IntelIndex } from '../../index/intel-index.ts'
import { type PushForm, PushReader, type ReadPush } from './push-reader.ts'
import type { PushSession, PushWorker } from './push-worker.ts'

// About 200 rows, which take 1 ms; the way through the thread costs a tenth of that, and its start
// a hundred times as much.
const AT_ONCE_BYTES_MAX = 32 * 1_024
// Large enough that the way through the thread does not count, small enough that copying one takes
// no time.
const PIECE_BYTES = 256 * 1_024

/** Reads the rows of a JSON array or of a stream of NDJSON. Throws as `PushReader` does. */
export type ReadPushBody = (body: Buffer | Readable, form: PushForm) => Promise<ReadPush>

export interface ReadPushDeps {
  readonly index: IntelIndex
  readonly clock: Clock
  readonly worker: PushWorker
}

export function createReadPush({ index, clock, worker }: ReadPushDeps): ReadPushBody {
  return async (body, form) => {
    const catalogue = index.tags()
    const nowMs = clock.nowMs()
    const source: Source = {
      form,
      readAtOnce: () =>
        new PushReader(form, { nowMs, hasTag: (name) => catalogue.find(name) !== null }),
      open: () => worker.open(form, { nowMs, tags: catalogue.tags.map((tag) => tag.name) }),
    }
    return Buffer.isBuffer(body) ? await readArray(body, source) : await readLines(body, source)
  }
}

interface Source {
  readonly form: PushForm
  readonly readAtOnce: () => PushReader
  readonly open: () => PushSession
}

async function readArray(body: Buffer, source: Source): Promise<ReadPush> {
  if (body.length <= AT_ONCE_BYTES_MAX) {
    const reader = source.readAtOnce()
    reader.takeArray(body)
    return reader.finish()
  }
  const session = source.open()
  await session.take('array', toOwnBytes([body]))
  return await session.finish()
}

async function readLines(body: Readable, source: Source): Promise<ReadPush> {
  const held: Buffer[] = []
  let heldBytes = 0
  let session: PushSession | null = null
  try {
    for await (const chunk of body) {
      held.push(chunk)
      heldBytes += chunk.length
      if (heldBytes <= (session === null ? AT_ONCE_BYTES_MAX : PIECE_BYTES)) continue
      session ??= source.open()
      await session.take('lines', toOwnBytes(held))
      held.length = 0
      heldBytes = 0
    }
    if (session === null) {
      const reader = source.readAtOnce()
      reader.takeLines(Buffer.concat(held))
      return reader.finish()
    }
    if (heldBytes > 0) await session.take('lines', toOwnBytes(held))
    return await session.finish()
  } catch (error) {
    session?.drop()
    throw error
  }
}

/**
 * The bytes in memory of their own, which can be given to another thread; a small Buffer shares its
 * memory with others.
 */
function toOwnBytes(chunks: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  const own = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    own.set(chunk, at)
    at += chunk.length
  }
  return own
}
