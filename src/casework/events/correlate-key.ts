// Correlation of the events of one key, in their order. For each event the first rule that applies
// decides (in brackets: policies of the group):
//
//   open case, within its age and gap           attach
//   open case, too old for the event            seal it, open the next one, linked to it
//   ended case, event from before the resolve   attach late            (lateEvent: attach)
//   ended case, event up to the end of the      attach, leave it ended (relapse: attach_only)
//     relapse window
//   ended case, event within the relapse        reopen it              (relapse: reopen)
//     window
//   the threshold is reached                    open a case with the pending events, linked to the
//                                               ended one for a relapse (unless relapse: new)
//   else                                        pend
//
// Pure.

import type { CorrelationPolicy } from '../rules/case-group.ts'

// A key below its threshold keeps this many pending events, the newest.
export const PENDING_EVENTS_MAX = 1_000

/** Dates as in `NewEvent`: ISO 8601 in UTC, in the order of time as text. */
export interface DatedEvent {
  readonly eventId: string
  readonly eventDate: string
  readonly senderEmail: string
}

export interface OpenCase {
  readonly caseId: string
  readonly firstEventDate: string
  readonly lastEventDate: string
}

/** The newest case of a key that has ended. */
export interface EndedCase extends OpenCase {
  /** When it was last RESOLVED; null when it never was. */
  readonly resolvedAt: string | null
  readonly endedAt: string
  /** False for one that was closed, or whose key has another open case by now. */
  readonly mayReopen: boolean
  /** False for one that is open after all, and sealed: the key's last case was merged into it. */
  readonly mayAttach: boolean
}

export type Step =
  | { readonly kind: 'attach'; readonly eventId: string; readonly caseId: string }
  /** To a resolved case: `late` tag, `resolved` from the start, no reopening, no notice. */
  | { readonly kind: 'attach_late'; readonly eventId: string; readonly caseId: string }
  /** To a case that has ended, and stays so: `relapse` tag, not resolved. */
  | { readonly kind: 'attach_relapse'; readonly eventId: string; readonly caseId: string }
  | { readonly kind: 'pend'; readonly eventId: string }
  /** Opened by `eventId`; pending events join as well, each with a step of its own. */
  | {
      readonly kind: 'open'
      readonly eventId: string
      readonly caseId: string
      /** The case this one follows. */
      readonly linkedCaseId: string | null
    }
  | { readonly kind: 'reopen'; readonly eventId: string; readonly caseId: string }
  /** The case accepts no more events; it stays open until somebody ends it. */
  | { readonly kind: 'seal'; readonly eventId: string; readonly caseId: string }

export interface KeyState {
  readonly open: OpenCase | null
  readonly ended: EndedCase | null
  /** Below the threshold so far. */
  readonly pending: readonly DatedEvent[]
}

/** One key within one batch, event by event. */
export class KeyCorrelation {
  readonly #policy: CorrelationPolicy
  readonly #createCaseId: () => string
  #open: OpenCase | null
  #ended: EndedCase | null
  #pending: readonly DatedEvent[]

  constructor(policy: CorrelationPolicy, start: KeyState, createCaseId: () => string) {
    this.#policy = policy
    this.#createCaseId = createCaseId
    this.#open = start.open
    this.#ended = start.ended
    this.#pending = start.pending
  }

  /** The case that the key has after the last step. */
  get openCaseId(): string | null {
    return this.#open?.caseId ?? null
  }

  /** Events that are still below the threshold. */
  get pending(): readonly DatedEvent[] {
    return this.#pending
  }

