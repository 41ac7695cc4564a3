// The acts on events: another owner, owners found anew, and a new event.

import type { Schemas } from 'casework/client'
import { casework } from '../../data/client.ts'
import { useAct } from '../../data/use-act.ts'
import { useText } from '../../messages/use-text.ts'
import { messages } from './messages.ts'

export interface Reassigning {
  readonly eventId: string
  /** Null: found anew by resources. */
  readonly customerId: string | null
  /** The owner before; the act is taken back to it. */
  readonly formerId: string | null
  readonly reason: string
}

const TOUCHED = [['events'], ['cases', 'list'], ['customers']] as const

function reassignTo(eventId: string, customerId: string | null, reason: string) {
  return casework.post('/beta/casework/events/{eventId}/reassign', {
    params: { path: { eventId } },
    body: {
      ...(customerId === null ? {} : { customer_id: customerId }),
      ...(reason === '' ? {} : { reason }),
    },
  })
}

function touches() {
  return TOUCHED
}

export function useEventActs(onPushed: (eventId: string | undefined) => void) {
  const t = useText(messages)
  const reassign = useAct({
    act: ({ eventId, customerId, reason }: Reassigning) => reassignTo(eventId, customerId, reason),
    touches,
    say: (_, { outcome, customer_id: id }) => t(`outcome_${outcome}`, { customer: id ?? '' }),
    undo: ({ eventId, formerId }, { outcome }) =>
      formerId === null || outcome === 'unchanged' ? null : () => reassignTo(eventId, formerId, ''),
  })
  const replay = useAct({
    act: async (which: Schemas['EventReplayRequest']) => {
      let assigned = 0
      let unassigned = 0
      for await (const part of casework.replayEvents(which)) {
        assigned += part.assigned
        unassigned += part.unassigned
      }
      return { assigned, unassigned }
    },
    touches,
    say: (_, counts) => t('replayed', counts),
  })
  const push = useAct({
    act: (event: Schemas['NewEvent']) => casework.post('/beta/casework/events', { body: event }),
    touches,
    say: () => t('pushed_done'),
    onDone: (answer) => onPushed('event_id' in answer ? answer.event_id : undefined),
  })
  return { reassign, replay, push }
}
