// The gallery: `?show=table` is the table alone, with as many rows as `?rows=` says.

import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useText } from '../../messages/use-text.ts'
import { SeverityBadge, StateBadge } from '../../parts/badges.tsx'
import { ColumnMenu } from '../../parts/column-menu.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { ItemLink } from '../../parts/item-link.tsx'
import { Page } from '../../parts/page.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { Since } from '../../parts/since.tsx'
import { readSort, writeSort } from '../../parts/table-search.ts'
import { messages } from './messages.ts'
import { Pieces } from './pieces.tsx'
import { partsRoute } from './route.ts'
import { makeRows, type Row } from './rows.ts'

export function PartsView() {
  const t = useText(messages)
  const { show } = partsRoute.useSearch()
  if (show === 'table') return <TablePage />
  return (
    <Page title={t('title')} lede={t('lede')}>
      <Pieces />
    </Page>
  )
}

function useColumns(): readonly Column<Row>[] {
  const t = useText(messages)
  return [
    {
      id: 'severity',
      title: t('severity'),
      width: '120px',
      isSortable: true,
      narrow: 'second',
      cell: (row) => <SeverityBadge severity={row.severity} />,
    },
    {
      id: 'item',
      title: t('item'),
      width: 'minmax(200px, 1fr)',
      narrow: 'first',
      cell: (row) => <ItemLink item={row.item} />,
    },
    {
      id: 'state',
      title: t('state'),
      width: '140px',
      narrow: 'first',
      cell: (row) => <StateBadge state={row.state} />,
    },
    {
      id: 'events',
      title: t('events'),
      width: '100px',
      isNumber: true,
      isSortable: true,
      cell: (row) => row.events,
    },
    {
      id: 'at',
      title: t('at'),
      width: '160px',
      isSortable: true,
      narrow: 'second',
      cell: (row) => <Since at={row.at} />,
    },
  ]
}

const ROWS = 200

function TablePage() {
  const t = useText(messages)
  const { rows: count = ROWS, sort, hide = [], open } = partsRoute.useSearch()
  const navigate = useNavigate({ from: partsRoute.fullPath })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [states, setStates] = useState<readonly string[]>(['NEW'])
  const columns = useColumns()
  const rows = makeRows(count)
  const opened = rows.find(({ id }) => id === open)
  const change = (part: Partial<ReturnType<typeof partsRoute.useSearch>>): void =>
    void navigate({ search: (former) => ({ ...former, ...part }), replace: true })
  return (
    <Page
      title={t('table')}
      isFull
      panel={
        opened !== undefined && (
          <SidePanel title={opened.item} onClose={() => change({ open: undefined })}>
            <Since at={opened.at} />
          </SidePanel>
        )
      }
    >
      <FilterBar
        filters={[
          {
            name: 'state',
            title: t('state'),
            values: states,
            choices: ['NEW', 'CLOSED'].map((value) => ({ value, title: value })),
          },
          {
            name: 'severity',
            title: t('severity'),
            values: [],
            choices: [{ value: 'LOW', title: 'LOW' }],
          },
        ]}
        onChange={(_name, values) => setStates(values)}
        after={
          <ColumnMenu columns={columns} hidden={hide} onChange={(next) => change({ hide: next })} />
        }
      />
      <DataTable
        label={t('table')}
        rows={rows}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ item }) => item}
        sort={readSort(sort)}
        onSort={(next) => change({ sort: writeSort(next) })}
        hiddenColumns={hide}
        selected={selected}
        onSelect={setSelected}
        openId={open}
        onOpen={({ id }) => change({ open: id })}
        empty={
          <EmptyState
            title={t('empty')}
            text={t('empty_why')}
            command="casework import mail.mbox"
          />
        }
      />
    </Page>
  )
}
