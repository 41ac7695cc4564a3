// Reads abuse contacts from CSV, `range-or-domain,email[,source]` a line, into rows for
// PUT /beta/contacts. Fields may be in double quotes (RFC 4180).

import type { Static } from 'typebox'
import { parseSubject } from '../../values/range.ts'
import { readLines } from '../sources/formats/read-list-lines.ts'
import type { RefusedLine } from '../sources/formats/read-plain-list.ts'
import type { ContactRowBody } from './abuse-contact-wire.ts'

export type ContactEntry =
  | {
      readonly kind: 'row'
      readonly lineNumber: number
      readonly row: Static<typeof ContactRowBody>
    }
  | RefusedLine

/**
 * Rows in the order of the file. A first line whose second field is "email" is a header. `source`
 * is the source of lines without one.
 */
export async function* readContactsCsv(
  input: AsyncIterable<Uint8Array | string>,
  source: string,
): AsyncGenerator<ContactEntry> {
  for await (const { number: lineNumber, text } of readLines(input)) {
    const line = text?.replace(/^\uFEFF/, '').trim()
    if (line === '' || line?.startsWith('#') === true) continue
    const fields = line === undefined ? null : splitFields(line)
    if (lineNumber === 1 && /^e-?mail$/i.test(fields?.[1] ?? '')) continue
    const read = fields === null ? 'The line is no CSV.' : readRow(fields, source)
    if (typeof read === 'string') yield { kind: 'refused', lineNumber, reason: read }
    else yield { kind: 'row', lineNumber, row: read }
  }
}

function readRow(
  fields: readonly string[],
  source: string,
): Static<typeof ContactRowBody> | string {
  const [subject = '', email = '', named = ''] = fields
  if (fields.length < 2 || fields.length > 3) {
    return 'The line must have two or three fields: range or domain, email, source.'
  }
  if (email === '') return 'The line has no email.'
  const parsed = parseSubject(subject, 'clear')
  if (parsed.kind === 'refused') return parsed.reason
  const { kind, text } = parsed.subject
  const about = kind === 'domain' ? { domain: text } : { range: text }
  return { ...about, email, source: named === '' ? source : named }
}

/** The fields without their quotes and outer spaces; null when a quote is left open. */
function splitFields(line: string): readonly string[] | null {
  const fields: string[] = []
  const pattern = /(?:\s*"((?:[^"]|"")*)"\s*|([^",]*))(,|$)/y
  for (;;) {
    const match = pattern.exec(line)
    if (match === null) return null
    fields.push((match[1]?.replaceAll('""', '"') ?? match[2] ?? '').trim())
    if (match[3] !== ',') return fields
  }
}
