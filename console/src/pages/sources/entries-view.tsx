// `/sources/{kind}/{name}/entries`: the entries of one source, found by how they begin.

import { ActionIcon, Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Search, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { casework } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ItemLink } from '../../parts/item-link.tsx'
import { ListFrame } from '../../parts/list-frame.tsx'
import { Page } from '../../parts/page.tsx'
import { Since } from '../../parts/since.tsx'
import { UrlField } from '../../parts/url-field.tsx'
import { useListRows } from '../../parts/use-list-pages.ts'
import { entriesQuery, LIST_KINDS, type SourceEntry } from './data.ts'
import { messages } from './messages.ts'
import { entriesRoute } from './route.ts'
import './sources.css'

const TYPING_MS = 250

export function EntriesView() {
  const t = useText(messages)
  const { kind, name } = entriesRoute.useParams()
  const { q = '' } = entriesRoute.useSearch()
  const navigate = useNavigate({ from: entriesRoute.fullPath })
  const list = useListRows(useInfiniteQuery(entriesQuery(kind, name, q)), entriesOf)
  const [delisted, setDelisted] = useState<string | null>(null)
  const columns = useColumns(kind, setDelisted)
  const back: string = `/sources?open=${encodeURIComponent(`${kind}/${name}`)}`
  return (
    <Page
      title={t('entries_of', { name })}
      lede={t('entries_lede')}
      isFull
      acts={
        <Button variant="default" component={Link} to={back}>
          {t('sources')}
        </Button>
      }
    >
      <div className="filters">
        <UrlField
          aria-label={t('search_entries')}
          placeholder={t('search_entries')}
          leftSection={<Search size={16} aria-hidden />}
          className="mono-field entry-search"
          value={q}
          read={(typed) => typed.trim()}
          stillMs={TYPING_MS}
          onChange={(next) =>
            void navigate({ search: { q: next === '' ? undefined : next }, replace: true })
          }
        />
      </div>
      <ListFrame list={list}>
        <DataTable
          label={t('entries_of', { name })}
          rows={list.rows}
          columns={columns}
          rowId={rowIdOf}
          rowName={({ item }) => item}
          isLoading={list.data === undefined}
          onEnd={list.loadMore}
          empty={
            q === '' ? (
              <EmptyState title={t('no_entries')} text={t('no_entries_why')} />
            ) : (
              <EmptyState title={t('no_entries_found')} />
            )
          }
        />
      </ListFrame>
      {delisted !== null && (
        <Delist kind={kind} name={name} item={delisted} onClose={() => setDelisted(null)} />
      )}
    </Page>
  )
}

function entriesOf({ entries }: { readonly entries: readonly SourceEntry[] }) {
  return entries
}

function rowIdOf({ item, list, tag, service, type }: SourceEntry): string {
  return [item, list, tag, service, type].join(' ')
}

function useColumns(
  kind: string,
  onDelist: (item: string) => void,
): readonly Column<SourceEntry>[] {
  const t = useText(messages)
  const mayManage = useMay('sources:manage')
  const format = useFormat()
  const isList = LIST_KINDS.some((one) => one === kind)
  const isSensor = kind === 'honeypot' || kind === 'spamtrap'
  return [
    {
      id: 'item',
      title: t('item'),
      width: 'minmax(200px, 1fr)',
      narrow: 'first',
      cell: ({ item }) => <ItemLink item={item} />,
    },
    {
      id: 'list',
      title: t('on_list'),
      width: 'minmax(140px, 1fr)',
      narrow: 'second',
      cell: ({ list, tag, type, service, email }) =>
        [list ?? tag ?? type ?? email, service].filter(Boolean).join(' · '),
    },
    isSensor
      ? {
          id: 'count',
          title: t('count'),
          width: '100px',
          isNumber: true,
          cell: ({ count }) => (count === undefined ? '' : format.number(count)),
        }
      : {
          id: 'reason',
          title: t('reason'),
          width: 'minmax(160px, 1fr)',
          cell: ({ reason }) => reason ?? '',
        },
    {
      id: 'first',
      title: t('first'),
      width: '140px',
      cell: ({ firstSeen }) => (firstSeen === undefined ? '' : <Since at={firstSeen} />),
    },
    {
      id: 'seen',
      title: t('seen'),
      width: '140px',
      narrow: 'second',
      cell: ({ lastSeen }) => (lastSeen === undefined ? '' : <Since at={lastSeen} />),
    },
    {
      id: 'expires',
      title: t('expires'),
      width: '140px',
      cell: ({ expires }) => <Since at={expires} />,
    },
    ...(mayManage && isList
      ? [
          {
            id: 'delist',
            title: t('delist'),
            width: '64px',
            cell: ({ item }: SourceEntry) => (
              <ActionIcon
                aria-label={t('delist_named', { item })}
                onClick={() => onDelist(item)}
                size={28}
              >
                <Trash2 size={14} aria-hidden />
              </ActionIcon>
            ),
          },
        ]
      : []),
  ]
}

interface DelistProps {
  readonly kind: string
  readonly name: string
  readonly item: string
  readonly onClose: () => void
}

function Delist({ kind, name, item, onClose }: DelistProps) {
  const t = useText(messages)
  const delist = useAct({
    act: () =>
      casework.delete('/beta/sources/{kind}/{name}/entries/{entry}', {
        params: { path: { kind, name, entry: item } },
      }),
    touches: () => [['sources']],
    say: () => t('delisted', { item }),
    onDone: onClose,
  })
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={t('delist_named', { item })}
      act={t('delist_named', { item })}
      onAct={() => delist.mutate(undefined)}
      isPending={delist.isPending}
    >
      <div>{t('delist_why', { name, item })}</div>
    </Confirm>
  )
}
