// What the case is, in one line of words: whose, what, from where, how many, by whom, since when.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMay } from '../../data/session.ts'
import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { ItemLink } from '../../parts/item-link.tsx'
import { customerQuery } from '../customer/data.ts'
import { type CaseDetail, intelQuery } from './data.ts'
import { messages } from './messages.ts'

// The interface lists the first hundred.
const LISTED_MAX = 100

export function SummaryLine({ detail }: { readonly detail: CaseDetail }) {
  const t = useText(messages)
  const format = useFormat()
  const name = useCustomerName(detail.customer_id)
  const intel = useQuery(intelQuery(detail.id))
  const [item] = intel.data?.items ?? []
  const items = Math.max(intel.data?.item_count ?? 0, detail.event_ips.length)
  const shownItem = item?.item ?? detail.event_ips[0]
  const reporters = detail.event_reporters.length
  const hasWords = detail.event_types.length > 0 || shownItem !== undefined
  const customerPath: string = `/customers/${encodeURIComponent(detail.customer_id)}`
  return (
    <p className="case-summary">
      <Link to={customerPath} className="plain-link">
        {name ?? detail.customer_id}
      </Link>
      {detail.contract_id !== undefined && (
        <span className="dim"> ({t('contract', { id: detail.contract_id })})</span>
      )}
      {' · '}
      {detail.event_types.join(', ')}
      {shownItem !== undefined && (
        <>
          {` ${t('from_item')} `}
          <ItemLink item={shownItem} />
          {items > 1 && ` ${t('and_more', { count: items - 1 })}`}
        </>
      )}
      {hasWords && ', '}
      {t('event_count', { count: detail.event_count })}
      {reporters > 0 &&
        `, ${reporters >= LISTED_MAX ? t('many_reporters') : t('reporter_count', { count: reporters })}`}
      {`, ${t('since_day', { day: format.day(new Date(detail.first_event_date)) })}`}
    </p>
  )
}

/** Undefined while it is not known, or may not be. */
export function useCustomerName(customerId: string): string | undefined {
  const mayRead = useMay('customers:read')
  const { data } = useQuery({ ...customerQuery(customerId), enabled: mayRead })
  return data?.name
}
