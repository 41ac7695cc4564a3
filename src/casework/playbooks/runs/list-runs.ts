// GET /beta/casework/runs: the playbook runs over all cases, such as those that failed and need a
// person.

import { Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { CursorSealer } from '../../../kernel/http/cursor.ts'
import { readCaseIdFilter, requireValue } from '../../../kernel/http/read-filters.ts'
import { readPage } from '../../../kernel/http/read-page.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { parseRecordId } from '../../../values/uuid.ts'
import { PAGE_PARAMETERS } from '../../../vocabulary/page-wire.ts'
import { listRunsOfTenant, type RunFilter } from './run-store.ts'
import { presentRunOfCase, RunOfCaseList, RunState } from './run-wire.ts'

const Query = Type.Object({
  state: Type.Optional(RunState),
  playbook_id: Type.Optional(Type.String()),
  case_id: Type.Optional(Type.String()),
  ...PAGE_PARAMETERS,
})

export function listRunsRoute({
  db,
  cursors,
}: {
  readonly db: Db
  readonly cursors: CursorSealer
}): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/runs',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'listRuns',
    summary: 'List playbook runs',
    description: 'In the order of their start. `state=failed`: the runs that need a person.',
    query: Query,
    responses: { 200: { description: 'A page of runs.', schema: RunOfCaseList } },
    async handle({ caller, query }) {
      const scope = requireCaller(caller)
      const filter = readFilter(query)
      const view = { list: 'runs', sort: 'started_at', filters: { ...filter } }
      const page = readPage(cursors, scope, view, query)
      const runs = await listRunsOfTenant(db, scope, filter, page.request)
      return { status: 200, json: page.present(runs, (run) => [run.runId], presentRunOfCase) }
    },
  })
}

function readFilter({
  state,
  playbook_id: playbookId,
  case_id: caseId,
}: Type.Static<typeof Query>): RunFilter {
  return {
    ...(state === undefined ? {} : { state }),
    ...(caseId === undefined ? {} : { caseId: readCaseIdFilter(caseId) }),
    ...(playbookId === undefined
      ? {}
      : {
          playbookId: requireValue(
            'playbook_id',
            parseRecordId(playbookId),
            'must be the id of a playbook',
          ),
        }),
  }
}
