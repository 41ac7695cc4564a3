// GET /schemas/playbook.json: the JSON Schema of documents, for editors of text.

import { Type } from 'typebox'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { buildPlaybookSchemas } from './node-schemas.ts'

const BASE = '#/$defs'

export function getDocumentSchemaRoute(): Route {
  return defineRoute({
    method: 'GET',
    path: '/schemas/playbook.json',
    group: 'system',
    // Editors fetch schemas without credentials, and this one says no more than /openapi.json.
    access: { kind: 'public' },
    operationId: 'getPlaybookDocumentSchema',
    summary: 'Get the JSON Schema of playbook documents',
    description:
      'Editors complete and check a document by it: `# yaml-language-server: $schema=<this URL>` as the first line of the file. The import checks more than a schema can say.',
    responses: {
      200: {
        description: 'A JSON Schema (2020-12).',
        contentType: 'application/schema+json',
        schema: Type.Object({ $schema: Type.String(), $ref: Type.String() }),
      },
    },
    handle() {
      const schema = {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $ref: `${BASE}/PlaybookDocument`,
        $defs: buildPlaybookSchemas(BASE),
      }
      const text = JSON.stringify(schema)
      return { status: 200, contentType: 'application/schema+json; charset=utf-8', text }
    },
  })
}
