// CSV of customers, contracts or resources as rows for their bulk endpoints: a line is a record,
// the first line names the columns.

import { parse } from 'csv-parse/sync'
import { readLines } from './read-file-lines.ts'

const OWNER_FORMATS = ['customers', 'contracts', 'resources'] as const
export type OwnerFormat = (typeof OWNER_FORMATS)[number]

export type OwnerEntry =
  | { readonly kind: 'row'; readonly lineNumber: number; readonly row: object }
  | { readonly kind: 'refused'; readonly lineNumber: number; readonly reason: string }

interface OwnerColumns {
  /** From the name of a column to the member of the row. */
  readonly members: Readonly<Record<string, string>>
  readonly required: readonly string[]
  /** Columns that together are the one contact of a customer. */
  readonly contact: readonly string[]
}

const VALIDITY = { valid_from: 'valid_from', valid_until: 'valid_until' }

const COLUMNS: Readonly<Record<OwnerFormat, OwnerColumns>> = {
  customers: {
    members: { customer: 'id', name: 'name', parent: 'parent_customer_id' },
    required: ['customer'],
    contact: ['email', 'language', 'purpose'],
  },
  contracts: {
    members: { contract: 'id', customer: 'customer_id', name: 'name', ...VALIDITY },
    required: ['contract', 'customer'],
    contact: [],
  },
  resources: {
    members: {
      kind: 'kind',
      value: 'value',
      customer: 'customer_id',
      contract: 'contract_id',
      ...VALIDITY,
    },
    required: ['kind', 'value', 'customer'],
    contact: [],
  },
}

/** The first line does not name the columns; the message is one sentence for a person. */
export class OwnersFileNotReadable extends Error {}

/**
 * Rows in the order of the file; an empty field is left out of its row. Throws
 * OwnersFileNotReadable before the first row.
 */
export async function* readOwnersFile(
  format: OwnerFormat,
  input: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<OwnerEntry> {
  let head: { readonly columns: readonly string[]; readonly delimiter: string } | null = null
  for await (const { number: lineNumber, text } of readLines(input)) {
    // Not trimmed: in a file with tabs, those at the ends of a line are empty fields.
    const line = text?.replace(/^\uFEFF/, '')
    if (line !== undefined && /^\s*(?:#|$)/.test(line)) continue
    if (head === null) {
      head = readHead(format, line ?? '')
      continue
    }
    const fields = line === undefined ? null : splitLine(line, head.delimiter)
    const read = fields === null ? 'The line is no CSV.' : readRow(format, head.columns, fields)
    if (typeof read === 'string') yield { kind: 'refused', lineNumber, reason: read }
    else yield { kind: 'row', lineNumber, row: read }
  }
  if (head === null) throw new OwnersFileNotReadable('The file is empty.')
}

/** The column of the member at this JSON pointer of a row; null when no column gives it. */
export function nameColumn(format: OwnerFormat, path: string): string | null {
  const { members, contact } = COLUMNS[format]
  const [column] = Object.entries(members).find(([, member]) => path === `/${member}`) ?? []
  return column ?? contact.find((name) => path === `/contacts/0/${name}`) ?? null
}

function readHead(format: OwnerFormat, line: string) {
  const { members, required, contact } = COLUMNS[format]
  const known = [...Object.keys(members), ...contact]
  const [delimiter = ','] = [',', ';', '\t'].toSorted(
    (one, other) => line.split(other).length - line.split(one).length,
  )
  const columns = (splitLine(line, delimiter) ?? []).map((name) => name.toLowerCase())
  const unknown = columns.filter((name) => !known.includes(name))
  const missing = required.filter((name) => !columns.includes(name))
  if (unknown.length > 0 || missing.length > 0 || new Set(columns).size < columns.length) {
    throw new OwnersFileNotReadable(
      `The first line must name the columns, each once: ${known.join(', ')}; needed are ${required.join(', ')}.`,
    )
  }
  return { columns, delimiter }
}

/** Null for a line with a quote that is not closed: fields of several lines are not read. */
function splitLine(line: string, delimiter: string): readonly string[] | null {
  try {
    const rows: unknown = parse(line, { delimiter, trim: true })
    const [fields]: unknown[] = Array.isArray(rows) ? rows : []
    return Array.isArray(fields) ? fields.map(String) : null
  } catch {
    return null
  }
}

function readRow(
  format: OwnerFormat,
  columns: readonly string[],
  fields: readonly string[],
): object | string {
  if (fields.length !== columns.length) {
    return `The line has ${fields.length} fields; the first line names ${columns.length}.`
  }
  const { members, contact } = COLUMNS[format]
  const given = new Map(
    columns
      .map((name, index) => [name, fields[index] ?? ''] as const)
      .filter(([, text]) => text !== ''),
  )
  const pick = (names: readonly (readonly [string, string])[]): Record<string, string> =>
    Object.fromEntries(
      names.flatMap(([column, member]) => {
        const text = given.get(column)
        return text === undefined ? [] : [[member, text]]
      }),
    )
  const row = pick(Object.entries(members))
  const person = pick(contact.map((name) => [name, name] as const))
  return Object.keys(person).length === 0 ? row : { ...row, contacts: [person] }
}
