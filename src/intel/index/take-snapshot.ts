// Takes the snapshot of another node (CASEWORK_SNAPSHOT_FROM) into the data folder, so that a new
// node does not read the tables. It is fetched in parts, each of which is asked for again when it
// does not come; a snapshot that was replaced meanwhile is begun anew. Nothing is used before its
// checksum, its serial and the mark in the database were compared.

import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { allowEntryOf } from '../../kernel/outbound/allow-list.ts'
import { createOutbound, type Outbound } from '../../kernel/outbound/outbound.ts'
import { explainToOperator, type OutboundAnswer } from '../../kernel/outbound/outbound-outcome.ts'
import { hasErrorCode } from '../../kernel/system-error.ts'
import { BinaryFileError } from '../snapshot/binary-file.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import { readSnapshotFile } from '../snapshot/snapshot-file.ts'
import type { IndexDeps } from './index-deps.ts'
import { isOfDatabase, ownSnapshotFile } from './own-snapshot-file.ts'

// A part is held in memory. 10 MB/s are enough for its time.
const PART_BYTES = 8 * 1024 * 1024
const PART_TIMEOUT_MS = 30_000
// In a row. After 13 s of trouble the tables are read, which takes as long for millions of entries.
const FAILURES_MAX = 7
// A snapshot is replaced once a minute at most, so a download that begins anew so often is too
// slow.
const REPLACEMENTS_MAX = 7
const PAUSE_MIN_MS = 100
const PAUSE_MAX_MS = 10_000
// The words of a snapshot are counted in 32 bits.
const BYTES_MAX = 2 ** 34

/** The snapshot that the other node offers now. */
interface Offer {
  readonly etag: string
  readonly serial: number
  readonly byteLength: number
}

/** Why there is no snapshot, in half a sentence for the log. */
class NotTaken extends Error {}

/**
 * The snapshot, which is in the data folder then. Null when no other node is named, and when its
 * snapshot cannot be had or used; the log has the reason. `partBytes` is smaller in tests.
 */
export async function takeSnapshot(
  deps: IndexDeps,
  partBytes: number = PART_BYTES,
): Promise<Snapshot | null> {
  const { log } = deps
  const { snapshotFrom, nodeSecret } = deps.config
  if (snapshotFrom === undefined || snapshotFrom === null) return null
  const file = ownSnapshotFile(deps)
  const temporary = `${file}.${randomBytes(4).toString('hex')}.tmp`
  // The operator names the node, so it alone is open to this client, on a private address too.
  const allow = [allowEntryOf(snapshotFrom)]
  const outbound = createOutbound({ allow, log, clock: deps.clock })
  try {
    const source = { outbound, url: new URL('/beta/snapshot', snapshotFrom).href, partBytes }
    const { serial } = await download({ ...source, secret: nodeSecret ?? null }, temporary)
    const snapshot = await readSnapshotFile(temporary)
    if (snapshot.serial !== serial) throw new NotTaken('it has another serial than it says')
    if (!(await isOfDatabase(deps, snapshot))) throw new NotTaken('it is not of this database')
    await rename(temporary, file)
    log.info('The snapshot of another node was taken', { from: snapshotFrom, serial })
    return snapshot
  } catch (error) {
    const reason = explain(error)
    if (reason === null) throw error
    log.warn('The snapshot of another node was not taken; the database is read instead', {
      from: snapshotFrom,
      reason,
    })
    return null
  } finally {
    outbound.close()
    await rm(temporary, { force: true })
  }
}

/** Null for what no other node can cause, such as a database that does not answer. */
function explain(error: unknown): string | null {
  if (error instanceof NotTaken) return error.message
  if (error instanceof BinaryFileError) return `the file is ${error.reason}`
  return hasErrorCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG') ? 'the disk has no room for it' : null
}

interface SnapshotSource {
  readonly outbound: Outbound
  readonly url: string
  readonly secret: string | null
  readonly partBytes: number
}

