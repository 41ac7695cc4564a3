// Pushes of events to two servers in turns, over the customers of write-events.ts.

import type { RequestKind } from './pairs.ts'
import type { Random } from './random.ts'
import { addressOf, pickCustomer } from './write-events.ts'

/** Events of now with addresses of any customers, `count` in a push. */
export function pushEvents(name: string, count: number, random: Random): RequestKind {
  return {
    name,
    mediaType: 'application/x-ndjson',
    next: () => ({
      path: '/beta/casework/events',
      body: Array.from({ length: count }, () => makeEventLine(random)).join('\n'),
    }),
  }
}

function makeEventLine(random: Random): string {
  return JSON.stringify({
    event_date: new Date().toISOString(),
    event_type: 'LoginAttack',
    sender_email: `reporter-${random.integer(500)}@example.org`,
    ip: addressOf(pickCustomer(random)),
    event_details: { port: 1 + random.integer(65_000), protocol: 'tcp' },
  })
}
