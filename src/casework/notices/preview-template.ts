// POST /beta/casework/templates/{name}/{language}/preview: a template, or a draft of it, rendered
// over a real case. Nothing is stored or sent.

import { requireCaller } from '../../access/admit-request.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { requireCase } from '../cases/case-store.ts'
import { templateNotFound, templateNotValid } from './errors.ts'
import { TEMPLATE_PATH, TemplateParams } from './list-templates.ts'
import { findShownCases } from './notice-view-store.ts'
import { renderNotice } from './render-notice.ts'
import { findTemplate } from './template-store.ts'
import { Preview, PreviewBody } from './template-wire.ts'

export function previewTemplateRoute({
  db,
  clock,
}: {
  readonly db: Db
  readonly clock: Clock
}): Route {
  return defineRoute({
    method: 'POST',
    path: `${TEMPLATE_PATH}/preview`,
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'previewTemplate',
    summary: 'Preview a template',
    description:
      'The text as a notice would have it now. Nothing is stored or sent. The events of a reporter are those of the newest one.',
    params: TemplateParams,
    body: PreviewBody,
    responses: {
      200: { description: 'The rendered text.', schema: Preview },
      400: { description: 'The template cannot be rendered; the place is named.' },
      404: { description: 'There is no such template or case.' },
    },
    async handle({ caller, params, body }) {
      const scope = requireCaller(caller)
      const { id } = await requireCase(db, scope, body.case_id)
      const stored = await findTemplate(db, scope, params.name, params.language.toLowerCase())
      if (stored === null) throw templateNotFound()
      const one = (await findShownCases(db, scope, [id])).get(id) ?? null
      const template = {
        subject: body.subject ?? stored.subject,
        body: body.body ?? stored.body,
        profile: body.profile ?? stored.profile,
      }
      const rendered = await renderNotice(db, scope, {
        template,
        case: one,
        party: template.profile === 'reporter' ? 'reporter' : 'customer',
        recipient: template.profile === 'reporter' ? (one?.eventReporters[0] ?? null) : null,
        content: {
          text: body.text ?? '',
          vars: { ...body.vars },
          reasons: body.reasons ?? {},
          now: new Date(clock.nowMs()),
          digest: [],
        },
      })
      if (rendered.kind === 'trouble') throw templateNotValid(rendered.problems)
      return { status: 200, json: { subject: rendered.subject, text: rendered.text } }
    },
  })
}
