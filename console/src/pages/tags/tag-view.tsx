// One tag: what it means, where that is written, its history, and the items that carry it.

import './tags.css'
import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { CaseworkError } from 'casework/client'
import { useMemo } from 'react'
import { type Format, useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ItemLink } from '../../parts/item-link.tsx'
import { ListFrame } from '../../parts/list-frame.tsx'
import { Loading } from '../../parts/loading.tsx'
import { LookupNav } from '../../parts/lookup-nav.tsx'
import { Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Since } from '../../parts/since.tsx'
import { useListRows } from '../../parts/use-list-pages.ts'
import { type TagRecord, taggedQuery, tagQuery } from './data.ts'
import { messages } from './messages.ts'
import { tagRoute } from './route.ts'
import { TagIntentBadge } from './tag-intent.tsx'

export function TagView() {
  const t = useText(messages)
  const { name } = tagRoute.useParams()
  const query = useQuery(tagQuery(name))
  const tag = query.data
  // The interface answers 400 for a tag that is not there (section 4.2, endpoint 8).
  const isMissing = query.error instanceof CaseworkError && query.error.status === 400
  return (
    <Page
      title={name}
      lede={
        tag === undefined ? undefined : (
          <span className="row-of tag-lede">
            <TagIntentBadge intent={tag.intent} />
            <span>{t('in_category', { category: tag.category })}</span>
          </span>
        )
      }
      acts={<LookupNav />}
    >
      {isMissing && (
        <EmptyState title={t('missing', { name })} text={t('missing_why')}>
          <Button component={Link} to="/tags" variant="default">
            {t('to_all')}
          </Button>
        </EmptyState>
      )}
      {query.error !== null && !isMissing && (
        <Problem error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <Loading />}
      {tag !== undefined && (
        <div className="tag">
          <div className="tag-words">
            <p className="tag-description" lang="en">
              {tag.description}
            </p>
            <References tag={tag} />
            <History tag={tag} />
          </div>
          <Tagged name={name} />
        </div>
      )}
    </Page>
  )
}

function References({ tag }: { readonly tag: TagRecord }) {
  const t = useText(messages)
  if (tag.references.length === 0) return null
  return (
    <section aria-label={t('references')}>
      <h2 className="section-title">{t('references')}</h2>
      <ul className="tag-list">
        {tag.references.map(({ url, description }) => (
          <li key={url}>
            <div>{description}</div>
            <Reference url={url} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Documentation, so a link; an operator writes it, so only one of the web. */
function Reference({ url }: { readonly url: string }) {
  if (!/^https?:\/\//i.test(url)) return <span className="mono dim">{url}</span>
  return (
    <a href={url} target="_blank" rel="noreferrer noopener" className="text-link tag-url">
      {url}
    </a>
  )
}

const DAY_LENGTH = '2026-11-27'.length

/** A day without a time is one of UTC; what is no date stands as it is. */
function sayDay(date: string, { day, utcDay }: Format): string {
  const at = new Date(date)
  if (Number.isNaN(at.getTime())) return date
  return date.length === DAY_LENGTH ? utcDay(at) : day(at)
}

function History({ tag }: { readonly tag: TagRecord }) {
  const t = useText(messages)
  const format = useFormat()
  if (tag.timeline.length === 0) return null
  return (
    <section aria-label={t('history')}>
      <h2 className="section-title">{t('history')}</h2>
      <ol className="tag-list">
        {tag.timeline.map(({ date, action, description }) => (
          <li key={`${date} ${action} ${description}`}>
            <div>
              <time dateTime={date}>{sayDay(date, format)}</time>{' '}
              <span className="tag-action">{action}</span>
            </div>
            <div className="dim" lang="en">
              {description}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

interface TaggedRow {
  readonly item: string
}

function rowsOf({ entries }: { readonly entries: readonly string[] }): readonly TaggedRow[] {
  return entries.map((item) => ({ item }))
}

function showItem({ item }: TaggedRow) {
  return <ItemLink item={item} />
}

function Tagged({ name }: { readonly name: string }) {
  const t = useText(messages)
  const navigate = useNavigate()
  const list = useListRows(useInfiniteQuery(taggedQuery(name)), rowsOf)
  const first = list.data?.pages[0]
  const columns = useMemo(
    (): readonly Column<TaggedRow>[] => [
      {
        id: 'item',
        title: t('item'),
        width: 'minmax(200px, 1fr)',
        narrow: 'first',
        cell: showItem,
      },
    ],
    [t],
  )
  return (
    <section className="tag-items" aria-label={t('items')}>
      <div className="section-head">
        <h2 className="section-title">
          {first === undefined ? t('items') : t('items_count', { count: first.total })}
        </h2>
        {first !== undefined && (
          <span className="dim small">
            {t('as_of')} <Since at={first.lastUpdate} />
          </span>
        )}
      </div>
      <ListFrame list={list}>
        <DataTable
          label={t('items')}
          rows={list.rows}
          columns={columns}
          rowId={({ item }) => item}
          rowName={({ item }) => item}
          isLoading={list.isFetching}
          onEnter={({ item }) => void navigate({ to: '/lookup/$item', params: { item } })}
          onEnd={list.loadMore}
          empty={<EmptyState title={t('items_none')} text={t('items_none_why')} />}
        />
      </ListFrame>
    </section>
  )
}
