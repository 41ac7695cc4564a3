// What every reader of a report format gives: the events in it, or why it could not be read.

import type { FieldProblem } from '../../kernel/operating-error.ts'
import type { NewEvent } from '../model/event.ts'

/** Who says so, as the report names them. */
export interface ReportParty {
  readonly org: string
  readonly contact: string
  readonly domain: string
}

export interface ReadReport {
  readonly kind: 'report'
  /** The id its reporter gave it. */
  readonly reportId: string
  /** Whose complaint it is. */
  readonly reporter: ReportParty
  /** Who sent it, perhaps on the reporter's behalf; its contact is the `sender_email` of the events. */
  readonly sender: ReportParty
  /** At least one. */
  readonly events: readonly NewEvent[]
}

export type ReportResult =
  | ReadReport
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
