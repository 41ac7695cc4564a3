// What every reader of a report format gives: the events in it with where each value was found, or
// why there are none.

import type { FieldProblem } from '../values/field-problem.ts'
import type { NewEvent } from '../vocabulary/event.ts'

/**
 * What a reader may know beside the bytes. Readers are pure: the same bytes and context give the
 * same result.
 */
export interface ReportContext {
  /** When the report reached us; nothing in it can have happened much later. */
  readonly receivedAtMs: number
  /** As the carrier named the bytes; empty when it did not. The content decides. */
  readonly mediaType: string
  /**
   * Becomes the reporter where the report itself names none: the address of the caller, or the
   * envelope sender.
   */
  readonly fallbackReporter: string | null
}

/** Who says so, as the report names them; what it leaves out is empty. */
export interface ReportParty {
  readonly org: string
  readonly contact: string
  readonly domain: string
}

/** Where in the report one value stands, and why it was taken or passed over. */
export interface Finding {
  /**
   * JSON pointer of the event's member: `/ip`, `/event_details/url`, `/event_date`, `/event_type`,
   * `/sender_email` …
   */
  readonly field: string
  /** As it came to be in the event, or would have. */
  readonly value: string
  /**
   * The part of the report: `header From`, `subject`, `text`, `html`, `attachment report.csv`,
   * `enclosed mail`, `json`.
   */
  readonly part: string
  /** Line or row of that part, from 1; null where the part has none. */
  readonly line: number | null
  /** What stands there, at most 200 characters. */
  readonly excerpt: string
  /**
   * What the value is in the report: `source`, `target`, `reporter`, `reported url` …; null when
   * the format leaves no doubt.
   */
  readonly role: string | null
  /** 1 is the best candidate; null when there was nothing to choose from. */
  readonly rank: number | null
  /** Why it won, or why it was passed over, for a person. */
  readonly reason: string
}

export interface ReadEvent {
  readonly event: NewEvent
  readonly findings: readonly Finding[]
  /**
   * False when the event's time is that of the arrival, for want of another; left out, the report
   * tells it.
   */
  readonly isTimeStated?: boolean
}

export interface ReadReport {
  readonly kind: 'report'
  /** How it was read: `xarf_v4`, `arf`, `text` … */
  readonly format: string
  /**
   * The id its reporter gave it, else the Message-ID, else a digest of the content; part of the
   * identity of its events.
   */
  readonly reportId: string
  /** Whose complaint it is. */
  readonly reporter: ReportParty
  /**
   * Who sent it, perhaps on the reporter's behalf; its contact is the `sender_email` of the events.
   */
  readonly sender: ReportParty
  /** At least one. */
  readonly events: readonly ReadEvent[]
  /** The candidates that did not become part of an event, the best first, bounded. */
  readonly passedOver: readonly Finding[]
}

export type ReportResult =
  | ReadReport
  /** A known format with its rules broken: only its sender can mend it. */
  | {
      readonly kind: 'invalid'
      readonly format: string
      readonly problems: readonly FieldProblem[]
    }
  /**
   * It was read and reports nothing: an answer, a notice, an advertisement. `reason` is a public
   * sentence.
   */
  | {
      readonly kind: 'no_report'
      readonly format: string
      readonly reason: string
      readonly passedOver: readonly Finding[]
    }
  /** Nobody here can read it, or it breaks a limit. `reason` is a public sentence. */
  | { readonly kind: 'unreadable'; readonly reason: string }
