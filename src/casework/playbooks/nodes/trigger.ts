// Trigger: waits until a caller chooses a path (interface endpoint 2), or for its timeout. With
// `anytime`, a caller may choose while the run is elsewhere.

import { type Static, Type } from 'typebox'
import { type ConfigReading, defineNodeKind } from '../node-kind.ts'
import {
  CHOICE_MEMBERS,
  type ChoiceConfig,
  decideChoice,
  findAnswerPath,
  listChoiceCalendars,
  listChoicePaths,
  readChoice,
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
  waitsFor: ({ waitsFor }) => waitsFor,
  calendars: listChoiceCalendars,
  isAnytime: ({ isAnytime }) => isAnytime,
  answerPath: findAnswerPath,
  breaksLoops: true,
  decide: decideChoice,
  example: { config: { paths: ['fixed', 'disputed'], waiting_on: 'customer', timeout: 'P3D' } },
})

function readTrigger(
  config: Static<typeof TriggerMembers>,
  reading: ConfigReading,
): TriggerConfig | null {
  // A trigger may come from anywhere, so the case waits for nobody unless the node names a party.
  const choice = readChoice(config, null, reading)
  return choice && { ...choice, isAnytime: config.anytime ?? false }
}
