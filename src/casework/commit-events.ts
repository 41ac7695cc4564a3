// One transaction for a batch of events, and after its commit the hint to the workers that runs are due.

import { inTransaction } from '../kernel/db/database.ts'
import type { Foundation } from '../kernel/foundation.ts'
import type { CommitEvents } from './event-queue.ts'
import type { CountIntake } from './intake-metrics.ts'
import type { PrepareOwners } from './ownership/owner-resolver.ts'
import type { DueHint } from './playbooks/due-hint.ts'
import { takeInEvents } from './take-in-events.ts'

export function createCommitEvents(
  { database, ids, clock }: Pick<Foundation, 'database' | 'ids' | 'clock'>,
  hint: DueHint,
  prepareOwners: PrepareOwners,
  countIntake: CountIntake,
): CommitEvents {
  return async (scope, arrivals) => {
    await prepareOwners(
      scope,
      arrivals.map((arrival) => arrival.event),
    )
    const taken = await inTransaction(database.kysely, (tx) =>
      takeInEvents(tx, ids, scope, arrivals, new Date(clock.nowMs())),
    )
    if (taken.runsStarted > 0) hint.raise()
    countIntake(taken.tally)
    return taken.outcomes
  }
}
