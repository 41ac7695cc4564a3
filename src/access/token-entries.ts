// The live tokens of a process by the hashes of their secrets, as of one serial.

import type { Clock } from '../kernel/clock.ts'
import type { Db } from '../kernel/db/database.ts'
import { requireRange } from '../values/range.ts'
import type { Caller } from '../vocabulary/caller.ts'
import {
  type HashedToken,
  listLiveTokens,
  listTokensChangedSince,
  readTokenSerial,
} from './api-token-store.ts'
import { listGranted, type RoleDirectory } from './roles/role-directory.ts'
import type { SessionEntries } from './sessions/session-entries.ts'

// 5 MB of tokens, at some 500 bytes each.
const FORGET_FROM_SIZE = 10_000

interface TokenEntry {
  readonly token: HashedToken
  readonly expiresAtMs: number
  caller: Caller
  /** The state of the roles that `caller` was made with. */
  roleChanges: number
}

/** The serial of the tokens, read by somebody else. */
export interface SeenSerial {
  readonly serial: number
  /** How old the database was that said so: above 0 for a standby. */
  readonly ageMs: number
}

export class TokenEntries {
  readonly #clock: Clock
  readonly #elapsedMs: () => number
  readonly #roles: RoleDirectory
  readonly #sessions: Pick<SessionEntries, 'load'>
  #byHash = new Map<string, TokenEntry>()
  /** The hashes of a token: two after a rotation, until the former secret ends. */
  #hashesById = new Map<string, readonly string[]>()
  /** Looked through for expired tokens at this size, then at twice the size that is left. */
  #forgetAtSize = FORGET_FROM_SIZE
  /** Null until all were read. */
  #serial: number | null = null
  #asOfMs = Number.NEGATIVE_INFINITY

  constructor(
    clock: Clock,
    elapsedMs: () => number,
    roles: RoleDirectory,
    sessions: Pick<SessionEntries, 'load'>,
  ) {
    this.#clock = clock
    this.#elapsedMs = elapsedMs
    this.#roles = roles
    this.#sessions = sessions
  }

  /** Changes within this time may be missing. */
  ageMs(): number {
    return this.#elapsedMs() - this.#asOfMs
  }

  has(tokenHash: string): boolean {
    return this.#byHash.has(tokenHash)
  }

  find(tokenHash: string): Caller | null {
    const entry = this.#byHash.get(tokenHash)
    if (entry === undefined || entry.expiresAtMs <= this.#clock.nowMs()) return null
    const { token } = entry
    if (token.roles.length > 0 && entry.roleChanges !== this.#roles.changes()) {
      entry.caller = buildCaller(token, this.#roles)
      entry.roleChanges = this.#roles.changes()
    }
    return entry.caller
  }

  /**
   * Reads what changed since the last time. Never two at once: an older state must not come after a
   * newer one.
   */
  async load(db: Db, seen?: SeenSerial): Promise<void> {
    // Read before the tokens: what changes in between is read once more the next time.
    const asOfMs = this.#elapsedMs() - (seen?.ageMs ?? 0)
    const newest = seen?.serial ?? (await readTokenSerial(db))
    if (newest !== this.#serial) {
      await this.#roles.load(db, this.#serial ?? -1)
      this.#apply(
        this.#serial === null
          ? await listLiveTokens(db)
          : await listTokensChangedSince(db, this.#serial),
      )
      await this.#sessions.load(db, this.#serial)
    }
    this.#serial = newest
    this.#asOfMs = asOfMs
  }

  #apply(tokens: readonly HashedToken[]): void {
    for (const token of tokens) {
      for (const hash of this.#hashesById.get(token.id) ?? []) this.#byHash.delete(hash)
      this.#hashesById.delete(token.id)
      if (token.revokedAt === null) this.#add(token)
    }
    if (this.#byHash.size >= this.#forgetAtSize) this.#forgetExpired()
  }

  #add(token: HashedToken): void {
    const endMs = token.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY
    const caller = buildCaller(token, this.#roles)
    const hashes: string[] = []
    const addHash = (bytes: Buffer, expiresAtMs: number): void => {
      const hash = bytes.toString('base64')
      const roleChanges = this.#roles.changes()
      this.#byHash.set(hash, { token, expiresAtMs, caller, roleChanges })
      hashes.push(hash)
    }
    addHash(token.tokenHash, endMs)
    if (token.formerHash !== null && token.formerUntil !== null) {
      addHash(token.formerHash, Math.min(endMs, token.formerUntil.getTime()))
    }
    this.#hashesById.set(token.id, hashes)
  }

  #forgetExpired(): void {
    const nowMs = this.#clock.nowMs()
    for (const [hash, { token, expiresAtMs }] of this.#byHash) {
      if (expiresAtMs > nowMs) continue
      this.#byHash.delete(hash)
      const rest = this.#hashesById.get(token.id)?.filter((other) => other !== hash) ?? []
      if (rest.length === 0) this.#hashesById.delete(token.id)
      else this.#hashesById.set(token.id, rest)
    }
    this.#forgetAtSize = Math.max(FORGET_FROM_SIZE, 2 * this.#byHash.size)
  }
}

function buildCaller(token: HashedToken, roles: RoleDirectory): Caller {
  return {
    tokenId: token.id,
    name: token.name,
    tenantId: token.tenantId,
    scopes: new Set(listGranted(token, roles.scopesOf)),
    roles: token.roles,
    owner: token.owner,
    networks: token.networks?.map(requireRange) ?? null,
    contactEmail: token.contactEmail,
    expiresAt: token.expiresAt,
  }
}
