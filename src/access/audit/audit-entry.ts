// An entry of the audit log and its hash. The hash covers the entry and the hash before it, so a
// change of one entry shows in every later one. How it is made is documented for other programs in
// docs/guides/audit-log.md.

import { hash as digest } from 'node:crypto'

/** The tenant id of the chain of the instance, which no tenant can have. */
export const INSTANCE_CHAIN = '*'

/** A person, a token, the administrator of the machine, or a job. */
type ActorKind = 'user' | 'token' | 'local' | 'program'

export interface Actor {
  readonly kind: ActorKind
  readonly id: string
}

interface EntryDigests {
  readonly before: string | null
  readonly after: string | null
  readonly origin: string | null
}

/** What the hash covers. Digests and hashes are hexadecimal. */
export interface EntryContent {
  readonly chain: string
  readonly seq: number
  readonly at: Date
  readonly act: string
  readonly objectId: string
  readonly actor: { readonly kind: string; readonly id: string }
  readonly requestId: string | null
  readonly keyId: string | null
  readonly digests: EntryDigests
}

export interface ChainEntry extends EntryContent {
  readonly hash: string
}

/** The hash before the first entry. */
export const CHAIN_START = '0'.repeat(64)

export function hashEntry(entry: EntryContent, previousHash: string): string {
  const { chain, seq, at, act, objectId, actor, requestId, keyId, digests } = entry
  const parts = [
    previousHash,
    chain,
    seq,
    at.toISOString(),
    act,
    objectId,
    actor.kind,
    actor.id,
    requestId,
    keyId,
    digests.before,
    digests.after,
    digests.origin,
  ]
  return digest('sha256', JSON.stringify(parts), 'hex')
}

/** The end of a chain, as a person writes it down: number and hash. */
export interface ChainHead {
  readonly seq: number
  readonly hash: string
}

/** From number, colon and hash; null for another text. */
export function parseHead(text: string): ChainHead | null {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
  return seq === undefined || hash === undefined ? null : { seq: Number(seq), hash }
}
