// PATCH /beta/casework/case-groups/{groupId}: turns a group on or off, and attaches the playbook that its new cases enter.

import { Type } from 'typebox'
import { CaseGroup, CaseGroupPatch } from '../../contract/case-group.ts'
import type { TenantScope } from '../../kernel/auth/caller.ts'
import { inTransaction, type Tx } from '../../kernel/db/database.ts'
import { defineRoute, type Route, requireCaller } from '../../kernel/http/route.ts'
import type { Casework } from '../casework.ts'
import { caseGroupNotFound, changeNotValid } from '../errors.ts'
import { changeCaseGroup, DEFAULT_GROUP_ID } from '../store/case-group-store.ts'
import { findPlaybook } from '../store/playbook-store.ts'
import { presentCaseGroup } from './present-case.ts'
import { parseRecordId } from './record-ids.ts'

export function changeCaseGroupRoute({ foundation }: Casework): Route {
  return defineRoute({
    method: 'PATCH',
    path: '/beta/casework/case-groups/{groupId}',
    group: 'casework',
    // Whoever attaches a playbook makes it act on every case to come.
    access: { kind: 'scope', scope: 'playbooks:activate' },
    operationId: 'changeCaseGroup',
    summary: 'Change a case group',
    params: Type.Object({ groupId: Type.String() }),
    body: CaseGroupPatch,
    responses: {
      200: { description: 'The group as it is now.', schema: CaseGroup },
      400: { description: 'There is no such playbook, or the last group was to be turned off.' },
      404: { description: 'There is no such group.' },
    },
    async handle({ caller, params, body }) {
      const { tenantId } = requireCaller(caller)
      if (body.enabled === false && params.groupId === DEFAULT_GROUP_ID) {
        const reason = 'cannot be false: this group takes what no other group took'
        throw changeNotValid({ path: '/enabled', reason })
      }
      const changed = await inTransaction(foundation.database.kysely, async (tx) =>
        changeCaseGroup(tx, { tenantId }, params.groupId, {
          ...(body.enabled === undefined ? {} : { isEnabled: body.enabled }),
          ...(body.playbook_id === undefined
            ? {}
            : { playbookId: await readPlaybookId(tx, { tenantId }, body.playbook_id) }),
        }),
      )
      if (changed === null) throw caseGroupNotFound()
      return { status: 200, json: presentCaseGroup(changed) }
    },
  })
}

/** Another tenant's playbook is refused like one that is not there. */
async function readPlaybookId(
  tx: Tx,
  scope: TenantScope,
  text: string | null,
): Promise<string | null> {
  if (text === null) return null
  const id = parseRecordId(text)
  if (id !== null && (await findPlaybook(tx, scope, id)) !== null) return id
  throw changeNotValid({ path: '/playbook_id', reason: 'names no playbook' })
}
