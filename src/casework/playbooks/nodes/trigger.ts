// Trigger: waits until a caller chooses a path (interface endpoint 2), or for its timeout. With
// `anytime`, a caller may choose while the run is elsewhere.

import { type Static, Type } from 'typebox'
import { type ChoiceDemands, NO_DEMANDS } from '../choice-demands.ts'
import { type ConfigReading, defineNodeKind } from '../node-kind.ts'
import {
  CHOICE_MEMBERS,
  type ChoiceConfig,
  decideChoice,
  findAnswerPath,
  listChoiceCalendars,
  listChoicePaths,
  readChoice,
  readChoiceWords,
} from './choice-config.ts'

const TriggerMembers = Type.Object(
  {
    ...CHOICE_MEMBERS,
    anytime: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'A caller may choose a path while no token waits here, as long as the run is active: a further token of the run then goes from this node by the path. No path needs to lead to the node.',
      }),
    ),
  },
  { additionalProperties: false },
)

interface TriggerConfig extends ChoiceConfig {
  readonly isAnytime: boolean
  readonly demands: ChoiceDemands
}

export const TRIGGER = defineNodeKind({
  kind: 'trigger',
  title: 'Trigger',
  description:
    'Waits until a caller of trigger-playbook chooses one of the paths; with `anytime` the caller may do so while the run is elsewhere.',
  config: TriggerMembers,
  read: readTrigger,
  paths: listChoicePaths,
  choices: ({ choices }) => choices,
  asks: ({ demands }) => demands,
  waitsFor: ({ waitsFor }) => waitsFor,
  calendars: listChoiceCalendars,
  isAnytime: ({ isAnytime }) => isAnytime,
  answerPath: findAnswerPath,
  breaksLoops: true,
  decide: decideChoice,
  example: {
    config: {
      question: 'What does the customer say?',
      paths: ['fixed', 'disputed'],
      titles: { fixed: 'Mark as fixed', disputed: 'Note the dispute' },
      waiting_on: 'customer',
      timeout: 'P3D',
    },
  },
})

function readTrigger(
  config: Static<typeof TriggerMembers>,
  reading: ConfigReading,
): TriggerConfig | null {
  // A trigger may come from anywhere, so the case waits for nobody unless the node names a party.
  const choice = readChoice(config, null, reading)
  const words = readChoiceWords(config, reading)
  if (choice === null || words === null) return null
  const demands = { ...NO_DEMANDS, ...words }
  return { ...choice, isAnytime: config.anytime ?? false, demands }
}
