// The catalogue of tags.

import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useMemo } from 'react'
import { useText } from '../../messages/use-text.ts'
import { type Column, DataTable, type Sort } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { LookupNav } from '../../parts/lookup-nav.tsx'
import { Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { readSort, writeSort } from '../../parts/table-search.ts'
import { UrlField } from '../../parts/url-field.tsx'
import { type TagSummary, tagsQuery } from './data.ts'
import { messages } from './messages.ts'
import { type TagsSearch, tagsRoute } from './route.ts'
import { TagIntentBadge } from './tag-intent.tsx'

const BY_NAME: Sort = { by: 'name', isDescending: false }
const NO_TAGS: readonly TagSummary[] = []
const INTENTS = ['malicious', 'suspicious', 'benign', 'unknown', 'none'] as const

export function TagsView() {
  const t = useText(messages)
  const search = tagsRoute.useSearch()
  const { q = '', intent = [], category = [], sort } = search
  const navigate = useNavigate({ from: tagsRoute.fullPath })
  const query = useQuery(tagsQuery)
  const columns = useColumns()
  const order = readSort(sort) ?? BY_NAME
  const tags = query.data ?? NO_TAGS
  const rows = useMemo(
    () => sortTags(filterTags(tags, search), readSort(search.sort) ?? BY_NAME),
    [tags, search],
  )
  const change = (part: Partial<TagsSearch>): void =>
    void navigate({ search: (former) => ({ ...former, ...part }), replace: true })
  return (
    <Page title={t('title')} lede={t('lede')} acts={<LookupNav />} isFull>
      <FilterBar
        before={
          <UrlField
            aria-label={t('find')}
            placeholder={t('find')}
            value={q}
            onChange={(next) => change({ q: next })}
            leftSection={<Search size={16} aria-hidden />}
          />
        }
        filters={[
          {
            name: 'intent',
            title: t('intent'),
            values: intent,
            choices: INTENTS.map((value) => ({ value, title: t(`intent_${value}`) })),
          },
          {
            name: 'category',
            title: t('category'),
            values: category,
            choices: [...new Set(tags.map((tag) => tag.category))]
              .toSorted()
              .map((value) => ({ value, title: value })),
          },
        ]}
        onChange={(name, values) => change({ [name]: values })}
        after={<span className="dim">{t('count', { count: rows.length })}</span>}
      />
      {query.error === null ? (
        <DataTable
          label={t('title')}
          rows={rows}
          columns={columns}
          rowId={({ name }) => name}
          rowName={({ name }) => name}
          sort={order}
          onSort={(next) => change({ sort: writeSort(next) })}
          isLoading={query.isPending}
          onOpen={({ name }) => void navigate({ to: '/tags/$name', params: { name } })}
          onEnter={({ name }) => void navigate({ to: '/tags/$name', params: { name } })}
          empty={<EmptyState title={t('none')} text={t('none_why')} />}
        />
      ) : (
        <div className="filters">
          <Problem error={query.error} onRetry={() => void query.refetch()} />
        </div>
      )}
    </Page>
  )
}

function filterTags(
  tags: readonly TagSummary[],
  { q = '', intent: intents = [], category: categories = [] }: TagsSearch,
): readonly TagSummary[] {
  const words = q.toLowerCase().split(/\s+/)
  return tags.filter(
    ({ name, description, intent, category }) =>
      (intents.length === 0 || intents.includes(intent)) &&
      (categories.length === 0 || categories.includes(category)) &&
      words.every((word) => `${name} ${description}`.toLowerCase().includes(word)),
  )
}

function sortTags(tags: readonly TagSummary[], { by, isDescending }: Sort): readonly TagSummary[] {
  const key = by === 'intent' || by === 'category' ? by : 'name'
  const direction = isDescending ? -1 : 1
  return tags.toSorted(
    (a, b) => direction * (a[key].localeCompare(b[key]) || a.name.localeCompare(b.name)),
  )
}

function useColumns(): readonly Column<TagSummary>[] {
  const t = useText(messages)
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('name'),
        width: 'minmax(240px, 1fr)',
        isSortable: true,
        narrow: 'first',
        cell: ({ name }) => (
          <Link to="/tags/$name" params={{ name }} className="item-link">
            {name}
          </Link>
        ),
      },
      {
        id: 'intent',
        title: t('intent'),
        width: '140px',
        isSortable: true,
        narrow: 'first',
        cell: ({ intent }) => <TagIntentBadge intent={intent} />,
      },
      {
        id: 'category',
        title: t('category'),
        width: '120px',
        isSortable: true,
        cell: ({ category }) => category,
      },
      {
        id: 'description',
        title: t('description'),
        width: 'minmax(320px, 3fr)',
        narrow: 'second',
        cell: ({ description }) => <span title={description}>{description}</span>,
      },
    ],
    [t],
  )
}
