// GET /beta/casework/case-groups/{ruleId}/history and /mute-rules/{ruleId}/history: who changed a
// rule, and its members before and after.

import { Type } from 'typebox'
import { findActorNames } from '../../access/groups/actor-name-store.ts'
import { byId, listRoute, showRows } from '../../access/list-route.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { CursorSealer } from '../../kernel/http/cursor.ts'
import type { Route } from '../../kernel/http/route.ts'
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
  return listRoute({
    cursors,
    path: `${records.path}/{ruleId}/history`,
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
    list: `${kind} history`,
    sort: 'at',
    open: ({ caller, params: { ruleId }, query }) => ({
      filters: { rule: ruleId },
      async find(request) {
        const rows = await listRuleHistory(db, caller, kind, ruleId, request)
        // A shipped group has no history until its first change.
        const isShipped = async (): Promise<boolean> =>
          kind === 'case_group' &&
          (await listCaseGroups(db, caller)).some((group) => group.id === ruleId)
        if (rows.length === 0 && query.cursor === undefined && !(await isShipped())) {
          throw records.notFound()
        }
        const actors = rows.map(({ actor }) => actor)
        const names = await findActorNames(db, caller.tenantId, actors)
        return showRows(rows, byId, (row) => presentRuleHistory(row, names.get(row.actor)))
      },
    }),
  })
}
