// The live sessions in memory, by the hash of their secret, as of one serial of the tokens.

import { hash } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Caller } from '../../vocabulary/caller.ts'
import type { RoleDirectory } from '../roles/role-directory.ts'
import {
  listLiveSessions,
  listSessionsChangedSince,
  readRoles,
  type SessionRecord,
} from './session-store.ts'

interface SessionEntry {
  readonly session: SessionRecord
  readonly expiresAtMs: number
  lastUsedMs: number
  caller: Caller
  /** The state of the roles that `caller` was made with. */
  roleChanges: number
}

export class SessionEntries {
  readonly #clock: Clock
  readonly #idleMs: number
  readonly #roles: RoleDirectory
  readonly #byHash = new Map<string, SessionEntry>()
  readonly #byId = new Map<string, SessionEntry>()

  constructor(clock: Clock, idleMs: number, roles: RoleDirectory) {
    this.#clock = clock
    this.#idleMs = idleMs
    this.#roles = roles
  }

  /** Whether a session of this secret is known here, be it over or not. */
  has(secretHash: string): boolean {
    return this.#byHash.has(secretHash)
  }

  /** The caller, unless the session has reached one of its limits; it counts as used now. */
  use(secretHash: string): Caller | null {
    const entry = this.#byHash.get(secretHash)
    const caller = this.#findLive(entry)
    if (entry !== undefined && caller !== null) entry.lastUsedMs = this.#clock.nowMs()
    return caller
  }

  /** The same by the id of the session, and it does not count as used. */
  find(id: string): Caller | null {
    return this.#findLive(this.#byId.get(id))
  }

  #findLive(entry: SessionEntry | undefined): Caller | null {
    const nowMs = this.#clock.nowMs()
    if (entry === undefined || entry.expiresAtMs <= nowMs) return null
    if (entry.lastUsedMs + this.#idleMs <= nowMs) return null
    if (entry.roleChanges !== this.#roles.changes()) {
      entry.caller = buildSessionCaller(entry.session, this.#roles)
      entry.roleChanges = this.#roles.changes()
    }
    return entry.caller
  }

  /** A use that another node has noted. Nothing else of the session is learned this way. */
  noteUse(secretHash: string, usedAt: Date): void {
    const entry = this.#byHash.get(secretHash)
    if (entry !== undefined) entry.lastUsedMs = Math.max(entry.lastUsedMs, usedAt.getTime())
  }

  /** Those that changed after that serial; all live ones when it is null. */
  async load(db: Db, serial: number | null): Promise<void> {
    this.#apply(
      serial === null ? await listLiveSessions(db) : await listSessionsChangedSince(db, serial),
    )
  }

  #apply(sessions: readonly SessionRecord[]): void {
    if (sessions.length === 0) return
    for (const session of sessions) {
      const key = session.secretHash.toString('base64')
      if (!session.isLive) {
        this.#byHash.delete(key)
        this.#byId.delete(session.id)
        continue
      }
      const seenUseMs = this.#byHash.get(key)?.lastUsedMs ?? 0
      const entry = {
        session,
        expiresAtMs: session.expiresAt.getTime(),
        lastUsedMs: Math.max(seenUseMs, session.lastUsedAt.getTime()),
        caller: buildSessionCaller(session, this.#roles),
        roleChanges: this.#roles.changes(),
      }
      this.#byHash.set(key, entry)
      this.#byId.set(session.id, entry)
    }
    this.#forgetExpired()
  }

  #forgetExpired(): void {
    const nowMs = this.#clock.nowMs()
    for (const [key, entry] of this.#byHash) {
      if (entry.expiresAtMs > nowMs) continue
      this.#byHash.delete(key)
      this.#byId.delete(entry.session.id)
    }
  }
}

/** The key of the map, so its timing tells nothing about any stored value. */
export function hashForLookup(secret: string): string {
  return hash('sha256', secret, 'base64')
}

function buildSessionCaller(session: SessionRecord, roles: RoleDirectory): Caller {
  const own = readRoles(session)
  return {
    tokenId: session.userId,
    name: session.name,
    tenantId: session.tenantId,
    scopes: new Set(roles.scopesOf(session.tenantId, own)),
    roles: own,
    owner: { kind: 'user', id: session.userId },
    networks: null,
    contactEmail: session.email,
    // What a person makes may outlive the session: it ends with the rights of the person.
    expiresAt: null,
    session: { id: session.id, userId: session.userId, mustEnrol: session.mustEnrol },
  }
}
