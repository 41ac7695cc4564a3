// The cases before and behind this one in the queue that it was opened from, as the queue has them.

import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { readSearch } from '../../search-params.ts'
import { pickFilters, readQueueSearch } from '../cases/queue-search.ts'
import { useCases } from '../cases/use-cases.ts'

export interface Neighbours {
  readonly place: number
  /** With a plus when the queue has not been read to its end. */
  readonly count: string
  readonly goBack: (() => void) | null
  readonly goOn: (() => void) | null
}

// Pages of the queue that are read to find the case again, such as after a reload.
const PAGES_MAX = 5

/** Null when the case was opened from elsewhere. */
export function useNeighbours(caseId: string, queue: string | undefined): Neighbours | null {
  const navigate = useNavigate()
  const search = readQueueSearch(readSearch(queue ?? ''))
  const list = useCases(pickFilters(search), search.sort, { isEnabled: queue !== undefined })
  const { rows, hasNextPage, loadMore } = list
  const at = rows.findIndex(({ id }) => id === caseId)
  const pages = list.data?.pages.length ?? 0
  const isNearEnd = at < 0 || at === rows.length - 1
  useEffect(() => {
    const maySearch = at >= 0 || pages < PAGES_MAX
    if (queue !== undefined && isNearEnd && hasNextPage && maySearch) loadMore()
  }, [queue, isNearEnd, hasNextPage, at, pages, loadMore])
  if (queue === undefined || at < 0) return null
  const goTo = (index: number): (() => void) | null => {
    const id = rows[index]?.id
    if (id === undefined) return null
    return () => void navigate({ to: '/cases/$caseId', params: { caseId: id }, search: { queue } })
  }
  return {
    place: at + 1,
    count: `${rows.length}${hasNextPage ? '+' : ''}`,
    goBack: goTo(at - 1),
    goOn: goTo(at + 1),
  }
}
