// A list as far as a person has scrolled: pages of the interface, one after the other. It stays as
// it is until the person asks for it anew; what is new is counted beside it (`useNewCount`).

import { useInfiniteQuery } from '@tanstack/react-query'
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

export function useListPages<Row>({ key, ask, isEnabled = true }: ListPages<Row>) {
  const found = useInfiniteQuery({
    queryKey: key,
    initialPageParam: '',
    async queryFn({ pageParam, signal }) {
      const cursor = pageParam === '' ? {} : { cursor: pageParam }
      const page = await ask({ limit: PAGE_ROWS, signal, ...cursor })
      return { ...page, loadedAtMs: Date.now() }
    },
    getNextPageParam: ({ next_cursor: cursor }) => (cursor === '' ? undefined : cursor),
    enabled: isEnabled,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = found
  const rows = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data])
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage])
  const keyText = JSON.stringify(key)
  const reload = useCallback(
    () => queryClient.resetQueries({ queryKey: key, exact: true }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the text of the key says when it changes
    [keyText],
  )
  // Of the first page, where what is new would stand: a further page makes nothing of it known.
  const loadedAtMs = data?.pages[0]?.loadedAtMs ?? 0
  return { ...found, rows, loadMore, reload, loadedAtMs }
}
