// The list of reports as it stands in the URL. The page of a report has it too, so that it knows
// the next and the one before.

import { readTableSearch } from '../../parts/table-search.ts'
import { readChoice, readText } from '../../search-params.ts'
import type { Zone } from '../../settings/zone.ts'
import { parseSpan } from '../cases/time-span.ts'

export const TABS = ['all', 'accepted', 'quarantined', 'rejected', 'unread'] as const
export const CHANNELS = ['api', 'smtp', 'lmtp', 'imap', 'import'] as const

const HOUR_MS = 3_600_000

export type ReportTab = (typeof TABS)[number]

export interface ReportFilters {
  readonly tab?: ReportTab | undefined
  readonly format?: string | undefined
  readonly via?: (typeof CHANNELS)[number] | undefined
  readonly reporter?: string | undefined
  readonly received?: string | undefined
  readonly text?: string | undefined
  readonly corrected?: 'yes' | 'no' | undefined
}

export interface ReportsSearch extends ReportFilters {
  readonly hide?: readonly string[] | undefined
}

export function readReportsSearch(search: Readonly<Record<string, unknown>>): ReportsSearch {
  const { hide } = readTableSearch(search)
  return {
    tab: readChoice(search, 'tab', TABS),
    format: readText(search, 'format'),
    via: readChoice(search, 'via', CHANNELS),
    reporter: readText(search, 'reporter'),
    received: readText(search, 'received'),
    text: readText(search, 'text'),
    corrected: readChoice(search, 'corrected', ['yes', 'no']),
    hide,
  }
}

export function pickReportFilters(search: ReportsSearch): ReportFilters {
  const { hide: _hide, ...filters } = search
  return filters
}

/** The query of the interface. */
export function toReportQuery(filters: ReportFilters, zone: Zone) {
  const { tab = 'all', format, via, reporter, text, corrected } = filters
  const { after, before } = readSpan(filters.received, zone)
  return {
    ...(tab === 'all' || tab === 'unread' ? {} : { state: tab }),
    ...(tab === 'unread' ? { unread: true } : {}),
    ...(tab === 'quarantined' ? { unread: false } : {}),
    ...(format === undefined ? {} : { format }),
    ...(via === undefined ? {} : { via }),
    ...(reporter === undefined ? {} : { reporter }),
    ...(text === undefined ? {} : { text }),
    ...(corrected === undefined ? {} : { corrected: corrected === 'yes' }),
    ...(after === undefined ? {} : { received_after: after }),
    ...(before === undefined ? {} : { received_before: before }),
  }
}

/** The two ends of a span in the URL; nothing for another text. */
export function readSpan(
  text: string | undefined,
  zone: Zone,
): { readonly after?: string; readonly before?: string } {
  const span = text === undefined ? null : parseSpan(text, zone)
  if (span === null) return {}
  if (span.kind === 'hours') {
    return { after: new Date(Date.now() - span.hours * HOUR_MS).toISOString() }
  }
  const { from, to } = span
  return { ...(from === null ? {} : { after: from }), ...(to === null ? {} : { before: to }) }
}
