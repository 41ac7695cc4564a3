// When sensors saw the item: its sightings by day, and one bar for each kind of activity and source,
// from the first sighting to the last.

import { SegmentedControl } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useMay } from '../../data/session.ts'
import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { Loading } from '../../parts/loading.tsx'
import { useNow } from '../../parts/since.tsx'
import { type Entry, SIGHTINGS_BY } from './data.ts'
import { timeOf } from './judge.ts'
import { messages } from './messages.ts'
import { lookupRoute } from './route.ts'

const SightingsChart = lazy(async () => ({
  default: (await import('./sightings-chart.tsx')).SightingsChart,
}))

const PERIODS = ['30', '90'] as const

const DAY_MS = 86_400_000
const COLOURS: Readonly<Record<string, string>> = {
  honeypot: 'var(--chart-2)',
  spamtrap: 'var(--chart-4)',
  report: 'var(--chart-1)',
}

interface ActivityProps {
  readonly item: string
  readonly entries: readonly Entry[]
}

export function Activity({ item, entries }: ActivityProps) {
  const t = useText(messages)
  const { days = '30' } = lookupRoute.useSearch()
  const sightings = entries.filter(({ kind }) => kind === 'sighting')
  return (
    <section className="lookup-section" aria-label={t('activity')}>
      <div className="section-head">
        <h2 className="section-title">{t('activity')}</h2>
        {sightings.length > 0 && <ActivityControls />}
      </div>
      {sightings.length === 0 ? (
        <p className="dim flat">{t('activity_none')}</p>
      ) : (
        <>
          <SightingsByDay item={item} />
          <Spans sightings={sightings} days={Number(days)} />
        </>
      )}
    </section>
  )
}

/** The chart, for who may ask for it: look-ups are open, the days behind them are not. */
export function SightingsByDay({ item }: { readonly item: string }) {
  const { days = '30', by = 'type' } = lookupRoute.useSearch()
  const mayRead = useMay('intel:read')
  if (!mayRead) return null
  return (
    <Suspense fallback={<Loading lines={4} />}>
      <SightingsChart item={item} days={Number(days)} by={by} />
    </Suspense>
  )
}

/** The period of the chart and what divides it; both stand in the URL. */
export function ActivityControls() {
  const t = useText(messages)
  const { days = '30', by = 'type' } = lookupRoute.useSearch()
  const navigate = useNavigate({ from: lookupRoute.fullPath })
  return (
    <div className="activity-controls">
      <SegmentedControl
        aria-label={t('sightings_by')}
        value={by}
        data={SIGHTINGS_BY.map((member) => ({ value: member, label: t(`by_${member}`) }))}
        onChange={(next) =>
          void navigate({
            search: (search) => ({
              ...search,
              by: next === 'service' || next === 'source' ? next : undefined,
            }),
            replace: true,
          })
        }
      />
      <SegmentedControl
        aria-label={t('period')}
        value={days}
        data={PERIODS.map((period) => ({ value: period, label: t('days', { days: period }) }))}
        onChange={(next) =>
          void navigate({
            search: (search) => ({ ...search, days: next === '90' ? '90' : undefined }),
            replace: true,
          })
        }
      />
    </div>
  )
}

interface SpansProps {
  readonly sightings: readonly Entry[]
  readonly days: number
}

const TICKS = 4

function Spans({ sightings, days }: SpansProps) {
  const t = useText(messages)
  const format = useFormat()
  const nowMs = useNow()
  const fromMs = nowMs - days * DAY_MS
  const shown = sightings
    .filter((one) => timeOf(one.lastSeen) >= fromMs)
    .toSorted(
      (a, b) =>
        a.source.kind.localeCompare(b.source.kind) || timeOf(b.lastSeen) - timeOf(a.lastSeen),
    )
  const older = sightings.length - shown.length
  const ticks = Array.from({ length: TICKS + 1 }, (_, at) => fromMs + (at * days * DAY_MS) / TICKS)
  return (
    <>
      <div className="spans-scroll">
        <table className="spans">
          <thead>
            <tr>
              <th scope="col">{t('seen_as')}</th>
              <th scope="col" className="spans-time">
                <span className="hidden-text">{t('when')}</span>
                <span className="spans-ticks" aria-hidden>
                  {ticks.map((tick) => (
                    <span key={tick}>{format.day(new Date(tick)).replace(/\s\d{4}$/, '')}</span>
                  ))}
                </span>
              </th>
              <th scope="col" className="number">
                {t('times')}
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((one) => (
              <SpanRow
                key={`${one.source.kind} ${one.source.name} ${one.type} ${one.service} ${one.subject} ${one.firstSeen}`}
                sighting={one}
                fromMs={fromMs}
                nowMs={nowMs}
              />
            ))}
          </tbody>
        </table>
      </div>
      {older > 0 && <p className="dim small flat">{t('older', { count: older, days })}</p>}
    </>
  )
}

interface SpanRowProps {
  readonly sighting: Entry
  readonly fromMs: number
  readonly nowMs: number
}

function SpanRow({ sighting, fromMs, nowMs }: SpanRowProps) {
  const t = useText(messages)
  const format = useFormat()
  const { type = '', service, count = 1, source, relation, subject } = sighting
  const lastMs = timeOf(sighting.lastSeen)
  const firstMs = Math.min(lastMs, timeOf(sighting.firstSeen ?? sighting.lastSeen))
  const place = (ms: number): number => Math.max(0, Math.min(1, (ms - fromMs) / (nowMs - fromMs)))
  const words = t('span', {
    first: format.time(new Date(firstMs)),
    last: format.time(new Date(lastMs)),
  })
  return (
    <tr>
      <th scope="row">
        <span className="spans-name">
          <span
            className="chart-swatch"
            style={{ background: COLOURS[source.kind] ?? 'var(--chart-3)' }}
          />
          <span className="cut">
            {[type, service].filter((part) => part !== undefined && part !== '').join(' · ')}
          </span>
        </span>
        <span className="dim small cut spans-source">
          {[source.kind, source.name, relation === 'itself' ? '' : subject]
            .filter((part) => part !== '')
            .join(' · ')}
        </span>
      </th>
      <td className="spans-time" title={words}>
        <span className="hidden-text">{words}</span>
        <span className="spans-track" aria-hidden>
          <span
            className="spans-bar"
            data-before={firstMs < fromMs ? '' : undefined}
            style={{
              left: `${place(firstMs) * 100}%`,
              width: `${(place(lastMs) - place(firstMs)) * 100}%`,
              background: COLOURS[source.kind] ?? 'var(--chart-3)',
            }}
          />
        </span>
      </td>
      <td className="number">{format.number(count)}</td>
    </tr>
  )
}
