// The deadlines of a case: those of the law, counted from the time of awareness, and an agreed one.
// A case has the deadlines of the laws that its tenant had switched on when it was opened (setting
// legal_deadlines). The column abuse_case.due_at (migration 0042) holds the earliest by the same
// rules; a test compares the two.
//
// Sources: receipt of a notice, DSA Article 16(4) ("without undue delay") and RAA 3.18; 24 hours is
// our number for both. Notice to an authority of a threat to a person's safety, DSA Article 18
// ("promptly"), 24 hours as well. NIS2 Article 23(4): early warning within 24 hours, notification
// within 72 hours, final report within one month. The month runs from the notification.
// Counted from awareness instead it is never late, and the time of the notification need not be
// stored.

import { type CaseState, isOpenState } from './case-state.ts'

export const LAW_CLOCKS = [
  'receipt',
  'authority_notice',
  'early_warning',
  'incident_notification',
  'final_report',
] as const
type LawClock = (typeof LAW_CLOCKS)[number]

/** The values on which the deadlines of a case depend. */
export interface DeadlineInputs {
  /** `dsa`, `nis2`; the deadlines of others do not count. */
  readonly laws: readonly string[]
  readonly state: CaseState
  readonly severity: string | null
  readonly eventTypes: readonly string[]
  readonly createdAt: Date
  /** Null stands for the creation of the case. */
  readonly awareAt: Date | null
  /** The agreed deadline. */
  readonly deadlineAt: Date | null
  readonly met: readonly string[]
}

export interface Deadline {
  readonly kind: LawClock | 'agreed'
  readonly dueAt: Date
  readonly isMet: boolean
}

const HOUR_MS = 3_600_000

/**
 * In order of time. Deadlines that are met stay in the list; those that no longer apply are left
 * out.
 */
export function listDeadlines(inputs: DeadlineInputs): readonly Deadline[] {
  const aware = inputs.awareAt ?? inputs.createdAt
  const isOpen = isOpenState(inputs.state)
  const deadlines: Deadline[] = []
  const addClock = (kind: LawClock, dueAt: Date): void => {
    deadlines.push({ kind, dueAt, isMet: inputs.met.includes(kind) })
  }
  if (isOpen && inputs.deadlineAt !== null) {
    deadlines.push({ kind: 'agreed', dueAt: inputs.deadlineAt, isMet: false })
  }
  const [hasDsa, hasNis2] = [inputs.laws.includes('dsa'), inputs.laws.includes('nis2')]
  if (hasDsa && isOpen) addClock('receipt', inHours(aware, 24))
  // A RESOLVED case still has to be reported; a CLOSED case was no incident.
  if (inputs.state !== 'CLOSED') {
    const isThreat = inputs.eventTypes.includes('ChildAbuse')
    if (hasDsa && isThreat) addClock('authority_notice', inHours(aware, 24))
    if (hasNis2 && isReportable(inputs)) {
      addClock('early_warning', inHours(aware, 24))
      addClock('incident_notification', inHours(aware, 72))
      addClock('final_report', inOneMonth(aware))
    }
  }
  return deadlines.toSorted((one, other) => one.dueAt.getTime() - other.dueAt.getTime())
}

/**
 * Significant incidents in the sense of NIS2: severity high or critical, and known vulnerabilities.
 */
function isReportable(inputs: DeadlineInputs): boolean {
  return (
    inputs.severity === 'high' ||
    inputs.severity === 'critical' ||
    inputs.eventTypes.includes('CVE')
  )
}

function inHours(time: Date, hours: number): Date {
  return new Date(time.getTime() + hours * HOUR_MS)
}

/** The same day and time of the next month, in UTC; the last day of a shorter month. */
function inOneMonth(time: Date): Date {
  const next = new Date(time)
  next.setUTCMonth(time.getUTCMonth() + 1)
  // JavaScript turns the 31st of a month with 30 days into the 1st of the month after.
  if (next.getUTCDate() !== time.getUTCDate()) next.setUTCDate(0)
  return next
}
