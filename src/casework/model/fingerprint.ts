// The identity of an event: what makes two arrivals one event (design 5.1 and 10).

import { findReportedUrl, type NewEvent, readAccount } from './event.ts'
import { hashFields } from './field-hash.ts'

/** By what an arriving event is known again. `source` names the way in (a report format, or the token that pushed). */
export type EventIdentity =
  /**
   * One event of a report: its place in it counts, since a report may hold equal rows. A time that the report does not tell is that of
   * the arrival, which is another when the same report comes again; it does not count.
   */
  | {
      readonly kind: 'report'
      readonly source: string
      readonly reportId: string
      readonly index: number
      /** Left out: it is. */
      readonly isTimeTold?: boolean
    }
  /** A request repeated under one `Idempotency-Key` means the same events, whatever its body says the second time. */
  | {
      readonly kind: 'idempotency_key'
      readonly source: string
      readonly key: string
      readonly index: number
    }
  /** Nothing but the event itself. */
  | { readonly kind: 'content' }

/**
 * The fingerprint, unique within a tenant: 64 hexadecimal digits. E-mail addresses are compared without regard to case. A report's
 * id is bound to its sender and to what the event says, so that one id used for several pushed events does not swallow the rest.
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
      ])
    case 'idempotency_key':
      return hashFields([
        'idempotency_key',
        tenantId,
        identity.source,
        identity.key,
        String(identity.index),
      ])
    case 'content':
      return hashFields(['content', tenantId, ...subjectFields(event), event.eventDate])
  }
}

function subjectFields(event: NewEvent): (string | null)[] {
  const url = findReportedUrl(event)
  const about = [event.senderEmail.toLowerCase(), event.eventType, event.ip, event.domain, url]
  if (event.ip !== null || event.domain !== null || url !== null) return about
  // Where nothing else tells what it is about, whoever it names does: what two customers did at one moment is two events.
  const names = [event.customerId, event.contractId, readAccount(event)]
  return names.every((name) => name === null) ? about : [...about, ...names]
}
