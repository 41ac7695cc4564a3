// Tables in text: what stands at the head of the column an address is in. HTML tables arrive with `
// | ` between their cells.

import { findLabels } from './find-label.ts'

export interface Table {
  /** Line of the heads. */
  readonly index: number
  readonly heads: readonly string[]
  readonly separator: RegExp
}

const SEPARATORS = [/\|/, /\t/, /;/, /,/, /\s{2,}/] as const
const COLUMNS_MAX = 60
const HEAD_LENGTH_MAX = 48

/**
 * A line whose cells are names, at least one of a column that matters; null for every other line.
 */
export function readTableHeads(line: string, index: number): Table | null {
  const text = line.slice(0, 2_000).trim()
  const fields = /^#fields: /i.exec(text)
  if (fields !== null) {
    // The extended log format of web servers (W3C) names its columns so.
    const heads = text.slice(fields[0].length).split(' ')
    return { index, heads: heads.slice(0, COLUMNS_MAX), separator: / / }
  }
  for (const separator of SEPARATORS) {
    if (!separator.test(text)) continue
    const heads = splitCells(text, separator)
    if (heads.length < 2 || heads.length > COLUMNS_MAX) continue
    if (heads.some((head) => head.length > HEAD_LENGTH_MAX || /\d{3}/.test(head))) continue
    if (separator.source === ',' && (heads.length < 3 || heads.some((head) => head === ''))) {
      continue
    }
    // A sentence with a comma or a label with its value are no heads.
    if (/[.!?:]$/.test(text) || heads.some((head) => /[:：]$/.test(head))) continue
    if (heads.some((head) => findLabels(head).length > 0)) return { index, heads, separator }
  }
  return readFieldNames(text, index)
}

/**
 * Names of fields with a blank between them; words of a sentence are none, so both sides must be
 * named.
 */
function readFieldNames(text: string, index: number): Table | null {
  if (!text.includes('_')) return null
  const heads = text.split(' ')
  if (heads.length > 20 || heads.some((head) => !/^[a-z][\w.-]{1,30}$/i.test(head))) return null
  const labels = heads.flatMap((head) => findLabels(head).map(({ label }) => label))
  const isTable = labels.includes('source') && labels.includes('target')
  return isTable ? { index, heads, separator: / / } : null
}

/** The number of the column; null when the line is not a row of that table. */
export function findColumn(table: Table, line: string, column: number): number | null {
  const start = line.length - line.trimStart().length
  const text = line.slice(start, start + 4_000)
  const cells = splitCells(text.trimEnd(), table.separator)
  if (cells.length < table.heads.length - 1 || cells.length > table.heads.length + 1) return null
  const before = text.slice(0, Math.max(0, column - start))
  const number = before.split(table.separator).length - 1 - (text.startsWith('|') ? 1 : 0)
  return number >= 0 && number < table.heads.length ? number : null
}

export function isTableRow(table: Table, line: string): boolean {
  // Behind the first character, which may be the border of a drawn table.
  return findColumn(table, line, line.length - line.trimStart().length + 1) !== null || isRule(line)
}

const FIELD_WORDS_MAX = 3

/**
 * `Brand | Some Bank`, `URL | https://…`: of two columns the first one names what the second holds,
 * and no line is the head of both.
 */
export function isFieldRow(table: Table | null, text: string): boolean {
  if (table?.heads.length !== 2 || table.separator.source !== '\\|') return false
  const [name = ''] = splitCells(text.slice(0, 400), table.separator)
  const words = name.match(/\p{L}+/gu)?.length ?? 0
  const isName = words > 0 && words <= FIELD_WORDS_MAX && !/[\d.]/.test(name)
  return isName && findLabels(name).length > 0
}

/**
 * The name of the field that `left`, the beginning of a line of two cells, ends in the value of;
 * null when it is no such line.
 */
export function findFieldName(left: string): string | null {
  const cells = left.split('|', 3)
  return cells.length === 2 ? (cells[0]?.trim() ?? null) : null
}

/** The line under the heads, or around the table. */
export function isRule(line: string): boolean {
  return /^[\s|+\-=:_]*$/.test(line)
}

function splitCells(text: string, separator: RegExp): readonly string[] {
  const inner = separator.source === '\\|' ? text.replace(/^\|/, '').replace(/\|$/, '') : text
  return inner.split(separator, COLUMNS_MAX + 1).map((cell) => cell.trim())
}
