// Reader of tables that report a row at a time: CSV of Shadowserver and CERT kind, workbooks, lists
// of JSON objects.

import type { MailPart } from '../mail/mail.ts'
import type { MailFormat, MailReport } from '../mail-format.ts'
import type { ReportResult } from '../reading.ts'
import { classifyReport } from '../text/evidence/classify-report.ts'
import { readCsvRows } from './csv-table.ts'
import { buildResult, explainTooMany, MACHINE_EVENTS_MAX } from './machine-report.ts'
import { namePart, readPartText } from './part-text.ts'
import { readKindOfFile } from './shadowserver-kinds.ts'
import { readTableHead, type TableRow } from './table-columns.ts'
import { readJsonRows } from './table-json.ts'
import type { MailWords } from './table-kind.ts'
import type { Table } from './table-row.ts'
import { readTableRows, type TableReading } from './table-rows.ts'
import { readWorkbook, type Sheet, type WorkbookResult } from './xlsx-table.ts'

/** Csv, xlsx and JSON rows alike; `report_kind` and the findings tell which file. */
const FORMAT = 'table'

export const TABLE_FORMAT: MailFormat = { name: FORMAT, read: readTables }

function readTables(report: MailReport): ReportResult | null {
  const found = findTables(report)
  if ('kind' in found) return found
  const fromMail = askMailOnce(report)
  const readings = found.map((table) => readTableRows(table, fromMail))
  const drafts = readings.flatMap((reading) => reading.drafts)
  // A table without anybody in it, such as one that only links to the data, may still be explained
  // by the text around it.
  if (drafts.length === 0) return explainEmptyTable(report, found, readings)
  return buildResult(
    {
      format: FORMAT,
      drafts,
      passedOver: readings.flatMap((reading) => reading.passedOver),
      emptyReason: 'The table names nobody.',
    },
    report,
  )
}

/** A bare table without a row says so; beside a mail it is told with the other parts. */
function explainEmptyTable(
  { mail }: MailReport,
  tables: readonly Table[],
  readings: readonly TableReading[],
): ReportResult | null {
  const isHollow = readings.every(({ passedOver }) => passedOver.length === 0)
  const isBare = mail.headers.length === 0 && tables.length > 0
  if (!isBare || !isHollow) return null
  const reason = 'The table has a head and no rows.'
  return { kind: 'no_report', format: FORMAT, reason, passedOver: [] }
}

// The same words would be weighed for each of 10,000 rows.
function askMailOnce(report: MailReport): () => MailWords {
  let answer: MailWords | null = null
  return () => {
    answer ??= {
      classified: classifyReport({
        report,
        texts: report.texts.filter(({ kind }) => kind === 'subject' || kind === 'body'),
        urls: [],
        hasEnclosedMail: false,
        ports: [],
        beside: [],
      }),
      subject: report.mail.subject,
    }
    return answer
  }
}

type Unreadable = Extract<ReportResult, { kind: 'unreadable' }>

// A mail has at most 1,000 parts; a report of more tables than this is sent in several.
const TABLES_MAX = 50

const TOO_MANY_TABLES: Unreadable = {
  kind: 'unreadable',
  reason: `The report has more than ${TABLES_MAX} tables; no more are read from one report.`,
}

/** Or why the report cannot be read. */
function findTables(report: MailReport): readonly Table[] | Unreadable {
  const tables: Table[] = []
  for (const source of listSources(report)) {
    if (source.kind === 'refused') return { kind: 'unreadable', reason: source.reason }
    const { rows, part, fileName, isStrict, isNamed, isSpreadsheet } = source
    const head = readTableHead(rows, { isStrict, isNamed })
    const isTooLarge = source.hasMore && (head !== null || (rows.length === 0 && !isStrict))
    if (isTooLarge) return explainTooMany(MACHINE_EVENTS_MAX + 1)
    if (head === null) continue
    if (tables.length === TABLES_MAX) return TOO_MANY_TABLES
    const kind = readKindOfFile(fileName)
    tables.push({ part, rows, head, kind, isSpreadsheet })
  }
  return tables
}

interface RowSource {
  readonly kind: 'rows'
  readonly rows: readonly TableRow[]
  readonly part: string
  readonly fileName: string
  /** The carrier does not say that it is a table, so that its header must. */
  readonly isStrict: boolean
  /** The first row holds the names of the columns for sure. */
  readonly isNamed: boolean
  readonly isSpreadsheet: boolean
  readonly hasMore: boolean
}

function* listSources(report: MailReport): Generator<RowSource | RefusedWorkbook> {
  const isBare = report.mail.headers.length === 0
  for (const part of report.mail.parts) {
    const workbook = readWorkbook(part)
    if (workbook?.kind === 'refused') yield workbook
    if (workbook !== null) {
      if (workbook.kind === 'sheets') yield* workbook.sheets.map((sheet) => sourceOf(sheet, part))
      continue
    }
    const claim = judgeClaim(part, isBare, report.context.mediaType)
    if (claim === 'none') continue
    const source = readPart(part, claim)
    if (source !== null) yield source
  }
}

type RefusedWorkbook = Extract<WorkbookResult, { kind: 'refused' }>

function sourceOf(sheet: Sheet, { fileName }: MailPart): RowSource {
  const told = { isStrict: false, isNamed: false, isSpreadsheet: true }
  return { kind: 'rows', ...sheet, fileName: fileName ?? '', ...told }
}

type Claim = 'csv' | 'json' | 'perhaps' | 'none'

const CSV_TYPES =
  /^(?:text|application)\/(?:csv|x-csv|tab-separated-values|x-comma-separated-values|comma-separated-values)$/
const JSON_TYPES = /^application\/(?:json|x-ndjson|ndjson|jsonl|x-jsonlines)$/

const OTHER_TYPES = /^(?:text\/(?:html|xml)|image\/|audio\/|video\/|message\/|multipart\/)/
const OTHER_NAMES = /\.(?:xml|html?|eml|pdf|zip|gz|xlsx|png|jpe?g|gif|asc|p7s|docx?|rels)$/

// What the part says it is. Text that came as a file may be a table under any name; the text of the
// mail itself is not ours.
function judgeClaim(part: MailPart, isBare: boolean, carrierType: string): Claim {
  const name = part.fileName?.toLowerCase() ?? ''
  // Of a bare text the carrier's name is believed only where it says table: the content decides.
  const type = isBare && CSV_TYPES.test(carrierType) ? carrierType : part.mediaType
  if (/\.(?:csv|tsv|tab)$/.test(name) || CSV_TYPES.test(type)) return 'csv'
  if (/\.(?:json|ndjson|jsonl)$/.test(name) || JSON_TYPES.test(type)) return 'json'
  if (OTHER_TYPES.test(type) || OTHER_NAMES.test(name)) return 'none'
  if (isBare || (part.isAttachment && name !== '')) return 'perhaps'
  return 'none'
}

function readPart(part: MailPart, claim: Claim): RowSource | null {
  const text = readPartText(part)
  if (text === null) return null
  const base = {
    kind: 'rows',
    part: namePart(part),
    fileName: part.fileName ?? '',
    isSpreadsheet: false,
  } as const
  const json = claim === 'csv' ? null : readJsonRows(text)
  if (json !== null) {
    const hasMore = json.length > MACHINE_EVENTS_MAX + 1
    return { ...base, rows: json, isStrict: false, isNamed: true, hasMore }
  }
  if (claim === 'json') return null
  const csv = readCsvRows(text)
  return csv === null ? null : { ...base, ...csv, isStrict: claim === 'perhaps', isNamed: false }
}
