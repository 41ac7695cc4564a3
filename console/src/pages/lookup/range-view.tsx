// `/lookup/198.51.100.0%2F24`: what is known inside a range.

import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CaseworkError } from 'casework/client'
import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { Badge, IntentBadge } from '../../parts/badges.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ItemLink } from '../../parts/item-link.tsx'
import { Loading } from '../../parts/loading.tsx'
import { LookupNav } from '../../parts/lookup-nav.tsx'
import { Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Since } from '../../parts/since.tsx'
import { ActivityControls, SightingsByDay } from './activity.tsx'
import { type RangeContents, type RangeItem, rangeQuery } from './data.ts'
import { messages } from './messages.ts'
import { Unreadable } from './unreadable.tsx'

export function RangeView({ range }: { readonly range: string }) {
  const t = useText(messages)
  const query = useQuery(rangeQuery(range))
  const known = query.data
  return (
    <Page
      title={range}
      head={<ItemLink item={known?.range ?? range} isPlain />}
      lede={known === undefined ? t('range_lede') : <RangeLede known={known} />}
      acts={<LookupNav />}
      isFull={known !== undefined}
    >
      {query.error instanceof CaseworkError && query.error.status === 400 && (
        <Unreadable text={range} error={query.error} />
      )}
      {query.error !== null &&
        !(query.error instanceof CaseworkError && query.error.status === 400) && (
          <Problem error={query.error} onRetry={() => void query.refetch()} />
        )}
      {query.isPending && <Loading />}
      {known !== undefined && known.kinds.sighting > 0 && <RangeActivity range={known.range} />}
      {known !== undefined && <RangeTable known={known} />}
    </Page>
  )
}

function RangeActivity({ range }: { readonly range: string }) {
  const t = useText(messages)
  return (
    <section className="range-activity" aria-label={t('activity')}>
      <ActivityControls />
      <SightingsByDay item={range} />
    </section>
  )
}

function RangeLede({ known }: { readonly known: RangeContents }) {
  const t = useText(messages)
  const { addresses, ranges, kinds, next, items } = known
  return (
    <>
      {t('range_counts', { addresses, ranges, listed: kinds.listing, sighted: kinds.sighting })}
      {next === '' ? '' : ` ${t('range_cut', { count: items.length })}`}
    </>
  )
}

function RangeTable({ known }: { readonly known: RangeContents }) {
  const t = useText(messages)
  const navigate = useNavigate()
  const rows = [...known.coveredBy, ...known.items]
  return (
    <DataTable
      label={known.range}
      rows={rows}
      columns={useColumns()}
      rowId={({ item }) => item}
      rowName={({ item }) => item}
      onEnter={({ item }) => void navigate({ to: '/lookup/$item', params: { item } })}
      empty={<EmptyState title={t('range_none')} text={t('range_none_why')} />}
    />
  )
}

function useColumns(): readonly Column<RangeItem>[] {
  const t = useText(messages)
  const format = useFormat()
  return [
    {
      id: 'item',
      title: t('item'),
      width: 'minmax(220px, 1fr)',
      narrow: 'first',
      cell: ({ item }) => <ItemLink item={item} />,
    },
    {
      id: 'intent',
      title: t('verdict'),
      width: '140px',
      narrow: 'first',
      cell: ({ intent }) => <IntentBadge intent={intent} />,
    },
    {
      id: 'listed',
      title: t('blocklists'),
      width: '120px',
      cell: ({ serviceMailBlocklist: listed }) =>
        listed === 'ACTIVE' ? <Badge tone="red">{t('is_listed')}</Badge> : null,
    },
    {
      id: 'tags',
      title: t('tags'),
      width: 'minmax(200px, 2fr)',
      narrow: 'second',
      cell: ({ tags }) => (
        <span title={tags.join(', ')}>
          {tags.slice(0, 3).join(', ')}
          {tags.length > 3 ? ` +${format.number(tags.length - 3)}` : ''}
        </span>
      ),
    },
    {
      id: 'last',
      title: t('last_seen'),
      width: '140px',
      narrow: 'second',
      cell: ({ lastSeen }) => <Since at={lastSeen} />,
    },
  ]
}
