// Builds a draft of an event from each table row that names an address, a URL or a domain. The
// other rows are ignored, with a finding.

import type { EventDraft } from '../event-draft.ts'
import type { Finding } from '../reading.ts'
import { PASSED_OVER_MAX } from './machine-report.ts'
import { readDomain } from './table-cells.ts'
import type { ColumnRole, TableRow } from './table-columns.ts'
import { chooseRowKind, type MailWords, type RowKind } from './table-kind.ts'
import { RowReader, type Subject, type Table } from './table-row.ts'
import { describeRow, type TimeColumns } from './table-row-details.ts'
import { findZoneInName, guessDayFirst, readTableTime, type TimeReading } from './table-times.ts'

export interface TableReading {
  readonly drafts: readonly EventDraft[]
  readonly passedOver: readonly Finding[]
}

export function readTableRows(table: Table, fromMail: () => MailWords): TableReading {
  const drafts: EventDraft[] = []
  const passedOver: Finding[] = []
  const times = readTimeColumns(table)
  for (const row of table.rows.slice(table.head.start)) {
    if (isBlankOrRemark(row)) continue
    const reader = new RowReader(table, row)
    const subject = reader.findSubject()
    if (subject !== null) {
      drafts.push(draftRow(reader, subject, times, fromMail))
    } else if (passedOver.length < PASSED_OVER_MAX) {
      passedOver.push(reader.passOver())
    }
  }
  return { drafts, passedOver }
}

function isBlankOrRemark(row: TableRow): boolean {
  return row.cells.every((cell) => cell.trim() === '') || (row.cells[0] ?? '').startsWith('#')
}

const TIME_ROLES: readonly ColumnRole[] = ['time', 'date', 'clock', 'first_seen', 'last_seen']
const ORDER_SAMPLE_ROWS = 500

function readTimeColumns({ rows, head, isSpreadsheet }: Table): TimeColumns {
  const entries = TIME_ROLES.flatMap((role): [ColumnRole, TimeReading][] => {
    const index = head.roles.indexOf(role)
    if (index === -1) return []
    const sample = rows.slice(head.start, head.start + ORDER_SAMPLE_ROWS)
    const dayFirst = guessDayFirst(sample.map((row) => row.cells[index] ?? ''))
    const zoneMinutes = head.hasHeader ? findZoneInName(head.names[index] ?? '') : 0
    return [[role, { dayFirst, zoneMinutes, serial: isSpreadsheet }]]
  })
  return new Map(entries)
}

function draftRow(
  reader: RowReader,
  subject: Subject,
  times: TimeColumns,
  fromMail: () => MailWords,
): EventDraft {
  const { address, url, domain } = subject
  const kind = chooseRowKind(
    {
      category: reader.cell('category'),
      tag: reader.cell('tag'),
      malware: reader.cell('malware'),
      cve: reader.cell('cve'),
      service: reader.cell('service'),
      hasUrl: url !== null,
    },
    reader.table.kind,
    fromMail,
  )
  const time = readRowTime(reader, times)
  return {
    eventType: kind.eventType,
    eventSubtypes: kind.eventSubtypes,
    atMs: time.ms,
    ip: address?.ip ?? null,
    url,
    ...(url === null && domain !== null ? { domain } : {}),
    details: describeRow(reader, subject, times),
    findings: listFindings(reader, subject, kind, time),
  }
}

interface RowTime {
  readonly ms: number | null
  readonly role: ColumnRole
}

// The time of the event, else when it was last seen, else first.
function readRowTime(reader: RowReader, times: TimeColumns): RowTime {
  const date = reader.cell('date')
  if (date !== '' && reader.table.head.roles.includes('clock')) {
    const reading = times.get('date') ?? {}
    // A spreadsheet keeps the day and the part of it as two numbers.
    const parts = [date, reader.cell('clock')]
    const isSerial = parts.every((part) => /^\d+(?:\.\d+)?$/.test(part))
    const joined = isSerial ? String(Number(parts[0]) + Number(parts[1])) : parts.join(' ')
    const ms = readTableTime(joined, { ...times.get('clock'), ...reading })
    return { ms: ms ?? readTableTime(date, reading), role: 'date' }
  }
  for (const role of ['time', 'last_seen', 'first_seen'] as const) {
    const ms = readTableTime(reader.cell(role), times.get(role))
    if (ms !== null) return { ms, role }
  }
  return { ms: null, role: 'time' }
}

function listFindings(
  reader: RowReader,
  { address, url, domain }: Subject,
  kind: RowKind,
  time: RowTime,
): readonly Finding[] {
  const findings: Finding[] = []
  if (address !== null) findings.push(reader.find('/ip', address.ip, 'ip'))
  if (url !== null) {
    findings.push(reader.find('/event_details/url', url, 'url'))
  } else if (domain !== null) {
    findings.push(reader.find('/domain', domain, domainRole(reader, domain)))
  }
  if (time.ms !== null) {
    findings.push(reader.find('/event_date', new Date(time.ms).toISOString(), time.role))
  }
  findings.push(reader.find('/event_type', kind.eventType, 'category', kind.reason))
  return findings
}

function domainRole(reader: RowReader, domain: string): ColumnRole {
  const roles: readonly ColumnRole[] = ['domain', 'ip', 'hostname']
  return roles.find((role) => readDomain(reader.cell(role)) === domain) ?? 'domain'
}
