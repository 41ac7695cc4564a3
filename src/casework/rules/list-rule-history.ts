// GET /beta/casework/case-groups/{ruleId}/history and /mute-rules/{ruleId}/history: who changed a
// rule, and its members before and after.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import { findActorNames } from '../../access/groups/actor-name-store.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { CursorSealer } from '../../kernel/http/cursor.ts'
import { readPage } from '../../kernel/http/read-page.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { OperatingError } from '../../kernel/operating-error.ts'
import { PAGE_PARAMETERS } from '../../vocabulary/page-wire.ts'
import { caseGroupNotFound } from '../cases/errors.ts'
import { listCaseGroups } from './case-group-store.ts'
import { muteRuleNotFound } from './errors.ts'
import { listRuleHistory, type RuleKind } from './rule-history-store.ts'
import { presentRuleHistory, RuleHistoryList } from './rule-history-wire.ts'

export interface RuleRecords {
  readonly kind: RuleKind
  readonly noun: string
  /** As in the id of the operation. */
  readonly title: string
  readonly path: string
  readonly notFound: () => OperatingError
}

export const CASE_GROUP_HISTORY: RuleRecords = {
  kind: 'case_group',
  noun: 'case group',
  title: 'CaseGroup',
  path: '/beta/casework/case-groups',
  notFound: caseGroupNotFound,
}

export const MUTE_RULE_HISTORY: RuleRecords = {
  kind: 'mute_rule',
  noun: 'mute rule',
  title: 'MuteRule',
  path: '/beta/casework/mute-rules',
  notFound: muteRuleNotFound,
}

export function listRuleHistoryRoute(
  { db, cursors }: { readonly db: Db; readonly cursors: CursorSealer },
  records: RuleRecords,
): Route {
  const { kind, noun } = records
  return defineRoute({
    method: 'GET',
    path: `${records.path}/{ruleId}/history`,
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: `list${records.title}History`,
    summary: `List the history of a ${noun}`,
    description: `Who changed the ${noun}, when, and what it was before.`,
    params: Type.Object({ ruleId: Type.String() }),
    query: Type.Object(PAGE_PARAMETERS),
    responses: {
      200: { description: 'A page of history, the newest first.', schema: RuleHistoryList },
      404: { description: `There is no such ${noun}, and there never was one.` },
    },
    async handle({ caller, params, query }) {
      const scope = requireCaller(caller)
      const { ruleId } = params
      const view = { list: `${kind} history`, sort: 'at', filters: { rule: ruleId } }
      const page = readPage(cursors, scope, view, query)
      const rows = await listRuleHistory(db, scope, kind, ruleId, page.request)
      // A shipped group has no history until its first change.
      const isShipped = async (): Promise<boolean> =>
        kind === 'case_group' &&
        (await listCaseGroups(db, scope)).some((group) => group.id === ruleId)
      if (rows.length === 0 && query.cursor === undefined && !(await isShipped())) {
        throw records.notFound()
      }
      const names = await findActorNames(
        db,
        scope.tenantId,
        rows.map(({ actor }) => actor),
      )
      const json = page.present(
        rows,
        (row) => [row.id],
        (row) => presentRuleHistory(row, names.get(row.actor)),
      )
      return { status: 200, json }
    },
  })
}
