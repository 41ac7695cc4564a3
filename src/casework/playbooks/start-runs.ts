// A new case enters the playbook of its group: called by intake inside the transaction that makes
// the case.

import type { Tx } from '../../kernel/db/database.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { insertRuns } from './run-store.ts'

export interface NewCaseOfPlaybook {
  readonly caseId: string
  /** The playbook attached to the case's group. */
  readonly playbookId: string
}

/**
 * Starts a run for each case, pinned to the version that is active now; a playbook without an
 * active version, or of another tenant, starts none, and a case that already has an active run of
 * the playbook gets no second one. The number of runs started: when it is not 0, wake the workers
 * after the commit, so that the workers of this process need not wait for their next poll.
 */
export async function startRunsForNewCases(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  cases: readonly NewCaseOfPlaybook[],
): Promise<number> {
  if (cases.length === 0) return 0
  return insertRuns(
    tx,
    scope,
    cases.map((entry) => ({ ...entry, runId: ids.nextUuid() })),
  )
}