/** Fills the file, and returns which snapshot it is. Throws NotTaken. */
async function download(source: SnapshotSource, file: string): Promise<Offer> {
  const handle = await open(file, 'wx')
  try {
    return await fill(source, handle)
  } finally {
    await handle.close()
  }
}

async function fill(source: SnapshotSource, handle: FileHandle): Promise<Offer> {
  let offer: Offer | null = null
  let done = 0
  let failures = 0
  let replacements = 0
  for (;;) {
    // Each part depends on the one before.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const part = await askPart(source, done, offer)
    if (part.kind === 'part') {
      // oxlint-disable-next-line eslint/no-await-in-loop
      await writeAt(handle, part.bytes, done)
      offer = part.offer
      done += part.bytes.length
      failures = 0
      if (done < offer.byteLength) continue
      // oxlint-disable-next-line eslint/no-await-in-loop
      await handle.sync()
      return offer
    }
    if (part.kind === 'replaced') {
      replacements += 1
      offer = null
      done = 0
      // oxlint-disable-next-line eslint/no-await-in-loop
      await handle.truncate(0)
    }
    failures += 1
    if (failures >= FAILURES_MAX || replacements >= REPLACEMENTS_MAX) {
      throw new NotTaken(part.reason)
    }
    // oxlint-disable-next-line eslint/no-await-in-loop
    await delay(Math.min(PAUSE_MAX_MS, PAUSE_MIN_MS * 2 ** failures), undefined, { ref: false })
  }
}

async function writeAt(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, position + at)
    at += bytesWritten
  }
}

type AnsweredPart =
  | { readonly kind: 'part'; readonly offer: Offer; readonly bytes: Buffer }
  | { readonly kind: 'replaced' | 'failed'; readonly reason: string }

const CONTENT_RANGE = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/

/** Throws NotTaken for an answer that another try would not change. */
async function askPart(
  { outbound, url, secret, partBytes }: SnapshotSource,
  first: number,
  offer: Offer | null,
): Promise<AnsweredPart> {
  const outcome = await outbound.request({
    method: 'GET',
    url,
    headers: {
      range: `bytes=${first}-${first + partBytes - 1}`,
      ...(offer === null ? {} : { 'if-range': offer.etag }),
      ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
    },
    purpose: 'snapshot',
    timeoutMs: PART_TIMEOUT_MS,
    // A whole snapshot comes when it is another than before: no more of it is read.
    maxBytes: partBytes,
    longBody: 'cut',
    redirectsMax: 0,
    allowHttp: true,
  })
  if (outcome.kind === 'refused') throw new NotTaken(explainToOperator(outcome))
  if (outcome.kind === 'failed') return { kind: 'failed', reason: explainToOperator(outcome) }
  if (outcome.status === 206) return readPart(outcome, first, offer)
  if (outcome.status === 200 && offer !== null) {
    return { kind: 'replaced', reason: 'it was replaced again and again while it was fetched' }
  }
  const reason = `the node answered ${outcome.status}`
  if (outcome.status === 429 || outcome.status >= 500) return { kind: 'failed', reason }
  throw new NotTaken(reason)
}

function readPart(
  { headers, body }: OutboundAnswer,
  first: number,
  offer: Offer | null,
): AnsweredPart {
  const [, from, to, total] = CONTENT_RANGE.exec(headers.get('content-range') ?? '') ?? []
  const etag = headers.get('etag') ?? ''
  const serial = Number(headers.get('x-casework-serial') ?? Number.NaN)
  const byteLength = Number(total)
  const isWhole = Number(from) === first && Number(to) + 1 - first === body.length
  const isNext = offer === null || (offer.etag === etag && offer.byteLength === byteLength)
  if (!isWhole || !isNext || body.length === 0 || !Number.isSafeInteger(serial)) {
    return { kind: 'failed', reason: 'the node answered with another part than it was asked for' }
  }
  if (byteLength > BYTES_MAX) throw new NotTaken('it is larger than any snapshot')
  return { kind: 'part', offer: { etag, serial, byteLength }, bytes: body }
}
