// Reads the event details of a table row under their common names, and the other columns under the
// names of the columns.

import type { JsonObject, JsonValue } from '../../values/json-value.ts'
import { cellText, listCves, readAddress, readPort } from './table-cells.ts'
import type { ColumnRole } from './table-columns.ts'
import type { RowReader, Subject } from './table-row.ts'
import { readTableTime, type TimeReading } from './table-times.ts'

/** How the columns of time are to be read, decided once a table. */
export type TimeColumns = ReadonlyMap<ColumnRole, TimeReading>

export function describeRow(reader: RowReader, subject: Subject, times: TimeColumns): JsonObject {
  const seen = (role: ColumnRole): string | undefined => {
    const ms = readTableTime(reader.cell(role), times.get(role))
    return ms === null ? undefined : new Date(ms).toISOString()
  }
  const cves = listCves(`${reader.cell('cve')} ${reader.cell('tag')}`)
  return withoutAbsent({
    port: readPort(reader.cell('port')) ?? subject.address?.port ?? undefined,
    protocol: reader.text('protocol')?.toLowerCase(),
    service: reader.text('service'),
    target: describeTarget(reader),
    asn: readAsn(reader.cell('asn')),
    organisation: reader.text('organisation'),
    geo: reader.text('geo'),
    hostname: reader.text('hostname'),
    severity: reader.text('severity'),
    tag: reader.text('tag'),
    category: reader.text('category'),
    malware: reader.text('malware'),
    cve: cves.length === 0 ? undefined : cves,
    count: readCount(reader.cell('count')),
    first_seen: seen('first_seen'),
    last_seen: seen('last_seen'),
    external_case_id: reader.text('case_id'),
    range: subject.address?.range ?? undefined,
    file: describeFile(reader),
    description: reader.text('note'),
    sample: reader.text('sample'),
    report_kind: reader.table.kind?.name,
    fields: describeRest(reader),
  })
}

function describeTarget(reader: RowReader): JsonObject | undefined {
  const address = readAddress(reader.cell('target_ip'))
  const target = withoutAbsent({
    ip: address?.ip,
    port: readPort(reader.cell('target_port')) ?? address?.port ?? undefined,
    url: reader.text('target_url'),
    host: reader.text('target_host'),
    brand: reader.text('brand'),
  })
  return Object.keys(target).length === 0 ? undefined : target
}

function describeFile(reader: RowReader): JsonObject | undefined {
  const file = withoutAbsent({
    name: reader.text('file_name'),
    hash: reader.text('file_hash'),
    size: readCount(reader.cell('file_size')),
  })
  return Object.keys(file).length === 0 ? undefined : file
}

// Columns of the special report stay under their own names; a row has some 30 of them, 60 at most
// in the widest catalogue.
const REST_COLUMNS_MAX = 60
const REST_LENGTH_MAX = 500

function describeRest({ table, row }: RowReader): JsonObject | undefined {
  const rest = table.head.names.flatMap((name, index): [string, string][] => {
    const cell = row.cells[index] ?? ''
    const isRest = table.head.roles[index] === null && cell.trim() !== '' && name !== ''
    return isRest ? [[cellText(name, 100), cellText(cell, REST_LENGTH_MAX)]] : []
  })
  return rest.length === 0 ? undefined : Object.fromEntries(rest.slice(0, REST_COLUMNS_MAX))
}

function readAsn(cell: string): number | undefined {
  const match = /^(?:AS)?(\d{1,10})(?:\D|$)/i.exec(cell)
  return match === null ? undefined : Number(match[1])
}

function readCount(cell: string): number | undefined {
  return /^\d{1,15}(?:\.0+)?$/.test(cell) ? Number(cell) : undefined
}

function withoutAbsent(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const present = Object.entries(members).filter(
    (entry): entry is [string, JsonValue] => entry[1] !== undefined,
  )
  return Object.fromEntries(present)
}
