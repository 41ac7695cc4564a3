// Events as the wire shows them (interface 2.6 and 2.7). Members without a value are left out,
// never null.

import type { EventRow, EventSummaryRow } from './event-list-store.ts'
import type { EventOutcome, Repeats } from './incoming-event.ts'
import type { PushedOutcome } from './ingest-pushed-events.ts'

export function presentEventSummary(row: EventSummaryRow): unknown {
  return {
    event_date: row.event_date.toISOString(),
    event_id: row.event_id,
    event_type: row.event_type,
    sender_email: row.sender_email,
    ...(row.domain === null ? {} : { domain: row.domain }),
    ...(row.ip === null ? {} : { ip: row.ip }),
  }
}

export function presentEvent(row: EventRow): Record<string, unknown> {
  const optional = {
    case_id: row.case_id,
    contract_id: row.contract_id,
    customer_id: row.customer_id,
    domain: row.domain,
    event_details: row.details,
    ip: row.ip,
    recipient_email: row.recipient_email,
    xarf_class: row.xarf_class,
  }
  return {
    create_date: row.create_date.toISOString(),
    event_date: row.event_date.toISOString(),
    event_id: row.event_id,
    event_type: row.event_type,
    sender_email: row.sender_email,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null)),
    event_subtypes: row.event_subtypes,
    resolved: row.resolved,
    tags: row.tags,
    tenant_id: row.tenant_id,
  }
}

export function presentPushedEvent(outcome: EventOutcome): Record<string, unknown> {
  return {
    event_id: outcome.eventId,
    ...(outcome.caseId === null ? {} : { case_id: outcome.caseId }),
    outcome: outcome.kind,
    ...(outcome.repeats === undefined ? {} : presentRepeats(outcome.repeats)),
  }
}

/** Beside the members of the interface, for those who ask. */
export function presentRepeats({ seenCount, lastSeen }: Repeats): Record<string, unknown> {
  return { seen_count: seenCount, last_seen: lastSeen.toISOString() }
}

export function presentPushedEntry(outcome: PushedOutcome, index: number): unknown {
  if (outcome.kind === 'invalid') return { index, outcome: outcome.kind, error: outcome.error }
  return { index, ...presentPushedEvent(outcome) }
}
