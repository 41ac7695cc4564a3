// How long a tenant keeps what: the setting `retention`, and what it means at a moment. What is not
// named is kept for ever.

import { buildUuidFloor } from '../../../kernel/ids.ts'

export interface RetentionDays {
  /** Bytes of reports, from their arrival. */
  readonly rawReports: number | null
  /** Events and the records of reports, from their arrival. */
  readonly events: number | null
  /** Cases with everything on them, from their end. */
  readonly cases: number | null
  /** Who decided what about rules, and holds that were lifted, from then on. */
  readonly audit: number | null
}

/** Before which everything goes; null keeps all of that kind. */
export interface RetentionBounds {
  /** Ids of reports. */
  readonly rawReportsBefore: string | null
  /** Ids of events and of reports. */
  readonly eventsBefore: string | null
  readonly casesEndedBefore: Date | null
  /** Ids of rows of history, and times. */
  readonly auditBefore: { readonly id: string; readonly at: Date } | null
}

/** Of the stored setting; a number that is none keeps. */
export function readRetentionDays(settings: Readonly<Record<string, unknown>>): RetentionDays {
  const value = settings['retention']
  const members = new Map<string, unknown>(
    typeof value === 'object' && value !== null ? Object.entries(value) : [],
  )
  const read = (name: string): number | null => {
    const days = members.get(name)
    return typeof days === 'number' && Number.isInteger(days) && days >= 1 ? days : null
  }
  return {
    rawReports: read('raw_report_days'),
    events: read('event_days'),
    cases: read('case_days'),
    audit: read('audit_days'),
  }
}

const DAY_MS = 24 * 60 * 60 * 1_000

export function boundRetention(days: RetentionDays, nowMs: number): RetentionBounds {
  const before = (count: number | null): number | null =>
    count === null ? null : nowMs - count * DAY_MS
  const casesMs = before(days.cases)
  const auditMs = before(days.audit)
  return {
    // Ids are UUIDv7: the order of ids is the order of arrival.
    rawReportsBefore: findFloor(before(days.rawReports)),
    eventsBefore: findFloor(before(days.events)),
    casesEndedBefore: casesMs === null ? null : new Date(casesMs),
    auditBefore: auditMs === null ? null : { id: buildUuidFloor(auditMs), at: new Date(auditMs) },
  }
}

function findFloor(timeMs: number | null): string | null {
  return timeMs === null ? null : buildUuidFloor(timeMs)
}
