// The list of events as it stands in the URL. The names of the filters are those of the interface.

import { readTableSearch, type TableSearch } from '../../parts/table-search.ts'
import { readChoice, readText, readTexts } from '../../search-params.ts'
import type { Zone } from '../../settings/zone.ts'
import { readSpan } from '../reports/reports-search.ts'

export const EVENT_TABS = ['all', 'unassigned', 'muted', 'held'] as const
export const CAUSES = ['no_match', 'no_target', 'resolver_failed'] as const

export interface EventFilters {
  readonly tab?: (typeof EVENT_TABS)[number] | undefined
  readonly cause?: (typeof CAUSES)[number] | undefined
  readonly event_type?: readonly string[] | undefined
  /** An address, a range or a domain. */
  readonly item?: string | undefined
  readonly sender_email?: string | undefined
  readonly report_id?: string | undefined
  readonly customer_id?: string | undefined
  readonly case_id?: string | undefined
  readonly at?: string | undefined
  readonly text?: string | undefined
}

export interface EventsSearch extends EventFilters, TableSearch {
  /** The form for a new event is open. */
  readonly add?: 'event' | undefined
}

export function readEventsSearch(search: Readonly<Record<string, unknown>>): EventsSearch {
  const types = readTexts(search, 'event_type')
  const { hide, open } = readTableSearch(search)
  return {
    tab: readChoice(search, 'tab', EVENT_TABS),
    cause: readChoice(search, 'cause', CAUSES),
    event_type: types.length === 0 ? undefined : types,
    item: readText(search, 'item'),
    sender_email: readText(search, 'sender_email'),
    report_id: readText(search, 'report_id'),
    customer_id: readText(search, 'customer_id'),
    case_id: readText(search, 'case_id'),
    at: readText(search, 'at'),
    text: readText(search, 'text'),
    add: readChoice(search, 'add', ['event']),
    hide,
    open,
  }
}

export function pickEventFilters(search: EventsSearch): EventFilters {
  const { hide: _hide, open: _open, sort: _sort, add: _add, ...filters } = search
  return filters
}

/** The query of the interface. */
export function toEventQuery(filters: EventFilters, zone: Zone) {
  const { tab = 'all', cause, event_type: types, item, at, ...rest } = filters
  const { after, before } = readSpan(at, zone)
  return {
    ...(tab === 'unassigned' ? { unassigned: true } : {}),
    ...(tab === 'unassigned' && cause !== undefined ? { unassigned_cause: cause } : {}),
    ...(tab === 'muted' || tab === 'held' ? { without_case: tab } : {}),
    ...(types === undefined ? {} : { event_type: types.join(',') }),
    ...(item === undefined ? {} : nameItem(item)),
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    ...(after === undefined ? {} : { event_after: after }),
    ...(before === undefined ? {} : { event_before: before }),
  }
}

/** An address, a range of addresses, or a domain: whatever else it is, the server says so. */
function nameItem(item: string): { ip?: string; range?: string; domain?: string } {
  if (/^[\d.]+$/.test(item) || (item.includes(':') && !/[/\s-]/.test(item))) return { ip: item }
  if (/^[\d.]+\s*-\s*[\d.]+$/.test(item) || /^[\da-f.:]+(?:\/\d+|-[\da-f:]+)$/i.test(item)) {
    return { range: item }
  }
  return { domain: item }
}
