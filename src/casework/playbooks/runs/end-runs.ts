// What the merge of cases asks of playbooks: their runs end, and the mails of these do not go out.

import type { Clock } from '../../../kernel/clock.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { EndRuns } from '../../cases/merge/merge-deps.ts'
import { cancelEffects } from './cancel-effects.ts'
import { endRunsOfCases } from './run-store.ts'

export function createEndRuns(deps: { readonly ids: IdSource; readonly clock: Clock }): EndRuns {
  return async (tx, scope, caseIds) => {
    const runs = await endRunsOfCases(tx, scope, caseIds)
    return { runs, takeMailBack: () => cancelEffects(tx, deps, runs) }
  }
}
