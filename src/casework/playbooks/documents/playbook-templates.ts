// GET /beta/casework/playbook-templates and …/{name}: the playbooks that ship with the program.

import { type Static, Type } from 'typebox'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { named } from '../../../vocabulary/named-schema.ts'
import { playbookTemplateNotFound } from '../errors.ts'
import { PlaybookDocumentBody } from '../playbook-wire.ts'
import { listReferences } from './playbook-document.ts'
import { DOCUMENT_QUERY, sendDocument, YAML_TYPE } from './send-document.ts'
import {
  findShippedPlaybook,
  listShippedPlaybooks,
  type ShippedPlaybook,
} from './shipped-playbooks.ts'

const PATH = '/beta/casework/playbook-templates'

const Names = (description: string) => Type.Array(Type.String(), { description })

const PlaybookTemplate = named(
  'PlaybookTemplate',
  Type.Object({
    name: Type.String({ description: 'Import it by this name.' }),
    title: Type.String({ description: 'The name that the playbook gets.' }),
    description: Type.String(),
    node_count: Type.Integer(),
    secrets: Names('Secrets that it names; set them before it runs.'),
    templates: Names('Templates of notices that it names.'),
  }),
)

const PlaybookTemplateList = named(
  'PlaybookTemplateList',
  Type.Object({
    items: Type.Array(PlaybookTemplate),
    next_cursor: Type.Literal('', { description: 'All of them are on one page.' }),
  }),
)

export function listPlaybookTemplatesRoute(): Route {
  return defineRoute({
    method: 'GET',
    path: PATH,
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:read' },
    operationId: 'listPlaybookTemplates',
    summary: 'List shipped playbooks',
    description:
      'None of them runs by itself: POST /beta/casework/playbooks/import copies one by its name.',
    responses: { 200: { description: 'All of them.', schema: PlaybookTemplateList } },
    async handle() {
      const items = listShippedPlaybooks().map(presentTemplate)
      return { status: 200, json: { items, next_cursor: '' } }
    },
  })
}

export function getPlaybookTemplateRoute(): Route {
  return defineRoute({
    method: 'GET',
    path: `${PATH}/{name}`,
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:read' },
    operationId: 'getPlaybookTemplate',
    summary: 'Get a shipped playbook',
    description: 'A playbook that ships with the program, as a document that can be imported.',
    params: Type.Object({ name: Type.String() }),
    query: DOCUMENT_QUERY,
    responses: {
      200: {
        description: 'Its document, as JSON or as YAML.',
        schema: PlaybookDocumentBody,
        otherContentType: YAML_TYPE,
      },
      404: { description: 'There is none of this name.' },
    },
    async handle({ params, query, headers }) {
      const shipped = findShippedPlaybook(params.name)
      if (shipped === null) throw playbookTemplateNotFound()
      const wish = { format: query.format, accept: headers['accept'] }
      return sendDocument(shipped.document, shipped.name, wish)
    },
  })
}

function presentTemplate({ name, document }: ShippedPlaybook): Static<typeof PlaybookTemplate> {
  const references = listReferences(document.nodes)
  const namesOf = (wanted: string): string[] => [
    ...new Set(references.flatMap((one) => (one.kind === wanted ? [one.name] : []))),
  ]
  return {
    name,
    title: document.name,
    description: document.description,
    node_count: document.nodes.length,
    secrets: namesOf('secret'),
    templates: namesOf('template'),
  }
}
