// The overview: four numbers, what happened over the time, tops that lead to the list behind them,
// and what needs a look.

import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { queryClient } from '../../data/query-client.ts'
import { useMay, useSession } from '../../data/session.ts'
import { useKeys } from '../../keys/keys.ts'
import { useText } from '../../messages/use-text.ts'
import { NoPermission } from '../../parts/no-permission.tsx'
import { Stale } from '../../parts/notes.tsx'
import { Page } from '../../parts/page.tsx'
import { UrlField } from '../../parts/url-field.tsx'
import { sourcesQuery } from '../sources/data.ts'
import { Charts } from './charts.tsx'
import { failedRunsQuery, openCountsQuery, statsQuery } from './data.ts'
import { messages } from './messages.ts'
import { Numbers } from './numbers.tsx'
import './overview.css'
import { dayText, type OverviewSearch, RANGE_DEFAULT, RANGES, resolveRange } from './range.ts'
import { overviewRoute } from './route.ts'
import { FailedRuns } from './runs.tsx'
import { SourceHealth } from './sources.tsx'
import { Tops } from './tops.tsx'

export function OverviewView() {
  const t = useText(messages)
  const search = overviewRoute.useSearch()
  const { tenant_id: tenant } = useSession()
  const may = useMay('cases:read')
  return (
    <Page title={t('title')} lede={t('lede', { tenant })} acts={<RangePicker search={search} />}>
      {may ? <Content search={search} /> : <NoPermission />}
    </Page>
  )
}

// The parts of the page that are not counts of its range.
const OTHER_PARTS = [openCountsQuery.queryKey, sourcesQuery.queryKey, failedRunsQuery.queryKey]

/** All parts: the note beside which it stands speaks of the page. */
function refresh(): void {
  for (const queryKey of [['overview'], ...OTHER_PARTS]) {
    void queryClient.invalidateQueries({ queryKey })
  }
}

function Content({ search }: { readonly search: OverviewSearch }) {
  const opened = useQuery(
    statsQuery(search, { metric: 'cases_opened', by: 'state', hasSeries: true }),
  )
  return (
    <div className="overview">
      <Stale loadedAtMs={opened.dataUpdatedAt} onRefresh={refresh} />
      <Numbers search={search} />
      <Charts search={search} />
      <Tops search={search} />
      <div className="overview-pair">
        <FailedRuns />
        <SourceHealth />
      </div>
    </div>
  )
}

/** `1` to `4` choose a range by the keyboard. */
function RangePicker({ search }: { readonly search: OverviewSearch }) {
  const t = useText(messages)
  const navigate = useNavigate({ from: overviewRoute.fullPath })
  const { range = RANGE_DEFAULT } = search
  const choose = (next: string): void => {
    const found = RANGES.find((one) => one === next)
    if (found === undefined) return
    if (found !== 'custom') {
      void navigate({ search: { range: found === RANGE_DEFAULT ? undefined : found } })
      return
    }
    // Begins with the days that are shown.
    const shown = resolveRange(search, Date.now())
    const days = { from: dayText(shown.from), to: dayText(shown.to) }
    void navigate({ search: { range: 'custom', ...days } })
  }
  useKeys(
    t('range'),
    RANGES.map((one, index) => ({
      keys: String(index + 1),
      title: t('key_range', { range: t(`range_${one}`) }),
      run: () => choose(one),
    })),
  )
  return (
    <div className="overview-range">
      {range === 'custom' && <CustomDays search={search} />}
      <SegmentedControl
        aria-label={t('range')}
        value={range}
        data={RANGES.map((one) => ({ value: one, label: t(`range_${one}`) }))}
        onChange={choose}
      />
    </div>
  )
}

function CustomDays({ search }: { readonly search: OverviewSearch }) {
  const t = useText(messages)
  const navigate = useNavigate({ from: overviewRoute.fullPath })
  const field = (name: 'from' | 'to', label: string) => (
    <UrlField
      type="date"
      aria-label={label}
      value={search[name] ?? ''}
      max={dayText(new Date())}
      onChange={(value) =>
        void navigate({
          search: (former) => ({ ...former, [name]: value === '' ? undefined : value }),
          replace: true,
        })
      }
    />
  )
  return (
    <>
      {field('from', t('range_from'))}
      {field('to', t('range_to'))}
    </>
  )
}