  add(event: DatedEvent): readonly Step[] {
    const { eventId, eventDate } = event
    const open = this.#open
    if (open !== null) {
      if (!this.#isTooOld(open, eventDate)) return [this.#attach(open, event)]
      // A case that follows a full one without a break waits for no threshold.
      return [{ kind: 'seal', eventId, caseId: open.caseId }, ...this.#start([event], open.caseId)]
    }
    const ended = this.#ended
    if (ended !== null && this.#policy.lateEvent === 'attach' && isLate(ended, eventDate)) {
      return [{ kind: 'attach_late', eventId, caseId: ended.caseId }]
    }
    if (ended !== null && this.#onlyAttaches(ended, eventDate)) {
      return [{ kind: 'attach_relapse', eventId, caseId: ended.caseId }]
    }
    const hasRelapsed = ended !== null && this.#isRelapse(ended, eventDate)
    const mayReopen = hasRelapsed && ended.mayReopen && !isLate(ended, eventDate)
    if (mayReopen && this.#policy.relapse === 'reopen') {
      return [{ kind: 'reopen', eventId, caseId: ended.caseId }, this.#attach(ended, event)]
    }
    const linkedCaseId = hasRelapsed && this.#policy.relapse !== 'new' ? ended.caseId : null
    const counted = this.#countTowardsThreshold(event)
    return counted === null ? [{ kind: 'pend', eventId }] : this.#start(counted, linkedCaseId)
  }

  #attach(open: OpenCase, { eventId, eventDate }: DatedEvent): Step {
    const { caseId, firstEventDate: first, lastEventDate: last } = open
    this.#open = {
      caseId,
      firstEventDate: eventDate < first ? eventDate : first,
      lastEventDate: eventDate > last ? eventDate : last,
    }
    return { kind: 'attach', eventId, caseId }
  }

  /** The last of the events opens the case. */
  #start(events: readonly DatedEvent[], linkedCaseId: string | null): readonly Step[] {
    const caseId = this.#createCaseId()
    const dates = events.map(({ eventDate }) => eventDate).toSorted()
    const [first = ''] = dates
    this.#open = { caseId, firstEventDate: first, lastEventDate: dates.at(-1) ?? first }
    this.#pending = []
    const eventId = events.at(-1)?.eventId ?? ''
    return [
      { kind: 'open', eventId, caseId, linkedCaseId },
      ...events.map((event): Step => ({ kind: 'attach', eventId: event.eventId, caseId })),
    ]
  }

  /** The events that reach the threshold with this one; null when it stays pending. */
  #countTowardsThreshold(event: DatedEvent): readonly DatedEvent[] | null {
    const { thresholdEvents, thresholdReporters, thresholdWindowSeconds } = this.#policy
    if (thresholdEvents <= 1 && thresholdReporters <= 1) return [event]
    // The window ends with the newest event: an event that came late may count, an event before the
    // window does not.
    const all = [...this.#pending, event]
    const newest = all.reduce((date, one) => (one.eventDate > date ? one.eventDate : date), '')
    const counted = all.filter(
      ({ eventDate }) => !isLonger(eventDate, newest, thresholdWindowSeconds),
    )
    const reporters = new Set(counted.map(({ senderEmail }) => senderEmail.toLowerCase()))
    const isReached = counted.length >= thresholdEvents && reporters.size >= thresholdReporters
    // An event before the window opens no case itself; the others had not reached the threshold.
    if (isReached && counted.includes(event)) return counted
    this.#pending = keepNewest(counted)
    return null
  }

  #isTooOld({ firstEventDate, lastEventDate }: OpenCase, eventDate: string): boolean {
    return (
      isLonger(firstEventDate, eventDate, this.#policy.maxAgeSeconds) ||
      isLonger(lastEventDate, eventDate, this.#policy.maxGapSeconds)
    )
  }

  /** Also an event from before the end: a case would else open for the older one of two. */
  #onlyAttaches(ended: EndedCase, eventDate: string): boolean {
    const { relapse, relapseWindowSeconds } = this.#policy
    if (relapse !== 'attach_only' || !ended.mayAttach || isLate(ended, eventDate)) return false
    return !isLonger(ended.endedAt, eventDate, relapseWindowSeconds)
  }

  #isRelapse({ endedAt }: EndedCase, eventDate: string): boolean {
    // An event from before the end is no relapse, however late it is reported.
    return eventDate > endedAt && !isLonger(endedAt, eventDate, this.#policy.relapseWindowSeconds)
  }
}

/** The same boundary as for the events that a case resolves: dated up to the resolve time. */
function isLate({ resolvedAt }: EndedCase, eventDate: string): boolean {
  return resolvedAt !== null && eventDate <= resolvedAt
}

/** True when more time than the bound lies between the two; never without a bound. */
function isLonger(from: string, until: string, boundSeconds: number | null): boolean {
  if (boundSeconds === null) return false
  return Date.parse(until) - Date.parse(from) > boundSeconds * 1_000
}

function keepNewest(events: readonly DatedEvent[]): readonly DatedEvent[] {
  if (events.length <= PENDING_EVENTS_MAX) return events
  const dates = events.map(({ eventDate }) => eventDate).toSorted()
  const oldest = dates.at(-PENDING_EVENTS_MAX) ?? ''
  return events.filter(({ eventDate }) => eventDate >= oldest).slice(-PENDING_EVENTS_MAX)
}
