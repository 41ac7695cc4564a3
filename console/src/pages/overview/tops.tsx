// Customers, types and reporters with the most of a thing, as bars that lead to the list behind them.

import { useQueries, useQuery } from '@tanstack/react-query'
import { customerNameQuery } from '../../data/customer-name.ts'
import { useMay } from '../../data/session.ts'
import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { Loading } from '../../parts/loading.tsx'
import { PathLink, pathWith } from '../../parts/path-link.tsx'
import { Problem } from '../../parts/problem.tsx'
import { type Stats, statsQuery } from './data.ts'
import { messages } from './messages.ts'
import { dayText, type OverviewSearch, resolveRange } from './range.ts'

interface WithSearch {
  readonly search: OverviewSearch
}

const TOP = 8

export function Tops({ search }: WithSearch) {
  const maySeeEvents = useMay('events:read')
  return (
    <div className="overview-three">
      <TopCustomers search={search} />
      {maySeeEvents && (
        <>
          <TopTypes search={search} />
          <TopReporters search={search} />
        </>
      )}
    </div>
  )
}

/** The days of the range, as the queue of cases reads them: `2026-11-01..2026-11-27`. */
function readCreated(search: OverviewSearch): string {
  const { from, to } = resolveRange(search, Date.now())
  return `${dayText(from)}..${dayText(to)}`
}

function TopCustomers({ search }: WithSearch) {
  const t = useText(messages)
  const mayName = useMay('customers:read')
  const query = useQuery(
    statsQuery(search, { metric: 'cases_opened', by: 'customer_id', limit: TOP }),
  )
  const ids = (query.data?.top ?? []).flatMap(({ value }) => value ?? [])
  const names = useQueries({
    queries: ids.map((id) => ({ ...customerNameQuery(id), enabled: mayName })),
  })
  const nameOf = (id: string): string => names[ids.indexOf(id)]?.data ?? id
  return (
    <Bars
      title={t('top_customers')}
      query={query}
      nameOf={nameOf}
      say={(name, count) => t('cases_of', { name, count })}
      pathOf={(customer) =>
        pathWith('/cases', { state: 'any', customer, created: readCreated(search) })
      }
    />
  )
}

function TopTypes({ search }: WithSearch) {
  const t = useText(messages)
  const query = useQuery(
    statsQuery(search, { metric: 'events', by: 'event_type', limit: TOP, hasSeries: true }),
  )
  return (
    <Bars
      title={t('top_types')}
      query={query}
      say={(name, count) => t('events_of', { name, count })}
      pathOf={(type) => pathWith('/cases', { state: 'any', type })}
    />
  )
}

function TopReporters({ search }: WithSearch) {
  const t = useText(messages)
  const query = useQuery(statsQuery(search, { metric: 'events', by: 'sender_email', limit: TOP }))
  return (
    <Bars
      title={t('top_reporters')}
      query={query}
      say={(name, count) => t('events_of', { name, count })}
      pathOf={(reporter) => pathWith('/cases', { state: 'any', reporter })}
    />
  )
}

interface BarsProps {
  readonly title: string
  readonly query: {
    readonly data: Stats | undefined
    readonly error: unknown
    readonly refetch: () => unknown
  }
  readonly nameOf?: (value: string) => string
  /** What a screen reader says of a bar. */
  readonly say: (name: string, count: number) => string
  readonly pathOf: (value: string) => string
}

function Bars({ title, query: { data, error, refetch }, nameOf, say, pathOf }: BarsProps) {
  const t = useText(messages)
  const format = useFormat()
  const top = data?.top ?? []
  const most = Math.max(1, ...top.map(({ count }) => count))
  return (
    <section className="overview-part" aria-label={title}>
      <h2 className="section-title">{title}</h2>
      {error !== null && data === undefined && (
        <Problem error={error} onRetry={() => void refetch()} />
      )}
      {error === null && data === undefined && <Loading lines={5} />}
      {data !== undefined && top.length === 0 && <p className="dim">{t('none_in_range')}</p>}
      <ol className="bars">
        {top.map(({ value, count }) => {
          const name = value === undefined ? t('none') : (nameOf?.(value) ?? value)
          const words = (
            <>
              <span className="bar-name cut">{name}</span>{' '}
              <span className="bar-count number">{format.number(count)}</span>
              <span className="bar" style={{ width: `${(count / most) * 100}%` }} />
            </>
          )
          return (
            <li key={value ?? ''}>
              {value === undefined ? (
                <span className="bar-row">{words}</span>
              ) : (
                <PathLink
                  path={pathOf(value)}
                  className="bar-row"
                  label={say(name, count)}
                  title={name === value ? name : `${name} (${value})`}
                >
                  {words}
                </PathLink>
              )}
            </li>
          )
        })}
      </ol>
    </section>
  )
}
