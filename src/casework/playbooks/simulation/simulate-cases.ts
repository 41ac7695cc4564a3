// Simulates a playbook on several cases, one after the other and each in a transaction of its own,
// within a time and a size of the answer.

import type { TenantScope } from '../../../vocabulary/caller.ts'
import { simulationRunning } from '../errors.ts'
import {
  type SimulateCaseDeps,
  type SimulatedCase,
  type SimulationPlan,
  simulateCase,
  skipCase,
} from './simulate-case.ts'
import { endSimulationLease, takeSimulationLease } from './simulation-lease-store.ts'

// A person waits for the answer.
const TOTAL_MS_MAX = 20_000
// More than the time of a simulation, after which a node that died no longer holds up the tenant.
const LEASE_SECONDS = 60
const ANSWER_LENGTH_MAX = 8_000_000

export type SimulateCasesDeps = SimulateCaseDeps

/** A case as the request named it; the id is null when the text is none. */
export interface AskedCase {
  readonly text: string
  readonly id: string | null
}

/**
 * In the order of `asked`. Throws `simulationRunning` while another simulation of the tenant is
 * under way.
 */
export async function simulateCases(
  deps: SimulateCasesDeps,
  plan: SimulationPlan,
  asked: readonly AskedCase[],
): Promise<readonly SimulatedCase[]> {
  return await underLease(deps, plan.scope, async () => {
    const endsMs = deps.clock.nowMs() + TOTAL_MS_MAX
    const done = new Map<string, SimulatedCase>()
    let length = 0
    const simulate = async ({ text, id }: AskedCase): Promise<void> => {
      if (id === null) done.set(text, skipCase(text, 'unknown_case'))
      else if (deps.clock.nowMs() > endsMs) done.set(text, skipCase(id, 'no_time_left'))
      else if (length > ANSWER_LENGTH_MAX) done.set(text, skipCase(id, 'answer_full'))
      else {
        const one = await simulateCase(deps, plan, id)
        done.set(text, one)
        length += JSON.stringify(one).length
      }
    }
    // One after the other, so that at most one case is locked.
    for (const one of asked) await simulate(one)
    // Those that somebody else worked at may be free by now.
    for (const one of asked) if (isLocked(done.get(one.text))) await simulate(one)
    return asked.flatMap(({ text }) => done.get(text) ?? [])
  })
}

function isLocked(one: SimulatedCase | undefined): boolean {
  return one?.end.kind === 'skipped' && one.end.reason === 'locked'
}

async function underLease<Result>(
  { db, effects }: SimulateCasesDeps,
  scope: TenantScope,
  work: () => Promise<Result>,
): Promise<Result> {
  const owner = effects.ids.nextUuid()
  const isTaken = await takeSimulationLease(db, scope, owner, LEASE_SECONDS)
  if (!isTaken) throw simulationRunning()
  try {
    return await work()
  } finally {
    await endSimulationLease(db, scope, owner)
  }
}
