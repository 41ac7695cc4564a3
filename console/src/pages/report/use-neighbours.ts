// The report before and after this one in the list that it was opened from.

import { useEffect } from 'react'
import { useReports } from '../reports/data.ts'
import { pickReportFilters, type ReportsSearch } from '../reports/reports-search.ts'

export interface Neighbours {
  /** From 1; null while it is not known, or when no list led here. */
  readonly position: number | null
  readonly total: number
  readonly hasMore: boolean
  readonly former: string | null
  readonly next: string | null
}

const NEAR_END = 3

export function useNeighbours(reportId: string, search: ReportsSearch): Neighbours {
  const hasList = search.tab !== undefined
  const filters = pickReportFilters(search)
  const { rows, hasNextPage, loadMore } = useReports(
    { ...filters, tab: filters.tab === 'all' ? undefined : filters.tab },
    hasList,
  )
  const at = rows.findIndex((row) => row.report_id === reportId)
  useEffect(() => {
    if (at >= 0 && at >= rows.length - NEAR_END) loadMore()
  }, [at, rows.length, loadMore])
  return {
    position: at < 0 ? null : at + 1,
    total: rows.length,
    hasMore: hasNextPage,
    former: rows[at - 1]?.report_id ?? null,
    next: at < 0 ? null : (rows[at + 1]?.report_id ?? null),
  }
}
