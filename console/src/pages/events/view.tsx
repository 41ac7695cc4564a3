// The list of events: tabs for those that are in no case, filters, and one event beside it.

import { Button, Tabs } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Plus, RotateCw } from 'lucide-react'
import { useCallback, useState } from 'react'
import { casework } from '../../data/client.ts'
import { useNewCount } from '../../data/live.ts'
import { useMay } from '../../data/session.ts'
import { useActs } from '../../keys/acts.ts'
import { useKeys } from '../../keys/keys.ts'
import { useText } from '../../messages/use-text.ts'
import { ColumnMenu } from '../../parts/column-menu.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { ListFrame } from '../../parts/list-frame.tsx'
import { Page } from '../../parts/page.tsx'
import { useListPages } from '../../parts/use-list-pages.ts'
import { usePreferences } from '../../settings/preferences.ts'
import '../reports/reports.css'
import { describeEvent, type EventRow, useColumns } from './columns.tsx'
import { PushDialog, ReassignDialog } from './event-dialogs.tsx'
import { EventPanel } from './event-panel.tsx'
import {
  EVENT_TABS,
  type EventFilters,
  type EventsSearch,
  pickEventFilters,
  toEventQuery,
} from './events-search.ts'
import { messages } from './messages.ts'
import { eventsRoute } from './route.ts'
import { useEventActs } from './use-event-acts.ts'
import { useEventFilters } from './use-event-filters.tsx'

// Beside the panel there is no room for them.
const HIDDEN_BY_PANEL = ['reporter', 'customer', 'case']

