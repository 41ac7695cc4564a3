// The cases of a customer: how many were opened over time, and each of them.

import { useQuery } from '@tanstack/react-query'
import { casework } from '../../data/client.ts'
import { useText } from '../../messages/use-text.ts'
import { StateBadge } from '../../parts/badges.tsx'
import { Chart } from '../../parts/chart.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FirstPageOnly } from '../../parts/first-only.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PathLink } from '../../parts/path-link.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Since } from '../../parts/since.tsx'
import { casesOverTimeQuery } from './data.ts'
import { messages } from './messages.ts'

const CASES_MAX = 50

export function CustomerCases({ customerId }: { readonly customerId: string }) {
  const t = useText(messages)
  const overTime = useQuery(casesOverTimeQuery(customerId))
  const { data, error, refetch } = useQuery({
    queryKey: ['cases', 'list', { ofCustomer: customerId }],
    queryFn: () =>
      casework.get('/beta/casework/cases', {
        params: { query: { customer_id: customerId, expand: 'summary', limit: CASES_MAX } },
      }),
  })
  if (error !== null && data === undefined) {
    return <Problem error={error} onRetry={() => void refetch()} />
  }
  if (data === undefined) return <Loading lines={8} />
  if (data.items.length === 0) return <EmptyState title={t('no_cases')} text={t('no_cases_why')} />
  const series = overTime.data?.series ?? []
  return (
    <div className="customer-sections">
      {series.length > 0 && (
        <Chart
          title={t('cases_over_time')}
          times={series.map(({ at }) => new Date(at))}
          series={[{ id: 'cases', title: t('tab_cases'), values: series.map((one) => one.count) }]}
          height={140}
        />
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls needs the keyboard */}
      <div className="scroll-x" tabIndex={0} role="group" aria-label={t('tab_cases')}>
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{t('what')}</th>
              <th scope="col">{t('state')}</th>
              <th scope="col" className="number">
                {t('events')}
              </th>
              <th scope="col">{t('opened')}</th>
              <th scope="col">{t('last_event')}</th>
            </tr>
          </thead>
          <tbody>
            {data.items.map(({ id, state, summary, created_at: opened, last_event_date: last }) => (
              <tr key={id}>
                <th scope="row">
                  <PathLink path={`/cases/${encodeURIComponent(id)}`} className="plain-link">
                    {summary === undefined || summary.event_types.length === 0
                      ? id
                      : summary.event_types.join(', ')}
                  </PathLink>
                </th>
                <td>
                  <StateBadge state={state} />
                </td>
                <td className="number">{summary?.event_count ?? '–'}</td>
                <td>
                  <Since at={opened} />
                </td>
                <td>
                  <Since at={last} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <FirstPageOnly page={data} />
      <PathLink
        path={`/cases?customer=${encodeURIComponent(customerId)}&state=any`}
        className="plain-link"
      >
        {t('in_queue')}
      </PathLink>
    </div>
  )
}
