// One line for each record that a search found, with the value or the words that were found.

import type { FoundCase, FoundCustomer, FoundEvent, FoundReport } from './search-store.ts'
import type { FoundItem } from './search-wire.ts'

/** The field, and what it contains. */
type Match = readonly [field: string, text: string]

const SHOWN_MAX = 200
const BEFORE_MAX = 60

export function presentFoundCase(row: FoundCase, match: Match, words?: string): FoundItem {
  const types = row.event_types.slice(0, 3).join(', ')
  return {
    kind: 'case',
    id: row.id,
    title: `${types === '' ? 'Case' : types} of ${row.customer_id}, ${row.state}`,
    matched: presentMatch(match, words),
    at: row.created_at.toISOString(),
  }
}

export function presentFoundEvent(
  row: Omit<FoundEvent, 'details'>,
  match: Match,
  words?: string,
): FoundItem {
  const subject = row.ip ?? row.domain
  return {
    kind: 'event',
    id: row.event_id,
    ...(row.case_id === null ? {} : { case_id: row.case_id }),
    title: subject === null ? row.event_type : `${row.event_type}, ${subject}`,
    matched: presentMatch(match, words),
    at: row.event_date.toISOString(),
  }
}

export function presentFoundCustomer(row: FoundCustomer, match: Match): FoundItem {
  return {
    kind: 'customer',
    id: row.id,
    title: row.name === null || row.name === row.id ? row.id : `${row.name} (${row.id})`,
    matched: presentMatch(match),
    at: row.created_at.toISOString(),
  }
}

export function presentFoundReport(row: FoundReport, match: Match): FoundItem {
  return {
    kind: 'report',
    id: row.id,
    title: `${row.format ?? row.media_type}, ${row.state}`,
    matched: presentMatch(match),
    at: row.received_at.toISOString(),
  }
}

/** The text around the first of the words; its beginning where none stands in it as it is. */
function presentMatch([field, text]: Match, words = ''): FoundItem['matched'] {
  const lower = text.toLowerCase()
  const places = words
    .toLowerCase()
    .split(/\s+/)
    .map((word) => lower.indexOf(word))
    .filter((at) => at >= 0)
  const from = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - BEFORE_MAX)
  const part = text.slice(from, from + SHOWN_MAX)
  const cut = `${from > 0 ? '…' : ''}${part}${from + SHOWN_MAX < text.length ? '…' : ''}`
  return { field, text: cut.toWellFormed() }
}
