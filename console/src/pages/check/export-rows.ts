// The checked rows as the text of a file.

import { toCsv } from '../../parts/csv.ts'
import type { CheckedRow } from './use-check.ts'

const HEAD = ['item', 'type', 'intent', 'serviceMailBlocklist', 'activity', 'bogon', 'lines']

export function toCsvOfRows(rows: readonly CheckedRow[]): string {
  return toCsv([
    HEAD,
    ...rows.map(({ item, lines, verdict }) => [
      item,
      verdict.type,
      verdict.intent,
      verdict.serviceMailBlocklist,
      String(verdict.activity),
      String(verdict.bogon),
      lines.join(' '),
    ]),
  ])
}

export function toJsonOfRows(rows: readonly CheckedRow[]): string {
  const records = rows.map(({ item, lines, verdict }) => ({ ...verdict, item, lines }))
  return `${JSON.stringify(records, null, 2)}\n`
}
