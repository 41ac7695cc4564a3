// An event on its way into the store, from every source (pushed singly, in bulk, or read out of a
// report), and the outcome that its sender is told.

import type { AnswerKey } from '../../kernel/db/idempotency-store.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import type { NewEvent } from '../../vocabulary/event.ts'
import type { Actor } from '../cases/case-tables.ts'

/** Checked, and not stored yet. */
export interface IncomingEvent {
  readonly event: NewEvent
  /** Of `fingerprintEvent`: 64 hexadecimal digits. */
  readonly fingerprint: string
  /** Who brought it. */
  readonly actor: Actor
  /** The stored report it was read out of; null for a pushed event. */
  readonly reportId: string | null
  /** Of the request that pushed it, if that had an Idempotency-Key. */
  readonly requestKey?: AnswerKey
}

/**
 * All but `duplicate` are stored anew. `created`: in a case. `unassigned`: no owner is known yet.
 * `held`: pending, its case opens when there are enough events of its key. `muted`: a mute rule
 * keeps it out of every case.
 */
export type EventOutcomeKind = 'created' | 'duplicate' | 'unassigned' | 'held' | 'muted'

export interface EventOutcome {
  readonly kind: EventOutcomeKind
  readonly eventId: string
  readonly caseId: string | null
  /** Only a duplicate has it. */
  readonly repeats?: Repeats
}

/** How often an event has arrived, and when last. */
export interface Repeats {
  readonly seenCount: number
  readonly lastSeen: Date
}

/** Nothing of the event is stored. `key_reused`: its key was used for another request. */
export type RefusedEvent =
  | { readonly kind: 'refused'; readonly problem: FieldProblem }
  | { readonly kind: 'key_reused' }
