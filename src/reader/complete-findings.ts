// Gives every value of an event a finding that says where the value comes from. A format reports
// the findings of what it read; here the findings of derived values are added.

import type { NewEvent } from '../vocabulary/event.ts'
import type { Finding } from './reading.ts'

/** The times an event takes when its format found none. */
export interface TimeFrame {
  /** The time of the mail's Date header; null when it has none. */
  readonly reportedAtMs: number | null
  /** The text of the Date header; left out or empty when it was not kept. */
  readonly dateText?: string | null
}

/** The findings with one more for each value that has none. */
export function completeFindings(
  event: NewEvent,
  findings: readonly Finding[],
  frame: TimeFrame,
): readonly Finding[] {
  const covered = new Set(findings.map(({ field }) => field))
  const link = findings.find(({ field }) => field === '/event_details/url')
  const anchor = link ?? findings.find(({ field }) => field !== '/sender_email')
  const kind = findings.find(({ field }) => field === '/event_type') ?? anchor
  const added: Finding[] = []
  const add = (field: string, value: string, source: Partial<Finding>, reason: string): void => {
    if (covered.has(field)) return
    added.push({ ...NOWHERE, ...locationOf(source), field, value, reason, rule: 'derived' })
  }
  if (event.ip !== null) add('/ip', event.ip, anchor ?? {}, 'The host of the reported link.')
  if (event.domain !== null) {
    add('/domain', event.domain, anchor ?? {}, 'The host of the reported link.')
  }
  if (!statesTime(event, findings)) added.push(findTime(event, frame))
  add('/event_type', event.eventType, {}, 'Nothing in the report says which kind of abuse it is.')
  add('/sender_email', event.senderEmail, {}, 'Who handed the report in stands for its sender.')
  if (event.eventSubtypes.length > 0) {
    const reason = 'By the same words and columns as the event type.'
    add('/event_subtypes', event.eventSubtypes.join(', '), kind ?? {}, reason)
  }
  if (event.tags.length > 0) {
    add('/tags', event.tags.join(', '), anchor ?? {}, 'As the report tags it.')
  }
  if (event.recipientEmail !== null) {
    add('/recipient_email', event.recipientEmail, anchor ?? {}, 'To whom it was sent.')
  }
  const details = listUncovered(event, covered)
  if (details.length > 0) {
    const reason = 'Told beside it, by the same part of the report.'
    add('/event_details', details.join(', '), anchor ?? {}, reason)
  }
  return added.length === 0 ? findings : [...findings, ...added]
}

const NOWHERE = { part: 'report', line: null, excerpt: '', role: null, rank: null } as const

function locationOf({ part, line, excerpt }: Partial<Finding>): Partial<Finding> {
  return part === undefined ? {} : { part, line: line ?? null, excerpt: excerpt ?? '' }
}

// A time that cannot be true has a finding, but the event does not take it.
function statesTime({ eventDate }: NewEvent, findings: readonly Finding[]): boolean {
  return findings.some(({ field, value }) => field === '/event_date' && value === eventDate)
}

function findTime({ eventDate }: NewEvent, { reportedAtMs, dateText }: TimeFrame): Finding {
  const isReported = reportedAtMs !== null && Date.parse(eventDate) === reportedAtMs
  const location = isReported
    ? { part: 'header Date', excerpt: dateText ?? '' }
    : { part: 'receipt', excerpt: '' }
  const reason = isReported
    ? 'The report tells no other time that can be true: when the mail was written.'
    : 'The report tells no time that can be true: when it reached us.'
  const rule = isReported ? 'date-of-mail' : 'date-of-receipt'
  return { ...NOWHERE, ...location, field: '/event_date', value: eventDate, reason, rule }
}

/** The names of the details without a finding. */
function listUncovered({ details }: NewEvent, covered: ReadonlySet<string>): readonly string[] {
  const fields = [...covered]
  return Object.keys(details ?? {}).filter((name) => {
    const field = `/event_details/${name}`
    return !fields.some((each) => each === field || each.startsWith(`${field}/`))
  })
}
