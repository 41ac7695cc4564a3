// An event on its way in, from any door (pushed singly, in bulk, or read out of a report), and what
// became of it.

import type { FieldProblem } from '../../values/field-problem.ts'
import type { NewEvent } from '../../vocabulary/event.ts'
import type { Actor } from '../cases/case-tables.ts'

export interface EventArrival {
  readonly event: NewEvent
  /** Of `fingerprintEvent`: 64 hexadecimal digits. */
  readonly fingerprint: string
  /** Who brought it. */
  readonly actor: Actor
  /** The stored report it was read out of; null for a pushed event. */
  readonly reportId: string | null
}

/**
 * All but `duplicate` are stored anew. `created`: in a case. `unassigned`: nobody is known to be
 * responsible for it yet. `held`: its case opens when there are enough of its kind. `muted`: a mute
 * rule keeps it out of every case.
 */
export type EventOutcomeKind = 'created' | 'duplicate' | 'unassigned' | 'held' | 'muted'

export interface EventOutcome {
  readonly kind: EventOutcomeKind
  readonly eventId: string
  readonly caseId: string | null
  /** Of a duplicate. */
  readonly repeats?: Repeats
}

/** How often an event has arrived, and when last. */
export interface Repeats {
  readonly seenCount: number
  readonly lastSeen: Date
}

/** Nothing of it is kept. */
export interface RefusedArrival {
  readonly kind: 'refused'
  readonly problem: FieldProblem
}
