// The rows of the queue: pages of the list as far as a person has scrolled, and the changes that
// others make. A row that is shown changes in its place; a case that is new is counted only.

import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import type { WatchedChange } from 'casework/client'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { casework } from '../../data/client.ts'
import { listHeard, useChanges } from '../../data/live.ts'
import { queryClient } from '../../data/query-client.ts'
import { STAYS, useListRows } from '../../parts/use-list-pages.ts'
import { readPreferences, usePreferences } from '../../settings/preferences.ts'
import { startOfDayOf, type Zone } from '../../settings/zone.ts'
import type { CaseDetail, CaseQuery, ListedCase } from './case-types.ts'
import { DEFAULT_SORT, type Now, type QueueFilters, SORTS, toCaseQuery } from './queue-search.ts'

// Two screens of rows and more, in an answer of some 80 kB.
const PAGE_ROWS = 100

interface CasePage {
  readonly items: readonly ListedCase[]
  readonly next_cursor: string
  /** What was asked: later pages ask the same, whatever the time is by then. */
  readonly query: CaseQuery
  readonly loadedAtMs: number
}

type CasePages = InfiniteData<CasePage, PageParam>
type PageParam = { readonly cursor: string; readonly query: CaseQuery } | null

function listKey(filters: QueueFilters, sort: string, zone: Zone) {
  return ['cases', 'list', filters, sort, zone] as const
}

export interface UseCases {
  /** False: nothing is asked. */
  readonly isEnabled?: boolean
}

export function useCases(
  filters: QueueFilters,
  sort = DEFAULT_SORT,
  { isEnabled = true }: UseCases = {},
) {
  const key = listKey(filters, sort, usePreferences().zone)
  const found = useInfiniteQuery({
    ...STAYS,
    queryKey: key,
    enabled: isEnabled,
    initialPageParam: null as PageParam,
    async queryFn({ pageParam, signal }): Promise<CasePage> {
      const query = pageParam?.query ?? toCaseQuery(filters, readNow())
      const page = await casework.get('/beta/casework/cases', {
        params: {
          query: {
            ...query,
            ...readOrder(sort),
            expand: 'summary',
            limit: PAGE_ROWS,
            ...(pageParam === null ? {} : { cursor: pageParam.cursor }),
          },
        },
        signal,
      })
      return { ...page, query, loadedAtMs: Date.now() }
    },
    getNextPageParam: ({ next_cursor: cursor, query }) =>
      cursor === '' ? undefined : { cursor, query },
  })
  const list = useListRows(found, itemsOf)
  const loadedAtMs = found.data?.pages[0]?.loadedAtMs ?? 0
  const { newCount, forgetNew } = useRowChanges({ key, rows: list.rows, filters, loadedAtMs })
  const reload = useCallback(async () => {
    forgetNew()
    // From the first page on: as many pages as were open would be asked for one after the other.
    await queryClient.resetQueries({ queryKey: key, exact: true })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the text of the key says when it changes
  }, [JSON.stringify(key), forgetNew])
  return { ...list, newCount, loadedAtMs, reload }
}

function itemsOf({ items }: CasePage): readonly ListedCase[] {
  return items
}

export function readOrder(sort: string) {
  const by = SORTS.find((one) => one === sort.replace(/^-/, '')) ?? 'last_event_date'
  return { sort: by, order: sort.startsWith('-') ? 'desc' : 'asc' } as const
}

/** Now, and the end of the day in the zone that the person chose. */
export function readNow(): Now {
  const now = new Date()
  const { zone } = readPreferences()
  return { nowMs: now.getTime(), endOfDayMs: startOfDayOf(now, zone, 1).getTime(), zone }
}

// A burst of changes is asked for together.
const GATHER_MS = 400
// More at once, such as a bulk change, are offered as a reload.
const REFRESH_MAX = 100
const AT_ONCE = 4

// When each list was left, by its key: what happened to its rows since is asked for when it is shown
// again.
const leftAtMs = new Map<string, number>()
const LEFT_MAX = 50

function noteLeft(keyText: string): void {
  leftAtMs.delete(keyText)
  // Changes that were still being gathered count as missed.
  leftAtMs.set(keyText, Date.now() - GATHER_MS)
  const [oldest] = leftAtMs.keys()
  if (leftAtMs.size > LEFT_MAX && oldest !== undefined) leftAtMs.delete(oldest)
}

interface Fresh {
  readonly key: string
  readonly ids: ReadonlySet<string>
}

interface ShownList {
  readonly key: readonly unknown[]
  readonly rows: readonly ListedCase[]
  readonly filters: QueueFilters
  /** Of the first page; 0 while it is on its way. */
  readonly loadedAtMs: number
}

