// Join: brings the branches of a fork together. runs/fork-groups.ts has the rules.

import { Type } from 'typebox'
import { defineNodeKind, type JoinMode } from '../node-kind.ts'

interface JoinConfig {
  readonly mode: JoinMode
}

export const JOIN = defineNodeKind({
  kind: 'join',
  title: 'Join',
  description:
    'Brings the branches of a fork together. all waits until each of them is here or has ended; any goes on with the first and ends the others. vars that only another branch has are added.',
  config: Type.Object(
    {
      mode: Type.Optional(
        Type.Union([Type.Literal('all'), Type.Literal('any')], {
          description: '`all` when left out.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  read: ({ mode }): JoinConfig => ({ mode: mode ?? 'all' }),
  paths: () => ['next'],
  decide: ({ mode }) => ({ kind: 'join', mode }),
  joinMode: ({ mode }) => mode,
  example: { config: { mode: 'all' } },
})
