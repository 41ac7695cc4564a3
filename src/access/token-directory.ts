// Every live token in memory, so that a check costs one hash and one map read and works while the
// database is away. The serial is polled every 500 ms (app/follow-database.ts): a revocation takes
// effect on every thread of every node within a second (design section 10). A new token works at
// once everywhere: before an unknown one is refused, the database is asked for changes. The
// sessions of people ride on the same serial, so that one poll serves both.

import { hash } from 'node:crypto'
import { every } from '../kernel/async/every.ts'
import { singleFlight, withPause } from '../kernel/async/single-flight.ts'
import { type Clock, systemClock } from '../kernel/clock.ts'
import type { Db } from '../kernel/db/database.ts'
import { inInstance } from '../kernel/db/instance-acts.ts'
import { asPoll } from '../kernel/db/statement-limit.ts'
import { databaseNotReachable, tokensTooOld } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import type { ReadinessFinding } from '../kernel/readiness.ts'
import type { Caller } from '../vocabulary/caller.ts'
import { noteTokensUsed } from './api-token-store.ts'
import { createRoleDirectory, type RoleDirectory } from './roles/role-directory.ts'
import { hashForLookup, SessionEntries } from './sessions/session-entries.ts'
import { hashSecret } from './sessions/session-secret.ts'
import { findSessionBySecret, noteSessionsUsed } from './sessions/session-store.ts'
import { type SeenSerial, TokenEntries } from './token-entries.ts'

const NOTE_USES_MS = 30_000
// Whatever unknown tokens a crowd may send, they cost the database at most one read of one row in
// this time (50 a second and thread).
const ASK_PAUSE_MS = 20
// A database that hangs must not hold the requests whose caller it would tell.
const ASK_TIMEOUT_MS = 1_000
// A copy of this age missed some twenty polls. Writes can then go to another node; look-ups go on.
const STALE_MS = 10_000
const AGE_MAX_SECONDS = 60

export interface TokenDirectory {
  /**
   * The caller of a presented token, or null when it is unknown here, expired or revoked. Throws
   * KERNEL_TOKENS_TOO_OLD when this copy of the tokens is so old that a revocation may be missing.
   */
  readonly findCaller: (tokenText: string) => Caller | null
  /**
   * For a token that `findCaller` did not find: the same once the database was asked for changes.
   * Rejects with KERNEL_DATABASE_NOT_REACHABLE when it does not say within a second, since the
   * token may then well be valid.
   */
  readonly findNewCaller: (tokenText: string) => Promise<Caller | null>
  /** The same for the secret of a session, which is over when it was idle for too long, too. */
  readonly findSession: (secret: string) => Caller | null
  readonly findNewSession: (secret: string) => Promise<Caller | null>
  /** The caller of a session that is not over, by its id, for what goes on after its request. */
  readonly findLiveSession: (id: string) => Caller | null
  /**
   * The scopes that roles of a tenant grant, for the callers that are no token. As fresh as the
   * tokens.
   */
  readonly scopesOfRoles: RoleDirectory['scopesOf']
  /** How old this copy of the tokens is. */
  readonly check: () => ReadinessFinding
  readonly ageMs: () => number
  /** Reads the tokens that changed; called right after this process changed one. */
  readonly refresh: () => Promise<void>
  /** The same for the poll, which has read the serial with those of the other copies. */
  readonly follow: (seen: SeenSerial) => Promise<void>
  /**
   * Writes when tokens were last used; called every 30 s and at the end. What could not be written
   * is kept for the next time.
   */
  readonly noteUses: () => Promise<void>
  readonly close: () => Promise<void>
}

export interface TokenDirectoryOptions {
  readonly clock?: Clock
  /** An unknown token is refused for good once the database said so within this time. */
  readonly askTimeoutMs?: number
  /** CASEWORK_TOKEN_AGE_MAX: tokens of an older copy are not trusted. */
  readonly ageMaxSeconds?: number
  /** Whether look-ups need a token, and so need a copy that can be trusted. */
  readonly isNeededForLookups?: boolean
  /** CASEWORK_SESSION_IDLE. */
  readonly sessionIdleMs?: number
  /** A clock that never goes back, for the age of the copy. */
  readonly elapsedMs?: () => number
  /** On a look-up node: it writes no uses. */
  readonly isReadOnly?: boolean
}

