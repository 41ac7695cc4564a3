// How often the customer was here before, and the newest of those cases.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useText } from '../../messages/use-text.ts'
import { StateBadge } from '../../parts/badges.tsx'
import { shortId } from '../../parts/short-id.ts'
import { Since } from '../../parts/since.tsx'
import { type CaseDetail, customerCasesQuery, orderQuery, RECENT_DAYS } from './data.ts'
import { messages } from './messages.ts'
import { PanelSection } from './panel-section.tsx'
import { useCustomerName } from './summary-line.tsx'

export function CustomerPanel({ detail }: { readonly detail: CaseDetail }) {
  const t = useText(messages)
  const name = useCustomerName(detail.customer_id)
  const query = useQuery(customerCasesQuery(detail.customer_id))
  const { data: order } = useQuery(orderQuery(detail))
  const others = (query.data?.items ?? []).filter(({ id }) => id !== detail.id)
  const title =
    order === undefined ? t('customer') : t('customer_order', { order, days: RECENT_DAYS })
  const customerPath: string = `/customers/${encodeURIComponent(detail.customer_id)}`
  return (
    <PanelSection title={title} query={query}>
      <div className="side-lines">
        <div>
          <Link to={customerPath} className="plain-link">
            {name ?? detail.customer_id}
          </Link>
          {detail.customer_status !== 'unnotified' && (
            <span className="dim"> · {t(`customer_${detail.customer_status}`)}</span>
          )}
        </div>
        {detail.customer !== undefined && (
          <div className="dim small">
            {detail.customer.counters
              .map(({ days, cases, events }) => t('counted', { days, cases, events }))
              .join(' · ')}
          </div>
        )}
      </div>
      {others.length === 0 && <p className="dim side-none">{t('no_other_cases')}</p>}
      <ul className="case-rows">
        {others.map(({ id, state, last_event_date: at, summary }) => (
          <li key={id}>
            <Link to="/cases/$caseId" params={{ caseId: id }} className="case-row">
              <span className="cut case-row-what">
                {summary?.event_types.join(', ') || shortId(id)}
              </span>
              <StateBadge state={state} />
              <span className="dim small case-row-at">
                <Since at={at} isShort />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <Link
          to="/cases"
          search={{ customer: detail.customer_id, state: ['any'] }}
          className="plain-link small"
        >
          {t('all_cases')}
        </Link>
      )}
    </PanelSection>
  )
}
