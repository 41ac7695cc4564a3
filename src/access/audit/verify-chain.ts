// Verifies a chain of the audit log: every hash, every number, every signed checkpoint, the end,
// and what stands beside the chain. It reads entry after entry and holds one page of them.

import { createPublicKey, type KeyObject } from 'node:crypto'
import { CHAIN_START, type ChainHead, hashEntry } from './audit-entry.ts'
import { type AuditKey, type Checkpoint, isSigned, nameAuditKey } from './audit-key.ts'
import type { StoredAuditKey } from './audit-key-store.ts'
import { CHECKPOINT_ENTRIES } from './audit-log.ts'
import type { DetailedEntry } from './audit-store.ts'

/**
 * entry: changed, or swapped. missing: deleted. checkpoint: none where one must be, or a wrong one.
 * key: signed with a key that this instance does not hold. value: what stands beside the chain is
 * not what was written. head: the end is not where it must be.
 */
type FaultKind = 'entry' | 'missing' | 'checkpoint' | 'key' | 'value' | 'head'

interface ChainFault {
  readonly kind: FaultKind
  readonly seq: number
  readonly detail: string
}

export interface ChainReport {
  readonly chain: string
  readonly head: ChainHead
  /** Greater than 1 when retention has removed entries. */
  readonly firstSeq: number
  readonly entries: number
  /** The last entry that a signed checkpoint covers; 0 for none. */
  readonly signedSeq: number
  readonly values: { readonly intact: number; readonly erased: number; readonly absent: number }
  /** The first ones. */
  readonly faults: readonly ChainFault[]
  readonly faultCount: number
  /** Where the next part begins; null at the end of the chain. */
  readonly next: VerifyPosition | null
}

/** Where a part of a verification begins. */
export interface VerifyPosition {
  /** The last entry of the part before. */
  readonly last: ChainHead
  readonly firstSeq: number
  /** The entry that retention removed last; null for none. */
  readonly removed: ChainHead | null
  readonly signedSeq: number
}

export interface ChainToVerify {
  readonly chain: string
  /** As the database has it; null for none. */
  readonly head: ChainHead | null
  /** A head that was kept elsewhere. */
  readonly keptHead: ChainHead | null
  readonly keys: readonly StoredAuditKey[]
  /** Ids of keys that are trusted although this instance cannot open them. */
  readonly trustedKeys: readonly string[]
  /** Null for the start of the chain. */
  readonly from: VerifyPosition | null
  /** Entries of the part, which ends with its page. */
  readonly entriesMax: number
  /** Pages in the order of their numbers. */
  readonly entries: AsyncIterable<readonly DetailedEntry[]>
  readonly checkpoints: AsyncIterable<Checkpoint>
}

const FAULTS_SHOWN = 100

/** Verifies the chain, or the part of it that begins at `from`. */
export async function verifyChain(given: ChainToVerify): Promise<ChainReport> {
  const state = createState(given)
  const checkpoints = given.checkpoints[Symbol.asyncIterator]()
  let next = await checkpoints.next()
  for await (const page of given.entries) {
    for (const entry of page) {
      while (next.done !== true && next.value.seq < entry.seq) {
        checkUncovered(state, next.value)
        // The checkpoints of an entry come with it.
        // oxlint-disable-next-line eslint/no-await-in-loop
        next = await checkpoints.next()
      }
      checkEntry(state, entry)
      let isCovered = false
      while (next.done !== true && next.value.seq === entry.seq) {
        isCovered = checkCheckpoint(state, next.value, entry) || isCovered
        // oxlint-disable-next-line eslint/no-await-in-loop
        next = await checkpoints.next()
      }
      if (!isCovered && entry.keyId !== null && entry.seq % CHECKPOINT_ENTRIES === 0) {
        state.addFault('checkpoint', entry.seq, 'the checkpoint of this entry is missing')
      }
    }
    if (state.entries >= given.entriesMax) return state.report(given, true)
  }
  while (next.done !== true) {
    checkUncovered(state, next.value)
    next = await checkpoints.next()
  }
  checkEnd(state, given)
  return state.report(given, false)
}

interface VerifyState {
  readonly keys: ReadonlyMap<
    string,
    { readonly publicKey: KeyObject; readonly key: AuditKey | null }
  >
  readonly trustedKeys: ReadonlySet<string>
  readonly keptHead: ChainHead | null
  /** Null before the first entry. */
  first: number | null
  last: ChainHead
  /** Of the entry that retention removed last; null for none. */
  removed: ChainHead | null
  isKeptHeadSeen: boolean
  entries: number
  signedSeq: number
  readonly values: { intact: number; erased: number; absent: number }
  readonly addFault: (kind: FaultKind, seq: number, detail: string) => void
  readonly report: (given: ChainToVerify, isMore: boolean) => ChainReport
}

function createState({ keys, trustedKeys, keptHead, from }: ChainToVerify): VerifyState {
  const faults: ChainFault[] = []
  let faultCount = 0
  const state: VerifyState = {
    keys: readKeys(keys),
    trustedKeys: new Set(trustedKeys),
    keptHead,
    first: from?.firstSeq ?? null,
    last: from?.last ?? { seq: 0, hash: CHAIN_START },
    removed: from?.removed ?? null,
    isKeptHeadSeen: isWithin(from, keptHead),
    entries: 0,
    signedSeq: from?.signedSeq ?? 0,
    values: { intact: 0, erased: 0, absent: 0 },
    addFault(kind, seq, detail) {
      faultCount += 1
      if (faults.length < FAULTS_SHOWN) faults.push({ kind, seq, detail })
    },
    report: ({ chain }, isMore) => ({
      chain,
      head: state.last,
      firstSeq: state.first ?? 1,
      entries: state.entries,
      signedSeq: state.signedSeq,
      values: state.values,
      faults,
      faultCount,
      next: isMore
        ? {
            last: state.last,
            firstSeq: state.first ?? 1,
            removed: state.removed,
            signedSeq: state.signedSeq,
          }
        : null,
    }),
  }
  return state
}

