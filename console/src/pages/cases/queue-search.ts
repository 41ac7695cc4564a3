// The state of the queue as it stands in its URL, and the query of the interface that it means.
// Without `state` the open cases are meant; `state=any` means all.

import { readTableSearch, type TableSearch } from '../../parts/table-search.ts'
import { readChoice, readText, readTexts } from '../../search-params.ts'
import type { Zone } from '../../settings/zone.ts'
import type { CaseQuery } from './case-types.ts'
import { parseSpan } from './time-span.ts'

export const STATES = ['NEW', 'IN_PROGRESS', 'RESOLVED', 'CLOSED'] as const
const OPEN_STATES: readonly string[] = ['NEW', 'IN_PROGRESS']
export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const
export const WAITING_ON = ['agent', 'customer', 'reporter', 'third_party', 'timer', 'none'] as const

/** Which the interface sorts by, with the column that shows it. */
export const SORTS = ['created_at', 'first_event_date', 'last_event_date', 'due_at'] as const
export const DEFAULT_SORT = '-last_event_date'

/** The filters that have one text as their value. */
const TEXT_FILTERS = [
  'group',
  'assignee',
  'customer',
  'item',
  'reporter',
  'type',
  'tag',
  'text',
  'due',
  'created',
] as const
export type TextFilter = (typeof TEXT_FILTERS)[number]

export interface QueueFilters extends Partial<Record<TextFilter, string | undefined>> {
  readonly state?: readonly string[] | undefined
  readonly severity?: (typeof SEVERITIES)[number] | undefined
  readonly waiting?: (typeof WAITING_ON)[number] | undefined
}

export interface QueueSearch extends QueueFilters, TableSearch {
  /** The saved view that was chosen, also when its filters were changed since. */
  readonly view?: string | undefined
}

export function readQueueSearch(search: Readonly<Record<string, unknown>>): QueueSearch {
  const states = readTexts(search, 'state').filter(
    (state) => state === 'any' || STATES.some((known) => known === state),
  )
  return {
    ...readTableSearch(search),
    view: readText(search, 'view'),
    state: states.length === 0 ? undefined : states,
    severity: readChoice(search, 'severity', SEVERITIES),
    waiting: readChoice(search, 'waiting', WAITING_ON),
    ...Object.fromEntries(TEXT_FILTERS.map((name) => [name, readText(search, name)])),
  }
}

/** The states that are meant; none of them means all. */
export function readStates({ state }: QueueFilters): readonly string[] {
  if (state === undefined) return OPEN_STATES
  return state.includes('any') ? [] : state
}

export function writeStates(states: readonly string[]): readonly string[] | undefined {
  if (states.length === 0 || states.length === STATES.length) return ['any']
  const isDefault = states.length === 2 && OPEN_STATES.every((state) => states.includes(state))
  return isDefault ? undefined : STATES.filter((state) => states.includes(state))
}

const NO_FILTERS: QueueFilters = Object.fromEntries(
  ['state', 'severity', 'waiting', ...TEXT_FILTERS].map((name) => [name, undefined]),
)

/** The search with these filters and no others. */
export function withFilters(search: QueueSearch, filters: QueueFilters): QueueSearch {
  return { ...search, ...NO_FILTERS, ...filters }
}

/** The filters of a search, and nothing else: lists with the same ones are one in the cache. */
export function pickFilters(search: QueueSearch): QueueFilters {
  const names = ['state', 'severity', 'waiting', ...TEXT_FILTERS] as const
  return Object.fromEntries(
    names.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])),
  )
}

export function isSameFilters(one: QueueFilters, other: QueueFilters): boolean {
  return writeFilters(one) === writeFilters(other)
}

function writeFilters(filters: QueueFilters): string {
  const states = [...readStates(filters)].toSorted().join()
  const { severity = '', waiting = '' } = filters
  return JSON.stringify([
    states,
    severity,
    waiting,
    ...TEXT_FILTERS.map((name) => filters[name] ?? ''),
  ])
}

export interface Now {
  readonly nowMs: number
  /** The end of today in the zone. */
  readonly endOfDayMs: number
  readonly zone: Zone
}

/** What the interface is asked. Throws nothing: it refuses what it does not take. */
export function toCaseQuery(filters: QueueFilters, now: Now): CaseQuery {
  const { severity, waiting, group, assignee, customer, item, reporter, type, tag, text } = filters
  const states = readStates(filters)
  return {
    ...(states.length === 0 ? {} : { state: states.join(',') }),
    ...(severity === undefined ? {} : { severity }),
    ...(waiting === undefined ? {} : { waiting_on: waiting }),
    ...(group === undefined ? {} : { case_group: group }),
    ...(assignee === undefined ? {} : { assignee_user_id: assignee }),
    ...(customer === undefined ? {} : { customer_id: customer }),
    ...(item === undefined ? {} : readItem(item)),
    ...(reporter === undefined ? {} : { reporter }),
    ...(type === undefined ? {} : { event_type: type }),
    ...(tag === undefined ? {} : { tag }),
    ...(text === undefined ? {} : { text }),
    ...readDue(filters.due, now),
    ...readCreated(filters.created, now),
  }
}

function readDue(due: string | undefined, { nowMs, endOfDayMs, zone }: Now): CaseQuery {
  if (due === undefined) return {}
  if (due === 'today') {
    return {
      deadline_after: new Date(nowMs).toISOString(),
      deadline_before: new Date(endOfDayMs).toISOString(),
    }
  }
  const span = parseSpan(due, zone)
  if (span === null) return {}
  if (span.kind === 'hours') return { due_within_hours: span.hours }
  return {
    ...(span.from === null ? {} : { deadline_after: span.from }),
    ...(span.to === null ? {} : { deadline_before: span.to }),
  }
}

function readCreated(created: string | undefined, { zone }: Now): CaseQuery {
  const span = created === undefined ? null : parseSpan(created, zone)
  if (span === null) return {}
  if (span.kind === 'hours') return { created_within_hours: span.hours }
  return {
    ...(span.from === null ? {} : { created_after: span.from }),
    ...(span.to === null ? {} : { created_before: span.to }),
  }
}

/** An address, a range, or a domain, also as analysts defang them. */
function readItem(text: string): CaseQuery {
  const item = text.replaceAll('[.]', '.').replaceAll('[:]', ':').trim()
  const isAddress = /^[\d.]+$/.test(item) || item.includes(':')
  if (item.includes('/') || isSpan(item)) return { range: item }
  return isAddress ? { ip: item } : { domain: item }
}

/** From one address to another: `192.0.2.1-192.0.2.9`, also of IPv6. */
function isSpan(item: string): boolean {
  const colon = item.indexOf(':')
  return /^[\d.]+-[\d.]+$/.test(item) || (colon >= 0 && item.includes('-', colon))
}
