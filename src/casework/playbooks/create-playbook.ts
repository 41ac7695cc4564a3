// POST /beta/casework/playbooks: a playbook with a name and its first version, a draft.

import { requireCaller } from '../../access/admit-request.ts'
import type { AuditLog } from '../../access/audit/audit-log.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import { isJsonObject } from '../../values/json-value.ts'
import { playbookNameTaken, playbookNotValid } from './errors.ts'
import { type NewGraph, parseNewGraph } from './new-graph.ts'
import { readPlaybookName } from './playbook-name.ts'
import { insertPlaybook, insertVersion } from './playbook-store.ts'
import { NewPlaybookBody, VersionStatus } from './playbook-wire.ts'

export interface CreatePlaybookDeps {
  readonly db: Db
  readonly audit: AuditLog
  readonly ids: IdSource
}

export function createPlaybookRoute({ db, audit, ids }: CreatePlaybookDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/playbooks',
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:write' },
    operationId: 'createPlaybook',
    idempotency: 'kept',
    summary: 'Create a playbook',
    description:
      'Stores the playbook with a draft as version 1. Nothing runs until a version is activated.',
    body: NewPlaybookBody,
    // The parser of the graph names every problem by its path; a schema of loose nodes could not.
    checksOwnBody: true,
    responses: {
      201: { description: 'Created; Location names it.', schema: VersionStatus },
      400: { description: 'The playbook is not valid; every problem is named by its path.' },
      409: { description: 'A playbook of this name exists.' },
    },
    async handle({ caller, body }) {
      const scope = requireCaller(caller)
      const { name, graph } = parseNewPlaybook(body)
      const id = ids.nextUuid()
      const version = await inTransaction(db, async (tx) => {
        if (!(await insertPlaybook(tx, scope, { id, name }))) throw playbookNameTaken()
        const number = await insertVersion(tx, scope, id, graph)
        if (number === null) throw new Error('a playbook that was just made is not there')
        const after = { name, version: number, graph: graph.graph }
        await audit.record(tx, 'playbook.create', { tenantId: scope.tenantId, id, after })
        return number
      })
      return {
        status: 201,
        headers: { location: `/beta/casework/playbooks/${id}` },
        json: { id, version, state: 'draft' },
      }
    },
  })
}

function parseNewPlaybook(body: unknown): { readonly name: string; readonly graph: NewGraph } {
  const problems: FieldProblem[] = []
  if (!isJsonObject(body)) throw playbookNotValid([{ path: '/', reason: 'must be an object' }])
  const { name: given, ...rest } = body
  const name = readPlaybookName(given, problems)
  const graph = parseNewGraph(rest, problems)
  if (name === null || graph === null) throw playbookNotValid(problems)
  return { name, graph }
}
