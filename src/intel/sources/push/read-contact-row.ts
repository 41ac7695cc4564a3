// Parses one row of PUT /beta/contacts from an untrusted value to a statement of the store.

import { parseEmailAddress } from '../../../values/email.ts'
import { isTooWide, parseSubject, type Subject, TOO_WIDE } from '../../../values/range.ts'
import type { ReadRow } from './read-pushed-row.ts'
import { NAME, RowReader, type TextRule } from './row-reader.ts'
import type { ContactStatement } from './staged-contacts.ts'

const MEMBERS = new Set(['range', 'domain', 'email', 'source'])
const TEXT: TextRule = {
  pattern: /^[^\p{Cc}]{1,1024}$/u,
  says: 'one line of at most 1,024 characters',
}

export function readContactRow(value: unknown): ReadRow<ContactStatement> {
  // No member of a contact is a time, so the present time does not matter.
  const reader = new RowReader(value, MEMBERS, 0)
  const range = reader.optionalText('range', TEXT)
  const domain = reader.optionalText('domain', TEXT)
  const emailText = reader.optionalText('email', TEXT)
  const source = reader.text('source', NAME)
  if (reader.problem !== null) return { kind: 'rejected', reason: reader.problem }
  // A missing member must not withdraw a contact.
  if (!isNullEmail(value) && emailText === null) {
    return { kind: 'rejected', reason: 'email is missing; null takes the contact back.' }
  }
  const email = emailText === null ? null : parseEmailAddress(emailText)
  if (emailText !== null && email === null) {
    return { kind: 'rejected', reason: 'email must be a plain address, such as abuse@example.com.' }
  }
  const subject = readSubject(range, domain)
  if (typeof subject === 'string') return { kind: 'rejected', reason: subject }
  // A contact of a wide range from an older version can still be withdrawn.
  if (email !== null && isTooWide(subject)) return { kind: 'rejected', reason: TOO_WIDE }
  return { kind: 'row', row: { subject, email, source } }
}

function isNullEmail(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'email' in value && value.email === null
}

/** The subject, or the sentence that says why there is none. */
function readSubject(range: string | null, domain: string | null): Subject | string {
  const text = range ?? domain
  if (text === null || (range !== null && domain !== null)) {
    return 'Give exactly one of range and domain.'
  }
  const parsed = parseSubject(text)
  if (parsed.kind === 'refused') return parsed.reason
  const isDomain = parsed.subject.kind === 'domain'
  if (isDomain === (domain !== null)) return parsed.subject
  return isDomain ? 'range is no IP address and no range.' : 'domain is no domain name.'
}
