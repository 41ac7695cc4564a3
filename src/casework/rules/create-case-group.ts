// POST /beta/casework/case-groups: a new group, before those that stand at its place and behind it.

import type { Casework } from '../../app/open-casework.ts'
import { defineRoute, type Route, requireCaller } from '../../kernel/http/route.ts'
import { presentCaseGroup, RULE_SCOPE } from './case-group-records.ts'
import { CaseGroup, NewCaseGroup } from './case-group-wire.ts'
import { createCaseGroup } from './save-case-groups.ts'

export function createCaseGroupRoute({ foundation }: Casework): Route {
  const { database, ids, clock } = foundation
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/case-groups',
    group: 'casework',
    access: { kind: 'scope', scope: RULE_SCOPE },
    operationId: 'createCaseGroup',
    summary: 'Create a case group',
    description:
      'Without an order it is asked last, before the group that takes everything. Groups behind its place move on by one.',
    body: NewCaseGroup,
    responses: {
      201: { description: 'Created; Location names it.', schema: CaseGroup },
      400: { description: 'It is not valid, or names a playbook that is not there.' },
      409: {
        description:
          'There is one of this id already, or cases of one that was deleted, or there are too many.',
      },
    },
    async handle({ caller, body }) {
      const { tenantId, tokenId } = requireCaller(caller)
      const changer = { tokenId, at: new Date(clock.nowMs()) }
      const group = await createCaseGroup({ db: database.kysely, ids }, { tenantId }, body, changer)
      return {
        status: 201,
        json: presentCaseGroup(group),
        headers: { location: `/beta/casework/case-groups/${group.id}` },
      }
    },
  })
}
