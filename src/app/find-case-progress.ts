// The part of a case page that playbooks and legal holds know, handed to the cases feature as a
// function.

import type { FindCaseProgress } from '../casework/cases/case-progress.ts'
import type { GraphCache } from '../casework/playbooks/graph-cache.ts'
import {
  findPlaybookPosition,
  listWaitingNodes,
} from '../casework/playbooks/runs/list-waiting-nodes.ts'
import { isCaseOnLegalHold } from '../casework/privacy/legal-holds/legal-hold-store.ts'
import type { Db } from '../kernel/db/database.ts'

export function createCaseProgress(db: Db, graphs: GraphCache): FindCaseProgress {
  return async (scope, caseId) => ({
    position: await findPlaybookPosition(db, scope, caseId),
    waiting: await listWaitingNodes(db, graphs, scope, caseId),
    isOnLegalHold: await isCaseOnLegalHold(db, scope, caseId),
  })
}
