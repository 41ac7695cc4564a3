// The pure model of a case: the correlation key that it is open for, and its counters, added up
// batch by batch (exact counts and dates, and the first distinct values of each kind).

import type { NewEvent } from '../../vocabulary/event.ts'

export function summariseEvent(
  caseId: string,
  event: Pick<NewEvent, 'eventDate' | 'eventType' | 'ip' | 'senderEmail'>,
  tags: readonly string[],
): CaseSummary {
  return {
    caseId,
    ...countEvent(event),
    eventTypes: [event.eventType],
    eventIps: event.ip === null ? [] : [event.ip],
    eventReporters: [event.senderEmail],
    eventTags: tags,
  }
}

/** Adds two summaries of one case; the values of `later` come behind those of `one`. */
export function mergeSummaries(one: CaseSummary, later: CaseSummary): CaseSummary {
  return {
    caseId: one.caseId,
    ...mergeCounters(one, later),
    eventTypes: mergeValues(one.eventTypes, later.eventTypes),
    eventIps: mergeValues(one.eventIps, later.eventIps),
    eventReporters: mergeValues(one.eventReporters, later.eventReporters),
    eventTags: mergeValues(one.eventTags, later.eventTags),
  }
}

function mergeValues(present: readonly string[], coming: readonly string[]): readonly string[] {
  if (coming.every((value) => present.includes(value))) return present
  return [...new Set([...present, ...coming])].slice(0, SUMMARY_VALUES_MAX)
}

/**
 * Counts and dates of events. Dates are texts as in `NewEvent`, whose order is the order of time.
 */
export interface CaseCounters {
  readonly eventCount: number
  readonly firstEventDate: string
  readonly lastEventDate: string
}

export function countEvent(event: Pick<NewEvent, 'eventDate'>): CaseCounters {
  return { eventCount: 1, firstEventDate: event.eventDate, lastEventDate: event.eventDate }
}

/** Associative and commutative, so a batch may be added up before it is added to the case. */
export function mergeCounters(one: CaseCounters, other: CaseCounters): CaseCounters {
  return {
    eventCount: one.eventCount + other.eventCount,
    firstEventDate:
      one.firstEventDate < other.firstEventDate ? one.firstEventDate : other.firstEventDate,
    lastEventDate:
      one.lastEventDate > other.lastEventDate ? one.lastEventDate : other.lastEventDate,
  }
}

/**
 * A case stores this many values of a kind; the list of its events has all of them. The limit
 * bounds the size of the row that every further event rewrites.
 */
export const SUMMARY_VALUES_MAX = 100

/** The counters of a case, for some of its events. */
export interface CaseSummary {
  readonly caseId: string
  readonly eventCount: number
  readonly firstEventDate: string
  readonly lastEventDate: string
  readonly eventTypes: readonly string[]
  readonly eventIps: readonly string[]
  readonly eventReporters: readonly string[]
  readonly eventTags: readonly string[]
}

export interface CorrelationKey {
  readonly caseGroupId: string
  /** Of `buildCorrelationKey`: 64 hexadecimal digits. */
  readonly keyHash: string
}

/** The key as one text, for maps. */
export function formatCorrelationKey(key: CorrelationKey): string {
  return `${key.caseGroupId}/${key.keyHash}`
}

/** The group for events that match no other group. It always exists, is last, and is enabled. */
export const DEFAULT_GROUP_ID = 'default'
