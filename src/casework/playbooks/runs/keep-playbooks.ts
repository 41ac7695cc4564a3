// Upkeep of playbooks: versions whose last run has ended are retired, and old trigger keys removed.
// Any number of nodes may do it at the same time.

import { type Db, inTransaction } from '../../../kernel/db/database.ts'
import { retireDrainedVersions } from '../playbook-store.ts'
import { removeOldTriggerKeys } from './trigger-key-store.ts'

// A million keys, far more than are accepted between two runs.
const KEY_BATCHES_MAX = 100

export async function keepPlaybooks(db: Db, signal: AbortSignal): Promise<void> {
  await inTransaction(db, retireDrainedVersions)
  for (let batch = 0; batch < KEY_BATCHES_MAX && !signal.aborted; batch += 1) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    if (!(await removeOldTriggerKeys(db)).isMore) return
  }
}
