// Upkeep of playbooks: retires versions whose last run has ended, removes old trigger keys, and
// gives calls that a dead process has left an outcome. Any number of nodes may do it at once.

import type { TenantPass } from '../../../kernel/db/due-tenants.ts'
import { inInstance } from '../../../kernel/db/instance-acts.ts'
import { retireDrainedVersions } from '../playbook-store.ts'
import { endLostAttempts } from './run-attempt-store.ts'
import { removeOldTriggerKeys } from './trigger-key-store.ts'

// A million keys, far more than are accepted between two runs.
const BATCHES_MAX = 100

export async function keepPlaybooks(pass: TenantPass, signal: AbortSignal): Promise<void> {
  await inInstance('keep playbooks', () => keepAll(pass, signal))
}

async function keepAll(pass: TenantPass, signal: AbortSignal): Promise<void> {
  await retireDrainedVersions(pass)
  for (const work of [endLostAttempts, removeOldTriggerKeys]) {
    for (let batch = 0; batch < BATCHES_MAX && !signal.aborted; batch += 1) {
      // oxlint-disable-next-line eslint/no-await-in-loop
      if (!(await work(pass)).isMore) break
    }
  }
}
