// The list of reports: a tab for each state, filters, and the way into each one. The page of a
// report goes on through the list in this order.

import { Tabs } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useNewCount } from '../../data/live.ts'
import { useText } from '../../messages/use-text.ts'
import { ColumnMenu } from '../../parts/column-menu.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { ListFrame } from '../../parts/list-frame.tsx'
import { Page } from '../../parts/page.tsx'
import { describeReport, useColumns } from './columns.tsx'
import { type Report, useReports } from './data.ts'
import { messages } from './messages.ts'
import './reports.css'
import { pickReportFilters, type ReportsSearch, type ReportTab, TABS } from './reports-search.ts'
import { reportsRoute } from './route.ts'
import { useReportFilters } from './use-report-filters.tsx'

export function ReportsView() {
  const t = useText(messages)
  const search = reportsRoute.useSearch()
  const navigate = useNavigate({ from: reportsRoute.fullPath })
  const change = useCallback(
    (part: Partial<ReportsSearch>, isStep = true) =>
      void navigate({ search: (former) => ({ ...former, ...part }), replace: !isStep }),
    [navigate],
  )
  const filters = pickReportFilters(search)
  const tab = filters.tab ?? 'all'
  const list = useReports(filters)
  const columns = useColumns()
  const hidden = search.hide ?? []
  const bar = useReportFilters(filters, list.rows)
  const open = (row: Report): void =>
    void navigate({
      to: '/reports/$reportId',
      params: { reportId: row.report_id },
      search: { ...filters, tab },
    })
  return (
    <Page title={t('title')} lede={t('lede')} isFull>
      <Tabs
        value={tab}
        onChange={(next) => change({ tab: readTab(next) })}
        className="list-tabs"
        keepMounted={false}
      >
        <Tabs.List aria-label={t('title')}>
          {TABS.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`state_${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} className="list-panel">
          <FilterBar
            filters={bar}
            onChange={(name, values) => change({ [name]: values.at(-1) })}
            onClear={() => void navigate({ search: { tab: search.tab, hide: search.hide } })}
            after={
              <ColumnMenu
                columns={columns}
                hidden={hidden}
                onChange={(next) => change({ hide: next.length === 0 ? undefined : next }, false)}
              />
            }
          />
          <ReportRows list={list} columns={columns} hidden={hidden} onOpen={open} search={search} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

function readTab(value: string | null): ReportTab | undefined {
  const found = TABS.find((one) => one === value)
  return found === 'all' ? undefined : found
}

interface ReportRowsProps {
  readonly list: ReturnType<typeof useReports>
  readonly columns: ReturnType<typeof useColumns>
  readonly hidden: readonly string[]
  readonly search: ReportsSearch
  readonly onOpen: (row: Report) => void
}

function ReportRows({ list, columns, hidden, search, onOpen }: ReportRowsProps) {
  const t = useText(messages)
  const newCount = useNewCount('report', list.loadedAtMs)
  return (
    <ListFrame list={list} newCount={newCount}>
      <DataTable
        label={t('title')}
        rows={list.rows}
        columns={columns}
        rowId={(row) => row.report_id}
        rowName={describeReport}
        hiddenColumns={hidden}
        onOpen={onOpen}
        onEnter={onOpen}
        isLoading={list.isPending}
        onEnd={list.loadMore}
        empty={<ReportsEmpty search={search} />}
      />
    </ListFrame>
  )
}

function ReportsEmpty({ search }: { readonly search: ReportsSearch }) {
  const t = useText(messages)
  const { tab, ...rest } = pickReportFilters(search)
  if (Object.values(rest).some((value) => value !== undefined)) {
    return <EmptyState title={t('none_match')} text={t('none_match_why')} />
  }
  if (tab === 'quarantined' || tab === 'unread') {
    return <EmptyState title={t('none_wait')} text={t(`none_${tab}_why`)} />
  }
  return (
    <EmptyState
      title={t('empty')}
      text={t('empty_why')}
      command="npx casework report push examples/mail/login-attack.eml"
    />
  )
}
