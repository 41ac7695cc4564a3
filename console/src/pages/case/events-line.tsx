// Folded events: their number, what they are about, how they came over time, and each of them when
// a person asks.

import { Link } from '@tanstack/react-router'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { Sparkline } from '../../parts/chart.tsx'
import { ItemLink } from '../../parts/item-link.tsx'
import { Since } from '../../parts/since.tsx'
import { countOverTime, type Entry, type EventsLine } from './fold-timeline.ts'
import { messages } from './messages.ts'

// So many fit beside the title.
const ITEMS_MAX = 2
const ROWS_MAX = 50
const SPARK_MIN = 3

export function EventsTitle({ line }: { readonly line: EventsLine }) {
  const t = useText(messages)
  const { events, type } = line
  const items = [...new Set(events.flatMap((event) => itemOf(event) ?? []))]
  return (
    <>
      <strong className="event-count">{t('event_count', { count: events.length })}</strong> {type}
      {items.slice(0, ITEMS_MAX).map((item) => (
        <span key={item}>
          {' '}
          <ItemLink item={item} />
        </span>
      ))}
      {items.length > ITEMS_MAX && (
        <span className="dim"> {t('and_more', { count: items.length - ITEMS_MAX })}</span>
      )}
    </>
  )
}

export function EventsBody({ line }: { readonly line: EventsLine }) {
  const t = useText(messages)
  const format = useFormat()
  const [isOpen, setOpen] = useState(false)
  const { events, at, firstAt } = line
  if (events.length === 1 && events[0] !== undefined) return <EventRow event={events[0]} isAlone />
  const from = format.time(new Date(firstAt))
  return (
    <div>
      <div className="row-of events-spark">
        <button
          type="button"
          className="fold"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
          {t(isOpen ? 'hide_events' : 'show_events')}
        </button>
        {events.length >= SPARK_MIN && (
          <Sparkline
            values={countOverTime(events)}
            label={t('spark', { from, to: format.time(new Date(at)) })}
          />
        )}
        <span className="dim small">{t('first_at', { time: from })}</span>
      </div>
      {isOpen && (
        <ul className="event-rows">
          {events.slice(0, ROWS_MAX).map((event) => (
            <li key={event.id}>
              <EventRow event={event} />
            </li>
          ))}
          {events.length > ROWS_MAX && (
            <li className="dim small">{t('and_more', { count: events.length - ROWS_MAX })}</li>
          )}
        </ul>
      )}
    </div>
  )
}

function EventRow({
  event,
  isAlone = false,
}: {
  readonly event: Entry
  readonly isAlone?: boolean
}) {
  const t = useText(messages)
  const { data } = event
  const domain = typeof data['domain'] === 'string' ? data['domain'] : null
  const reportId = typeof data['report_id'] === 'string' ? data['report_id'] : null
  const ip = typeof data['ip'] === 'string' ? data['ip'] : null
  const eventPath: string = `/events/${encodeURIComponent(event.id)}`
  const reportPath: string = `/reports/${encodeURIComponent(reportId ?? '')}`
  return (
    <span className="row-of event-row small">
      {!isAlone && (
        <span className="event-row-at dim">
          <Since at={event.at} />
        </span>
      )}
      {!isAlone && ip !== null && <ItemLink item={ip} />}
      {domain !== null && (!isAlone || ip !== null) && <ItemLink item={domain} />}
      <Link to={eventPath} className="plain-link">
        {t('event')}
      </Link>
      {reportId !== null && (
        <Link to={reportPath} className="plain-link">
          {t('report')}
        </Link>
      )}
    </span>
  )
}

function itemOf({ data }: Entry): string | null {
  const { ip, domain } = data
  if (typeof ip === 'string') return ip
  return typeof domain === 'string' ? domain : null
}
