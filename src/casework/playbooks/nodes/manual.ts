// Manual: waits until a person chooses a path, or for its timeout.

import { Type } from 'typebox'
import { defineNodeKind } from '../node-kind.ts'
import { CHOICE_MEMBERS, decideChoice, listChoicePaths, readChoice } from './choice-config.ts'

export const MANUAL = defineNodeKind({
  kind: 'manual',
  title: 'Manual',
  description: 'Waits until a person chooses one of the paths.',
  config: Type.Object(CHOICE_MEMBERS, { additionalProperties: false }),
  read: (config, reading) => readChoice(config, 'agent', reading),
  paths: listChoicePaths,
  choices: ({ choices }) => choices,
  breaksLoops: true,
  decide: decideChoice,
  example: { config: { paths: ['take-down', 'leave'], timeout: 'P1D' } },
})
