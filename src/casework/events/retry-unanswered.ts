// Asks a silent owner resolver again about the events that it gave no answer for: by one node at a
// time, with growing pauses, for a week. Older events wait for a replay by hand.

import { inInstance } from '../../kernel/db/instance-acts.ts'
import { workOrPassOver } from '../../kernel/db/pass-over-tenant.ts'
import { buildUuidFloor } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { removeExpiredAnswers } from '../owners/owner-answer-store.ts'
import {
  claimResolverRetry,
  type ResolverRetry,
  scheduleResolverRetry,
} from '../owners/owner-resolver-store.ts'
import { type ReplayDeps, replayUnassigned } from './replay-unassigned.ts'
import { hasUnassigned } from './unassigned-store.ts'

const PAUSE_SECONDS = 30
const PAUSE_SECONDS_MAX = 3_600
// A turn is 10,000 events: ten questions of up to 10 s, and the writing.
const LEASE_SECONDS = 600
const GIVEN_UP_AFTER_MS = 7 * 24 * 60 * 60 * 1_000
// In one pass of one node; the others come with the next.
const TENANTS_MAX = 100
const EXPIRED_MAX = 10_000

export interface RetryDeps extends ReplayDeps {
  readonly log: Log
}

/**
 * One pass over the tenants whose turn it is; any number of nodes may make one at once. Returns how
 * many events got an owner.
 */
export async function retryUnanswered(deps: RetryDeps): Promise<number> {
  let assigned = 0
  for (let turns = 0; turns < TENANTS_MAX; turns += 1) {
    // One tenant after the other: they share the connections with ingest.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const turn = await inInstance('ask resolvers again', () =>
      claimResolverRetry(deps, LEASE_SECONDS),
    )
    if (turn === null) break
    // When it fails, its turn comes again when the lease has run out.
    const message = 'The resolver of a tenant could not be asked again'
    // oxlint-disable-next-line eslint/no-await-in-loop
    const count = await workOrPassOver(deps.log, turn, message, () => retryTenant(deps, turn))
    assigned += count ?? 0
  }
  await inInstance('ask resolvers again', () => removeExpiredAnswers(deps, EXPIRED_MAX))
  return assigned
}

/** A turn begins where the one before ended, so that events past its bound have theirs. */
async function retryTenant(
  deps: RetryDeps,
  { tenantId, failures, afterId: reached }: ResolverRetry,
): Promise<number> {
  const { db } = deps
  const scope = { tenantId }
  const filter = { cause: 'resolver_failed' } as const
  const floor = buildUuidFloor(deps.clock.nowMs() - GIVEN_UP_AFTER_MS)
  const isBehind =
    reached !== null && reached > floor && (await hasUnassigned(db, scope, filter, reached))
  const afterId = isBehind ? reached : floor
  let assigned = 0
  let nextAfterId: string | null = null
  if (isBehind || (await hasUnassigned(db, scope, filter, floor))) {
    const actor = { kind: 'system', id: 'owner-resolver', name: 'owner-resolver' } as const
    const replayed = await replayUnassigned(deps, scope, { filter, afterId, actor })
    assigned = replayed.assigned
    nextAfterId = replayed.nextAfterId
  }
  const isDone = !(await hasUnassigned(db, scope, filter, floor))
  // A resolver that answered anything is not silent: the rest has its turn soon.
  const next = isDone || assigned > 0 ? 0 : failures + 1
  const afterSeconds = Math.min(PAUSE_SECONDS * 2 ** next, PAUSE_SECONDS_MAX)
  await scheduleResolverRetry(db, scope, { failures: next, afterSeconds, afterId: nextAfterId })
  if (assigned > 0) {
    deps.log.info('Events got the owners that were missing', { tenant_id: tenantId, assigned })
  }
  return assigned
}