/** A part before has compared it. */
function isWithin(from: VerifyPosition | null, head: ChainHead | null): boolean {
  return from !== null && head !== null && head.seq >= from.firstSeq && head.seq <= from.last.seq
}

/** A key whose id is not that of its bytes is none. */
function readKeys(keys: readonly StoredAuditKey[]): VerifyState['keys'] {
  const usable = keys.filter(({ id, publicKey }) => nameAuditKey(publicKey) === id)
  return new Map(
    usable.map(({ id, publicKey, key }) => {
      const options = { key: publicKey, format: 'der', type: 'spki' } as const
      return [id, { key, publicKey: createPublicKey(options) }]
    }),
  )
}

function checkEntry(state: VerifyState, entry: DetailedEntry): void {
  const previousHash = findPreviousHash(state, entry.seq)
  if (previousHash !== null && hashEntry(entry, previousHash) !== entry.hash) {
    state.addFault('entry', entry.seq, 'the hash is not that of the entry and of the one before it')
  }
  checkValues(state, entry)
  state.entries += 1
  state.last = { seq: entry.seq, hash: entry.hash }
  const { keptHead } = state
  if (keptHead?.seq !== entry.seq) return
  state.isKeptHeadSeen = true
  if (keptHead.hash !== entry.hash) {
    state.addFault('head', entry.seq, 'the hash is not that of the head that was kept')
  }
}

/** Null where it is gone, which is a fault of its own. */
function findPreviousHash(state: VerifyState, seq: number): string | null {
  const { last, removed } = state
  if (state.first === null) {
    state.first = seq
    if (seq === 1) return CHAIN_START
    if (removed?.seq === seq - 1) return removed.hash
    state.addFault('missing', 1, `the entries up to ${seq - 1} are missing`)
    return null
  }
  if (seq === last.seq + 1) return last.hash
  state.addFault('missing', last.seq + 1, `entries up to ${seq - 1} are missing`)
  return null
}

function checkValues({ keys, values, addFault }: VerifyState, entry: DetailedEntry): void {
  const { detail, digests, seq } = entry
  if (detail === null) {
    if (digests.origin !== null) values.absent += 1
    return
  }
  if (detail.erasedAt !== null) {
    values.erased += 1
    return
  }
  const key = keys.get(entry.keyId ?? '')?.key ?? null
  if (key === null) {
    values.absent += 1
    return
  }
  const { salt, objectName, actorName, address, before, after } = detail
  const isIntact =
    digests.origin === key.digest(salt, 'origin', [objectName, actorName, address]) &&
    digests.before === (before === undefined ? null : key.digest(salt, 'before', before)) &&
    digests.after === (after === undefined ? null : key.digest(salt, 'after', after))
  if (isIntact) values.intact += 1
  else addFault('value', seq, 'a value, name or address is not the one that was written')
}

/** True when the checkpoint stands for its entry. */
function checkCheckpoint(
  state: VerifyState,
  checkpoint: Checkpoint,
  entry: DetailedEntry,
): boolean {
  if (!checkSignature(state, checkpoint)) return false
  if (checkpoint.hash !== entry.hash) {
    state.addFault('checkpoint', entry.seq, 'the signed hash is not that of the entry')
    return false
  }
  state.signedSeq = entry.seq
  return true
}

/** A checkpoint without its entry: of what retention removed last, or of what is missing. */
function checkUncovered(state: VerifyState, checkpoint: Checkpoint): void {
  const { seq, hash } = checkpoint
  if (!checkSignature(state, checkpoint)) return
  if (state.first === null && checkpoint.kind === 'retention') {
    state.removed = { seq, hash }
    // The chain may be empty behind it.
    state.last = { seq, hash }
    state.signedSeq = seq
    return
  }
  state.addFault('checkpoint', seq, 'a signed checkpoint has no entry')
}

function checkSignature({ keys, trustedKeys, addFault }: VerifyState, checkpoint: Checkpoint) {
  const { seq, keyId } = checkpoint
  const known = keys.get(keyId)
  if (known === undefined || !isSigned(checkpoint, known.publicKey)) {
    addFault('checkpoint', seq, `the signature of the checkpoint is not one of the key ${keyId}`)
    return false
  }
  if (known.key === null && !trustedKeys.has(keyId)) {
    addFault('key', seq, `the checkpoint is signed with the key ${keyId}, which is not held here`)
  }
  return true
}

function checkEnd(state: VerifyState, { head, keptHead }: ChainToVerify): void {
  const { last } = state
  if (head === null ? last.seq > 0 : head.seq !== last.seq || head.hash !== last.hash) {
    const end = head === null ? 'none' : `entry ${head.seq}`
    state.addFault('head', last.seq, `the last entry is not the end that was noted: ${end}`)
  }
  if (keptHead !== null && keptHead.seq > 0 && !state.isKeptHeadSeen) {
    checkUnseenHead(state, keptHead)
  }
}

/** The kept head is of none of the entries: retention has removed its entry, or it is missing. */
function checkUnseenHead({ removed, addFault }: VerifyState, { seq, hash }: ChainHead): void {
  if (removed === null || seq > removed.seq) {
    addFault('head', seq, 'the entry of the head that was kept is missing')
    return
  }
  // The checkpoint of retention has the hash of the last entry that it removed.
  if (removed.seq === seq && removed.hash === hash) return
  addFault(
    'head',
    seq,
    'retention has removed the entry of the head that was kept; keep a newer head',
  )
}
