// Playbooks, their versions and the graph of a version (design sections 5.5, 9 and 10).

import { type Static, Type } from 'typebox'
import { omitNulls } from '../../values/omit-nulls.ts'
import { pageOf } from '../../vocabulary/page-wire.ts'
import type { PlaybookRecord, VersionRecord, VersionWithGraph } from './playbook-store.ts'

export const PLAYBOOK_NAME_LENGTH_MAX = 200

/** The parser of the graph checks kind, config and paths; it names every problem by its path. */
const PlaybookNode = Type.Object({
  id: Type.String(),
  kind: Type.String({
    description:
      'start, true_false, switch, delay, trigger, manual, set_state, resolve, close, assign, tag, set_field, set_deadline, comment, lookup, api_caller, webhook, verify, end or divider.',
  }),
  config: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'The settings of the kind. set_state takes state, with resolution or close_reason for an end state; reopen: true opens a case again that has ended.',
    }),
  ),
  paths: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'The name of a path, and the id of the node that it leads to.',
    }),
  ),
  position: Type.Optional(
    Type.Object(
      { x: Type.Number(), y: Type.Number() },
      { description: 'Where an editor draws the node.' },
    ),
  ),
  note: Type.Optional(Type.String({ description: 'For people; the engine ignores it.' })),
  retry: Type.Optional(
    Type.Object(
      {
        attempts: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
        seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
        max_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
      },
      {
        description:
          'Of nodes that call another system: how often, and the pause, which doubles from `seconds` to `max_seconds`.',
      },
    ),
  ),
})

export const PlaybookGraphBody = Type.Object({ nodes: Type.Array(PlaybookNode) })

/** A graph as it was sent and stored. */
export type StoredGraph = Static<typeof PlaybookGraphBody>

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

const VERSION_MEMBERS = {
  version: Type.Integer(),
  state: VersionState,
  created_at: Type.String({ format: 'date-time' }),
  activated_at: Type.Optional(Type.String({ format: 'date-time' })),
}

const Version = Type.Object(VERSION_MEMBERS)

export function presentVersion(version: VersionRecord): Static<typeof Version> {
  return omitNulls<Static<typeof Version>>({
    version: version.version,
    state: version.state,
    created_at: version.createdAt.toISOString(),
    activated_at: version.activatedAt?.toISOString() ?? null,
  })
}

const PLAYBOOK_MEMBERS = {
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

export const PlaybookSummary = Type.Object(PLAYBOOK_MEMBERS)

export const PlaybookList = pageOf(PlaybookSummary)

export function presentPlaybook(playbook: PlaybookRecord): Static<typeof PlaybookSummary> {
  return omitNulls<Static<typeof PlaybookSummary>>({
    id: playbook.id,
    name: playbook.name,
    active_version: playbook.activeVersion,
    latest_version: playbook.latestVersion,
    created_at: playbook.createdAt.toISOString(),
  })
}

/** With its newest versions, the newest first. */
export const PlaybookDetail = Type.Object({ ...PLAYBOOK_MEMBERS, versions: Type.Array(Version) })

export const VersionDetail = Type.Object({
  id: Type.String(),
  ...VERSION_MEMBERS,
  nodes: Type.Array(PlaybookNode),
})

/** The nodes as they were sent; their members may come in another order. */
export function presentVersionDetail(version: VersionWithGraph): Static<typeof VersionDetail> {
  return { id: version.playbookId, ...presentVersion(version), nodes: version.graph.nodes }
}
