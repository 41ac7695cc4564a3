// Playbooks, their versions and the graph of a version (design sections 5.5, 9 and 10).

import { type Static, Type } from 'typebox'
import { omitNulls } from '../../values/omit-nulls.ts'
import { named } from '../../vocabulary/named-schema.ts'
import { pageOf } from '../../vocabulary/page-wire.ts'
import { ProblemLocations } from '../../vocabulary/problem-wire.ts'
import type { PlaybookRecord, VersionRecord, VersionWithGraph } from './playbook-store.ts'

export const PLAYBOOK_NAME_LENGTH_MAX = 200

/** A node as it is sent and stored; the members of `config` are those of its kind. */
interface NodeRecord {
  id: string
  kind: string
  config?: Record<string, unknown>
  paths?: Record<string, string>
  position?: { x: number; y: number }
  note?: string
  retry?: { attempts?: number; seconds?: number; max_seconds?: number }
}

/**
 * A schema of documents/node-schemas.ts, where each kind has its own. The parser of the graph
 * checks nodes; it names every problem by its path.
 */
const PlaybookNode = Type.Unsafe<NodeRecord>({ $ref: '#/components/schemas/PlaybookNode' })

const Description = Type.Optional(
  Type.String({ maxLength: 10_000, description: 'What this version is for.' }),
)

const Nodes = Type.Array(PlaybookNode)

export const PlaybookGraphBody = named('PlaybookGraph', Type.Object({ nodes: Nodes }))

export const NewVersionBody = named(
  'NewPlaybookVersion',
  Type.Object({ description: Description, nodes: Nodes }),
)

/** A graph as it was sent and stored. */
export type StoredGraph = Static<typeof PlaybookGraphBody>

export const NewPlaybookBody = named(
  'NewPlaybook',
  Type.Object({
    name: Type.String({ minLength: 1, maxLength: PLAYBOOK_NAME_LENGTH_MAX }),
    description: Description,
    nodes: Nodes,
  }),
)

/** documents/playbook-document.ts reads it. */
export const PlaybookDocumentBody = Type.Unsafe<Record<string, unknown>>({
  $ref: '#/components/schemas/PlaybookDocument',
})

export const PlaybookImportBody = named(
  'PlaybookImport',
  Type.Union([
    PlaybookDocumentBody,
    Type.Object({
      template: Type.String({ description: 'The name of a playbook that ships with the program.' }),
      name: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: PLAYBOOK_NAME_LENGTH_MAX,
          description: 'Instead of the name that it has.',
        }),
      ),
    }),
  ]),
)

export const VersionState = named(
  'PlaybookVersionState',
  Type.Union([
    Type.Literal('draft'),
    Type.Literal('active'),
    Type.Literal('draining'),
    Type.Literal('inactive'),
  ]),
)

const STATUS_MEMBERS = { id: Type.String(), version: Type.Integer(), state: VersionState }

export const VersionStatus = named('PlaybookVersionStatus', Type.Object(STATUS_MEMBERS))

export const TargetWarnings = Type.Array(ProblemLocations.items, {
  description:
    'Targets that requests of nodes would be refused for as the settings are, such as plain HTTP to an address that CASEWORK_OUTBOUND_ALLOW opens by its range only.',
})

export const ActivatedVersion = named(
  'ActivatedPlaybookVersion',
  Type.Object({ ...STATUS_MEMBERS, warnings: TargetWarnings }),
)

const VERSION_MEMBERS = {
  version: Type.Integer(),
  state: VersionState,
  created_at: Type.String({ format: 'date-time' }),
  activated_at: Type.Optional(Type.String({ format: 'date-time' })),
}

const Version = named('PlaybookVersion', Type.Object(VERSION_MEMBERS))

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

export const PlaybookSummary = named('Playbook', Type.Object(PLAYBOOK_MEMBERS))

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
export const PlaybookDetail = named(
  'PlaybookDetail',
  Type.Object({ ...PLAYBOOK_MEMBERS, versions: Type.Array(Version) }),
)

export const VersionDetail = named(
  'PlaybookVersionDetail',
  Type.Object({
    id: Type.String(),
    ...VERSION_MEMBERS,
    description: Description,
    nodes: Nodes,
  }),
)

/** The nodes as they were sent; their members may come in another order. */
export function presentVersionDetail(version: VersionWithGraph): Static<typeof VersionDetail> {
  const { playbookId: id, description, graph } = version
  const { nodes } = graph
  return { id, ...presentVersion(version), ...(description === '' ? {} : { description }), nodes }
}
