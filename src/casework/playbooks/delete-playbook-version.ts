// DELETE /beta/casework/playbooks/{playbookId}/versions/{version}: a draft that nobody wants.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { AuditLog } from '../../access/audit/audit-log.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { playbookNotFound, playbookVersionInUse, playbookVersionNotFound } from './errors.ts'
import { deleteDraft, findVersion, lockPlaybook } from './playbook-store.ts'
import { parsePlaybookId, parseVersionNumber } from './require-playbook.ts'

export interface DeletePlaybookVersionDeps {
  readonly db: Db
  readonly audit: AuditLog
}

export function deletePlaybookVersionRoute({ db, audit }: DeletePlaybookVersionDeps): Route {
  return defineRoute({
    method: 'DELETE',
    path: '/beta/casework/playbooks/{playbookId}/versions/{version}',
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:write' },
    operationId: 'deletePlaybookVersion',
    summary: 'Delete a draft version',
    description: 'Its number is not given to another version.',
    params: Type.Object({ playbookId: Type.String(), version: Type.String() }),
    responses: {
      204: { description: 'Deleted.' },
      404: { description: 'There is no such playbook or version.' },
      409: { description: 'The version was active once: runs refer to it.' },
    },
    async handle({ caller, params }) {
      const scope = requireCaller(caller)
      const playbookId = parsePlaybookId(params.playbookId)
      const number = parseVersionNumber(params.version)
      await inTransaction(db, async (tx) => {
        // An activation of the draft waits, or has come before.
        const playbook = await lockPlaybook(tx, scope, playbookId)
        if (playbook === null) throw playbookNotFound()
        const version = await findVersion(tx, scope, playbookId, number)
        if (version === null) throw playbookVersionNotFound()
        if (version.state !== 'draft') throw playbookVersionInUse()
        await deleteDraft(tx, scope, playbookId, number)
        await audit.record(tx, 'playbook_version.delete', {
          tenantId: scope.tenantId,
          id: `${playbookId}/${number}`,
          before: { graph: version.graph },
        })
      })
      return { status: 204 }
    },
  })
}
