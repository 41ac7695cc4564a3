// PATCH and DELETE /beta/casework/playbooks/{playbookId}, and POST …/retire: the name of a
// playbook, and its end.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { AuditLog } from '../../access/audit/audit-log.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { isStorableText } from '../../values/json-value.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { named } from '../../vocabulary/named-schema.ts'
import { playbookInUse, playbookNameTaken, playbookNotFound, playbookNotValid } from './errors.ts'
import {
  deletePlaybook,
  findPlaybookUse,
  lockPlaybook,
  type PlaybookRecord,
  renamePlaybook,
  retirePlaybook,
} from './playbook-store.ts'
import { PLAYBOOK_NAME_LENGTH_MAX, PlaybookSummary, presentPlaybook } from './playbook-wire.ts'
import { parsePlaybookId, requirePlaybook } from './require-playbook.ts'

const PATH = '/beta/casework/playbooks/{playbookId}'
const PlaybookParams = Type.Object({ playbookId: Type.String() })
const ABSENT = { description: 'There is no such playbook.' }

export interface ChangePlaybookDeps {
  readonly db: Db
  readonly audit: AuditLog
}

export function renamePlaybookRoute({ db, audit }: ChangePlaybookDeps): Route {
  return defineRoute({
    method: 'PATCH',
    path: PATH,
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:write' },
    operationId: 'renamePlaybook',
    summary: 'Rename a playbook',
    description: 'What its runs wrote before keeps the former name.',
    params: PlaybookParams,
    body: named(
      'PlaybookName',
      Type.Object(
        { name: Type.String({ minLength: 1, maxLength: PLAYBOOK_NAME_LENGTH_MAX }) },
        { additionalProperties: false },
      ),
    ),
    responses: {
      200: { description: 'The playbook.', schema: PlaybookSummary },
      404: ABSENT,
      409: { description: 'Another playbook has this name.' },
    },
    async handle({ caller, params, body }) {
      const scope = requireCaller(caller)
      const name = readName(body.name)
      const playbook = await inTransaction(db, async (tx) => {
        const { id, name: former } = await lockKnown(tx, scope, params.playbookId)
        if (!(await renamePlaybook(tx, scope, id, name))) throw playbookNameTaken()
        const renamed = await requirePlaybook(tx, scope, id)
        const values = { before: { name: former }, after: { name } }
        await audit.record(tx, 'playbook.rename', { tenantId: scope.tenantId, id, ...values })
        return renamed
      })
      return { status: 200, json: presentPlaybook(playbook) }
    },
  })
}

export function retirePlaybookRoute({ db, audit }: ChangePlaybookDeps): Route {
  return defineRoute({
    method: 'POST',
    path: `${PATH}/retire`,
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:activate' },
    operationId: 'retirePlaybook',
    summary: 'Retire a playbook',
    description:
      'No run starts on it any more. Its active version drains: runs under way continue, and it becomes inactive when the last one has ended. Activating a version brings the playbook back.',
    params: PlaybookParams,
    responses: {
      200: { description: 'The playbook, without an active version.', schema: PlaybookSummary },
      404: ABSENT,
    },
    async handle({ caller, params }) {
      const scope = requireCaller(caller)
      const playbook = await inTransaction(db, async (tx) => {
        const { id, activeVersion } = await lockKnown(tx, scope, params.playbookId)
        await retirePlaybook(tx, scope, id)
        const retired = await requirePlaybook(tx, scope, id)
        const before = { active_version: activeVersion }
        await audit.record(tx, 'playbook.retire', { tenantId: scope.tenantId, id, before })
        return retired
      })
      return { status: 200, json: presentPlaybook(playbook) }
    },
  })
}

export function deletePlaybookRoute({ db, audit }: ChangePlaybookDeps): Route {
  return defineRoute({
    method: 'DELETE',
    path: PATH,
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:write' },
    operationId: 'deletePlaybook',
    summary: 'Delete a playbook',
    description: 'Deletes a playbook that no run and no case group has ever used.',
    params: PlaybookParams,
    responses: {
      204: { description: 'Deleted, with its drafts.' },
      404: ABSENT,
      409: {
        description:
          'A version of it was active once, or a case group or another playbook names it: it can be retired instead.',
      },
    },
    async handle({ caller, params }) {
      const scope = requireCaller(caller)
      await inTransaction(db, async (tx) => {
        const { id, name, latestVersion } = await lockKnown(tx, scope, params.playbookId)
        const use = await findPlaybookUse(tx, scope, id)
        if (use !== null) throw playbookInUse(use)
        await deletePlaybook(tx, scope, id)
        const before = { name, latest_version: latestVersion }
        await audit.record(tx, 'playbook.delete', { tenantId: scope.tenantId, id, before })
      })
      return { status: 204 }
    },
  })
}

type Transaction = Parameters<typeof lockPlaybook>[0]

async function lockKnown(
  tx: Transaction,
  scope: TenantScope,
  idText: string,
): Promise<PlaybookRecord> {
  const playbook = await lockPlaybook(tx, scope, parsePlaybookId(idText))
  if (playbook === null) throw playbookNotFound()
  return playbook
}

function readName(given: string): string {
  const name = given.trim()
  if (name !== '' && isStorableText(name)) return name
  throw playbookNotValid([{ path: '/name', reason: 'must be a text that is not blank' }])
}
