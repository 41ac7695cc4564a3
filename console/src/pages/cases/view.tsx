// The queue of cases: views at the left, filters above the table, the panel of the open case at the
// side, acts on the selected ones at the bottom.

import { Button, Menu } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { ChevronDown, Download, Save, Square } from 'lucide-react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useActs } from '../../keys/acts.ts'
import { useText } from '../../messages/use-text.ts'
import { ColumnMenu } from '../../parts/column-menu.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { NewRows } from '../../parts/notes.tsx'
import { Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { readSort, writeSort } from '../../parts/table-search.ts'
import { showToast } from '../../parts/toasts.ts'
import { writeSearch } from '../../search-params.ts'
import { usePreferences } from '../../settings/preferences.ts'
import { BulkBar } from './bulk-bar.tsx'
import { CasePanel, findOpened } from './case-panel.tsx'
import type { ListedCase, SavedView } from './case-types.ts'
import { describeCase, HIDDEN_AT_FIRST, HIDDEN_BY_PANEL, useColumns } from './columns.tsx'
import { messages } from './messages.ts'
import { type QueueAct, QueueDialogs } from './queue-dialogs.tsx'
import { QueueEmpty } from './queue-empty.tsx'
import {
  DEFAULT_SORT,
  isSameFilters,
  pickFilters,
  type QueueSearch,
  withFilters,
} from './queue-search.ts'
import './queue.css'
import { casesRoute } from './route.ts'
import { useCases } from './use-cases.ts'
import { useExport } from './use-export.ts'
import { changeFilter, useFilters } from './use-filters.tsx'
import { useQueueKeys } from './use-queue-keys.ts'
import { useSelectedCases } from './use-selected-cases.ts'
import { useCounts, useSavedViews, useViewActs } from './use-views.ts'
import { ViewDialog } from './view-dialog.tsx'
import { fromViewQuery, PRESETS, toViewQuery } from './view-presets.ts'
import { ViewsList } from './views-list.tsx'

export function CasesView() {
  const t = useText(messages)
  const search = casesRoute.useSearch()
  const navigate = useNavigate({ from: casesRoute.fullPath })
  const change = useCallback(
    (part: Partial<QueueSearch>, isStep = false) =>
      void navigate({ search: (former) => ({ ...former, ...part }), replace: !isStep }),
    [navigate],
  )
  const filters = pickFilters(search)
  const sort = search.sort ?? DEFAULT_SORT
  const list = useCases(filters, sort)
  const { rows } = list
  const { selected, select, clear, findSelected } = useSelectedCases(rows, filters)
  const selectedIds = useMemo(() => new Set(selected.keys()), [selected])
  const [act, setAct] = useState<QueueAct | null>(null)
  const [naming, setNaming] = useState<SavedView | 'new' | null>(null)
  const active = useRef<ListedCase>(undefined)
  const opened = rows.find(({ id }) => id === search.open)
  const columns = useColumns()
  const hidden = search.hide ?? HIDDEN_AT_FIRST
  const isRoomy = useMediaQuery('(min-width: 1800px)', false, { getInitialValueInEffect: false })
  const isCramped = search.open !== undefined && !isRoomy
  const [total] = useCounts([filters])
  const exporting = useExport()
  const bar = useFilters(filters, rows)
  const views = useQueueViews(search, change)
  const findTargets = (): QueueAct['cases'] => {
    const chosen = findSelected()
    if (chosen.length > 0) return chosen
    if (search.open !== undefined) return findOpened(rows, search.open)
    return rows.filter(({ id }) => id === active.current?.id)
  }
  const start = (kind: QueueAct['kind'], cases = findTargets()): void => {
    if (kind === 'merge' && cases.length < 2) {
      showToast({ kind: 'done', text: t('merge_needs_two') })
    } else if (kind === 'trigger' && cases.length > 1) {
      showToast({ kind: 'done', text: t('trigger_needs_one') })
    } else if (cases.length > 0) setAct({ kind, cases })
  }
  useQueueKeys({
    start,
    pickPreset: views.pickPreset,
    loadNew: () => void list.reload(),
  })
  useActs([{ id: 'save-view', title: t('act_new_view'), run: () => setNaming('new') }])
  const openPage = (row: ListedCase): void =>
    void navigate({
      to: '/cases/$caseId',
      params: { caseId: row.id },
      // From there, n and p go on in this queue.
      search: { queue: writeSearch({ ...filters, sort: search.sort }) || '?' },
    })
  return (
    <Page
      title={t('title')}
      lede={total === undefined ? ' ' : <CaseCount count={total} />}
      isFull
      acts={
        exporting.count === null ? (
          <Button
            variant="default"
            className="only-wide"
            leftSection={<Download size={16} aria-hidden />}
            onClick={() => void exporting.start(filters, sort)}
          >
            {t('export')}
          </Button>
        ) : (
          <>
            <span className="dim" role="status">
              {t('exporting', { count: exporting.count })}
            </span>
            <Button
              variant="default"
              leftSection={<Square size={14} aria-hidden />}
              onClick={exporting.stop}
            >
              {t('stop')}
            </Button>
          </>
        )
      }
      panel={
        search.open !== undefined && (
          <CasePanel
            key={search.open}
            id={search.open}
            row={opened}
            onClose={() => change({ open: undefined })}
            onAct={(kind) => start(kind, findOpened(rows, search.open ?? ''))}
          />
        )
      }
    >
      <div className="queue">
        <ViewsList
          views={views.saved}
          current={views.current}
          onPreset={views.pickPreset}
          onView={views.pickView}
          onRename={setNaming}
          onShare={(view) => views.acts.change.mutate({ view, shared: !view.shared })}
          onDelete={(view) => views.acts.remove.mutate(view)}
        />
        <div className="queue-main">
          <FilterBar
            filters={bar}
            onChange={(name, values) => change(changeFilter(name, values), true)}
            onClear={() => change(withFilters(search, {}), true)}
            before={<ViewsMenu views={views} />}
            after={
              <>
                <SaveView views={views} onNew={() => setNaming('new')} />
                <ColumnMenu
                  columns={columns}
                  hidden={hidden}
                  onChange={(next) => change({ hide: next.length === 0 ? ['none'] : next })}
                />
              </>
            }
          />
          <NewRows
            count={list.newCount}
            loadedAtMs={list.loadedAtMs}
            onLoad={() => void list.reload()}
          />
          {readSort(sort)?.by === 'due_at' && filters.due === undefined && (
            <DueOnly onShowAll={() => change({ sort: undefined }, true)} />
          )}
          {list.error !== null && rows.length === 0 ? (
            <div className="queue-problem">
              <Problem error={list.error} onRetry={() => void list.refetch()} />
            </div>
          ) : (
            <DataTable
              label={t('title')}
              rows={rows}
              columns={columns}
              rowId={rowId}
              rowName={describeCase}
              placeKey={`cases ${JSON.stringify([filters, sort])}`}
              total={total}
              sort={readSort(sort)}
              onSort={(next) => change({ sort: nextSort(next.by, sort, writeSort(next)) }, true)}
              hiddenColumns={isCramped ? [...hidden, ...HIDDEN_BY_PANEL] : hidden}
              selected={selectedIds}
              onSelect={select}
              openId={search.open}
              onOpen={({ id }) => change({ open: id })}
              onEnter={openPage}
              onActive={(row) => {
                active.current = row
              }}
              isLoading={list.isPending}
              onEnd={list.loadMore}
              empty={
                <QueueEmpty
                  filters={filters}
                  isPreset={views.current !== undefined}
                  onShow={(next) => change({ ...withFilters(search, next), sort: undefined }, true)}
                />
              }
            />
          )}
          {list.isFetchNextPageError && (
            <div className="queue-problem">
              <Problem error={list.error} onRetry={() => void list.fetchNextPage()} />
            </div>
          )}
          <BulkBar count={selected.size} onAct={(kind) => start(kind)} onClear={clear} />
        </div>
      </div>
      <QueueDialogs
        act={act}
        onClose={() => setAct(null)}
        onMerged={() => {
          clear()
          void list.reload()
        }}
      />
      {naming !== null && (
        <ViewDialog
          name={naming === 'new' ? undefined : naming.name}
          onClose={() => setNaming(null)}
          onSave={(name, isShared) => {
            if (naming === 'new') views.acts.save.mutate({ name, isShared, search })
            else views.acts.change.mutate({ view: naming, name })
          }}
        />
      )}
    </Page>
  )
}

function rowId({ id }: ListedCase): string {
  return id
}

/** The first press on a head sorts the newest, or the most urgent, to the top. */
function nextSort(by: string, former: string, asked: string): string {
  const isSame = former.replace(/^-/, '') === by
  if (isSame) return asked
  return by === 'due_at' ? by : `-${by}`
}

function CaseCount({ count }: { readonly count: number }) {
  const t = useText(messages)
  return <>{t('count_all', { count })}</>
}

/** The interface lists by deadline only what has one. */
function DueOnly({ onShowAll }: { readonly onShowAll: () => void }) {
  const t = useText(messages)
  return (
    <div className="note" data-tone="grey" role="status">
      <span>{t('due_only')}</span>
      <Button variant="subtle" onClick={onShowAll}>
        {t('due_only_all')}
      </Button>
    </div>
  )
}

type QueueViews = ReturnType<typeof useQueueViews>

function useQueueViews(
  search: QueueSearch,
  change: (part: Partial<QueueSearch>, isStep?: boolean) => void,
) {
  const { data: saved = [] } = useSavedViews()
  const acts = useViewActs(
    ({ id }) => change({ view: id }),
    ({ id }) => {
      if (search.view === id) change({ view: undefined })
    },
  )
  const { zone } = usePreferences()
  const chosen = saved.find(({ id }) => id === search.view)
  const preset = PRESETS.find(({ filters }) => isSameFilters(filters, search))
  const isChosenSame =
    chosen !== undefined && isSameFilters(fromViewQuery(chosen.query, zone), search)
  const current = isChosenSame ? chosen.id : preset?.id
  return {
    saved,
    acts,
    chosen,
    current,
    search,
    isChanged: chosen !== undefined && !isChosenSame,
    pickPreset: ({ filters, sort }: (typeof PRESETS)[number]) =>
      change({ ...withFilters({}, filters), sort, view: undefined, open: undefined }, true),
    pickView: (view: SavedView) => {
      const { hide: _hide, open: _open, ...kept } = fromViewQuery(view.query, zone)
      const own = { sort: kept.sort, view: view.id, open: undefined }
      change({ ...withFilters({}, kept), ...own }, true)
    },
  }
}

/** In a narrow window the views are a menu. */
function ViewsMenu({ views }: { readonly views: QueueViews }) {
  const t = useText(messages)
  const preset = PRESETS.find(({ id }) => id === views.current)
  const view = views.saved.find(({ id }) => id === views.current)
  const name = preset === undefined ? view?.name : t(preset.title)
  return (
    <div className="views-menu">
      <Menu position="bottom-start">
        <Menu.Target>
          <Button variant="default" rightSection={<ChevronDown size={16} aria-hidden />}>
            <span className="cut">{name ?? t('view_none_match')}</span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {PRESETS.map((one) => (
            <Menu.Item key={one.id} onClick={() => views.pickPreset(one)}>
              {t(one.title)}
            </Menu.Item>
          ))}
          {views.saved.length > 0 && <Menu.Divider />}
          {views.saved.map((one) => (
            <Menu.Item key={one.id} onClick={() => views.pickView(one)}>
              {one.name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}

/** When the filters are those of no view. */
function SaveView({ views, onNew }: { readonly views: QueueViews; readonly onNew: () => void }) {
  const t = useText(messages)
  const icon = <Save size={16} aria-hidden />
  const { zone } = usePreferences()
  const { chosen, isChanged, acts, search } = views
  if (chosen !== undefined && isChanged) {
    return (
      <Menu>
        <Menu.Target>
          <Button variant="subtle" leftSection={icon} title={t('view_changed')}>
            {t('view_save')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            onClick={() => acts.change.mutate({ view: chosen, query: toViewQuery(search, zone) })}
          >
            {t('view_update')}
          </Menu.Item>
          <Menu.Item onClick={onNew}>{t('view_save_as')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    )
  }
  if (views.current !== undefined) return null
  return (
    <Button variant="subtle" leftSection={icon} onClick={onNew}>
      {t('view_save')}
    </Button>
  )
}
