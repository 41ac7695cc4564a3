// Explains why a bare text cannot be read, by its kind: XML, a table or broken JSON. The sender can
// mend only a fault that is named.

import { readCsvRows } from './formats/csv-table.ts'
import { readPartText } from './formats/part-text.ts'
import { readTableHead, type TableRow } from './formats/table-columns.ts'
import type { MailPart } from './mail/mail.ts'

const NAMES_MAX = 10
const NAME_LENGTH_MAX = 40
// The kind of a text shows at its beginning.
const HEAD_LENGTH_MAX = 65_536

/** A public sentence; null when the text is none of these. */
export function explainUnknown(part: MailPart): string | null {
  const text = readPartText(part)?.trimStart() ?? ''
  const root = findRoot(text.slice(0, HEAD_LENGTH_MAX))
  if (root !== null) {
    return `The report is XML, but of no kind that is read here: its root element is <${root}>.`
  }
  return text === '' || /^[[{"]/.test(text) ? null : explainTable(text)
}

const BEFORE_ROOT = /(?:<\?[^>]{0,1000}>|<!--(?:(?!-->)[^]){0,4000}-->|<!DOCTYPE[^>]{0,1000}>|\s)*/y
const ROOT = /<([A-Za-z_][\w.:-]{0,60})(?:[\s/>]|$)/y

function findRoot(text: string): string | null {
  BEFORE_ROOT.lastIndex = 0
  ROOT.lastIndex = BEFORE_ROOT.exec(text)?.[0].length ?? 0
  return ROOT.exec(text)?.[1] ?? null
}

function explainTable(text: string): string | null {
  const rows = readCsvRows(text)?.rows ?? []
  const [first] = rows.filter(({ cells }) => cells.length > 1)
  if (first === undefined) return null
  const head = readTableHead(rows)
  if (head === null) {
    return `The report is a table, but none of its columns is one of addresses, domains or links; they are: ${listNames(first)}.`
  }
  return `The report is a table, but none of its ${rows.length - head.start} rows names an address, a domain or a link that can be reported.`
}

function listNames({ cells }: TableRow): string {
  const names = cells.slice(0, NAMES_MAX).map((cell) =>
    cell
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .slice(0, NAME_LENGTH_MAX),
  )
  return `${names.join(', ')}${cells.length > NAMES_MAX ? ', …' : ''}`
}
