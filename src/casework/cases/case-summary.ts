// What a case knows of its events in sum, built up batch by batch: exact counts and dates, and the first distinct values of each kind.

import type { NewEvent } from '../../vocabulary/event.ts'
import { countEvent, mergeCounters } from '../events/correlation.ts'
import { type CaseSummary, SUMMARY_VALUES_MAX } from './case-summary-store.ts'

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

/** Both are of the same case; `later` is what comes to `one`. */
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
