// GET /beta/casework/mute-rules: a page of rules, the newest first; those that have ended as well,
// unless only what is in force is asked for.

import { Type } from 'typebox'
import type { Casework } from '../../app/open-casework.ts'
import { readPage } from '../../kernel/http/read-page.ts'
import { defineRoute, type Route, requireCaller } from '../../kernel/http/route.ts'
import { PAGE_PARAMETERS } from '../../vocabulary/page-wire.ts'
import { presentMuteRule } from './case-group-records.ts'
import { listMuteRules } from './mute-rule-store.ts'
import { MuteRuleList } from './mute-rule-wire.ts'

export function listMuteRulesRoute({ foundation, cursors }: Casework): Route {
  const { database, clock } = foundation
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/mute-rules',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'listMuteRules',
    summary: 'List mute rules',
    query: Type.Object({
      in_force: Type.Optional(Type.Literal('true', { description: 'Only those that mute now.' })),
      ...PAGE_PARAMETERS,
    }),
    responses: { 200: { description: 'A page of rules.', schema: MuteRuleList } },
    async handle({ caller, query }) {
      const scope = requireCaller(caller)
      const { in_force: inForce } = query
      const view = { list: 'mute rules', sort: 'created_at', filters: { in_force: inForce } }
      const page = readPage(cursors, scope, view, query)
      const now = new Date(clock.nowMs())
      const at = inForce === undefined ? null : now
      const rows = await listMuteRules(database.kysely, scope, at, page.request)
      return {
        status: 200,
        json: page.present(
          rows,
          (row) => [row.id],
          (row) => presentMuteRule(row, now),
        ),
      }
    },
  })
}
