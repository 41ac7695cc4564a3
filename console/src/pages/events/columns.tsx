// The columns of the list of events.

import type { Schemas } from 'casework/client'
import { useText } from '../../messages/use-text.ts'
import { CustomerLink } from '../../parts/customer-name.tsx'
import type { Column } from '../../parts/data-table.tsx'
import { ItemLink } from '../../parts/item-link.tsx'
import { PathLink } from '../../parts/path-link.tsx'
import { shortId } from '../../parts/short-id.ts'
import { Since } from '../../parts/since.tsx'
import { messages } from './messages.ts'

export type EventRow = Schemas['EventSummary']

export function useColumns(): readonly Column<EventRow>[] {
  const t = useText(messages)
  return [
    {
      id: 'at',
      title: t('at'),
      width: '130px',
      narrow: 'second',
      narrowRank: 2,
      cell: (row) => <Since at={row.event_date} />,
    },
    {
      id: 'type',
      title: t('event_type'),
      width: 'minmax(140px, 1fr)',
      narrow: 'first',
      narrowRank: 1,
      cell: (row) => <span className="cut">{row.event_type}</span>,
    },
    {
      id: 'item',
      title: t('item'),
      width: 'minmax(180px, 1.5fr)',
      narrow: 'second',
      narrowRank: 1,
      cell: (row) => <EventItem row={row} />,
    },
    {
      id: 'reporter',
      title: t('sender_email'),
      width: 'minmax(160px, 1.5fr)',
      cell: (row) => (
        <span className="cut" title={row.sender_email}>
          {row.sender_email}
        </span>
      ),
    },
    {
      id: 'customer',
      title: t('customer_id'),
      width: 'minmax(120px, 1fr)',
      narrow: 'first',
      narrowRank: 2,
      cell: ({ customer_id: id }) =>
        id === undefined ? (
          <span className="dim">{t('no_customer')}</span>
        ) : (
          <CustomerLink id={id} />
        ),
    },
    {
      id: 'case',
      title: t('case_id'),
      width: '140px',
      cell: ({ case_id: id }) =>
        id === undefined ? (
          <span className="dim">–</span>
        ) : (
          <PathLink path={`/cases/${encodeURIComponent(id)}`} className="plain-link mono cut">
            {shortId(id)}
          </PathLink>
        ),
    },
  ]
}

function EventItem({ row: { ip, domain } }: { readonly row: EventRow }) {
  const item = ip ?? domain
  if (item === undefined) return <span className="dim">–</span>
  return (
    <span className="row-of">
      <ItemLink item={item} />
      {ip !== undefined && domain !== undefined && <span className="dim cut">{domain}</span>}
    </span>
  )
}

/** What a screen reader says of the row. */
export function describeEvent({
  event_type: type,
  ip,
  domain,
  sender_email: from,
}: EventRow): string {
  return [type, ip ?? domain, from].filter(Boolean).join(', ')
}
