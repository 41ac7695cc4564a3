// Schemas of nodes by kind and of a document, from the list of kinds: for OpenAPI and for editors.

import { type TSchema, Type } from 'typebox'
import type { NodeKind } from '../node-kind.ts'
import { NODE_KINDS } from '../nodes/node-kinds.ts'
import { NODES_MAX } from '../playbook-graph.ts'
import { PLAYBOOK_NAME_LENGTH_MAX } from '../playbook-wire.ts'
import {
  NOTE_LENGTH_MAX,
  POSITION_MAX,
  RETRY_ATTEMPTS_MAX,
  RETRY_SECONDS_MAX,
} from '../read-node.ts'
import { DESCRIPTION_LENGTH_MAX, DOCUMENT_FORMAT } from './playbook-document.ts'

const STRICT = { additionalProperties: false } as const

/** By name; they refer to each other at `base`, such as `#/$defs`. */
export function buildPlaybookSchemas(base: string): Readonly<Record<string, TSchema>> {
  const refer = (name: string): TSchema => Type.Unsafe<unknown>({ $ref: `${base}/${name}` })
  const mapping = NODE_KINDS.map((kind) => [kind.kind, `${base}/${nameSchema(kind)}`])
  const discriminator = { propertyName: 'kind', mapping: Object.fromEntries(mapping) }
  return {
    PlaybookDocument: buildDocument(refer),
    PlaybookNode: Type.Unsafe<unknown>({
      description: 'A node; its kind says which members `config` has.',
      oneOf: NODE_KINDS.map((kind) => refer(nameSchema(kind))),
      discriminator,
    }),
    NodeId: Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: '^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?$',
      description: 'Unique in the playbook.',
    }),
    NodePaths: Type.Record(Type.String(), refer('NodeId'), {
      description:
        'The names of paths, and the nodes to which they lead. A path that is left out ends there.',
    }),
    NodeNote: Type.String({
      maxLength: NOTE_LENGTH_MAX,
      description: 'For people; the engine ignores it.',
    }),
    NodePosition: Type.Object(
      { x: buildCoordinate(), y: buildCoordinate() },
      { ...STRICT, description: 'Where an editor draws the node.' },
    ),
    NodeRetry: buildRetry(),
    ...Object.fromEntries(NODE_KINDS.map((kind) => [nameSchema(kind), buildNode(kind, refer)])),
  }
}

function nameSchema({ kind }: NodeKind): string {
  const words = kind.split('_').map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
  return `${words.join('')}Node`
}

function buildNode(kind: NodeKind, refer: (name: string) => TSchema): TSchema {
  return Type.Object(
    {
      id: refer('NodeId'),
      kind: Type.Literal(kind.kind),
      note: Type.Optional(refer('NodeNote')),
      position: Type.Optional(refer('NodePosition')),
      config: hasRequiredMember(kind.config) ? kind.config : Type.Optional(kind.config),
      paths: Type.Optional(refer('NodePaths')),
      ...(kind.call === undefined ? {} : { retry: Type.Optional(refer('NodeRetry')) }),
    },
    { ...STRICT, title: kind.title, description: kind.description },
  )
}

function hasRequiredMember(schema: TSchema): boolean {
  return 'required' in schema && Array.isArray(schema.required) && schema.required.length > 0
}

function buildCoordinate() {
  return Type.Number({ minimum: -POSITION_MAX, maximum: POSITION_MAX })
}

function secondsOf(description: string) {
  return Type.Optional(Type.Integer({ minimum: 1, maximum: RETRY_SECONDS_MAX, description }))
}

function buildRetry(): TSchema {
  return Type.Object(
    {
      attempts: Type.Optional(Type.Integer({ minimum: 1, maximum: RETRY_ATTEMPTS_MAX })),
      seconds: secondsOf('The first pause; it doubles after each attempt.'),
      max_seconds: secondsOf('The longest pause.'),
    },
    { ...STRICT, description: 'How often the call is repeated, instead of as its kind says.' },
  )
}

function buildDocument(refer: (name: string) => TSchema): TSchema {
  return Type.Object(
    {
      format: Type.Optional(Type.Literal(DOCUMENT_FORMAT)),
      name: Type.String({
        minLength: 1,
        maxLength: PLAYBOOK_NAME_LENGTH_MAX,
        description: 'The playbook; an import adds a version to the one of this name.',
      }),
      description: Type.Optional(
        Type.String({ maxLength: DESCRIPTION_LENGTH_MAX, description: 'What it is for.' }),
      ),
      nodes: Type.Array(refer('PlaybookNode'), { minItems: 1, maxItems: NODES_MAX }),
    },
    { ...STRICT, title: 'A playbook of Casework' },
  )
}
