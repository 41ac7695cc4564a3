// The events to show: those of the reading, with what is stored of them, and behind them those that
// people added. Pure.

import type { EventRow, ReportReading } from './data.ts'
import type { ShownEvent } from './event-reading.tsx'

export function listShownEvents(
  reading: ReportReading | undefined,
  stored: { readonly items: readonly EventRow[] } | undefined,
): readonly ShownEvent[] {
  const byId = new Map((stored?.items ?? []).map((row) => [row.event_id, row]))
  const read = (reading?.events ?? []).map((event, index): ShownEvent => {
    const row = event.event_id === undefined ? undefined : byId.get(event.event_id)
    const { event_type: type, event_date: date, ip, domain } = row ?? event
    const eventId = row?.event_id ?? null
    return { isAdded: false, index, eventId, type, date, ip, domain, findings: event.findings }
  })
  const shown = new Set(read.map(({ eventId }) => eventId))
  const added = [...byId.values()]
    .filter(({ event_id: id }) => !shown.has(id))
    .map(
      ({ event_id: eventId, event_type: type, event_date: date, ip, domain }): ShownEvent => ({
        isAdded: reading !== undefined,
        index: null,
        eventId,
        type,
        date,
        ip,
        domain,
        findings: [],
      }),
    )
  return [...read, ...added]
}
