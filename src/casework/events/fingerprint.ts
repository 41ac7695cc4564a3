// The identity of an event: when two arrivals are one event (design sections 5.1 and 10).

import { hashFields } from '../../kernel/ids.ts'
import { findReportedUrl, type NewEvent, readAccount } from '../../vocabulary/event.ts'

/**
 * How a repeat of an event is recognised. `source` names its origin (a report format, or the token
 * that pushed).
 */
export type EventIdentity =
  /**
   * One event of a report: its index counts, since a report may hold equal rows. Where the report
   * names no time, the event has the time of arrival, which differs when the report comes again;
   * such a time does not count.
   */
  | {
      readonly kind: 'report'
      readonly source: string
      readonly reportId: string
      readonly index: number
      /** Whether the report names the time; true when left out. */
      readonly isTimeTold?: boolean
    }
  /**
   * A request repeated under one `Idempotency-Key` means the same events. Another request under the
   * key is refused for a day (ingest.ts) and later means events of its own, so its hash counts.
   */
  | {
      readonly kind: 'idempotency_key'
      readonly source: string
      readonly key: string
      readonly requestHash: string
      readonly index: number
    }
  /** The content of the event alone. */
  | { readonly kind: 'content' }

/**
 * The `source` of a report whose events are pushed one by one, under the id that its reporter gave
 * it.
 */
export const PUSHED = 'push'

/**
 * The fingerprint, unique within a tenant: 64 hexadecimal digits. E-mail addresses are compared
 * without regard to case. A report's id is bound to its sender and to what the event says, so that
 * one id that is used for several pushed events loses none of them.
 */
export function fingerprintEvent(
  tenantId: string,
  identity: EventIdentity,
  event: NewEvent,
): string {
  switch (identity.kind) {
    case 'report':
      return hashFields([
        'report',
        tenantId,
        identity.source,
        identity.reportId,
        String(identity.index),
        ...subjectFields(event),
        (identity.isTimeTold ?? true) ? event.eventDate : null,
        // Events that were read out of a report differ by their index in it.
        ...(identity.source === PUSHED ? nameFields(event) : []),
      ])
    case 'idempotency_key':
      return hashFields([
        'idempotency_key',
        tenantId,
        identity.source,
        identity.key,
        String(identity.index),
        identity.requestHash,
      ])
    case 'content':
      return hashFields([
        'content',
        tenantId,
        ...subjectFields(event),
        event.eventDate,
        ...nameFields(event),
      ])
  }
}

function subjectFields(event: NewEvent): (string | null)[] {
  const { senderEmail, eventType, ip, domain } = event
  return [senderEmail.toLowerCase(), eventType, ip, domain, findReportedUrl(event)]
}

/**
 * An event without an address, domain or URL is identified by the customer, contract and account
 * that it names: two customers at one time are two events.
 */
function nameFields(event: NewEvent): (string | null)[] {
  const { ip, domain, customerId, contractId } = event
  if (ip !== null || domain !== null || findReportedUrl(event) !== null) return []
  const names = [customerId, contractId, readAccount(event)]
  return names.every((name) => name === null) ? [] : names
}
