// Which months of arrival a list of events looks into. The planner leaves out the partitions of
// other months only for a condition on the id (migration 0118), and each partition that it does not
// leave out costs a list a quarter of a millisecond.

import { LEAD_MS, startOfNewestMonths } from '../../kernel/db/months/event-floor.ts'
import { floorOfMonth } from '../../kernel/db/months/months.ts'
import type { PageRequest } from '../../kernel/db/page-request.ts'
import { readUuidTimeMs } from '../../kernel/ids.ts'

export type EventSort = 'event_date' | 'create_date'

/** No event of this report has a lower id: it is read after it came. */
export function floorOfReport(reportId: string): string {
  return floorOfMonth(readUuidTimeMs(reportId) - LEAD_MS)
}

/** The months that are looked into first. */
export interface RecentMonths {
  readonly floor: string
  /** Whether these rows are the page: the last one is later than all that came before. */
  readonly isPage: (rows: readonly { readonly event_date: Date }[], limit: number) => boolean
}

/**
 * For a list from the latest event on, which soon fills a page. Null for the other order. `nowMs`
 * and `before` say where the list begins, if it is no later page.
 */
export function chooseRecentMonths(
  sort: EventSort,
  { order, position }: Pick<PageRequest, 'order' | 'position'>,
  { nowMs, before }: { readonly nowMs: number; readonly before?: string | undefined },
): RecentMonths | null {
  if (order === 'asc') return null
  const [first] = position ?? []
  const times = [nowMs]
  if (before !== undefined) times.push(Date.parse(before))
  if (typeof first === 'string') {
    times.push(sort === 'event_date' ? Date.parse(first) : readUuidTimeMs(first))
  }
  const startMs = startOfNewestMonths(Math.min(...times))
  // What came before is no later than this.
  const latestMs = startMs + LEAD_MS
  return {
    floor: floorOfMonth(startMs),
    isPage(rows, limit) {
      const last = rows.at(limit)
      if (last === undefined) return false
      return sort === 'create_date' || last.event_date.getTime() > latestMs
    },
  }
}
