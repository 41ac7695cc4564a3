// The session of a person who changes their factors: it must have been proved a moment ago, so that
// somebody at an open browser, or with a stolen cookie, changes nothing.

import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Caller } from '../../vocabulary/caller.ts'
import { requireCaller } from '../admit-request.ts'
import { findSessionOfUser } from '../sessions/session-store.ts'
import { sessionNotFound } from '../sign-in/errors.ts'
import { proofNeeded } from './errors.ts'

const PROOF_MS = 600_000

export interface OwnSessionRecord {
  readonly id: string
  readonly userId: string
  readonly email: string
  readonly name: string
  /** Null when the last proof is too old. */
  readonly proofEndsAt: Date | null
}

/** Throws 404 for a caller with a token, who has no session. */
export async function loadOwnSession(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  caller: Caller | null,
): Promise<OwnSessionRecord> {
  const { session } = requireCaller(caller)
  const found = session === undefined ? null : await findSessionOfUser(db, session)
  if (found === null) throw sessionNotFound()
  const { id, userId, email, name, provenAt } = found
  const endsAt = provenAt === null ? null : new Date(provenAt.getTime() + PROOF_MS)
  const isFresh = endsAt !== null && endsAt.getTime() > clock.nowMs()
  return { id, userId, email, name, proofEndsAt: isFresh ? endsAt : null }
}

/** The same. Throws 403 when the last proof is older than ten minutes. */
export async function loadProvenSession(
  deps: { readonly db: Db; readonly clock: Clock },
  caller: Caller | null,
): Promise<OwnSessionRecord> {
  const session = await loadOwnSession(deps, caller)
  if (session.proofEndsAt === null) throw proofNeeded()
  return session
}
