// GET /beta/casework/mute-rules: a page of rules, the newest first. Ended rules are listed too,
// unless `in_force` asks for the others only.

import { Type } from 'typebox'
import { byId, listRoute, showRows } from '../../access/list-route.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { CursorSealer } from '../../kernel/http/cursor.ts'
import type { Route } from '../../kernel/http/route.ts'
import { PAGE_PARAMETERS } from '../../vocabulary/page-wire.ts'
import { listMuteRules } from './mute-rule-store.ts'
import { MuteRuleList, presentMuteRule } from './mute-rule-wire.ts'

export interface ListMuteRulesDeps {
  readonly db: Db
  readonly clock: Clock
  readonly cursors: CursorSealer
}

export function listMuteRulesRoute({ db, clock, cursors }: ListMuteRulesDeps): Route {
  return listRoute({
    cursors,
    path: '/beta/casework/mute-rules',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'listMuteRules',
    summary: 'List mute rules',
    description: 'The rules by which events open no case, those that ended too.',
    query: Type.Object({
      in_force: Type.Optional(Type.Literal('true', { description: 'Only rules that mute now.' })),
      ...PAGE_PARAMETERS,
    }),
    responses: { 200: { description: 'A page of rules.', schema: MuteRuleList } },
    list: 'mute rules',
    sort: 'created_at',
    open({ caller, query: { in_force: inForce } }) {
      const now = new Date(clock.nowMs())
      const asked = inForce === undefined ? null : now
      return {
        filters: { in_force: inForce },
        find: async (request) =>
          showRows(await listMuteRules(db, caller, asked, request), byId, (row) =>
            presentMuteRule(row, now),
          ),
      }
    },
  })
}
