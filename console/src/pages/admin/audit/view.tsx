// The audit log: whether the chain holds, filters, entries, and one entry beside them.

import { Button, NativeSelect } from '@mantine/core'
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { casework } from '../../../data/client.ts'
import { useMay } from '../../../data/session.ts'
import { useFormat } from '../../../messages/use-format.ts'
import { useText } from '../../../messages/use-text.ts'
import { type Column, DataTable } from '../../../parts/data-table.tsx'
import { EmptyState } from '../../../parts/empty-state.tsx'
import { ListFrame } from '../../../parts/list-frame.tsx'
import { Since } from '../../../parts/since.tsx'
import { UrlField } from '../../../parts/url-field.tsx'
import { useListRows } from '../../../parts/use-list-pages.ts'
import { usePreferences } from '../../../settings/preferences.ts'
import type { Zone } from '../../../settings/zone.ts'
import { parseSpan } from '../../cases/time-span.ts'
import type { AdminSearch } from '../admin-search.ts'
import { Section } from '../section.tsx'
import { useAdmin } from '../use-admin.ts'
import { ACTS, KINDS } from './acts.ts'
import { ChainLine } from './chain.tsx'
import { type Entry, nameOf } from './entry.ts'
import { EntryPanel } from './entry-panel.tsx'
import { messages } from './messages.ts'

function readFilters(search: AdminSearch, zone: Zone) {
  const { who, act, kind, object, after = '', before = '' } = search
  // Days of the zone in which the entries are shown, as in the queue of cases.
  const span = parseSpan(`${after}..${before}`, zone)
  const [from, to] = span?.kind === 'days' ? [span.from, span.to] : [null, null]
  const foundAct = ACTS.find((one) => one === act)
  const foundKind = KINDS.find((one) => one === kind)
  return {
    ...(who === undefined ? {} : { actor_id: who }),
    ...(foundAct === undefined ? {} : { act: foundAct }),
    ...(foundKind === undefined ? {} : { object_kind: foundKind }),
    ...(object === undefined ? {} : { object_id: object }),
    ...(from === null ? {} : { at_after: from }),
    ...(to === null ? {} : { at_before: to }),
  }
}

function auditQuery(filters: ReturnType<typeof readFilters>) {
  return infiniteQueryOptions({
    queryKey: ['audit', 'list', filters],
    queryFn: ({ pageParam }) =>
      casework.get('/beta/admin/audit', {
        params: {
          query: { ...filters, limit: 100, ...(pageParam === '' ? {} : { cursor: pageParam }) },
        },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => (next === '' ? undefined : next),
    placeholderData: keepPreviousData,
  })
}

function itemsOf({ items }: { readonly items: readonly Entry[] }): readonly Entry[] {
  return items
}

export function AuditSection() {
  const t = useText(messages)
  const { search, open } = useAdmin()
  const may = useMay('audit:read')
  const filters = readFilters(search, usePreferences().zone)
  const list = useListRows(useInfiniteQuery({ ...auditQuery(filters), enabled: may }), itemsOf)
  const shown = list.rows.find(({ seq }) => String(seq) === search.open)
  const isFiltered = Object.keys(filters).length > 0
  const columns = useColumns()
  return (
    <Section
      id="audit"
      isFull
      panel={shown !== undefined && <EntryPanel key={shown.seq} entry={shown} />}
    >
      <ChainLine />
      <Filters isFiltered={isFiltered} />
      <ListFrame list={list}>
        <DataTable
          label={t('list')}
          rows={list.rows}
          columns={columns}
          rowId={({ seq }) => String(seq)}
          rowName={({ seq, act }) => `${seq} ${act}`}
          openId={search.open}
          onOpen={({ seq }) => open(String(seq))}
          isLoading={list.isPending}
          onEnd={list.loadMore}
          empty={<EmptyState title={t(isFiltered ? 'empty_filtered' : 'empty')} />}
        />
      </ListFrame>
    </Section>
  )
}

function useColumns(): readonly Column<Entry>[] {
  const t = useText(messages)
  return [
    {
      id: 'when',
      title: t('when'),
      width: '130px',
      narrow: 'second',
      cell: ({ at }) => <Since at={at} />,
    },
    {
      id: 'actor',
      title: t('actor'),
      width: 'minmax(120px, 1fr)',
      narrow: 'second',
      cell: ({ actor }) => nameOf(actor),
    },
    {
      id: 'done',
      title: t('done'),
      width: '200px',
      narrow: 'first',
      cell: ({ act }) => <span className="mono">{act}</span>,
    },
    {
      id: 'on',
      title: t('on'),
      width: 'minmax(180px, 2fr)',
      cell: ({ object }) => nameOf(object),
    },
    {
      id: 'address',
      title: t('address'),
      width: '130px',
      cell: ({ address }) => <span className="mono">{address ?? ''}</span>,
    },
    {
      id: 'seq',
      title: t('seq'),
      width: '70px',
      isNumber: true,
      cell: ({ seq }) => <SequenceNumber seq={seq} />,
    },
  ]
}

function SequenceNumber({ seq }: { readonly seq: number }) {
  const format = useFormat()
  return <>{format.number(seq)}</>
}

const FILTERS = ['who', 'act', 'kind', 'object', 'after', 'before'] as const

function Filters({ isFiltered }: { readonly isFiltered: boolean }) {
  const t = useText(messages)
  const { search, set } = useAdmin()
  const put = (name: (typeof FILTERS)[number], value: string): void =>
    set({ [name]: value === '' ? undefined : value, open: undefined }, true)
  const text = (name: 'who' | 'object' | 'after' | 'before', type: 'text' | 'date') => (
    <UrlField
      type={type}
      label={t(name)}
      value={search[name] ?? ''}
      onChange={(value) => put(name, value)}
    />
  )
  const choice = (name: 'act' | 'kind', values: readonly string[]) => (
    <NativeSelect
      label={t(name)}
      value={search[name] ?? ''}
      data={[{ value: '', label: t('any') }, ...values]}
      onChange={({ currentTarget: { value } }) => put(name, value)}
    />
  )
  return (
    <div className="audit-filters">
      {text('who', 'text')}
      {choice('act', ACTS)}
      {choice('kind', KINDS)}
      {text('object', 'text')}
      {text('after', 'date')}
      {text('before', 'date')}
      {isFiltered && (
        <Button
          variant="subtle"
          color="gray"
          className="audit-clear"
          leftSection={<X size={14} aria-hidden />}
          onClick={() => set(Object.fromEntries(FILTERS.map((name) => [name, undefined])), true)}
        >
          {t('clear')}
        </Button>
      )}
    </div>
  )
}
