// What a table needs of a list that is read page by page: its rows so far, and the next page when
// the end comes near. A page that failed is asked for again by a person alone (`ListFrame`).

import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'

/** `itemsOf` is a function of the module, so that it is the same each time. */
export function useListRows<Page, Row>(
  found: UseInfiniteQueryResult<InfiniteData<Page>>,
  itemsOf: (page: Page) => readonly Row[],
) {
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = found
  const rows = useMemo(() => data?.pages.flatMap((page) => itemsOf(page)) ?? [], [data, itemsOf])
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])
  return { ...found, rows, loadMore, reload: found.refetch }
}
