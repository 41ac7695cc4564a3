// A node at which a case waits to be triggered, with the paths to choose from and what the node
// asks of those who choose (design section 5.5).

import { type Static, Type } from 'typebox'
import { omitNulls } from '../../values/omit-nulls.ts'
import { named } from '../../vocabulary/named-schema.ts'
import type { WaitingNode } from './case-progress.ts'

const Time = Type.String({ format: 'date-time' })

const FormField = named(
  'FormField',
  Type.Object({
    name: Type.String(),
    type: Type.String({ description: 'text, number, boolean, date, choice or choices.' }),
    label: Type.String(),
    required_for: Type.Array(Type.String(), { description: 'The paths that need it.' }),
    options: Type.Optional(
      Type.Array(Type.Object({ value: Type.String(), label: Type.String() }), {
        description: 'Of choice and choices.',
      }),
    ),
  }),
)

export const WaitingTrigger = named(
  'WaitingTrigger',
  Type.Object({
    run_id: Type.String(),
    playbook_id: Type.String(),
    version: Type.Integer(),
    node: Type.String(),
    paths: Type.Array(Type.String()),
    since: Type.String({ format: 'date-time' }),
    anytime: Type.Optional(
      Type.Boolean({ description: 'True: a trigger is taken while the run is elsewhere, too.' }),
    ),
    timeout_at: Type.Optional({ ...Time, description: 'When the node is left by itself.' }),
    question: Type.Optional(Type.String({ description: 'What is to be decided, for people.' })),
    titles: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: 'The paths in words for people.' }),
    ),
    deadline_at: Type.Optional({ ...Time, description: 'Until when somebody should choose.' }),
    role: Type.Optional(
      Type.String({ description: 'A caller needs every scope of this role to choose.' }),
    ),
    four_eyes: Type.Optional(
      Type.Boolean({ description: 'True: two different callers must choose the same.' }),
    ),
    first_decision: Type.Optional(
      Type.Object(
        {
          path: Type.String(),
          by: Type.String({ description: '`token:<id>`.' }),
          at: Time,
          form: Type.Record(Type.String(), Type.Unknown()),
        },
        { description: 'Somebody has chosen; a second caller must agree.' },
      ),
    ),
    form: Type.Optional(
      Type.Array(FormField, {
        description: 'What goes along with the choice (`POST …/decisions`).',
      }),
    ),
  }),
)

export function presentWaitingNode(waiting: WaitingNode): Static<typeof WaitingTrigger> {
  const { form, titles, first } = waiting
  return omitNulls<Static<typeof WaitingTrigger>>({
    run_id: waiting.runId,
    playbook_id: waiting.playbookId,
    version: waiting.version,
    node: waiting.node,
    paths: [...waiting.paths],
    since: waiting.since.toISOString(),
    anytime: waiting.isAnytime ? true : null,
    timeout_at: waiting.timeoutAt?.toISOString() ?? null,
    question: waiting.question,
    titles: Object.keys(titles).length === 0 ? null : { ...titles },
    deadline_at: waiting.deadlineAt?.toISOString() ?? null,
    role: waiting.role,
    four_eyes: waiting.isFourEyes ? true : null,
    first_decision: first === null ? null : { ...first, form: { ...first.form } },
    form: form.length === 0 ? null : form.map(presentField),
  })
}

function presentField(field: WaitingNode['form'][number]): Static<typeof FormField> {
  const { name, type, label, requiredFor, options } = field
  const shown = { name, type, label, required_for: [...requiredFor] }
  return options.length === 0 ? shown : { ...shown, options: options.map((one) => ({ ...one })) }
}
