// A run of a playbook on a case (design section 9).

import { Type } from 'typebox'
import { pageOf } from '../../vocabulary/page-wire.ts'

const runMembers = {
  run_id: Type.String(),
  playbook_id: Type.String(),
  version: Type.Integer(),
  state: Type.Union([Type.Literal('active'), Type.Literal('ended'), Type.Literal('failed')]),
  node: Type.Optional(Type.String({ description: 'Where it is; absent when it is over.' })),
  failure: Type.Optional(
    Type.String({ description: 'Why a failed run needs a person, as one stable word.' }),
  ),
  started_at: Type.String({ format: 'date-time' }),
  ended_at: Type.Optional(Type.String({ format: 'date-time' })),
}

const Run = Type.Object(runMembers)

/** One passage of the run through a node. */
const Visit = Type.Object({
  visit: Type.Integer(),
  node: Type.String(),
  kind: Type.String(),
  path: Type.Optional(
    Type.String({ description: 'The way out that was taken; absent at an end.' }),
  ),
  actor: Type.Optional(
    Type.String({ description: '`token:<id>` of who chose the path; absent where nobody had to.' }),
  ),
  output: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  entered_at: Type.String({ format: 'date-time' }),
  left_at: Type.String({ format: 'date-time' }),
})

/** With its passages, the oldest first. */
export const RunDetail = Type.Object({ ...runMembers, visits: Type.Array(Visit) })

export const RunList = pageOf(Run)
