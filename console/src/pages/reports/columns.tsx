// The columns of the list of reports.

import { useText } from '../../messages/use-text.ts'
import type { Column } from '../../parts/data-table.tsx'
import { ItemLink } from '../../parts/item-link.tsx'
import { ServerReasons } from '../../parts/server-reasons.tsx'
import { Since } from '../../parts/since.tsx'
import type { Report } from './data.ts'
import { messages } from './messages.ts'
import { ReportStateBadge } from './report-state-badge.tsx'

export function useColumns(): readonly Column<Report>[] {
  const t = useText(messages)
  return [
    {
      id: 'received',
      title: t('received'),
      width: '120px',
      narrow: 'second',
      narrowRank: 2,
      cell: (row) => <Since at={row.received_at} />,
    },
    {
      id: 'state',
      title: t('state'),
      width: '144px',
      narrow: 'first',
      narrowRank: 2,
      cell: (row) => <ReportStateBadge report={row} />,
    },
    {
      id: 'reporter',
      title: t('reporter'),
      width: 'minmax(180px, 1fr)',
      narrow: 'first',
      narrowRank: 1,
      cell: (row) =>
        row.reporter === undefined ? (
          <span className="dim">{t('nobody')}</span>
        ) : (
          <span className="cut" title={row.reporter}>
            {row.reporter}
          </span>
        ),
    },
    {
      id: 'what',
      title: t('what'),
      width: 'minmax(240px, 2fr)',
      narrow: 'second',
      narrowRank: 1,
      cell: (row) => <What report={row} />,
    },
    {
      id: 'events',
      title: t('events'),
      width: '80px',
      isNumber: true,
      cell: (row) => (row.event_count === 0 ? <span className="dim">–</span> : row.event_count),
    },
    {
      id: 'format',
      title: t('format'),
      width: '120px',
      cell: (row) => row.format ?? <span className="dim">–</span>,
    },
    { id: 'via', title: t('via'), width: '80px', cell: (row) => t(`via_${row.via}`) },
  ]
}

/** What it reports first, or why it reports nothing. */
function What({ report: { first_event: first, reason } }: { readonly report: Report }) {
  if (first === undefined) {
    return (
      <span className="dim cut" title={reason}>
        {reason !== undefined && <ServerReasons reasons={[reason]} />}
      </span>
    )
  }
  const item = first.ip ?? first.domain
  return (
    <span className="row-of">
      <span className="cut">{first.event_type}</span>
      {item !== undefined && <ItemLink item={item} />}
    </span>
  )
}

/** What a screen reader says of the row. */
export function describeReport(row: Report): string {
  const { first_event: first, reporter, report_id: id } = row
  const what =
    first === undefined ? row.reason : `${first.event_type} ${first.ip ?? first.domain ?? ''}`
  return [reporter, what].filter(Boolean).join(', ') || id
}
