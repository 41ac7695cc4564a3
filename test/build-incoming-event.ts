// Builds an incoming event with all its members, as a channel delivers it.

import type { IncomingEvent } from '../src/casework/events/incoming-event.ts'
import type { NewEvent } from '../src/vocabulary/event.ts'

const PLAIN: NewEvent = {
  eventDate: '2026-01-01T00:00:00.000Z',
  eventType: 'Spam',
  eventSubtypes: [],
  xarfClass: null,
  senderEmail: 'sensor@example.com',
  recipientEmail: null,
  ip: null,
  domain: null,
  tags: [],
  details: null,
  customerId: null,
  contractId: null,
  reportId: null,
}

/** `fingerprint`: 64 hexadecimal digits where it is to be stored. */
export function buildIncomingEvent(
  fingerprint: string,
  members: Partial<NewEvent> = {},
): IncomingEvent {
  return {
    event: { ...PLAIN, ...members },
    fingerprint,
    actor: { kind: 'token', id: 'tok_test', name: 'test' },
    reportId: null,
  }
}
