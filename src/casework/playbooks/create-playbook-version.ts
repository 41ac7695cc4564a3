// POST /beta/casework/playbooks/{playbookId}/versions: the next version of a playbook, as a draft.
// Runs stay on the version they began with.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { AuditLog } from '../../access/audit/audit-log.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { readExpectedVersion } from '../../kernel/http/entity-tag.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import { playbookIsStale, playbookNotFound, playbookNotValid } from './errors.ts'
import { parseNewGraph } from './new-graph.ts'
import { insertVersion } from './playbook-store.ts'
import { NewVersionBody, VersionStatus } from './playbook-wire.ts'
import { requirePlaybook } from './require-playbook.ts'

export interface CreatePlaybookVersionDeps {
  readonly db: Db
  readonly audit: AuditLog
}

export function createPlaybookVersionRoute({ db, audit }: CreatePlaybookVersionDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/playbooks/{playbookId}/versions',
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:write' },
    operationId: 'createPlaybookVersion',
    idempotency: 'kept',
    summary: 'Add a version to a playbook',
    description:
      'Adds a draft. Runs that are under way stay on their version. `If-Match` with the number of the newest version that you know, such as `"3"` for `latest_version` 3, refuses it when somebody else has added one since.',
    params: Type.Object({ playbookId: Type.String() }),
    body: NewVersionBody,
    checksOwnBody: true,
    responses: {
      201: { description: 'Added; Location names it.', schema: VersionStatus },
      400: { description: 'The graph is not valid; every problem is named by its path.' },
      404: { description: 'There is no such playbook.' },
      412: { description: 'A version was added since the one of If-Match.' },
    },
    async handle({ caller, params, body, headers }) {
      const scope = requireCaller(caller)
      // An unknown playbook is answered 404 whatever the body is.
      const { id } = await requirePlaybook(db, scope, params.playbookId)
      const ifMatch = headers['if-match']
      const latest =
        ifMatch === undefined ? null : readExpectedVersion(ifMatch, undefined, playbookIsStale)
      const problems: FieldProblem[] = []
      const graph = parseNewGraph(body, problems)
      if (graph === null) throw playbookNotValid(problems)
      const version = await inTransaction(db, async (tx) => {
        const number = await insertVersion(tx, scope, id, graph)
        if (number === null) throw playbookNotFound()
        // The number was given under the lock of the row; the transaction gives it back.
        if (latest !== null && number !== latest + 1) throw playbookIsStale()
        await audit.record(tx, 'playbook_version.create', {
          tenantId: scope.tenantId,
          id: `${id}/${number}`,
          after: { graph: graph.graph },
        })
        return number
      })
      return {
        status: 201,
        headers: { location: `/beta/casework/playbooks/${id}/versions/${version}` },
        json: { id, version, state: 'draft' },
      }
    },
  })
}