/** Loads all tokens. `follow` keeps them fresh. */
export async function openTokenDirectory(
  db: Db,
  log: Log,
  options: TokenDirectoryOptions = {},
): Promise<TokenDirectory> {
  const {
    clock = systemClock,
    askTimeoutMs = ASK_TIMEOUT_MS,
    ageMaxSeconds = AGE_MAX_SECONDS,
    isNeededForLookups = false,
    sessionIdleMs = Number.POSITIVE_INFINITY,
    elapsedMs = () => performance.now(),
    isReadOnly = false,
  } = options
  const roles = createRoleDirectory()
  const sessions = new SessionEntries(clock, sessionIdleMs, roles)
  const entries = new TokenEntries(clock, elapsedMs, roles, sessions)
  const uses = new CredentialUses(noteTokensUsed)
  const sessionUses = new CredentialUses(noteSessionsUsed)
  let lastLoad: Promise<void> = Promise.resolve()
  // One after the other: an older state must not come after a newer one.
  const load = (seen?: SeenSerial): Promise<void> => {
    const loading = lastLoad.then(() =>
      asPoll(() => inInstance('know tokens', () => entries.load(db, seen))),
    )
    lastLoad = loading.catch(() => undefined)
    return loading
  }
  const refresh = singleFlight(() => load())
  await refresh()

  const noteUses = (): Promise<void> =>
    inInstance('know tokens', async () => {
      await uses.note(db)
      await sessionUses.note(db)
    })
  const noteTrouble = (error: unknown): void =>
    log.debug('Uses of tokens could not be noted', { error: String(error) })
  const stopNoting = isReadOnly ? async () => undefined : every(NOTE_USES_MS, noteUses, noteTrouble)

  const assertFresh = (): void => {
    if (entries.ageMs() > ageMaxSeconds * 1_000) throw tokensTooOld()
  }
  const findCaller = (tokenText: string): Caller | null => {
    assertFresh()
    const caller = entries.find(hashText(tokenText))
    if (caller !== null && !isReadOnly) uses.add(caller.tokenId, clock.nowMs())
    return caller
  }
  const findSession = (secret: string): Caller | null => {
    assertFresh()
    const caller = sessions.use(hashForLookup(secret))
    if (caller?.session !== undefined && !isReadOnly) {
      sessionUses.add(caller.session.id, clock.nowMs())
    }
    return caller
  }
  // A session that is idle here may have been used at another node.
  const askForSession = async (secret: string): Promise<void> => {
    const secretHash = hashSecret(secret)
    const session = await inInstance('know tokens', () => findSessionBySecret(db, secretHash))
    if (session !== null) sessions.noteUse(hashForLookup(secret), session.lastUsedAt)
  }
  const ask = withPause(ASK_PAUSE_MS, refresh)
  return {
    findCaller,
    async findNewCaller(tokenText) {
      // One that is known and has expired will not come alive again.
      if (entries.has(hashText(tokenText))) return null
      await within(askTimeoutMs, ask())
      return findCaller(tokenText)
    },
    findSession,
    async findNewSession(secret) {
      const isKnown = sessions.has(hashForLookup(secret))
      await within(askTimeoutMs, isKnown ? askForSession(secret) : ask())
      return findSession(secret)
    },
    findLiveSession: (id) => sessions.find(id),
    refresh,
    follow: load,
    scopesOfRoles: roles.scopesOf,
    check: () => explainAge(entries.ageMs(), ageMaxSeconds * 1_000, isNeededForLookups),
    ageMs: () => entries.ageMs(),
    noteUses,
    async close() {
      await stopNoting()
      if (!isReadOnly) await noteUses().catch(() => undefined)
    },
  }
}

// The map is keyed by the hash of the secret, so its timing tells nothing about any stored value.
function hashText(tokenText: string): string {
  return hash('sha256', tokenText, 'base64')
}

/** When each credential was last used, until that is written; at most one entry for each. */
class CredentialUses {
  readonly #lastUsesMs = new Map<string, number>()
  readonly #write: typeof noteTokensUsed

  constructor(write: typeof noteTokensUsed) {
    this.#write = write
  }

  add(id: string, usedAtMs: number): void {
    this.#lastUsesMs.set(id, usedAtMs)
  }

  /** What could not be written is kept for the next time. */
  async note(db: Db): Promise<void> {
    if (this.#lastUsesMs.size === 0) return
    const noted = [...this.#lastUsesMs]
    await this.#write(db, new Map(noted.map(([id, usedAtMs]) => [id, new Date(usedAtMs)])))
    for (const [id, usedAtMs] of noted) {
      if (this.#lastUsesMs.get(id) === usedAtMs) this.#lastUsesMs.delete(id)
    }
  }
}

function explainAge(
  ageMs: number,
  ageMaxMs: number,
  isNeededForLookups: boolean,
): ReadinessFinding {
  const seconds = Math.round(ageMs / 1_000)
  if (ageMs > ageMaxMs) {
    return {
      state: isNeededForLookups ? 'failed' : 'degraded',
      refusesWrites: true,
      detail: `The copy of the tokens is ${seconds} s old, so requests with a token are refused.`,
    }
  }
  if (ageMs > STALE_MS) {
    return {
      state: 'degraded',
      refusesWrites: true,
      detail: `The copy of the tokens is ${seconds} s old: a revocation of that time is not known.`,
    }
  }
  return { state: 'ok', detail: `The copy of the tokens is ${seconds} s old.` }
}

/** Rejects with KERNEL_DATABASE_NOT_REACHABLE for a failure and for silence. */
async function within(timeoutMs: number, asking: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<void>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), timeoutMs)
  })
  try {
    await Promise.race([asking, silence])
  } catch (error) {
    throw databaseNotReachable(error)
  } finally {
    clearTimeout(timer)
  }
}
