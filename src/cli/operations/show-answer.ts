// Prints what an operation answered: as a table or as lines for a person, as JSON, as a line of
// JSON each, as CSV, or as the server sent it.

import { readPageItems } from '../../client/next-page.ts'
import { type CsvField, formatCsvRows } from '../csv-rows.ts'
import { escapeControls, formatJson, formatTable } from '../format-table.ts'
import { formatAge } from './format-age.ts'

type Row = Readonly<Record<string, unknown>>

interface View {
  readonly columns: readonly string[] | undefined
  /** Times as an age; null where they are read by a program. */
  readonly nowMs: number | null
}

/** The rows of a list; null for a single record. */
export function readRows(answer: unknown): readonly Row[] | null {
  if (Array.isArray(answer)) return answer.map(asRow)
  const body = asRow(answer)
  const result = body['result']
  if (Array.isArray(result)) return result.map(asRow)
  const isList = [body, asRow(result)].some(
    (one) =>
      Array.isArray(one['items']) || Array.isArray(one['entries']) || Array.isArray(one['changes']),
  )
  return isList ? readPageItems(answer).map(asRow) : null
}

/** The record of an answer, without the envelope of threat intelligence. */
export function readRecord(answer: unknown): Row {
  const body = asRow(answer)
  return 'result' in body && 'statusCode' in body ? asRow(body['result']) : body
}

/** A row for each count of an answer: by value, by time, or by both. */
export function readCounts(record: Row): readonly Row[] {
  const counts = Object.entries(asRow(record['counts']))
  if (counts.length > 0) return counts.map(([value, count]) => ({ value, count }))
  const times = [record['series'] ?? []].flat().map(asRow)
  const top = [record['top'] ?? []].flat().map(asRow)
  if (top.length === 0) return times
  return top.flatMap(({ series, ...row }) =>
    Array.isArray(series)
      ? series.map((count: unknown, at) => ({ at: times[at]?.['at'], value: row['value'], count }))
      : [row],
  )
}

export function formatRowsForPeople(rows: readonly Row[], { columns, nowMs }: View): string {
  if (rows.length === 0) return ''
  const paths = columns ?? chooseColumns(rows)
  const shown = rows.map((row) =>
    Object.fromEntries(
      paths.map((path) => [nameColumn(path), formatCell(findFilled(row, path), nowMs)]),
    ),
  )
  return formatTable(paths.map(nameColumn), shown)
}

/** One line a member, in the order of the server; then a table for each list of records. */
export function formatRecordForPeople(record: Row, nowMs: number | null): string {
  const filled = Object.entries(record).filter(([, value]) => !isEmpty(value))
  const entries = filled.filter(([, value]) => !isTable(value))
  const width = Math.max(0, ...entries.map(([name]) => name.length))
  const lines = entries.map(([name, value]) => {
    const text = formatValue(value, nowMs).replaceAll('\n', `\n${' '.repeat(width + 2)}`)
    return `${name.replaceAll('_', ' ').padEnd(width)}  ${text}\n`
  })
  const tables = filled.flatMap(([name, value]) => {
    if (!isTable(value)) return []
    const rows = formatRowsForPeople(value.map(asRow), { columns: undefined, nowMs })
    return [`${entries.length > 0 ? '\n' : ''}${name.replaceAll('_', ' ').toUpperCase()}\n${rows}`]
  })
  return [...lines, ...tables].join('')
}

function isTable(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.some((one) => typeof one === 'object' && one !== null)
}

export function formatRowsAsCsv(
  rows: readonly Row[],
  columns: readonly string[] | undefined,
): string {
  const paths = (columns ?? listMembers(rows)).flatMap((path) => path.split('|'))
  return formatCsvRows([
    paths.map((path) => path.replaceAll('.', '_')),
    ...rows.map((row) => paths.map((path) => asField(findIn(row, path)))),
  ])
}

export function formatRowsAsLines(rows: readonly Row[]): string {
  return rows.map((row) => `${formatJson(row)}\n`).join('')
}

// As wide as a terminal takes without wrapping, in most lists.
const COLUMNS_MAX = 8

/** The simple members of the first rows, without long texts. */
function chooseColumns(rows: readonly Row[]): readonly string[] {
  return listMembers(rows)
    .filter((name) => rows.every((row) => !isLarge(row[name])))
    .slice(0, COLUMNS_MAX)
}

function isLarge(value: unknown): boolean {
  if (typeof value === 'string') return value.length > 80
  return typeof value === 'object' && value !== null && !(Array.isArray(value) && value.length < 4)
}

function listMembers(rows: readonly Row[]): readonly string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))]
}

/** By the last of several: the others are words for it. */
function nameColumn(path: string): string {
  return path
    .replace(/^.*\|/, '')
    .replace(/^summary\./, '')
    .replace(/_user_id$/, '')
    .replaceAll('.', ' ')
}

/** Of `name|id` the first that is filled. */
function findFilled(row: Row, paths: string): unknown {
  const values = paths.split('|').map((path) => findIn(row, path))
  return values.find((value) => !isEmpty(value))
}

function findIn(row: Row, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => asRow(value)[name], row)
}

const CELL_LENGTH_MAX = 60

function formatCell(value: unknown, nowMs: number | null): string | null {
  if (isEmpty(value)) return null
  const text = formatValue(value, nowMs).replaceAll(/\s+/g, ' ')
  return text.length > CELL_LENGTH_MAX ? `${text.slice(0, CELL_LENGTH_MAX - 1)}…` : text
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

function formatValue(value: unknown, nowMs: number | null): string {
  if (typeof value === 'string') {
    if (nowMs !== null && INSTANT.test(value)) return formatAge(Date.parse(value), nowMs)
    return value.split('\n').map(escapeControls).join('\n')
  }
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) {
    return escapeControls(value.join(', '))
  }
  if (Array.isArray(value)) return value.map((one) => formatValue(one, nowMs)).join('; ')
  return typeof value === 'object' && value !== null
    ? formatMembers(asRow(value), nowMs)
    : formatJson(value)
}

// What a person cannot use.
const INTERNAL: ReadonlySet<string> = new Set(['cause_id', 'actor_kind'])

/** `severity: low → high, reason: …`; a change says both of its sides. */
function formatMembers(record: Row, nowMs: number | null): string {
  const { from, to, ...others } = record
  if ('to' in record && Object.keys(others).length === 0) {
    return `${formatSide(from, nowMs)} → ${formatSide(to, nowMs)}`
  }
  const { from_state: fromState, to_state: toState, ...rest } = record
  const isMove = toState !== undefined
  const shown = isMove ? { state: { from: fromState, to: toState }, ...rest } : record
  return Object.entries(shown)
    .filter(([name, value]) => !isEmpty(value) && !INTERNAL.has(name))
    .map(([name, value]) => {
      const text = formatValue(value, nowMs)
      const label = escapeControls(name.replaceAll('_', ' '))
      return name === 'changes' ? text : `${label}: ${text}`
    })
    .join(', ')
}

function formatSide(value: unknown, nowMs: number | null): string {
  return isEmpty(value) ? '-' : formatValue(value, nowMs)
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

function asField(value: unknown): CsvField {
  if (value === undefined || value === null) return null
  if (typeof value === 'object') {
    const isPlain = Array.isArray(value) && value.every((one) => typeof one !== 'object')
    return isPlain ? value.join(' ') : JSON.stringify(value)
  }
  if (typeof value === 'number' || typeof value === 'boolean') return value
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function asRow(value: unknown): Row {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object has members
  if (typeof value === 'object' && value !== null) return value as Row
  return value === undefined ? {} : { value }
}
