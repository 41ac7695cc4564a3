// The setting `retention` of a tenant, and the bounds that follow from it at a given time. Kinds of
// data that the setting does not name are kept for ever.

import { buildUuidFloor } from '../../../kernel/ids.ts'

export interface RetentionDays {
  /** Days for the bytes of reports, from their arrival. */
  readonly rawReports: number | null
  /** Days for events and the records of reports, from their arrival. */
  readonly events: number | null
  /** Days for cases with all their rows, from their end. */
  readonly cases: number | null
  /** Days for the audit log, the history of rules and lifted legal holds, from the decision. */
  readonly audit: number | null
}

/** Rows before these bounds are removed; null keeps all rows of the kind. */
export interface RetentionBounds {
  /** Ids of reports. */
  readonly rawReportsBefore: string | null
  /** Ids of events and of reports. */
  readonly eventsBefore: string | null
  readonly casesEndedBefore: Date | null
  /** `id`: of rows of history. `at`: for rows with a time. */
  readonly auditBefore: {
    readonly id: string
    readonly at: Date
    /**
     * The start of that day. Each removal of audit entries adds one, so they go once a day only.
     */
    readonly day: Date
  } | null
}

/** Reads the stored setting. A value that is no positive integer keeps the rows. */
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

/** The bounds of these settings at this time. */
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
    auditBefore:
      auditMs === null
        ? null
        : {
            id: buildUuidFloor(auditMs),
            at: new Date(auditMs),
            day: new Date(auditMs - (auditMs % DAY_MS)),
          },
  }
}

function findFloor(timeMs: number | null): string | null {
  return timeMs === null ? null : buildUuidFloor(timeMs)
}
