// The live sessions in memory, by the hash of their secret, as of one serial of the tokens.

import { hash } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Caller } from '../../vocabulary/caller.ts'
import type { RoleDirectory } from '../roles/role-directory.ts'
import { listLiveSessions, listSessionsChangedSince, type SessionRecord } from './session-store.ts'

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
    const nowMs = this.#clock.nowMs()
    if (entry === undefined || entry.expiresAtMs <= nowMs) return null
    if (entry.lastUsedMs + this.#idleMs <= nowMs) return null
    entry.lastUsedMs = nowMs
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
        continue
      }
      const known = this.#byHash.get(key)?.lastUsedMs ?? 0
      this.#byHash.set(key, {
        session,
        expiresAtMs: session.expiresAt.getTime(),
        lastUsedMs: Math.max(known, session.lastUsedAt.getTime()),
        caller: buildSessionCaller(session, this.#roles),
        roleChanges: this.#roles.changes(),
      })
    }
    this.#forgetExpired()
  }

  #forgetExpired(): void {
    const nowMs = this.#clock.nowMs()
    for (const [key, entry] of this.#byHash) {
      if (entry.expiresAtMs <= nowMs) this.#byHash.delete(key)
    }
  }
}

/** The key of the map, so its timing tells nothing about any stored value. */
export function hashForLookup(secret: string): string {
  return hash('sha256', secret, 'base64')
}

function buildSessionCaller(session: SessionRecord, roles: RoleDirectory): Caller {
  return {
    tokenId: session.userId,
    name: session.name,
    tenantId: session.tenantId,
    scopes: new Set(roles.scopesOf(session.tenantId, session.roles)),
    roles: session.roles,
    owner: { kind: 'user', id: session.userId },
    networks: null,
    contactEmail: session.email,
    // What a person makes may outlive the session: it ends with the rights of the person.
    expiresAt: null,
    session: { id: session.id, userId: session.userId },
  }
}
