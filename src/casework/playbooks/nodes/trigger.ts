// Trigger: waits until a caller chooses a path (interface endpoint 2), or for its timeout.

import { Type } from 'typebox'
import { defineNodeKind } from '../node-kind.ts'
import {
  CHOICE_MEMBERS,
  decideChoice,
  findAnswerPath,
  listChoicePaths,
  readChoice,
} from './choice-config.ts'

export const TRIGGER = defineNodeKind({
  kind: 'trigger',
  title: 'Trigger',
  description: 'Waits until a caller of trigger-playbook chooses one of the paths.',
  config: Type.Object(CHOICE_MEMBERS, { additionalProperties: false }),
  // A trigger may come from anywhere.
  read: (config, reading) => readChoice(config, null, reading),
  paths: listChoicePaths,
  choices: ({ choices }) => choices,
  answerPath: findAnswerPath,
  breaksLoops: true,
  decide: decideChoice,
  example: { config: { paths: ['fixed', 'disputed'], waiting_on: 'customer', timeout: 'P3D' } },
})
