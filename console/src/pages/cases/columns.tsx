// The columns of the queue.

import { useMemo } from 'react'
import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { SeverityBadge, StateBadge } from '../../parts/badges.tsx'
import type { Column } from '../../parts/data-table.tsx'
import { ItemLink } from '../../parts/item-link.tsx'
import { Since } from '../../parts/since.tsx'
import type { ListedCase } from './case-types.ts'
import { DueTime } from './due-time.tsx'
import { messages } from './messages.ts'
import { messages as sharedMessages } from './shared/messages.ts'

/** Not shown until a person chooses them. */
export const HIDDEN_AT_FIRST: readonly string[] = [
  'first_event_date',
  'created_at',
  'reporters',
  'comments',
  'tags',
  'group',
]

/** Left out while the panel of a case shows them beside the table. */
export const HIDDEN_BY_PANEL: readonly string[] = [
  'items',
  'events',
  'last_event_date',
  'assignee',
  'waiting',
]

// The interface counts so far.
const COUNTED_MAX = 100

/** "LoginAttack +2", as a row and its check box are called. */
export function describeCase({ customer_id, summary }: ListedCase): string {
  const item = summary?.last_event?.ip ?? summary?.last_event?.domain
  const [type = '', ...more] = summary?.event_types ?? []
  const what = more.length === 0 ? type : `${type} +${more.length}`
  return [what, item, summary?.customer_name ?? customer_id]
    .filter((part) => part !== undefined && part !== '')
    .join(', ')
}

export function useColumns(): readonly Column<ListedCase>[] {
  const t = useText(messages)
  const ts = useText(sharedMessages)
  const format = useFormat()
  return useMemo(() => {
    const bounded = (count: number): string =>
      count >= COUNTED_MAX ? t('hundred') : format.number(count)
    const columns: readonly Column<ListedCase>[] = [
      {
        id: 'severity',
        title: t('severity'),
        width: '92px',
        narrow: 'second',
        narrowRank: 2,
        cell: ({ summary }) =>
          summary?.severity === undefined ? (
            <span className="dim">–</span>
          ) : (
            <SeverityBadge severity={summary.severity} />
          ),
      },
      {
        id: 'state',
        title: t('state'),
        width: '128px',
        narrow: 'first',
        narrowRank: 2,
        cell: ({ state }) => <StateBadge state={state} />,
      },
      {
        id: 'what',
        title: t('what'),
        width: 'minmax(96px, 1.2fr)',
        narrow: 'first',
        cell: ({ summary }) => <Types types={summary?.event_types ?? []} />,
      },
      {
        id: 'items',
        title: t('items'),
        width: 'minmax(120px, 1fr)',
        cell: ({ summary }) => <Items row={summary} />,
      },
      {
        id: 'customer',
        title: t('customer'),
        width: 'minmax(112px, 1.4fr)',
        narrow: 'second',
        narrowRank: 1,
        cell: ({ customer_id: id, summary }) => (
          <span className="cut" title={id}>
            {summary?.customer_name ?? id}
          </span>
        ),
      },
      {
        id: 'events',
        title: t('events'),
        width: '68px',
        isNumber: true,
        cell: ({ summary }) => format.number(summary?.event_count ?? 0),
      },
      {
        id: 'last_event_date',
        title: t('last_event'),
        width: '100px',
        isSortable: true,
        cell: ({ last_event_date: at }) => <Since at={at} isShort />,
      },
      {
        id: 'due_at',
        title: t('due'),
        width: '128px',
        isSortable: true,
        narrow: 'second',
        narrowRank: 3,
        cell: ({ summary }) => <DueTime at={summary?.due_at} />,
      },
      {
        id: 'assignee',
        title: t('assignee'),
        width: 'minmax(92px, 1fr)',
        cell: ({ summary }) => (
          <span
            className={summary?.assignee_user_id === undefined ? 'dim' : 'cut'}
            title={summary?.assignee_name}
          >
            {summary?.assignee_name ?? summary?.assignee_user_id ?? '–'}
          </span>
        ),
      },
      {
        id: 'waiting',
        title: t('waiting'),
        width: '84px',
        cell: ({ summary }) => (
          <span className={summary?.waiting_on === 'agent' ? 'waits-on-us' : 'dim'}>
            {summary === undefined || summary.waiting_on === 'none'
              ? '–'
              : ts(`waiting_${summary.waiting_on}`)}
          </span>
        ),
      },
      {
        id: 'first_event_date',
        title: t('first_event'),
        width: '128px',
        isSortable: true,
        cell: ({ first_event_date: at }) => <Since at={at} />,
      },
      {
        id: 'created_at',
        title: t('created'),
        width: '128px',
        isSortable: true,
        cell: ({ created_at: at }) => <Since at={at} />,
      },
      {
        id: 'reporters',
        title: t('reporters'),
        width: '88px',
        isNumber: true,
        cell: ({ summary }) => bounded(summary?.reporter_count ?? 0),
      },
      {
        id: 'comments',
        title: t('comments'),
        width: '104px',
        isNumber: true,
        cell: ({ summary }) => format.number(summary?.comment_count ?? 0),
      },
      {
        id: 'tags',
        title: t('tags'),
        width: '160px',
        cell: ({ summary }) => <span className="cut">{summary?.tags.join(', ')}</span>,
      },
      {
        id: 'group',
        title: t('group'),
        width: '120px',
        cell: ({ summary }) => <span className="cut">{summary?.case_group}</span>,
      },
    ]
    return columns
  }, [t, ts, format])
}

function Types({ types }: { readonly types: readonly string[] }) {
  const t = useText(messages)
  const [first, ...more] = types
  if (first === undefined) return <span className="dim">–</span>
  return (
    <span className="row-of" title={types.join(', ')}>
      <span className="cut">{first}</span>
      {more.length > 0 && (
        <span className="dim small">{t('more_types', { count: more.length })}</span>
      )}
    </span>
  )
}

function Items({ row }: { readonly row: ListedCase['summary'] }) {
  const t = useText(messages)
  const item = row?.last_event?.ip ?? row?.last_event?.domain
  if (row === undefined || item === undefined) {
    return <span className="dim">–</span>
  }
  const more = row.ip_count - (row.last_event?.ip === undefined ? 0 : 1)
  return (
    <span className="row-of">
      <ItemLink item={item} />
      {more > 0 && (
        <span className="dim small">
          {t('more_items', { count: row.ip_count >= COUNTED_MAX ? COUNTED_MAX : more })}
        </span>
      )}
    </span>
  )
}
