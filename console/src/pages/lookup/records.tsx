// The cases and events of an item, in the tenant of the person.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from 'casework/client'
import { lazy, type ReactNode, Suspense } from 'react'
import { useMay } from '../../data/session.ts'
import { useText } from '../../messages/use-text.ts'
import { SeverityBadge, StateBadge } from '../../parts/badges.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PathLink } from '../../parts/path-link.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Since } from '../../parts/since.tsx'
import { casesQuery, EVENTS_MAX, eventsQuery, type Subject } from './data.ts'
import { messages } from './messages.ts'

const EventsChart = lazy(async () => ({
  default: (await import('./events-chart.tsx')).EventsChart,
}))

const EVENTS_SHOWN = 5

export function CasesOf({ subject }: { readonly subject: Subject }) {
  const t = useText(messages)
  const mayRead = useMay('cases:read')
  const query = useQuery({ ...casesQuery(subject), enabled: mayRead })
  if (!mayRead) return null
  return (
    <section className="lookup-section" aria-label={t('cases')}>
      <Head title={t('cases')} more={t('all_cases')} path={pathOf('/cases', subject)} />
      {query.error !== null && <Problem error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Loading lines={3} />}
      {query.data?.items.length === 0 && <p className="dim flat">{t('cases_none')}</p>}
      <ul className="lines">
        {query.data?.items.map((one) => (
          <CaseLine key={one.id} found={one} />
        ))}
      </ul>
    </section>
  )
}

function CaseLine({ found }: { readonly found: Schemas['Case'] }) {
  const t = useText(messages)
  const { id, state, summary, last_event_date: lastEvent, customer_id: customer } = found
  const path: string = `/cases/${encodeURIComponent(id)}`
  return (
    <li>
      <StateBadge state={state} />
      <Link to={path} className="line-title cut">
        {summary === undefined || summary.event_types.length === 0
          ? id
          : summary.event_types.join(', ')}
      </Link>
      {summary?.severity !== undefined && <SeverityBadge severity={summary.severity} />}
      <span className="dim small cut line-more">
        {summary === undefined ? '' : t('events_count', { count: summary.event_count })}
        {customer === '' ? '' : ` · ${summary?.customer_name ?? customer}`}
      </span>
      <span className="dim small line-end">
        <Since at={lastEvent} />
      </span>
    </li>
  )
}

export function EventsOf({ subject }: { readonly subject: Subject }) {
  const t = useText(messages)
  const mayRead = useMay('events:read')
  const query = useQuery({ ...eventsQuery(subject), enabled: mayRead })
  if (!mayRead) return null
  const events = query.data ?? []
  return (
    <section className="lookup-section" aria-label={t('events')}>
      <Head title={t('events')} more={t('all_events')} path={pathOf('/events', subject)} />
      {query.error !== null && <Problem error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Loading lines={4} />}
      {query.data?.length === 0 && <p className="dim flat">{t('events_none')}</p>}
      {events.length > 0 && (
        <Suspense fallback={<Loading lines={4} />}>
          <EventsChart events={events} />
        </Suspense>
      )}
      {events.length >= EVENTS_MAX && (
        <p className="dim small flat">{t('events_cut', { count: EVENTS_MAX })}</p>
      )}
      <ul className="lines">
        {events.slice(0, EVENTS_SHOWN).map((event) => (
          <EventLine key={event.event_id} event={event} />
        ))}
      </ul>
    </section>
  )
}

function EventLine({ event }: { readonly event: Schemas['EventSummary'] }) {
  const path: string = `/events/${encodeURIComponent(event.event_id)}`
  return (
    <li>
      <Link to={path} className="line-title cut">
        {event.event_type}
      </Link>
      <span className="dim small cut line-more">{event.sender_email}</span>
      <span className="dim small line-end">
        <Since at={event.event_date} />
      </span>
    </li>
  )
}

interface HeadProps {
  readonly title: ReactNode
  readonly more: string
  readonly path: string
}

function Head({ title, more, path }: HeadProps) {
  return (
    <div className="section-head">
      <h2 className="section-title">{title}</h2>
      <PathLink path={path} className="text-link">
        {more}
      </PathLink>
    </div>
  )
}

function pathOf(list: string, subject: Subject): string {
  return `${list}?${new URLSearchParams({ ...subject }).toString()}`
}