function useRowChanges({ key, rows, filters, loadedAtMs }: ShownList) {
  const keyText = JSON.stringify(key)
  const [fresh, setFresh] = useState<Fresh>({ key: keyText, ids: new Set() })
  const shown = useMemo(() => new Set(rows.map(({ id }) => id)), [rows])
  const changed = useRef(new Set<string>())
  const opened = useRef(new Set<string>())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const shownKey = useRef(keyText)
  const forgetNew = useCallback(() => setFresh({ key: keyText, ids: new Set() }), [keyText])
  const count = (ids: Iterable<string>): void =>
    setFresh((former) => ({
      key: keyText,
      ids: new Set([...(former.key === keyText ? former.ids : []), ...ids]),
    }))
  const countListed = async (candidates: ReadonlySet<string>): Promise<void> => {
    const found = await findListed(filters, candidates)
    // Not for the list of other filters that is shown since.
    if (shownKey.current === keyText) count(found)
  }
  const gather = (): void => {
    timer.current = undefined
    const ids = [...changed.current]
    changed.current.clear()
    if (ids.length > REFRESH_MAX) count(ids)
    else void refreshRows(key, ids)
    const candidates = new Set(opened.current)
    opened.current.clear()
    if (candidates.size > 0) void countListed(candidates)
  }
  const latestGather = useRef(gather)
  const hear = (change: WatchedChange): void => {
    const id = change.kind === 'case' ? change.id : change.case_id
    if (id === undefined) return
    if (shown.has(id)) changed.current.add(id)
    else if (isOpening(change)) opened.current.add(id)
    else return
    timer.current ??= setTimeout(() => latestGather.current(), GATHER_MS)
  }
  useChanges((change) => {
    if (change.kind !== 'reset') hear(change)
  })
  useEffect(() => {
    latestGather.current = gather
    shownKey.current = keyText
  })
  useEffect(() => {
    if (loadedAtMs > 0) {
      const missed = listHeard(leftAtMs.get(keyText) ?? loadedAtMs)
      // New cases that were counted before the list was left are still not in it.
      const notIn = listHeard(loadedAtMs).filter(isOpening)
      for (const change of [...missed, ...notIn]) hear(change)
    }
    return () => noteLeft(keyText)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what was missed is heard once
  }, [keyText])
  // What was counted for other filters is in this list, or does not belong to it.
  return { newCount: fresh.key === keyText ? fresh.ids.size : 0, forgetNew }
}

function isOpening({ kind, what }: WatchedChange): boolean {
  return kind === 'case' && what === 'open'
}

// Of a flood of new cases the number shown is the least that there are.
const NEWEST = 200

/** Those of the new cases that the filters list. */
async function findListed(
  filters: QueueFilters,
  ids: ReadonlySet<string>,
): Promise<readonly string[]> {
  const query = { ...toCaseQuery(filters, readNow()), limit: NEWEST }
  const newest = await casework
    .get('/beta/casework/cases', { params: { query } })
    .catch(() => ({ items: [] }))
  return newest.items.map(({ id }) => id).filter((id) => ids.has(id))
}

/** Asks for the cases and writes them into the rows that show them. */
async function refreshRows(key: readonly unknown[], ids: readonly string[]): Promise<void> {
  const left = [...ids]
  const refresh = async (): Promise<void> => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      const found = await findCase(id)
      if (found !== null) changeRows(key, new Set([id]), (row) => mergeDetail(row, found))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, refresh))
}

/** Null when it cannot be read: the row stays as it is. */
function findCase(caseId: string): Promise<CaseDetail | null> {
  const asked = casework.get('/beta/casework/cases/{caseId}', { params: { path: { caseId } } })
  return asked.catch(() => null)
}

/** Changes rows of the lists under the key, in their places. */
export function changeRows(
  key: readonly unknown[],
  ids: ReadonlySet<string>,
  change: (row: ListedCase) => ListedCase,
): void {
  queryClient.setQueriesData<CasePages>({ queryKey: key }, (data) => {
    if (data === undefined || !Array.isArray(data.pages)) return data
    const pages = data.pages.map((page) =>
      page.items.some(({ id }) => ids.has(id))
        ? { ...page, items: page.items.map((row) => (ids.has(row.id) ? change(row) : row)) }
        : page,
    )
    return { ...data, pages }
  })
}

/** The row with what the case in full says; what that does not have stays. */
function mergeDetail(row: ListedCase, detail: CaseDetail): ListedCase {
  const { summary } = row
  if (summary === undefined || summary.version > detail.version) return row
  const {
    severity: _one,
    due_at: _two,
    assignee_user_id: _three,
    assignee_name: _four,
    ...kept
  } = summary
  const { severity, due_at, assignee_user_id, assignee_name } = detail
  return {
    ...row,
    state: detail.state,
    customer_id: detail.customer_id,
    last_event_date: detail.last_event_date,
    summary: {
      ...kept,
      ...(severity === undefined ? {} : { severity }),
      ...(due_at === undefined ? {} : { due_at }),
      ...(assignee_user_id === undefined ? {} : { assignee_user_id }),
      ...(assignee_name === undefined ? {} : { assignee_name }),
      version: detail.version,
      case_group: detail.case_group,
      waiting_on: detail.waiting_on,
      customer_status: detail.customer_status,
      tags: detail.tags,
      event_types: detail.event_types,
      event_count: detail.event_count,
      ip_count: detail.event_ips.length,
      reporter_count: detail.event_reporters.length,
      reopen_count: detail.reopen_count,
    },
  }
}
