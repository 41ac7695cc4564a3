// POST /beta/casework/customers/bulk, /contracts/bulk, /resources/bulk: up to 10,000 rows as an
// array or NDJSON. A wrong row does not stop the others. A row changes the members that it names of
// an existing record, so that an import can be repeated.

import { requireCaller } from '../../access/admit-request.ts'
import { parseJsonBody } from '../../kernel/http/read-body.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { compileBodyCheck } from '../../kernel/http/validator.ts'
import { OperatingError } from '../../kernel/operating-error.ts'
import { findUnstorableText } from '../../values/json-value.ts'
import { ownersNotReadable } from './errors.ts'
import { type OwnerRecords } from './owner-records.ts'
import { OWNER_ROWS_MAX, OwnerImport, presentImport, rowsOf } from './owner-wire.ts'
import { importOwners, type OwnerDeps, type OwnerRowInput, refuseRow } from './save-owners.ts'

// 10,000 rows of 800 bytes: a customer with contacts and notes.
const BODY_BYTES_MAX = 8 * 1024 * 1024

export function importOwnersRoute(deps: OwnerDeps, records: OwnerRecords): Route {
  const { kind, title } = records
  const check = compileBodyCheck(records.newSchema)
  return defineRoute({
    method: 'POST',
    path: `${records.path}/bulk`,
    group: 'casework',
    access: { kind: 'scope', scope: 'customers:write' },
    operationId: `import${title}s`,
    summary: `Store up to ${OWNER_ROWS_MAX.toLocaleString('en')} ${kind.noun}s at once`,
    description:
      'Valid rows are stored together; every other row is reported by its index. A row changes the members that it names of an existing record.',
    body: rowsOf(records.newSchema),
    consumes: ['application/json', 'application/x-ndjson', 'application/jsonl'],
    // A wrong row is reported by its index, so the body is never refused for it.
    checksOwnBody: true,
    checksOwnText: true,
    bodyLimit: BODY_BYTES_MAX,
    responses: {
      200: {
        description: 'The number of stored rows, and the rejected ones.',
        schema: OwnerImport,
      },
      400: { description: 'The body is not readable, or has no rows or too many.' },
    },
    async handle({ caller, body }) {
      const { tenantId } = requireCaller(caller)
      const inputs = Buffer.isBuffer(body) ? readLines(body) : readArray(body)
      const imported = await importOwners(deps, { tenantId }, kind, inputs)
      return { status: 200, json: presentImport(imported) }
    },
  })

  function readArray(rows: unknown): readonly OwnerRowInput[] {
    if (!Array.isArray(rows) || rows.length === 0 || rows.length > OWNER_ROWS_MAX) {
      throw tooManyOrNone()
    }
    return rows.map(readRow)
  }

  function readRow(row: unknown): OwnerRowInput {
    const trouble = check(row)
    if (trouble !== null) return { kind: 'refused', ...refuseRow(trouble.fields) }
    const path = findUnstorableText(row)
    if (path === null) return { kind: 'row', input: records.readNew(row) }
    return { kind: 'refused', ...refuseRow([{ path, reason: 'has U+0000 or a lone surrogate' }]) }
  }

  /** NDJSON: one row a line; blank lines are skipped. */
  function readLines(bytes: Buffer): readonly OwnerRowInput[] {
    const rows: OwnerRowInput[] = []
    for (let start = 0; start < bytes.length; ) {
      const newline = bytes.indexOf(0x0a, start)
      const end = newline === -1 ? bytes.length : newline
      const line = bytes.subarray(start, end)
      start = end + 1
      if (line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)) continue
      if (rows.length === OWNER_ROWS_MAX) throw tooManyOrNone()
      rows.push(readLine(line))
    }
    if (rows.length === 0) throw tooManyOrNone()
    return rows
  }

  function readLine(line: Buffer): OwnerRowInput {
    try {
      return readRow(parseJsonBody(line))
    } catch (error) {
      if (!(error instanceof OperatingError)) throw error
      return { kind: 'refused', reason: 'The line is not valid JSON.', problems: [] }
    }
  }
}

function tooManyOrNone(): OperatingError {
  return ownersNotReadable(`Send 1 to ${OWNER_ROWS_MAX.toLocaleString('en')} rows at once.`)
}
