// When something about a case is due: what the law asks for, counted from when we became aware, and
// what was agreed beside it. The column abuse_case.due_at (migration 0010) holds the earliest of
// them by the same rules, and a test compares the two.
//
// Sources: receipt of a notice, DSA Article 16(4) ("without undue delay") and RAA 3.18; 24 hours is
// our number for both. Notice to an authority of a threat to a person's safety, DSA Article 18
// ("promptly"), 24 hours as well. NIS2 Article 23(4): early warning within 24 hours, notification
// within 72 hours, final report within one month. That month runs from the notification; whoever
// counts it from becoming aware is never late, and needs no record of when the notification went
// out.

import type { CaseState } from './case-state.ts'

export const LAW_CLOCKS = [
  'receipt',
  'authority_notice',
  'early_warning',
  'incident_notification',
  'final_report',
] as const
type LawClock = (typeof LAW_CLOCKS)[number]

/** What the deadlines of a case depend on. */
export interface DeadlineFacts {
  readonly state: CaseState
  readonly severity: string | null
  readonly eventTypes: readonly string[]
  readonly createdAt: Date
  /** Null: when the case was opened. */
  readonly awareAt: Date | null
  /** What was agreed beside the law. */
  readonly deadlineAt: Date | null
  readonly met: readonly string[]
}

export interface Deadline {
  readonly kind: LawClock | 'agreed'
  readonly dueAt: Date
  readonly isMet: boolean
}

const HOUR_MS = 3_600_000

/** In the order of their times. What is met stays in the list; what no longer applies leaves it. */
export function listDeadlines(facts: DeadlineFacts): readonly Deadline[] {
  const aware = facts.awareAt ?? facts.createdAt
  const isOpen = facts.state === 'NEW' || facts.state === 'IN_PROGRESS'
  const deadlines: Deadline[] = []
  const addClock = (kind: LawClock, dueAt: Date): void => {
    deadlines.push({ kind, dueAt, isMet: facts.met.includes(kind) })
  }
  if (isOpen && facts.deadlineAt !== null) {
    deadlines.push({ kind: 'agreed', dueAt: facts.deadlineAt, isMet: false })
  }
  if (isOpen) addClock('receipt', inHours(aware, 24))
  // A case that ended well has still to be reported; one that is closed was none.
  if (facts.state !== 'CLOSED') {
    if (facts.eventTypes.includes('ChildAbuse')) addClock('authority_notice', inHours(aware, 24))
    if (isReportable(facts)) {
      addClock('early_warning', inHours(aware, 24))
      addClock('incident_notification', inHours(aware, 72))
      addClock('final_report', inOneMonth(aware))
    }
  }
  return deadlines.toSorted((one, other) => one.dueAt.getTime() - other.dueAt.getTime())
}

/** The incidents that NIS2 calls significant: what somebody judged so, and holes that are named. */
function isReportable(facts: DeadlineFacts): boolean {
  return (
    facts.severity === 'high' || facts.severity === 'critical' || facts.eventTypes.includes('CVE')
  )
}

function inHours(time: Date, hours: number): Date {
  return new Date(time.getTime() + hours * HOUR_MS)
}

/** The same day and time of the next month, in UTC; the last day of a month that is shorter. */
function inOneMonth(time: Date): Date {
  const next = new Date(time)
  next.setUTCMonth(time.getUTCMonth() + 1)
  // The 31st of a month of 30 days is the 1st of the one after it.
  if (next.getUTCDate() !== time.getUTCDate()) next.setUTCDate(0)
  return next
}
