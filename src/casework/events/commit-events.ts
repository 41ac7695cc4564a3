// One transaction for a batch of events without those that name owners who are not there, and after
// its commit a wake-up of the workers that runs are due.

import { strict as assert } from 'node:assert'
import { inTransaction } from '../../kernel/db/database.ts'
import type { Foundation } from '../../kernel/foundation.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { PrepareOwners } from '../owners/owner-resolver.ts'
import { findMisnamedArrivals } from './check-named-owners.ts'
import type { EventArrival, EventOutcome } from './event-arrival.ts'
import type { CommitEvents } from './event-queue.ts'
import { takeInEvents } from './ingest.ts'
import type { CountIntake } from './ingest-metrics.ts'

export function createCommitEvents(
  { database, ids, clock }: Pick<Foundation, 'database' | 'ids' | 'clock'>,
  wakeWorkers: () => void,
  prepareOwners: PrepareOwners,
  countIntake: CountIntake,
): CommitEvents {
  const takeIn = async (
    scope: TenantScope,
    arrivals: readonly EventArrival[],
  ): Promise<readonly EventOutcome[]> => {
    await prepareOwners(
      scope,
      arrivals.map((arrival) => arrival.event),
    )
    const taken = await inTransaction(database.kysely, (tx, attempt) =>
      takeInEvents(tx, ids, scope, arrivals, {
        at: new Date(clock.nowMs()),
        trustsSight: attempt === 1,
      }),
    )
    if (taken.runsStarted > 0) wakeWorkers()
    countIntake(taken.tally)
    return taken.outcomes
  }
  return async (scope, arrivals) => {
    const misnamed = await findMisnamedArrivals(database.kysely, scope, arrivals)
    if (misnamed.size === 0) return await takeIn(scope, arrivals)
    const kept = arrivals.filter((arrival) => !misnamed.has(arrival))
    const outcomes = kept.length === 0 ? [] : await takeIn(scope, kept)
    const byArrival = new Map(kept.map((arrival, at) => [arrival, outcomes[at]]))
    return arrivals.map((arrival) => {
      const problem = misnamed.get(arrival)
      if (problem !== undefined) return { kind: 'refused', problem }
      const outcome = byArrival.get(arrival)
      assert.ok(outcome !== undefined, 'what is not refused has an outcome')
      return outcome
    })
  }
}
