// GET /beta/casework/playbooks/node-kinds: the kinds of nodes with the JSON Schema of their config,
// for editors.

import { type Static, Type } from 'typebox'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { DEFAULT_RETRY, type NodeKind } from './node-kind.ts'
import { NODE_KINDS } from './nodes/node-kinds.ts'

const NodeKindRecord = Type.Object({
  kind: Type.String({ description: 'As `kind` of a node names it.' }),
  title: Type.String(),
  description: Type.String(),
  config: Type.Object(
    {},
    { additionalProperties: true, description: 'The JSON Schema of `config` of such a node.' },
  ),
  example: Type.Object({}, { additionalProperties: true, description: 'A config that is valid.' }),
  paths: Type.Array(Type.String(), {
    description:
      'The paths of a node with the config of the example; empty for a node that ends the token. Some kinds let their config name the paths.',
  }),
  choices: Type.Array(Type.String(), {
    description: 'Those of the paths that a trigger may choose while a run waits at the node.',
  }),
  calls: Type.Boolean({
    description: 'It calls another system: the node may have `retry`, and its attempts are shown.',
  }),
  retry: Type.Optional(
    Type.Object(
      {
        attempts: Type.Integer(),
        seconds: Type.Integer(),
        max_seconds: Type.Integer(),
      },
      { description: 'Used where a node of a kind that calls has no `retry` of its own.' },
    ),
  ),
})

const NodeKindList = Type.Object({
  items: Type.Array(NodeKindRecord),
  next_cursor: Type.Literal('', { description: 'All kinds are on one page.' }),
})

export function listNodeKindsRoute(): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/playbooks/node-kinds',
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:read' },
    operationId: 'listNodeKinds',
    summary: 'List node kinds',
    description: 'What nodes there are: their settings, their paths and an example of each.',
    responses: {
      200: { description: 'The kinds, in the order of an editor.', schema: NodeKindList },
    },
    async handle() {
      return { status: 200, json: { items: NODE_KINDS.map(presentNodeKind), next_cursor: '' } }
    },
  })
}

function presentNodeKind(kind: NodeKind): Static<typeof NodeKindRecord> {
  const { config } = kind.example
  const parsed = kind.read(config, { refuse: () => null })
  const calls = kind.call !== undefined
  const { attempts, seconds, maxSeconds } = kind.retry ?? DEFAULT_RETRY
  return {
    kind: kind.kind,
    title: kind.title,
    description: kind.description,
    config: kind.config,
    example: { ...config },
    paths: parsed === null ? [] : [...kind.paths(parsed)],
    choices: parsed === null ? [] : [...(kind.choices?.(parsed) ?? [])],
    calls,
    ...(calls ? { retry: { attempts, seconds, max_seconds: maxSeconds } } : {}),
  }
}
