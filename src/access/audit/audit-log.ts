// The audit log as the rest of the program uses it: one call in the transaction of the act, best
// its last statement, because the end of the chain stays locked until the transaction ends.

import { randomBytes } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { inInstance } from '../../kernel/db/instance-acts.ts'
import { inTenant } from '../../kernel/db/row-scope.ts'
import { readRequestOrigin } from '../../kernel/http/request-origin.ts'
import type { SecretCipher } from '../../kernel/secrets/secret-cipher.ts'
import { writeCanonicalJson } from '../../values/canonical-json.ts'
import { type AuditAct, namesPerson, readObjectKind } from '../../vocabulary/audit-acts.ts'
import type { Caller } from '../../vocabulary/caller.ts'
import { type Actor, type EntryContent, hashEntry, INSTANCE_CHAIN } from './audit-entry.ts'
import { type AuditKey, signCheckpoint } from './audit-key.ts'
import { createAuditKeyFinder } from './audit-key-store.ts'
import { appendEntry, type EntryDetail, insertCheckpoint, lockHead } from './audit-store.ts'

interface AuditedAct {
  /** Of the object; null for what belongs to the instance. */
  readonly tenantId: string | null
  /** Of the object. */
  readonly id: string
  /** Values without secrets. Members that are the same before and after are left out. */
  readonly before?: unknown
  readonly after?: unknown
  /** Who acts, where no request asked for it. */
  readonly by?: Actor
}

export interface AuditLog {
  /** Throws when the act has neither a request nor a `by`. */
  readonly record: (tx: Tx, act: AuditAct, about: AuditedAct) => Promise<void>
}

/** A checkpoint is signed with each entry whose number is a multiple of this. */
export const CHECKPOINT_ENTRIES = 1_000

export interface AuditLogDeps {
  readonly clock: Clock
  readonly secrets: SecretCipher
  /** Counts an entry by the kind of its object. */
  readonly count?: (objectKind: string) => void
}

export function createAuditLog({ clock, secrets, count }: AuditLogDeps): AuditLog {
  const findKey = createAuditKeyFinder(secrets)
  return {
    record: (tx, act, about) =>
      inScopeOfChain(about.tenantId, async () => {
        const key = await findKey(tx)
        const { facts, detail } = describeAct(key, act, about)
        const chain = about.tenantId ?? INSTANCE_CHAIN
        const head = await lockHead(tx, chain)
        const content = { ...facts, chain, seq: head.seq + 1, at: new Date(clock.nowMs()) }
        const entry = { ...content, hash: hashEntry(content, head.hash) }
        await appendEntry(tx, entry, detail)
        count?.(readObjectKind(act))
        if (key === null || entry.seq % CHECKPOINT_ENTRIES !== 0) return
        await insertCheckpoint(tx, signCheckpoint(key, { ...entry, kind: 'regular' }))
      }),
  }
}

/** The rows of the chain alone: an act of a tenant may be on what belongs to the instance. */
function inScopeOfChain<Result>(tenantId: string | null, work: () => Result): Result {
  return tenantId === null ? inInstance('keep the audit log', work) : inTenant({ tenantId }, work)
}

const SALT_BYTES = 16

/** The entry without its place in the chain, and what stands beside the chain. */
function describeAct(
  key: AuditKey | null,
  act: AuditAct,
  about: AuditedAct,
): {
  readonly facts: Omit<EntryContent, 'chain' | 'seq' | 'at'>
  readonly detail: Omit<EntryDetail, 'erasedAt'> | null
} {
  const { actor, actorName, address, requestId } = readActor(about.by)
  const kind = readObjectKind(act)
  const isPersonal = namesPerson(kind, about.id)
  const facts = { act, actor, requestId }
  if (key === null) {
    const objectId = isPersonal ? 'keyed-unknown' : about.id
    const digests = { before: null, after: null, origin: null }
    return { facts: { ...facts, objectId, keyId: null, digests }, detail: null }
  }
  const salt = randomBytes(SALT_BYTES)
  const objectName = isPersonal ? about.id : null
  const { before, after } = pickChanges(about.before, about.after)
  const origin = [objectName, actorName, address]
  return {
    facts: {
      ...facts,
      objectId: isPersonal ? key.nameObject(kind, about.id) : about.id,
      keyId: key.id,
      digests: {
        before: before === undefined ? null : key.digest(salt, 'before', before),
        after: after === undefined ? null : key.digest(salt, 'after', after),
        origin: key.digest(salt, 'origin', origin),
      },
    },
    detail: { salt, objectName, actorName, address, before, after },
  }
}

interface ActorFacts {
  readonly actor: Actor
  readonly actorName: string | null
  readonly address: string | null
  readonly requestId: string | null
}

function readActor(by: Actor | undefined): ActorFacts {
  const origin = readRequestOrigin()
  const caller = origin?.caller ?? null
  const remoteAddress = origin?.remoteAddress ?? ''
  const address = remoteAddress === '' ? null : remoteAddress
  const requestId = origin?.requestId ?? null
  if (by !== undefined) return { actor: by, actorName: null, address, requestId }
  if (caller === null) throw new Error('an act is recorded of which nobody is the actor')
  const actor = { kind: readActorKind(caller), id: caller.tokenId }
  return { actor, actorName: caller.name, address, requestId }
}

function readActorKind({ tokenId, session }: Caller): Actor['kind'] {
  if (session !== undefined) return 'user'
  return tokenId === 'local' ? 'local' : 'token'
}

// A value is read by people. A longer one, such as the graph of a playbook, is read where it is.
const VALUE_LENGTH_MAX = 65_536

/** Both as plain JSON, without the members that are the same. */
function pickChanges(before: unknown, after: unknown): { before: unknown; after: unknown } {
  const [old, now] = [readPlain(before), readPlain(after)]
  if (!isRecord(old) || !isRecord(now)) return { before: shorten(old), after: shorten(now) }
  const isSame = (name: string): boolean =>
    writeCanonicalJson(old[name]) === writeCanonicalJson(now[name])
  const pick = (value: Record<string, unknown>): unknown =>
    shorten(Object.fromEntries(Object.entries(value).filter(([name]) => !isSame(name))))
  return { before: pick(old), after: pick(now) }
}

function readPlain(value: unknown): unknown {
  return value === undefined || value === null ? undefined : JSON.parse(JSON.stringify(value))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function shorten(value: unknown): unknown {
  const { length } = JSON.stringify(value) ?? ''
  return length <= VALUE_LENGTH_MAX ? value : { omitted_characters: length }
}
