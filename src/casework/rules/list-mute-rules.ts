// GET /beta/casework/mute-rules: a page of rules, the newest first. Ended rules are listed too,
// unless `in_force` asks for the others only.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { CursorSealer } from '../../kernel/http/cursor.ts'
import { readPage } from '../../kernel/http/read-page.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { PAGE_PARAMETERS } from '../../vocabulary/page-wire.ts'
import { listMuteRules } from './mute-rule-store.ts'
import { MuteRuleList, presentMuteRule } from './mute-rule-wire.ts'

export interface ListMuteRulesDeps {
  readonly db: Db
  readonly clock: Clock
  readonly cursors: CursorSealer
}

export function listMuteRulesRoute({ db, clock, cursors }: ListMuteRulesDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/mute-rules',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'listMuteRules',
    summary: 'List mute rules',
    description: 'The rules by which events open no case, those that ended too.',
    query: Type.Object({
      in_force: Type.Optional(Type.Literal('true', { description: 'Only rules that mute now.' })),
      ...PAGE_PARAMETERS,
    }),
    responses: { 200: { description: 'A page of rules.', schema: MuteRuleList } },
    async handle({ caller, query }) {
      const scope = requireCaller(caller)
      const { in_force: inForce } = query
      const view = { list: 'mute rules', sort: 'created_at', filters: { in_force: inForce } }
      const page = readPage(cursors, scope, view, query)
      const now = new Date(clock.nowMs())
      const rows = await listMuteRules(db, scope, inForce === undefined ? null : now, page.request)
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