export function EventsView() {
  const t = useText(messages)
  const search = eventsRoute.useSearch()
  const navigate = useNavigate({ from: eventsRoute.fullPath })
  const change = useCallback(
    (part: Partial<EventsSearch>, isStep = true) =>
      void navigate({ search: (former) => ({ ...former, ...part }), replace: !isStep }),
    [navigate],
  )
  const filters = pickEventFilters(search)
  const { tab = 'all' } = filters
  const list = useEvents(filters)
  const acts = useEventActs((eventId) => change({ open: eventId, add: undefined }))
  const mayPush = useMay('events:ingest')
  const mayWrite = useMay('cases:write')
  const [reassigned, setReassigned] = useState<EventRow | { readonly event_id: string } | null>(
    null,
  )
  const bar = useEventFilters(filters)
  const opened = list.rows.find(({ event_id: id }) => id === search.open)
  const columns = useColumns()
  const hidden = search.hide ?? []
  const startReassign = (): void => {
    if (search.open !== undefined) setReassigned(opened ?? { event_id: search.open })
  }
  useKeys(t('title'), [
    ...(mayPush ? [{ keys: 'n', title: t('add'), run: () => change({ add: 'event' }) }] : []),
    ...(mayWrite && search.open !== undefined
      ? [{ keys: 'a', title: t('reassign'), run: startReassign }]
      : []),
    ...(mayWrite && tab === 'unassigned'
      ? [{ keys: 'r', title: t('replay'), run: () => acts.replay.mutate(whichOf(filters)) }]
      : []),
  ])
  useActs(
    mayPush ? [{ id: 'new-event', title: t('add'), run: () => change({ add: 'event' }) }] : [],
  )
  return (
    <Page
      title={t('title')}
      lede={t('lede')}
      isFull
      acts={
        <>
          {mayWrite && tab === 'unassigned' && (
            <Button
              variant="default"
              leftSection={<RotateCw size={16} aria-hidden />}
              loading={acts.replay.isPending}
              onClick={() => acts.replay.mutate(whichOf(filters))}
            >
              {t('replay')}
            </Button>
          )}
          {mayPush && (
            <Button
              leftSection={<Plus size={16} aria-hidden />}
              onClick={() => change({ add: 'event' })}
            >
              {t('add')}
            </Button>
          )}
        </>
      }
      panel={
        search.open !== undefined && (
          <EventPanel
            key={search.open}
            id={search.open}
            onClose={() => change({ open: undefined }, false)}
            onReassign={startReassign}
          />
        )
      }
    >
      <Tabs
        value={tab}
        onChange={(next) => change({ tab: readTab(next), cause: undefined })}
        className="list-tabs"
        keepMounted={false}
      >
        <Tabs.List aria-label={t('title')}>
          {EVENT_TABS.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`tab_${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} className="list-panel">
          <FilterBar
            filters={bar}
            onChange={(name, values) =>
              change({ [name]: name === 'event_type' ? nonEmpty(values) : values.at(-1) })
            }
            onClear={() => void navigate({ search: { tab: search.tab, hide: search.hide } })}
            after={
              <ColumnMenu
                columns={columns}
                hidden={hidden}
                onChange={(next) => change({ hide: nonEmpty(next) }, false)}
              />
            }
          />
          <EventRows
            list={list}
            columns={columns}
            hidden={search.open === undefined ? hidden : [...hidden, ...HIDDEN_BY_PANEL]}
            search={search}
            onOpen={(row) => change({ open: row.event_id }, false)}
          />
        </Tabs.Panel>
      </Tabs>
      {reassigned !== null && (
        <ReassignDialog
          eventId={reassigned.event_id}
          formerId={'customer_id' in reassigned ? (reassigned.customer_id ?? null) : null}
          reassign={acts.reassign}
          onClose={() => {
            // Its refusal is not the one of the event that is reassigned next.
            acts.reassign.reset()
            setReassigned(null)
          }}
        />
      )}
      {search.add !== undefined && mayPush && (
        <PushDialog
          push={acts.push}
          onClose={() => {
            acts.push.reset()
            change({ add: undefined }, false)
          }}
        />
      )}
    </Page>
  )
}

function useEvents(filters: EventFilters) {
  const { zone } = usePreferences()
  return useListPages<EventRow>({
    key: ['events', 'list', filters, zone],
    ask: ({ signal, ...page }) =>
      casework.get('/beta/casework/events', {
        params: { query: { ...toEventQuery(filters, zone), expand: 'case', ...page } },
        signal,
      }),
  })
}

/** Which unassigned events are looked at again: those of the cause that is shown. */
function whichOf({ cause }: EventFilters) {
  return cause === undefined ? {} : { cause }
}

function readTab(value: string | null): EventFilters['tab'] {
  const found = EVENT_TABS.find((one) => one === value)
  return found === 'all' ? undefined : found
}

function nonEmpty(values: readonly string[]): readonly string[] | undefined {
  return values.length === 0 ? undefined : values
}

interface EventRowsProps {
  readonly list: ReturnType<typeof useEvents>
  readonly columns: ReturnType<typeof useColumns>
  readonly hidden: readonly string[]
  readonly search: EventsSearch
  readonly onOpen: (row: EventRow) => void
}

function EventRows({ list, columns, hidden, search, onOpen }: EventRowsProps) {
  const t = useText(messages)
  const newCount = useNewCount('event', list.loadedAtMs)
  const { tab, ...rest } = pickEventFilters(search)
  const isFiltered = Object.values(rest).some((value) => value !== undefined)
  return (
    <ListFrame list={list} newCount={newCount}>
      <DataTable
        label={t('title')}
        rows={list.rows}
        columns={columns}
        rowId={(row) => row.event_id}
        rowName={describeEvent}
        hiddenColumns={hidden}
        openId={search.open}
        onOpen={onOpen}
        isLoading={list.isPending}
        onEnd={list.loadMore}
        empty={
          isFiltered || tab !== undefined ? (
            <EmptyState
              title={t(isFiltered ? 'none_match' : 'none_wait')}
              text={t(isFiltered ? 'none_match_why' : `none_${tab ?? 'all'}_why`)}
            />
          ) : (
            <EmptyState
              title={t('empty')}
              text={t('none_all_why')}
              command="npx casework event push events.json"
            />
          )
        }
      />
    </ListFrame>
  )
}
