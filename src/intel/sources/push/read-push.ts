// Reads the body of a push: a JSON array, or NDJSON as it arrives. The database is not used until
// the whole body was read. So a slow client keeps no transaction open, and a body that breaks off
// leaves nothing behind. Small bodies are read in this thread, others in the thread of
// push-thread.ts.

import type { Readable } from 'node:stream'
import type { Clock } from '../../../kernel/clock.ts'
import type { IntelIndex } from '../../index/intel-index.ts'
import { type PushForm, PushReader, type ReadPush } from './push-reader.ts'
import type { PushSession, PushWorker } from './push-worker.ts'

// About 200 rows, which take 1 ms. The messages to and from the thread cost a tenth of that, its
// start a hundred times as much.
const AT_ONCE_BYTES_MAX = 32 * 1_024
// Large enough that the cost of a message does not count, small enough to be copied quickly.
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
  const pending: Buffer[] = []
  let pendingBytes = 0
  let session: PushSession | null = null
  try {
    for await (const chunk of body) {
      pending.push(chunk)
      pendingBytes += chunk.length
      if (pendingBytes <= (session === null ? AT_ONCE_BYTES_MAX : PIECE_BYTES)) continue
      session ??= source.open()
      await session.take('lines', toOwnBytes(pending))
      pending.length = 0
      pendingBytes = 0
    }
    if (session === null) {
      const reader = source.readAtOnce()
      reader.takeLines(Buffer.concat(pending))
      return reader.finish()
    }
    if (pendingBytes > 0) await session.take('lines', toOwnBytes(pending))
    return await session.finish()
  } catch (error) {
    session?.drop()
    throw error
  }
}

/**
 * Copies the bytes to memory of their own, which can be transferred to another thread: a small
 * Buffer shares its memory with others.
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
