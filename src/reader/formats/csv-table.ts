// Parses CSV text into rows. It guesses the delimiter, is lenient about quotes, and keeps comments
// above the header as rows, because they may be the header.

import { parse } from 'csv-parse/sync'
import { MACHINE_EVENTS_MAX } from './machine-report.ts'
import type { TableRow } from './table-columns.ts'

const DELIMITERS = [',', ';', '\t', '|'] as const
type Delimiter = (typeof DELIMITERS)[number]

export interface CsvRows {
  readonly rows: readonly TableRow[]
  /** There are more rows than are read; none are read when there are too many cells. */
  readonly hasMore: boolean
}

// Titles, comments and blank lines beside the data.
const ROWS_MAX = MACHINE_EVENTS_MAX + 100
// One row with a log excerpt in it; a quote that is never closed must not swallow the whole.
const ROW_LENGTH_MAX = 1_000_000
// The parser counts the text of a row and not its cells, so a line of nothing but delimiters is
// refused before.
const LINE_LENGTH_MAX = 100_000
// 10,000 rows of 100 columns.
const CELLS_MAX = 1_000_000

/** Null when the text cannot be rows: a line is too long. */
export function readCsvRows(text: string): CsvRows | null {
  if (hasLongLine(text)) return null
  const delimiter = guessDelimiter(text)
  if (hasMoreThan(text, delimiter, CELLS_MAX)) return { rows: [], hasMore: true }
  const rows = parseRows(text, delimiter, true) ?? parseRows(text, delimiter, false)
  if (rows === null) return null
  return { rows: rows.slice(0, ROWS_MAX), hasMore: rows.length > ROWS_MAX }
}

function hasMoreThan(text: string, mark: string, countMax: number): boolean {
  let count = 0
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) {
    count += 1
    if (count > countMax) return true
  }
  return false
}

function hasLongLine(text: string): boolean {
  let start = 0
  for (;;) {
    const newline = text.indexOf('\n', start)
    if (newline === -1) return text.length - start > LINE_LENGTH_MAX
    if (newline - start > LINE_LENGTH_MAX) return true
    start = newline + 1
  }
}

// The head of a file shows its shape; long ones have the same everywhere.
const SAMPLE_LENGTH = 65_536
const SAMPLE_LINES = 40

/** The mark that divides most lines into the same number of columns; a comma when none does. */
export function guessDelimiter(text: string): Delimiter {
  const lines = text
    .slice(0, SAMPLE_LENGTH)
    .split('\n')
    .map((line) => line.replaceAll(/"[^"]*"/g, '""').trim())
    .filter((line) => line !== '')
    .slice(0, SAMPLE_LINES)
  // `sep=;` states the delimiter for spreadsheet programs.
  const told = DELIMITERS.find((delimiter) => lines[0] === `sep=${delimiter}`)
  if (told !== undefined) return told
  const data = lines.filter((line) => !line.startsWith('#'))
  const scores = DELIMITERS.map((delimiter) => scoreDelimiter(data, delimiter))
  const best = scores.indexOf(Math.max(...scores))
  return (scores[best] ?? 0) > 0 ? (DELIMITERS[best] ?? ',') : ','
}

function scoreDelimiter(lines: readonly string[], delimiter: string): number {
  const counts = new Map<number, number>()
  for (const line of lines) {
    const count = line.split(delimiter).length - 1
    if (count > 0) counts.set(count, (counts.get(count) ?? 0) + 1)
  }
  let score = 0
  for (const [count, times] of counts) {
    // Lines that agree weigh more than columns: a semicolon in each line beats commas in some.
    score = Math.max(score, (times / lines.length) * (1 + Math.log2(count) / 10))
  }
  return score
}

interface RowWithInfo {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

function parseRows(text: string, delimiter: Delimiter, quoted: boolean): TableRow[] | null {
  let found: unknown
  try {
    found = parse(text, {
      delimiter,
      quote: quoted ? '"' : false,
      bom: true,
      info: true,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: ROW_LENGTH_MAX,
      to: ROWS_MAX + 1,
    })
  } catch {
    // A quote that is not closed, or a row beyond the limit: the caller reads on without quoting.
    return null
  }
  return Array.isArray(found) ? found.filter(isRowWithInfo).map(toRow) : null
}

function isRowWithInfo(value: unknown): value is RowWithInfo {
  return typeof value === 'object' && value !== null && 'record' in value && 'info' in value
}

function toRow({ record, info }: RowWithInfo): TableRow {
  return { cells: record, line: info.lines }
}
