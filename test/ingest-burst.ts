// The events that each writer of a burst stores. All writers use the same few correlation keys, and
// some events come from several writers.

import { createHash } from 'node:crypto'
import type { IncomingEvent } from '../src/casework/events/incoming-event.ts'
import { buildIncomingEvent } from './build-incoming-event.ts'
import type { SocketConnection } from './harness.ts'

export interface WriterPlan {
  readonly connection: SocketConnection
  readonly tenantId: string
  /** Numbers of the writers of this process. */
  readonly writers: readonly number[]
  readonly batches: number
}

export const BURST_EVENTS = 20
const CUSTOMERS = 7
const HOUR_MS = 3_600_000
// Each has a case group of its own in correlation-burst.test.ts.
const EVENT_TYPES = ['Spam', 'PortScan', 'Phishing'] as const

/** The last five of each batch are the same for all writers. */
export function buildBurst(writer: number, batch: number): readonly IncomingEvent[] {
  return Array.from({ length: BURST_EVENTS }, (_, index) => {
    const isShared = index >= BURST_EVENTS - 5
    const name = `${isShared ? 'all' : writer} ${batch} ${index}`
    const random = createHash('sha256').update(name).digest()
    const hours = random.readUInt16BE(0) % 200
    return buildIncomingEvent(random.toString('hex'), {
      eventDate: new Date(Date.UTC(2026, 0, 1) + hours * HOUR_MS).toISOString(),
      eventType: EVENT_TYPES[random.readUInt8(2) % EVENT_TYPES.length] ?? 'Spam',
      senderEmail: `reporter-${random.readUInt8(3) % 5}@example.org`,
      ip: `192.0.2.${random.readUInt8(4)}`,
      customerId: `customer-${random.readUInt8(5) % CUSTOMERS}`,
    })
  })
}
