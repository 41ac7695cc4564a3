// One row of a table with its columns by role: the accused address, URL or domain, and the location
// of each value.

import type { Finding } from '../reading.ts'
import type { ReportKind } from './shadowserver-kinds.ts'
import { type AddressCell, cellText, readAddress, readBareUrl, readDomain } from './table-cells.ts'
import type { ColumnRole, TableHead, TableRow } from './table-columns.ts'

export interface Table {
  /** As a finding names it. */
  readonly part: string
  readonly rows: readonly TableRow[]
  readonly head: TableHead
  /** Told by the name of the file. */
  readonly kind: ReportKind | null
  /** Times may be serial numbers. */
  readonly isSpreadsheet: boolean
}

export interface Subject {
  readonly address: AddressCell | null
  readonly url: string | null
  readonly domain: string | null
}

export class RowReader {
  readonly table: Table
  readonly row: TableRow

  constructor(table: Table, row: TableRow) {
    this.table = table
    this.row = row
  }

  /** The cell of the column with that role; empty when there is none. */
  cell(role: ColumnRole): string {
    const index = this.table.head.roles.indexOf(role)
    const text = index === -1 ? '' : (this.row.cells[index] ?? '').trim()
    return PLACEHOLDERS.has(text.toLowerCase()) ? '' : text
  }

  text(role: ColumnRole): string | undefined {
    const text = this.cell(role)
    return text === '' ? undefined : cellText(text)
  }

  /** The accused address, URL or domain; null when the row names none. */
  findSubject(): Subject | null {
    const address = readAddress(this.cell('ip'))
    const url = readBareUrl(this.cell('url')) ?? null
    // A host name beside an address is its reverse name, not what is complained about.
    const named = readDomain(this.cell('domain')) ?? readDomain(this.cell('ip'))
    const domain = named ?? (address === null ? readDomain(this.cell('hostname')) : null)
    return address === null && url === null && domain === null ? null : { address, url, domain }
  }

  find(field: string, value: string, role: ColumnRole, reason?: string): Finding {
    const index = this.table.head.roles.indexOf(role)
    const name = this.table.head.names[index] ?? role
    return {
      field,
      value,
      part: this.table.part,
      line: this.row.line,
      excerpt: index === -1 ? this.excerpt() : cellText(this.row.cells[index] ?? '', 200),
      role: field === '/ip' ? 'source' : null,
      rank: null,
      reason: reason ?? `It stands in the column ${cellText(name, 60)}.`,
    }
  }

  excerpt(): string {
    return cellText(this.row.cells.join(' | '), 200)
  }

  passOver(): Finding {
    const { part } = this.table
    const value = cellText(this.cell('ip') || this.cell('url'), 100)
    const reason = 'The row names no address, URL or domain that can be looked for.'
    const excerpt = this.excerpt()
    return {
      field: '/ip',
      value,
      part,
      line: this.row.line,
      excerpt,
      role: null,
      rank: null,
      reason,
    }
  }
}

const PLACEHOLDERS = new Set([
  '',
  '-',
  '--',
  'n/a',
  'na',
  'none',
  'null',
  'unknown',
  'nan',
  '0.0.0.0',
])
