// The filtered list as a CSV file, page after page, with the number of rows so far.

import { useRef, useState } from 'react'
import { casework } from '../../data/client.ts'
import { noteFailure } from '../../data/query-client.ts'
import { useText } from '../../messages/use-text.ts'
import { type Cell, saveFile, toCsv } from '../../parts/csv.ts'
import { showToast } from '../../parts/toasts.ts'
import type { ListedCase } from './case-types.ts'
import { messages } from './messages.ts'
import { type QueueFilters, toCaseQuery } from './queue-search.ts'
import { readNow, readOrder } from './use-cases.ts'

const PAGE_ROWS = 1_000
// A browser holds so many without trouble: about 50 MB of text.
const EXPORT_ROWS_MAX = 200_000

const HEAD = [
  'id',
  'state',
  'severity',
  'customer_id',
  'customer_name',
  'case_group',
  'event_types',
  'last_item',
  'event_count',
  'ip_count',
  'reporter_count',
  'comment_count',
  'first_event_date',
  'last_event_date',
  'created_at',
  'due_at',
  'assignee_user_id',
  'assignee_name',
  'waiting_on',
  'customer_status',
  'tags',
] as const

export function useExport() {
  const t = useText(messages)
  const [count, setCount] = useState<number | null>(null)
  const stop = useRef<AbortController>(undefined)
  const start = async (filters: QueueFilters, sort: string): Promise<void> => {
    const { signal } = (stop.current = new AbortController())
    const lines: (readonly Cell[])[] = [HEAD]
    setCount(0)
    try {
      const query = { ...toCaseQuery(filters, readNow()), ...readOrder(sort) }
      const given = { ...query, expand: 'summary', limit: PAGE_ROWS } as const
      const pages = casework.pages('/beta/casework/cases', { params: { query: given }, signal })
      for await (const { items } of pages) {
        lines.push(...items.map(readLine))
        setCount(lines.length - 1)
        if (lines.length > EXPORT_ROWS_MAX) break
      }
      saveFile('cases.csv', 'text/csv', toCsv(lines))
      const rows = lines.length - 1
      const isCut = lines.length > EXPORT_ROWS_MAX
      showToast({ kind: 'done', text: t(isCut ? 'export_bound' : 'exported', { count: rows }) })
    } catch (error) {
      if (signal.aborted) showToast({ kind: 'done', text: t('export_stopped') })
      else {
        noteFailure(error)
        showToast({ kind: 'failure', text: t('export_stopped'), error })
      }
    } finally {
      setCount(null)
    }
  }
  return { count, start, stop: () => stop.current?.abort() }
}

function readLine({ summary, ...row }: ListedCase): readonly Cell[] {
  const values: Readonly<Record<(typeof HEAD)[number], Cell>> = {
    id: row.id,
    state: row.state,
    severity: summary?.severity,
    customer_id: row.customer_id,
    customer_name: summary?.customer_name,
    case_group: summary?.case_group,
    event_types: summary?.event_types.join(' '),
    last_item: summary?.last_event?.ip ?? summary?.last_event?.domain,
    event_count: summary?.event_count,
    ip_count: summary?.ip_count,
    reporter_count: summary?.reporter_count,
    comment_count: summary?.comment_count,
    first_event_date: row.first_event_date,
    last_event_date: row.last_event_date,
    created_at: row.created_at,
    due_at: summary?.due_at,
    assignee_user_id: summary?.assignee_user_id,
    assignee_name: summary?.assignee_name,
    waiting_on: summary?.waiting_on,
    customer_status: summary?.customer_status,
    tags: summary?.tags.join(' '),
  }
  return HEAD.map((name) => values[name])
}
