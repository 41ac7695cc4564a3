// The views that everybody has, and what a saved view keeps of the URL.

import { writeDay, type Zone } from '../../settings/zone.ts'
import type { SavedView } from './case-types.ts'
import type { messages } from './messages.ts'
import {
  DEFAULT_SORT,
  type QueueFilters,
  type QueueSearch,
  readQueueSearch,
  toCaseQuery,
  writeStates,
} from './queue-search.ts'

export interface Preset {
  readonly id: string
  readonly title: keyof (typeof messages)['en']
  readonly filters: QueueFilters
  readonly sort?: string
}

export const PRESETS: readonly Preset[] = [
  { id: 'open', title: 'view_open', filters: {} },
  { id: 'mine', title: 'view_mine', filters: { assignee: 'me' } },
  { id: 'unassigned', title: 'view_unassigned', filters: { assignee: 'none' } },
  { id: 'waiting', title: 'view_waiting', filters: { waiting: 'agent' } },
  { id: 'today', title: 'view_today', filters: { due: 'today' }, sort: 'due_at' },
  { id: 'overdue', title: 'view_overdue', filters: { due: '0h' }, sort: 'due_at' },
  { id: 'all', title: 'view_all', filters: { state: ['any'] } },
]

type ViewQuery = SavedView['query']

// The day is over tomorrow, the view is not.
const TODAY_HOURS = 24

/** What a view keeps: the query of the list. */
export function toViewQuery(search: QueueSearch, zone: Zone): ViewQuery {
  const { due, ...rest } = search
  const kept: QueueFilters = due === 'today' ? { ...rest, due: `${TODAY_HOURS}h` } : search
  const sort = search.sort ?? DEFAULT_SORT
  return {
    ...toCaseQuery(kept, { nowMs: 0, endOfDayMs: 0, zone }),
    sort: sort.replace(/^-/, ''),
    order: sort.startsWith('-') ? 'desc' : 'asc',
  }
}

/** The filters and the sort of a view; what the queue has no filter for is left out. */
export function fromViewQuery(query: ViewQuery, zone: Zone): QueueSearch {
  const read = (name: string): string | undefined => {
    const value = query[name]
    return value === undefined ? undefined : String(value)
  }
  const readSpan = (of: 'due' | 'created', from: string, to: string) =>
    writeSpan(read(`${of}_within_hours`), read(from), read(to), zone)
  const states = read('state')?.split(',') ?? []
  const sort = read('sort') ?? 'created_at'
  return readQueueSearch({
    state: writeStates(states),
    severity: read('severity'),
    waiting: read('waiting_on'),
    group: read('case_group'),
    assignee: read('assignee_user_id'),
    customer: read('customer_id'),
    item: read('ip') ?? read('range') ?? read('domain'),
    reporter: read('reporter'),
    type: read('event_type'),
    tag: read('tag'),
    text: read('text'),
    due: readSpan('due', 'deadline_after', 'deadline_before'),
    created: readSpan('created', 'created_after', 'created_before'),
    sort: read('order') === 'asc' ? sort : `-${sort}`,
  })
}

function writeSpan(
  hours: string | undefined,
  after: string | undefined,
  before: string | undefined,
  zone: Zone,
): string | undefined {
  if (hours !== undefined) return `${hours}h`
  if (after === undefined && before === undefined) return undefined
  return `${dayOf(after, 0, zone)}..${dayOf(before, 1, zone)}`
}

/** The day in the zone; the end of a span is the start of the day after it. */
function dayOf(time: string | undefined, earlierMs: number, zone: Zone): string {
  if (time === undefined) return ''
  const at = new Date(new Date(time).getTime() - earlierMs)
  return Number.isNaN(at.getTime()) ? '' : writeDay(at, zone)
}
