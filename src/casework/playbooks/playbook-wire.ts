// A playbook, its versions and their graph (design sections 5.5, 9 and 10).

import { Type } from 'typebox'
import { pageOf } from '../../vocabulary/page-wire.ts'

export const PLAYBOOK_NAME_LENGTH_MAX = 200

/**
 * What kinds there are, and what each needs, is checked by the model, which names every problem by
 * its path.
 */
const PlaybookNode = Type.Object({
  id: Type.String(),
  kind: Type.String({
    description: 'start, trigger, manual, set_state, comment, resolve or end.',
  }),
  config: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'What the kind needs. set_state takes state, with resolution or close_reason for an ended one, and reopen: true to open a case again that has ended.',
    }),
  ),
  paths: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'Name of the way out to the id of the node it leads to.',
    }),
  ),
})

export const PlaybookGraphBody = Type.Object({ nodes: Type.Array(PlaybookNode) })

export const NewPlaybookBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: PLAYBOOK_NAME_LENGTH_MAX }),
  nodes: Type.Array(PlaybookNode),
})

const VersionState = Type.Union([
  Type.Literal('draft'),
  Type.Literal('active'),
  Type.Literal('draining'),
  Type.Literal('inactive'),
])

export const VersionStatus = Type.Object({
  id: Type.String(),
  version: Type.Integer(),
  state: VersionState,
})

const Version = Type.Object({
  version: Type.Integer(),
  state: VersionState,
  created_at: Type.String({ format: 'date-time' }),
  activated_at: Type.Optional(Type.String({ format: 'date-time' })),
})

const playbookMembers = {
  id: Type.String(),
  name: Type.String(),
  active_version: Type.Optional(
    Type.Integer({
      description: 'The version on which new cases start; absent when there is none.',
    }),
  ),
  latest_version: Type.Integer(),
  created_at: Type.String({ format: 'date-time' }),
}

const PlaybookSummary = Type.Object(playbookMembers)

export const PlaybookList = pageOf(PlaybookSummary)

/** With its newest versions, the newest first. */
export const PlaybookDetail = Type.Object({ ...playbookMembers, versions: Type.Array(Version) })

export const VersionDetail = Type.Object({
  id: Type.String(),
  version: Type.Integer(),
  state: VersionState,
  created_at: Type.String({ format: 'date-time' }),
  activated_at: Type.Optional(Type.String({ format: 'date-time' })),
  nodes: Type.Array(PlaybookNode),
})
