// GET /beta/casework/templates, and GET of one.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { Db } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { templateNotFound } from './errors.ts'
import { findTemplate, listTemplates } from './template-store.ts'
import { presentTemplate, Template, TemplateList } from './template-wire.ts'

export const TEMPLATE_PATH = '/beta/casework/templates/{name}/{language}'
export const TemplateParams = Type.Object({ name: Type.String(), language: Type.String() })

export function listTemplatesRoute({ db }: { readonly db: Db }): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/templates',
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:read' },
    operationId: 'listTemplates',
    summary: 'List templates',
    description:
      'Those of the tenant, and those that came with the program. All of them are on one page.',
    responses: { 200: { description: 'The templates.', schema: TemplateList } },
    async handle({ caller }) {
      const templates = await listTemplates(db, requireCaller(caller))
      return { status: 200, json: { items: templates.map(presentTemplate), next_cursor: '' } }
    },
  })
}

export function getTemplateRoute({ db }: { readonly db: Db }): Route {
  return defineRoute({
    method: 'GET',
    path: TEMPLATE_PATH,
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:read' },
    operationId: 'getTemplate',
    summary: 'Get a template',
    description: 'The template in one language, your own or the shipped one.',
    params: TemplateParams,
    responses: {
      200: { description: 'The template.', schema: Template },
      404: { description: 'There is no such template.' },
    },
    async handle({ caller, params }) {
      const language = params.language.toLowerCase()
      const found = await findTemplate(db, requireCaller(caller), params.name, language)
      if (found === null) throw templateNotFound()
      return { status: 200, json: presentTemplate(found) }
    },
  })
}
