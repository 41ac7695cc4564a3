// The routes of cases, in the order in which they are documented.

import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { CursorSealer } from '../../kernel/http/cursor.ts'
import type { Route } from '../../kernel/http/route.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { changeCasesRoute } from './bulk/change-cases.ts'
import { undoBulkChangeRoute } from './bulk/undo-bulk-change.ts'
import type { MarkEventsResolved, NoteWithdrawals } from './case-move-store.ts'
import type { FindCaseProgress } from './case-progress.ts'
import { changeCaseRoute } from './change-case.ts'
import { addCommentRoute } from './comments/add-comment.ts'
import { listCommentsRoute } from './comments/list-comments.ts'
import { getCaseRoute } from './get-case.ts'
import { listHistoryRoute } from './list-history.ts'
import { countCasesRoute } from './lists/count-cases.ts'
import { listCasesRoute } from './lists/list-cases.ts'
import { mergeCasesRoute, unmergeCasesRoute } from './merge/merge-cases.ts'
import type { EndRuns, EventMoves, LegalHoldExtension } from './merge/merge-deps.ts'
import { splitCaseRoute } from './merge/split-case.ts'

export interface CaseRoutesDeps {
  readonly db: Db
  readonly ids: IdSource
  readonly clock: Clock
  readonly cursors: CursorSealer
  readonly findProgress: FindCaseProgress
  readonly markEventsResolved: MarkEventsResolved
  readonly noteWithdrawals: NoteWithdrawals
  readonly eventMoves: EventMoves
  readonly endRuns: EndRuns
  readonly legalHolds: LegalHoldExtension
}

export function caseRoutes(deps: CaseRoutesDeps): readonly Route[] {
  return [
    listCasesRoute(deps),
    countCasesRoute(deps),
    changeCasesRoute(deps),
    undoBulkChangeRoute(deps),
    getCaseRoute(deps),
    changeCaseRoute(deps),
    mergeCasesRoute(deps),
    unmergeCasesRoute(deps),
    splitCaseRoute(deps),
    listCommentsRoute(deps),
    addCommentRoute(deps),
    listHistoryRoute(deps),
  ]
}
