// The list of sources with their states, and the well-known lists to add.

import { Button, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useMay } from '../../data/session.ts'
import { useKeys } from '../../keys/keys.ts'
import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { Badge } from '../../parts/badges.tsx'
import { ColumnMenu } from '../../parts/column-menu.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Page } from '../../parts/page.tsx'
import { mustShowFailure, Problem } from '../../parts/problem.tsx'
import { ServerReasons } from '../../parts/server-reasons.tsx'
import { Since } from '../../parts/since.tsx'
import { readSort, writeSort } from '../../parts/table-search.ts'
import { SOURCE_STATES, SourceStateBadge, useKindName } from './badges.tsx'
import { idOf, type Source, sourcesQuery } from './data.ts'
import { messages } from './messages.ts'
import { Presets } from './presets.tsx'
import { sourcesRoute, TABS } from './route.ts'
import { SourcePanel } from './source-panel.tsx'
import './sources.css'

export function SourcesView() {
  const t = useText(messages)
  const { tab = 'sources', open } = sourcesRoute.useSearch()
  const navigate = useNavigate({ from: sourcesRoute.fullPath })
  const sources = useQuery(sourcesQuery)
  const mayManage = useMay('sources:manage')
  const opened = tab === 'sources' ? sources.data?.find((one) => idOf(one) === open) : undefined
  useKeys(
    t('title'),
    mayManage
      ? [{ keys: 'n', title: t('key_new'), run: () => void navigate({ to: '/sources/new' }) }]
      : [],
  )
  return (
    <Page
      title={t('title')}
      lede={t('lede')}
      isFull
      acts={
        mayManage && (
          <Button component={Link} to="/sources/new" leftSection={<Plus size={16} aria-hidden />}>
            {t('new_source')}
          </Button>
        )
      }
      panel={
        opened !== undefined && (
          <SourcePanel
            key={open}
            source={opened}
            onClose={() => void navigate({ search: (former) => ({ ...former, open: undefined }) })}
          />
        )
      }
    >
      <Tabs
        className="full-tabs"
        value={tab}
        keepMounted={false}
        onChange={(next) => {
          const found = TABS.find((one) => one === next)
          void navigate({ search: { tab: found === 'sources' ? undefined : found } })
        }}
      >
        <Tabs.List px={24}>
          {TABS.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(one)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="sources" className="full-tab">
          <SourceTable />
        </Tabs.Panel>
        <Tabs.Panel value="presets" className="full-tab">
          {sources.data !== undefined && <Presets sources={sources.data} />}
          {sources.data === undefined && sources.error !== null && (
            <SourcesProblem error={sources.error} onRetry={() => void sources.refetch()} />
          )}
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

interface SourcesProblemProps {
  readonly error: unknown
  readonly onRetry: () => void
}

function SourcesProblem(props: SourcesProblemProps) {
  return (
    <div className="full-problem">
      <Problem {...props} />
    </div>
  )
}

function SourceTable() {
  const t = useText(messages)
  const kindName = useKindName()
  const { state = [], kind = [], sort, hide = [], open } = sourcesRoute.useSearch()
  const navigate = useNavigate({ from: sourcesRoute.fullPath })
  const sources = useQuery(sourcesQuery)
  const all = sources.data ?? []
  const columns = useColumns(all)
  const rows = sortRows(
    all.filter(
      (one) =>
        (state.length === 0 || state.includes(one.state)) &&
        (kind.length === 0 || kind.includes(one.kind)),
    ),
    sort,
  )
  const change = (part: Partial<ReturnType<typeof sourcesRoute.useSearch>>): void =>
    void navigate({ search: (former) => ({ ...former, ...part }), replace: true })
  if (mustShowFailure(sources)) {
    return <SourcesProblem error={sources.error} onRetry={() => void sources.refetch()} />
  }
  return (
    <>
      <FilterBar
        filters={[
          {
            name: 'state',
            title: t('state'),
            values: state,
            choices: SOURCE_STATES.map((value) => ({ value, title: t(`state_${value}`) })),
          },
          {
            name: 'kind',
            title: t('kind'),
            values: kind,
            choices: [...new Set(all.map((one) => one.kind))].map((value) => ({
              value,
              title: kindName(value),
            })),
          },
        ]}
        onChange={(name, values) => change({ [name]: values.length === 0 ? undefined : values })}
        after={
          <ColumnMenu
            columns={columns}
            hidden={hide}
            onChange={(next) => change({ hide: next.length === 0 ? undefined : next })}
          />
        }
      />
      <DataTable
        label={t('sources')}
        rows={rows}
        columns={columns}
        rowId={idOf}
        rowName={({ name }) => name}
        sort={readSort(sort)}
        onSort={(next) => change({ sort: writeSort(next) })}
        hiddenColumns={hide}
        openId={open}
        onOpen={(source) =>
          void navigate({ search: (former) => ({ ...former, open: idOf(source) }) })
        }
        isLoading={sources.data === undefined}
        empty={<Nothing isFiltered={all.length > 0} />}
      />
    </>
  )
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  const t = useText(messages)
  if (isFiltered) return <EmptyState title={t('nothing_found')} />
  return (
    <EmptyState
      title={t('empty')}
      text={t('empty_why')}
      command="npx casework source add spamhaus-drop"
    >
      <Button component={Link} to="/sources?tab=presets">
        {t('see_presets')}
      </Button>
    </EmptyState>
  )
}

type SortKey = 'name' | 'kind' | 'entries' | 'heard'

const SORTS: Readonly<Record<SortKey, (one: Source) => string | number>> = {
  name: ({ name }) => name,
  kind: ({ kind }) => kind,
  entries: ({ entries }) => entries,
  heard: ({ heardAt }) => heardAt ?? '',
}

// What needs a person comes first.
const URGENCY = ['failed', 'stale', 'never', 'fresh']

function sortRows(rows: readonly Source[], sort: string | undefined): readonly Source[] {
  const { by, isDescending } = readSort(sort) ?? { by: '', isDescending: false }
  const key = Object.entries(SORTS).find(([name]) => name === by)?.[1]
  if (key === undefined) {
    return rows.toSorted((a, b) => URGENCY.indexOf(a.state) - URGENCY.indexOf(b.state))
  }
  const sorted = rows.toSorted((a, b) => {
    const [one, other] = [key(a), key(b)]
    if (one === other) return 0
    return one < other ? -1 : 1
  })
  return isDescending ? sorted.toReversed() : sorted
}

function useColumns(all: readonly Source[]): readonly Column<Source>[] {
  const t = useText(messages)
  const format = useFormat()
  const kindName = useKindName()
  const most = Math.max(1, ...all.map(({ entries }) => entries))
  return [
    {
      id: 'state',
      title: t('state'),
      width: '148px',
      narrow: 'first',
      cell: ({ state }) => <SourceStateBadge state={state} />,
    },
    {
      id: 'name',
      title: t('name'),
      width: 'minmax(180px, 1fr)',
      isSortable: true,
      narrow: 'first',
      cell: ({ name }) => name,
    },
    {
      id: 'kind',
      title: t('kind'),
      width: '140px',
      isSortable: true,
      narrow: 'second',
      cell: ({ kind }) => <span className="dim">{kindName(kind)}</span>,
    },
    {
      id: 'entries',
      title: t('entries'),
      width: '100px',
      isNumber: true,
      isSortable: true,
      narrow: 'second',
      cell: ({ entries }) => format.number(entries),
    },
    {
      id: 'share',
      title: t('share'),
      width: '120px',
      cell: ({ entries }) => (
        <span className="share" aria-hidden>
          <span style={{ width: `${(entries / most) * 100}%` }} />
        </span>
      ),
    },
    {
      id: 'heard',
      title: t('heard'),
      width: '140px',
      isSortable: true,
      narrow: 'second',
      cell: ({ heardAt }) => <Since at={heardAt} />,
    },
    { id: 'next', title: t('next'), width: '140px', cell: (source) => <Next source={source} /> },
    {
      id: 'trouble',
      title: t('trouble'),
      width: 'minmax(160px, 1fr)',
      cell: ({ fetch }) =>
        fetch?.trouble === undefined ? null : (
          <span className="dim">
            <ServerReasons reasons={[fetch.trouble]} />
          </span>
        ),
    },
  ]
}

function Next({ source: { fetch } }: { readonly source: Source }) {
  const t = useText(messages)
  if (fetch === undefined) return <span className="dim">{t('pushed')}</span>
  if (fetch.running === true) return <Badge tone="blue">{t('fetching')}</Badge>
  if (!fetch.enabled) return <span className="dim">{t('by_hand')}</span>
  return <Since at={fetch.nextAt} />
}
