// PUT and DELETE /beta/casework/templates/{name}/{language}: the templates of a tenant. They are
// checked when they are stored, so that a notice does not fail for a misspelled variable.

import type { Static } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { AuditLog } from '../../access/audit/audit-log.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import { templateNotFound, templateNotValid, tooManyTemplates } from './errors.ts'
import { TEMPLATE_PATH, TemplateParams } from './list-templates.ts'
import { isPurpose } from './notice.ts'
import { findShippedTemplate, type TemplateSettings } from './shipped-templates.ts'
import { countTemplates, deleteTemplate, lockOwnTemplate, putTemplate } from './template-store.ts'
import { readTemplate } from './template-variables.ts'
import { presentTemplate, Template, TemplateBody } from './template-wire.ts'

const TEMPLATES_MAX = 500
const NAME = /^[a-z][a-z0-9_-]{0,49}$/
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/
const LANGUAGE_LENGTH_MAX = 35

export interface SaveTemplateDeps {
  readonly db: Db
  readonly audit: AuditLog
  readonly ids: IdSource
}

export function putTemplateRoute({ db, audit, ids }: SaveTemplateDeps): Route {
  return defineRoute({
    method: 'PUT',
    path: TEMPLATE_PATH,
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:write' },
    operationId: 'putTemplate',
    summary: 'Create or replace a template',
    description:
      'A template named like a purpose is used for the notices of that purpose; another one is used where its name is given. A variable that the profile does not show is refused.',
    params: TemplateParams,
    body: TemplateBody,
    responses: {
      200: { description: 'The template.', schema: Template },
      400: { description: 'It cannot be used; every fault is named with its line and column.' },
      409: { description: `There are ${TEMPLATES_MAX} templates.` },
    },
    async handle({ caller, params, body }) {
      const scope = requireCaller(caller)
      const template = readSettings(params, body)
      const stored = await inTransaction(db, async (tx) => {
        const before = await lockOwnTemplate(tx, scope, template.name, template.language)
        const put = await putTemplate(tx, ids, scope, template)
        // Only a new one raises the count.
        const isTooMany = put.version === 1 && (await countTemplates(tx, scope)) > TEMPLATES_MAX
        if (isTooMany) throw tooManyTemplates(TEMPLATES_MAX)
        await audit.record(tx, 'template.set', {
          tenantId: scope.tenantId,
          id: `${put.name}/${put.language}`,
          before: before === null ? null : presentTemplate(before),
          after: presentTemplate(put),
        })
        return put
      })
      return { status: 200, json: presentTemplate(stored) }
    },
  })
}

function readSettings(
  params: Static<typeof TemplateParams>,
  body: Static<typeof TemplateBody>,
): TemplateSettings {
  const problems: FieldProblem[] = []
  const { name } = params
  const language = params.language.toLowerCase()
  if (!NAME.test(name)) problems.push({ path: '/name', reason: 'must be lower-case words' })
  if (!LANGUAGE.test(language) || language.length > LANGUAGE_LENGTH_MAX) {
    problems.push({ path: '/language', reason: 'must be a BCP 47 tag, such as de or pt-BR' })
  }
  const purpose = isPurpose(name) ? name : body.purpose
  if (purpose === undefined) {
    problems.push({ path: '/purpose', reason: 'is missing; the name is none of the purposes' })
  }
  if (isPurpose(name) && body.purpose !== undefined && body.purpose !== name) {
    problems.push({ path: '/purpose', reason: 'must be that of the name, or left out' })
  }
  const shipped = findShippedTemplate(purpose ?? '', 'en')
  const profile = body.profile ?? shipped?.profile ?? 'reporter'
  readTemplate(body, profile, problems)
  if (problems.length > 0 || purpose === undefined) throw templateNotValid(problems)
  const { subject, body: text, is_active: isActive = true } = body
  return { name, language, purpose, profile, subject, body: text, isActive }
}

export function deleteTemplateRoute({ db, audit }: Omit<SaveTemplateDeps, 'ids'>): Route {
  return defineRoute({
    method: 'DELETE',
    path: TEMPLATE_PATH,
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:write' },
    operationId: 'deleteTemplate',
    summary: 'Delete a template',
    description: 'The one that came with the program, if there is one, is used again.',
    params: TemplateParams,
    responses: {
      204: { description: 'It is deleted.' },
      404: { description: 'The tenant has no such template of its own.' },
    },
    async handle({ caller, params }) {
      const { tenantId } = requireCaller(caller)
      const [name, language] = [params.name, params.language.toLowerCase()]
      await inTransaction(db, async (tx) => {
        const before = await lockOwnTemplate(tx, { tenantId }, name, language)
        if (before === null) throw templateNotFound()
        await deleteTemplate(tx, { tenantId }, name, language)
        await audit.record(tx, 'template.delete', {
          tenantId,
          id: `${name}/${language}`,
          before: presentTemplate(before),
        })
      })
      return { status: 204 }
    },
  })
}
