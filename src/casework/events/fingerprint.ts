// The identity of an event: what makes two arrivals one event (design 5.1 and 10).

import { hashFields } from '../../values/field-hash.ts'
import { findReportedUrl, type NewEvent, readAccount } from '../../vocabulary/event.ts'

/**
 * By what an arriving event is known again. `source` names the way in (a report format, or the
 * token that pushed).
 */
export type EventIdentity =
  /**
   * One event of a report: its place in it counts, since a report may hold equal rows. A time that
   * the report does not tell is that of the arrival, which is another when the same report comes
   * again; it does not count.
   */
  | {
      readonly kind: 'report'
      readonly source: string
      readonly reportId: string
      readonly index: number
      /** Left out: it is. */
      readonly isTimeTold?: boolean
    }
  /**
   * A request repeated under one `Idempotency-Key` means the same events, whatever its body says
   * the second time.
   */
  | {
      readonly kind: 'idempotency_key'
      readonly source: string
      readonly key: string
      readonly index: number
    }
  /** Nothing but the event itself. */
  | { readonly kind: 'content' }

/**
 * The `source` of a report whose events are pushed one by one, under the id that its reporter gave
 * it.
 */
export const PUSHED = 'push'

/**
 * The fingerprint, unique within a tenant: 64 hexadecimal digits. E-mail addresses are compared
 * without regard to case. A report's id is bound to its sender and to what the event says, so that
 * one id used for several pushed events does not swallow the rest.
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
        // Those that are read out of a report are told apart by their place in it.
        ...(identity.source === PUSHED ? nameFields(event) : []),
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
 * Where nothing else tells what it is about, whoever it names does: what two customers did at one
 * moment is two events.
 */
function nameFields(event: NewEvent): (string | null)[] {
  const { ip, domain, customerId, contractId } = event
  if (ip !== null || domain !== null || findReportedUrl(event) !== null) return []
  const names = [customerId, contractId, readAccount(event)]
  return names.every((name) => name === null) ? [] : names
}
