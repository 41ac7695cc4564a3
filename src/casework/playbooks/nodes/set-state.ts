// Set State: moves the case by the same rules as a person's request. A move that the rules refuse
// fails the run. An ended case is opened again only where the graph says so; otherwise a playbook
// would undo a decision that a person made while it waited.

import { type Static, Type } from 'typebox'
import { DEFAULT_RESOLUTION } from '../../cases/case-state.ts'
import { act, type ConfigReading, defineNodeKind } from '../node-kind.ts'
import {
  CloseReasonMember,
  moveByPlaybook,
  type PlaybookMove,
  ResolutionMember,
} from './move-cases.ts'

const SetStateConfig = Type.Object(
  {
    // A case never returns to NEW.
    state: Type.Union(
      [Type.Literal('IN_PROGRESS'), Type.Literal('RESOLVED'), Type.Literal('CLOSED')],
      { description: 'The state of the case afterwards.' },
    ),
    resolution: ResolutionMember,
    close_reason: CloseReasonMember,
    reopen: Type.Optional(
      Type.Boolean({
        description:
          'Of IN_PROGRESS only. True: an ended case is opened again. False, the default: the run ends at an ended case.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const SET_STATE = defineNodeKind({
  kind: 'set_state',
  title: 'Set State',
  description: 'Moves the case to a state, by the same rules as a request of a person.',
  config: SetStateConfig,
  read: readSetState,
  paths: () => ['next'],
  decide: act,
  apply: moveByPlaybook,
  example: { config: { state: 'IN_PROGRESS' } },
})

const MEMBERS = { IN_PROGRESS: 'reopen', RESOLVED: 'resolution', CLOSED: 'close_reason' } as const

function readSetState(
  config: Static<typeof SetStateConfig>,
  { refuse }: ConfigReading,
): PlaybookMove | null {
  const { state: target, resolution, close_reason: closeReason, reopen } = config
  for (const [state, member] of Object.entries(MEMBERS)) {
    if (config[member] !== undefined && state !== target) {
      return refuse(member, `belongs to the state ${state} only`)
    }
  }
  if (target === 'CLOSED' && closeReason === undefined) {
    return refuse('close_reason', 'is missing')
  }
  return {
    target,
    resolution: target === 'RESOLVED' ? (resolution ?? DEFAULT_RESOLUTION) : null,
    closeReason: closeReason ?? null,
    mayReopen: reopen ?? false,
  }
}
