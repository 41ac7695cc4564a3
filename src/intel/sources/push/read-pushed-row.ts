// Parses the kinds of pushed rows (design section 9, defaults section 10) from untrusted values to
// the rows of the store.

import { parseSubject } from '../../../values/range.ts'
import { REPORT_SOURCE_PREFIX } from '../../facts/sighting-rules.ts'
import {
  CONTACT_SOURCE_KIND,
  NETWORK_SOURCE_KIND,
  STATEMENT_SOURCE_KINDS,
  type StagedTable,
} from '../../facts/source-kinds.ts'
import { NAME, RowReader, SENTENCE, SLUG, WORD } from './row-reader.ts'
import type { SightingRow, StatementRow } from './staged-rows.ts'

/** The time and the tag catalogue that a row is checked against. */
export interface RowContext {
  readonly nowMs: number
  readonly hasTag: (name: string) => boolean
}

/** The row, or the reason to reject it. */
export type ReadRow<Row> =
  | { readonly kind: 'row'; readonly row: Row }
  | { readonly kind: 'rejected'; readonly reason: string }

const SIGHTING_MEMBERS = new Set([
  'item',
  'kind',
  'service',
  'type',
  'firstSeen',
  'lastSeen',
  'count',
  'source',
])
const LISTING_MEMBERS = new Set([
  'item',
  'list',
  'status',
  'reason',
  'firstSeen',
  'lastSeen',
  'expires',
  'source',
])
const NETWORK_MEMBERS = new Set(['item', 'status', 'source'])
const TAGGING_MEMBERS = new Set(['item', 'tag', 'firstSeen', 'lastSeen', 'expires', 'source'])
// Kinds of sources that are not sensors.
const NO_SENSORS: ReadonlySet<string> = new Set([
  ...Object.values(STATEMENT_SOURCE_KINDS),
  CONTACT_SOURCE_KIND,
  NETWORK_SOURCE_KIND,
])

const ORDER_OF_TIMES = 'firstSeen lies after lastSeen.'

export function readSightingRow(value: unknown, context: RowContext): ReadRow<SightingRow> {
  const reader = new RowReader(value, SIGHTING_MEMBERS, context.nowMs)
  const subject = reader.item('item')
  const kind = reader.text('kind', SLUG)
  reader.check(!NO_SENSORS.has(kind), 'kind must be one of a sensor, such as honeypot or spamtrap.')
  const service = reader.optionalText('service', WORD) ?? ''
  const type = reader.text('type', WORD)
  const source = reader.text('source', NAME)
  reader.check(
    !source.startsWith(REPORT_SOURCE_PREFIX),
    `source must not begin with ${REPORT_SOURCE_PREFIX}, as the sources of accepted reports do.`,
  )
  const lastSeenMs = reader.seen('lastSeen')
  const firstSeenMs = reader.optionalSeen('firstSeen') ?? lastSeenMs
  const count = reader.count('count')
  reader.check(firstSeenMs <= lastSeenMs, ORDER_OF_TIMES)
  return conclude(reader, {
    subject,
    kind,
    service,
    type,
    source,
    firstSeenMs,
    lastSeenMs,
    count,
  })
}

export function readListingRow(value: unknown, context: RowContext): ReadRow<StatementRow> {
  const reader = new RowReader(value, LISTING_MEMBERS, context.nowMs)
  const subject = reader.subject('item')
  const name = reader.text('list', NAME)
  const source = reader.text('source', NAME)
  const isActive = reader.choice('status', ['active', 'inactive'], 'active') === 'active'
  const reason = reader.optionalText('reason', SENTENCE)
  const times = readTimes(reader, context.nowMs)
  if (isActive && !isOver(times, context)) reader.refuseWide()
  return conclude(reader, { subject, name, source, isActive, reason, ...times })
}

export function readTaggingRow(value: unknown, context: RowContext): ReadRow<StatementRow> {
  const reader = new RowReader(value, TAGGING_MEMBERS, context.nowMs)
  const subject = reader.subject('item')
  const name = reader.text('tag', NAME)
  reader.check(
    context.hasTag(name),
    'tag names no tag of the catalogue; GET /beta/tags lists them.',
  )
  const source = reader.text('source', NAME)
  const times = readTimes(reader, context.nowMs)
  if (!isOver(times, context)) reader.refuseWide()
  return conclude(reader, { subject, name, source, isActive: true, reason: null, ...times })
}

export function readNetworkRow(value: unknown, context: RowContext): ReadRow<StatementRow> {
  const reader = new RowReader(value, NETWORK_MEMBERS, context.nowMs)
  const subject = reader.subject('item')
  const source = reader.text('source', NAME)
  const isActive = reader.choice('status', ['active', 'inactive'], 'active') === 'active'
  if (isActive) reader.refuseWide()
  const parsed = parseSubject(subject)
  const isDomain = parsed.kind === 'subject' && parsed.subject.kind === 'domain'
  reader.check(!isDomain, 'item is a domain; own networks are address ranges.')
  const times = { firstSeenMs: context.nowMs, lastSeenMs: context.nowMs, hasLastSeen: false }
  const row = { subject, name: '', source, isActive, reason: null, expiresMs: null, ...times }
  return conclude(reader, row)
}

/** An entry of PUT …/entries is a row of the push of its kind, without the source in the path. */
export function readEntryRow(
  value: unknown,
  { table, source }: { readonly table: StagedTable; readonly source: string },
  context: RowContext,
): ReadRow<StatementRow> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { kind: 'rejected', reason: 'The row is no JSON object.' }
  }
  if ('source' in value) return { kind: 'rejected', reason: 'The path names the source.' }
  if (table === 'network') return readNetworkRow({ ...value, source }, context)
  if (table === 'tagging') return readTaggingRow({ ...value, source }, context)
  return readListingRow({ list: source, ...value, source }, context)
}

function isOver({ expiresMs }: Pick<StatementRow, 'expiresMs'>, { nowMs }: RowContext): boolean {
  return expiresMs !== null && expiresMs <= nowMs
}

function readTimes(
  reader: RowReader,
  nowMs: number,
): Pick<StatementRow, 'firstSeenMs' | 'lastSeenMs' | 'hasLastSeen' | 'expiresMs'> {
  const givenLast = reader.optionalSeen('lastSeen')
  const givenFirst = reader.optionalSeen('firstSeen')
  // A firstSeen a little ahead of our clock is accepted.
  const lastSeenMs = givenLast ?? Math.max(nowMs, givenFirst ?? 0)
  const firstSeenMs = givenFirst ?? lastSeenMs
  reader.check(firstSeenMs <= lastSeenMs, ORDER_OF_TIMES)
  const expiresMs = reader.optionalInstant('expires')
  return { firstSeenMs, lastSeenMs, hasLastSeen: givenLast !== null, expiresMs }
}

function conclude<Row>(reader: RowReader, row: Row): ReadRow<Row> {
  return reader.problem === null
    ? { kind: 'row', row }
    : { kind: 'rejected', reason: reader.problem }
}
