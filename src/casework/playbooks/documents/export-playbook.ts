// GET /beta/casework/playbooks/{playbookId}/versions/{version}/export: a version as a document.

import { Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { playbookVersionNotFound } from '../errors.ts'
import { findVersion } from '../playbook-store.ts'
import { PlaybookDocumentBody } from '../playbook-wire.ts'
import { parseVersionNumber, requirePlaybook } from '../require-playbook.ts'
import { nameReferences } from './resolve-references.ts'
import { DOCUMENT_QUERY, sendDocument, YAML_TYPE } from './send-document.ts'

export function exportPlaybookRoute({ db }: { readonly db: Db }): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/playbooks/{playbookId}/versions/{version}/export',
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:read' },
    operationId: 'exportPlaybook',
    summary: 'Export a version of a playbook',
    description:
      'A file of JSON or YAML to keep beside code or to import elsewhere. It has no ids and no secrets: secrets, templates and other playbooks stand in it by their names. Equal versions give equal files.',
    params: Type.Object({ playbookId: Type.String(), version: Type.String() }),
    query: DOCUMENT_QUERY,
    responses: {
      200: {
        description: 'The document, as JSON or as YAML.',
        schema: PlaybookDocumentBody,
        otherContentType: YAML_TYPE,
      },
      404: { description: 'There is no such playbook or version.' },
    },
    async handle({ caller, params, query, headers }) {
      const scope = requireCaller(caller)
      const playbook = await requirePlaybook(db, scope, params.playbookId)
      const number = parseVersionNumber(params.version)
      const version = await findVersion(db, scope, playbook.id, number)
      if (version === null) throw playbookVersionNotFound()
      const nodes = await nameReferences(db, scope, version.graph.nodes)
      const document = { name: playbook.name, description: version.description, nodes }
      const wish = { format: query.format, accept: headers['accept'] }
      return sendDocument(document, playbook.name, wish)
    },
  })
}
