// Rows of abuse contacts as array literals for the database, one a column. Pure, so that the thread
// that reads pushes can make them.

import { textArray } from '../../../kernel/db/sql-array.ts'
import type { Subject } from '../../../values/range.ts'

/** The contact that a source names for a subject; `email` null withdraws it. */
export interface ContactStatement {
  readonly subject: Subject
  readonly email: string | null
  readonly source: string
}

/** Array literals of one length, in the order in which the rows came. */
interface ContactColumns {
  readonly subjects: string
  readonly emails: string
  readonly sources: string
}

export interface StagedContacts {
  /** Null when there are none. */
  readonly ranges: ContactColumns | null
  readonly domains: ContactColumns | null
  /** Each source that names a contact, once. A source that only withdraws is not created. */
  readonly sources: readonly string[]
}

export function stageContacts(statements: readonly ContactStatement[]): StagedContacts {
  return {
    ranges: columnsOf(statements.filter(({ subject }) => subject.kind !== 'domain')),
    domains: columnsOf(statements.filter(({ subject }) => subject.kind === 'domain')),
    sources: [
      ...new Set(statements.filter(({ email }) => email !== null).map(({ source }) => source)),
    ],
  }
}

function columnsOf(statements: readonly ContactStatement[]): ContactColumns | null {
  if (statements.length === 0) return null
  return {
    subjects: textArray(statements.map(({ subject }) => subject.text)),
    emails: textArray(statements.map(({ email }) => email)),
    sources: textArray(statements.map(({ source }) => source)),
  }
}
