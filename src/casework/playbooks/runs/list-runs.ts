// GET /beta/casework/runs: the playbook runs over all cases, such as those that failed and need a
// person.

import { Type } from 'typebox'
import { listRoute, showRows } from '../../../access/list-route.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { CursorSealer } from '../../../kernel/http/cursor.ts'
import { readCaseIdFilter, requireValue } from '../../../kernel/http/read-filters.ts'
import type { Route } from '../../../kernel/http/route.ts'
import { parseDuration } from '../../../values/duration.ts'
import { parseRecordId } from '../../../values/uuid.ts'
import { PAGE_PARAMETERS } from '../../../vocabulary/page-wire.ts'
import { listRunsOfTenant, type RunFilter } from './run-store.ts'
import { presentRunOfCase, RunOfCaseList, RunState } from './run-wire.ts'

const Query = Type.Object({
  state: Type.Optional(RunState),
  playbook_id: Type.Optional(Type.String()),
  case_id: Type.Optional(Type.String()),
  version: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Of the playbook that playbook_id names.' }),
  ),
  node: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Id of a node of the playbook that playbook_id names: a token is there.',
    }),
  ),
  waits_for: Type.Optional(
    Type.Union([
      Type.Literal('agent'),
      Type.Literal('customer'),
      Type.Literal('reporter'),
      Type.Literal('third_party'),
      Type.Literal('timer'),
    ]),
  ),
  older_than: Type.Optional(
    Type.String({
      description: 'In its state, or at its node, for at least this time, such as PT1H or P2D.',
    }),
  ),
  ...PAGE_PARAMETERS,
})

export function listRunsRoute({
  db,
  cursors,
}: {
  readonly db: Db
  readonly cursors: CursorSealer
}): Route {
  return listRoute({
    cursors,
    path: '/beta/casework/runs',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'listRuns',
    summary: 'List runs',
    description:
      'In the order of their start. `state=failed`: the runs that need a person. `since` of each tells its age.',
    query: Query,
    responses: { 200: { description: 'A page of runs.', schema: RunOfCaseList } },
    list: 'runs',
    sort: 'started_at',
    open({ caller, query }) {
      const filter = readFilter(query)
      return {
        filters: { ...filter },
        find: async (request) =>
          showRows(
            await listRunsOfTenant(db, caller, filter, request),
            (row) => [row.runId],
            presentRunOfCase,
          ),
      }
    },
  })
}

const PLAYBOOK_RULE = 'takes playbook_id beside it'
const DURATION_RULE = 'must be an ISO 8601 duration, such as PT1H or P2D'

function readFilter({
  state,
  playbook_id: playbookId,
  case_id: caseId,
  version,
  node,
  waits_for: waitsFor,
  older_than: olderThan,
}: Type.Static<typeof Query>): RunFilter {
  // Versions and nodes are those of a playbook.
  const hasPlaybook = playbookId !== undefined
  return {
    ...(version === undefined
      ? {}
      : { version: requireValue('version', hasPlaybook ? version : null, PLAYBOOK_RULE) }),
    ...(node === undefined
      ? {}
      : { node: requireValue('node', hasPlaybook ? node : null, PLAYBOOK_RULE) }),
    ...(waitsFor === undefined ? {} : { waitsFor }),
    ...(olderThan === undefined
      ? {}
      : { olderThanSeconds: requireValue('older_than', parseDuration(olderThan), DURATION_RULE) }),
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
