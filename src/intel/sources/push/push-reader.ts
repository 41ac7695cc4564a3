// Reads the bytes of a push into staged rows: a JSON array at once, or NDJSON in pieces. Pure, so
// it runs in the serving thread or in the thread of push-thread.ts.

import { isUtf8 } from 'node:buffer'
import { parseJsonBody } from '../../../kernel/http/read-body.ts'
import { pushHasTooManyRows, pushNotReadable } from '../../errors.ts'
import { kindOfTable, type StagedTable } from '../../facts/source-kinds.ts'
import type { PushResult } from './push-wire.ts'
import { readContactRow } from './read-contact-row.ts'
import {
  type RowContext,
  readEntryRow,
  readListingRow,
  readNetworkRow,
  readSightingRow,
  readTaggingRow,
} from './read-pushed-row.ts'
import { type ContactStatement, type StagedContacts, stageContacts } from './staged-contacts.ts'
import { RowStager, type StagedRows } from './staged-rows.ts'

/** Rows of a JSON array (design section 10). */
export const ARRAY_ROWS_MAX = 10_000
// With more rejected rows than this the body has another format; a longer list would not help.
const REJECTED_MAX = 10_000
// The longest valid row has about 2 KiB.
const LINE_BYTES_MAX = 64 * 1_024
const NEWLINE = 10

/**
 * The kind of rows: sightings, statements (listings, allowances, taggings or own networks), the
 * entries of the one source that the path names, or abuse contacts.
 */
export type PushForm =
  | { readonly kind: 'sightings' }
  | { readonly kind: 'statements'; readonly table: StagedTable }
  | { readonly kind: 'entries'; readonly table: StagedTable; readonly source: string }
  | { readonly kind: 'contacts' }

export interface ReadPush {
  readonly accepted: number
  readonly rejected: PushResult['rejected']
  /** All rows but contacts. */
  readonly staged: StagedRows
  readonly contacts: StagedContacts
}

/**
 * Reads one push. Throws INTEL_PUSH_NOT_READABLE, INTEL_PUSH_HAS_TOO_MANY_ROWS or
 * KERNEL_REQUEST_NOT_VALID; after that it must not be used any more.
 */
export class PushReader {
  readonly #form: PushForm
  readonly #context: RowContext
  readonly #stager: RowStager
  readonly #contacts: ContactStatement[] = []
  readonly #rejected: PushResult['rejected'] = []
  #index = 0
  #rest: Buffer = Buffer.alloc(0)
  #isFirst = true

  /** `keepsFacts` for a large push, so that it need not be read back from the database. */
  constructor(form: PushForm, context: RowContext, { keepsFacts = false } = {}) {
    this.#form = form
    this.#context = context
    this.#stager = new RowStager({ keepsFacts })
  }

  /** A whole JSON array. */
  takeArray(bytes: Buffer): void {
    const body = parseJsonBody(bytes)
    if (!Array.isArray(body)) throw pushNotReadable('the body must be a JSON array of rows.')
    if (body.length > ARRAY_ROWS_MAX) throw pushHasTooManyRows(ARRAY_ROWS_MAX)
    for (const value of body) this.#takeRow(value)
  }

  /** The next bytes of NDJSON, cut anywhere. Blank lines are not rows and have no index. */
  takeLines(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const end = bytes.lastIndexOf(NEWLINE) + 1
    this.#rest = bytes.subarray(end)
    if (this.#rest.length > LINE_BYTES_MAX) throw lineTooLong()
    if (end > 0) this.#takeWholeLines(bytes.subarray(0, end))
  }

  finish(): ReadPush {
    if (this.#rest.length > 0) this.#takeWholeLines(this.#rest)
    const staged = this.#stager.build()
    return {
      accepted: staged.rowCount + this.#contacts.length,
      rejected: this.#rejected,
      staged,
      contacts: stageContacts(this.#contacts),
    }
  }

  #takeWholeLines(bytes: Buffer): void {
    if (!isUtf8(bytes)) throw pushNotReadable('the body is not valid UTF-8.')
    const text = bytes.toString('utf8')
    let start = this.#isFirst && text.startsWith('\uFEFF') ? 1 : 0
    this.#isFirst = false
    while (start < text.length) {
      const newline = text.indexOf('\n', start)
      const end = newline < 0 ? text.length : newline
      if (end - start > LINE_BYTES_MAX) throw lineTooLong()
      const line = text.slice(start, end)
      if (!isBlank(line)) this.#takeLine(line)
      start = end + 1
    }
  }

  #takeLine(line: string): void {
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      this.#reject('The line is not valid JSON.')
      return
    }
    this.#takeRow(value)
  }

  #takeRow(value: unknown): void {
    const reason = this.#stage(value)
    if (reason === null) this.#index += 1
    else this.#reject(reason)
  }

  /** The reason to reject the row, or null. */
  #stage(value: unknown): string | null {
    const form = this.#form
    switch (form.kind) {
      case 'sightings': {
        const read = readSightingRow(value, this.#context)
        if (read.kind === 'rejected') return read.reason
        this.#stager.addSighting(read.row)
        return null
      }
      case 'contacts': {
        const read = readContactRow(value)
        if (read.kind === 'rejected') return read.reason
        this.#contacts.push(read.row)
        return null
      }
      case 'statements':
      case 'entries': {
        const read = readStatement(form, value, this.#context)
        if (read.kind === 'rejected') return read.reason
        this.#stager.addStatement(kindOfTable(form.table), read.row)
        return null
      }
    }
  }

  #reject(reason: string): void {
    if (this.#rejected.length >= REJECTED_MAX) {
      throw pushNotReadable(
        `more than ${REJECTED_MAX} rows were rejected, so this looks like another format; row ${this.#rejected[0]?.index}: ${this.#rejected[0]?.reason}`,
      )
    }
    this.#rejected.push({ index: this.#index, reason })
    this.#index += 1
  }
}

function readStatement(
  form: Extract<PushForm, { kind: 'statements' | 'entries' }>,
  value: unknown,
  context: RowContext,
): ReturnType<typeof readListingRow> {
  if (form.kind === 'entries') return readEntryRow(value, form, context)
  if (form.table === 'network') return readNetworkRow(value, context)
  return form.table === 'tagging' ? readTaggingRow(value, context) : readListingRow(value, context)
}

function isBlank(line: string): boolean {
  return !/\S/.test(line)
}

function lineTooLong(): Error {
  return pushNotReadable('a line is longer than 64 KiB.')
}
