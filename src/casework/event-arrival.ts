// An event on its way in, from any door (pushed singly, in bulk, or read out of a report), and what became of it.

import type { NewEvent } from './model/event.ts'
import type { Actor } from './store/case-tables.ts'

export interface EventArrival {
  readonly event: NewEvent
  /** Of `fingerprintEvent`: 64 hexadecimal digits. */
  readonly fingerprint: string
  /** Who brought it. */
  readonly actor: Actor
  /** The stored report it was read out of; null for a pushed event. */
  readonly reportId: string | null
}

/** `unassigned`: stored, but nobody is known to be responsible for it yet, so it is in no case. */
export type EventOutcomeKind = 'created' | 'duplicate' | 'unassigned'

export interface EventOutcome {
  readonly kind: EventOutcomeKind
  readonly eventId: string
  readonly caseId: string | null
}
