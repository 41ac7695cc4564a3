// A list as far as a person has scrolled: pages of the interface, one after the other.

import {
  type InfiniteData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { queryClient } from '../data/query-client.ts'

/** What `ask` gives. */
interface ListPage<Row> {
  readonly items: readonly Row[]
  readonly next_cursor: string
}

export interface ListPages<Row> {
  /** `['reports', 'list', filters]`. */
  readonly key: readonly unknown[]
  readonly ask: (page: {
    readonly cursor?: string
    readonly limit: number
    readonly signal: AbortSignal
  }) => Promise<ListPage<Row>>
  readonly isEnabled?: boolean
}

// Two screens of rows and more.
const PAGE_ROWS = 100

/** For a list that stays as it is until the person loads it again. */
export const STAYS = {
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const

/**
 * A list of the interface that stays as it is until the person loads it again; what is new is
 * counted beside it (`useNewCount`).
 */
export function useListPages<Row>({ key, ask, isEnabled = true }: ListPages<Row>) {
  const found = useInfiniteQuery({
    ...STAYS,
    queryKey: key,
    initialPageParam: '',
    async queryFn({ pageParam, signal }) {
      const cursor = pageParam === '' ? {} : { cursor: pageParam }
      const page = await ask({ limit: PAGE_ROWS, signal, ...cursor })
      return { ...page, loadedAtMs: Date.now() }
    },
    getNextPageParam: ({ next_cursor: cursor }) => (cursor === '' ? undefined : cursor),
    enabled: isEnabled,
  })
  const keyText = JSON.stringify(key)
  // From the first page on: as many pages as were open would be asked for one after the other.
  const reload = useCallback(
    () => queryClient.resetQueries({ queryKey: key, exact: true }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the text of the key says when it changes
    [keyText],
  )
  // Of the first page, where what is new would stand: a further page makes nothing of it known.
  const loadedAtMs = found.data?.pages[0]?.loadedAtMs ?? 0
  return { ...useListRows(found, readItems), reload, loadedAtMs }
}

function readItems<Row>({ items }: ListPage<Row>): readonly Row[] {
  return items
}

/**
 * What a table needs of an infinite query: its rows so far, and the next page when the end comes
 * near. A page that failed is asked for again by a person alone (`ListFrame`). `itemsOf` is a
 * function of the module, so that it is the same each time.
 */
export function useListRows<Page, Row>(
  found: UseInfiniteQueryResult<InfiniteData<Page>>,
  itemsOf: (page: Page) => readonly Row[],
) {
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = found
  const rows = useMemo(() => data?.pages.flatMap((page) => itemsOf(page)) ?? [], [data, itemsOf])
  // Nor while the list itself is asked for again, which the next page would break off.
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])
  return { ...found, rows, loadMore, reload: found.refetch, loadedAtMs: found.dataUpdatedAt }
}
