// What becomes of the events of one key, in the order in which they come: they join its open case,
// one that is settled, or a new one, or wait below the threshold of the group. Pure:
// gather-cases.ts loads the state, walks, and writes the steps.

import { type CorrelationPolicy } from '../rules/case-group.ts'

// A key that waits for many reporters keeps this many of its events in mind, the newest.
export const HELD_EVENTS_MAX = 1_000

/** Dates as in `NewEvent`: ISO 8601 in UTC, in the order of time as text. */
export interface WalkedEvent {
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
  /** False for one that was closed, or whose slots another case has by now. */
  readonly mayReopen: boolean
}

export type WalkStep =
  | { readonly kind: 'attach'; readonly eventId: string; readonly caseId: string }
  /** To what is settled already: `late` tag, `resolved` from the start, no reopening, no notice. */
  | { readonly kind: 'attach_late'; readonly eventId: string; readonly caseId: string }
  | { readonly kind: 'hold'; readonly eventId: string }
  /**
   * Opened by `eventId`; those that were held before it join as well, each with a step of its own.
   */
  | {
      readonly kind: 'open'
      readonly eventId: string
      readonly caseId: string
      /** The case this one follows. */
      readonly linkedCaseId: string | null
    }
  | { readonly kind: 'reopen'; readonly eventId: string; readonly caseId: string }
  /** Takes no more events; it stays open until somebody ends it. */
  | { readonly kind: 'seal'; readonly eventId: string; readonly caseId: string }

export interface WalkStart {
  readonly open: OpenCase | null
  readonly ended: EndedCase | null
  /** Below the threshold so far. */
  readonly held: readonly WalkedEvent[]
}

/** One key within one batch. */
export class SlotWalk {
  readonly #policy: CorrelationPolicy
  readonly #createCaseId: () => string
  #open: OpenCase | null
  #ended: EndedCase | null
  #held: readonly WalkedEvent[]

  constructor(policy: CorrelationPolicy, start: WalkStart, createCaseId: () => string) {
    this.#policy = policy
    this.#createCaseId = createCaseId
    this.#open = start.open
    this.#ended = start.ended
    this.#held = start.held
  }

  /** The case that the key has after the last step. */
  get openCaseId(): string | null {
    return this.#open?.caseId ?? null
  }

  /** Those that still wait. */
  get held(): readonly WalkedEvent[] {
    return this.#held
  }

  take(event: WalkedEvent): readonly WalkStep[] {
    const { eventId, eventDate } = event
    const open = this.#open
    if (open !== null) {
      if (!this.#isTooOld(open, eventDate)) return [this.#attach(open, event)]
      // What goes on without a break waits for no threshold.
      return [{ kind: 'seal', eventId, caseId: open.caseId }, ...this.#start([event], open.caseId)]
    }
    const ended = this.#ended
    if (ended !== null && this.#policy.lateEvent === 'attach' && isLate(ended, eventDate)) {
      return [{ kind: 'attach_late', eventId, caseId: ended.caseId }]
    }
    const hasRelapsed = ended !== null && this.#isWithinRelapse(ended, eventDate)
    const mayReopen = hasRelapsed && ended.mayReopen && !isLate(ended, eventDate)
    if (mayReopen && this.#policy.relapse === 'reopen') {
      return [{ kind: 'reopen', eventId, caseId: ended.caseId }, this.#attach(ended, event)]
    }
    const linkedCaseId = hasRelapsed && this.#policy.relapse !== 'new' ? ended.caseId : null
    const counted = this.#countTowardsThreshold(event)
    return counted === null ? [{ kind: 'hold', eventId }] : this.#start(counted, linkedCaseId)
  }

  #attach(open: OpenCase, { eventId, eventDate }: WalkedEvent): WalkStep {
    const { caseId, firstEventDate: first, lastEventDate: last } = open
    this.#open = {
      caseId,
      firstEventDate: eventDate < first ? eventDate : first,
      lastEventDate: eventDate > last ? eventDate : last,
    }
    return { kind: 'attach', eventId, caseId }
  }

  /** The last of the events opens the case. */
  #start(events: readonly WalkedEvent[], linkedCaseId: string | null): readonly WalkStep[] {
    const caseId = this.#createCaseId()
    const dates = events.map(({ eventDate }) => eventDate).toSorted()
    const [first = ''] = dates
    this.#open = { caseId, firstEventDate: first, lastEventDate: dates.at(-1) ?? first }
    this.#held = []
    const eventId = events.at(-1)?.eventId ?? ''
    return [
      { kind: 'open', eventId, caseId, linkedCaseId },
      ...events.map((event): WalkStep => ({ kind: 'attach', eventId: event.eventId, caseId })),
    ]
  }

  /** The events that reach the threshold with this one; null when it has to wait. */
  #countTowardsThreshold(event: WalkedEvent): readonly WalkedEvent[] | null {
    const { thresholdEvents, thresholdReporters, thresholdWindowSeconds } = this.#policy
    if (thresholdEvents <= 1 && thresholdReporters <= 1) return [event]
    // The window ends with the newest event: what came late may count, what has fallen out of it
    // does not.
    const all = [...this.#held, event]
    const newest = all.reduce((date, one) => (one.eventDate > date ? one.eventDate : date), '')
    const counted = all.filter(
      ({ eventDate }) => !isLonger(eventDate, newest, thresholdWindowSeconds),
    )
    const reporters = new Set(counted.map(({ senderEmail }) => senderEmail.toLowerCase()))
    const isReached = counted.length >= thresholdEvents && reporters.size >= thresholdReporters
    // An event that fell out of the window opens nothing itself; the others had not reached it
    // before.
    if (isReached && counted.includes(event)) return counted
    this.#held = keepNewest(counted)
    return null
  }

  #isTooOld({ firstEventDate, lastEventDate }: OpenCase, eventDate: string): boolean {
    return (
      isLonger(firstEventDate, eventDate, this.#policy.maxAgeSeconds) ||
      isLonger(lastEventDate, eventDate, this.#policy.maxGapSeconds)
    )
  }

  #isWithinRelapse({ endedAt }: EndedCase, eventDate: string): boolean {
    // What happened before the end came back from nowhere, however late it is told.
    return eventDate > endedAt && !isLonger(endedAt, eventDate, this.#policy.relapseWindowSeconds)
  }
}

/**
 * The same boundary as for the events that a resolved case settles: dated up to the resolve time.
 */
function isLate({ resolvedAt }: EndedCase, eventDate: string): boolean {
  return resolvedAt !== null && eventDate <= resolvedAt
}

/** True when more time than the bound lies between the two; never without a bound. */
function isLonger(from: string, until: string, boundSeconds: number | null): boolean {
  if (boundSeconds === null) return false
  return Date.parse(until) - Date.parse(from) > boundSeconds * 1_000
}

function keepNewest(events: readonly WalkedEvent[]): readonly WalkedEvent[] {
  if (events.length <= HELD_EVENTS_MAX) return events
  const dates = events.map(({ eventDate }) => eventDate).toSorted()
  const oldest = dates.at(-HELD_EVENTS_MAX) ?? ''
  return events.filter(({ eventDate }) => eventDate >= oldest).slice(-HELD_EVENTS_MAX)
}
