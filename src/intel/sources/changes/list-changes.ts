// GET /beta/changes (design sections 4.3 and 4.5): the numbered change log, for callers who keep a
// copy of the set. Reading all pages gives away the whole set, so it needs a token where a single
// look-up does not.

import { Type } from 'typebox'
import type { Db } from '../../../kernel/db/database.ts'
import { requestNotValid } from '../../../kernel/errors.ts'
import { answerSuccess } from '../../../kernel/http/answer-success.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { FailureEnvelope, successOf } from '../../../vocabulary/envelope-wire.ts'
import { changesNotKept } from '../../errors.ts'
import type { FactTable } from '../../facts/source-kinds.ts'
import {
  type LoggedSubject,
  type LogPosition,
  readEntries,
  readLogBounds,
  readLogPage,
  type StoredEntry,
} from './change-store.ts'
import { ChangePage, presentChange } from './change-wire.ts'

const LIMIT_DEFAULT = 100
// 1,000 subjects × four index probes take some 20 ms; the answer is about 300 KB.
const LIMIT_MAX = 1_000

const Query = Type.Object({
  after: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,15}(?:\\.[0-9]{1,9})?$',
      default: '0',
      description:
        'The serial up to which you have read: 0 (or left out) to begin, then the next of the former page, which is serial.position inside a large change.',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT })),
})

const BEGINNING = '0'
const ALL_TABLES: readonly FactTable[] = ['listing', 'allowance', 'tagging', 'sighting']
const HEADERS = { 'cache-control': 'no-store' } as const

export function listChangesRoute({ db }: { readonly db: Db }): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/changes',
    group: 'intel',
    access: { kind: 'scope', scope: 'intel:read' },
    operationId: 'listChanges',
    summary: 'List changes of intel',
    description:
      'Each change names a subject, once per serial, and shows its present entries. They may be newer than the change; then the subject comes again later. The log keeps seven days or five million subjects, whichever is less. It has listings, allowances, taggings and sightings; abuse contacts, own networks and the tag catalogue are not part of it.',
    query: Query,
    responses: {
      200: { description: 'The next changes.', schema: successOf(ChangePage) },
      400: {
        description: 'after or limit is malformed, or after is no position of this log.',
        schema: FailureEnvelope,
      },
      410: {
        description:
          'The log no longer has the changes after this serial, or the serial is from another database.',
        schema: FailureEnvelope,
      },
    },
    async handle({ query }) {
      const after = readPosition(query.after ?? BEGINNING)
      const { keptAfter, newest } = await readLogBounds(db)
      const isAhead = after.serial > newest && after.subjects === 0
      if (after.serial < keptAfter || isAhead) {
        throw changesNotKept(after.serial, keptAfter, newest)
      }
      const page = await readLogPage(db, after, query.limit ?? LIMIT_DEFAULT)
      if (page === null) throw positionUnknown()
      const entriesOf = await readAllEntries(db, page.subjects)
      const result: ChangePage = {
        changes: page.subjects.map((logged) => presentChange(logged, tablesOf(logged), entriesOf)),
        next: writePosition(page.next),
        more: page.next.serial < newest,
        serial: newest,
      }
      return answerSuccess(result, { headers: HEADERS })
    },
  })
}

function positionUnknown(): Error {
  const reason = 'is no position of this log; send the next of the former page, or a serial alone'
  return requestNotValid('A query parameter is not valid.', [{ path: '/after', reason }])
}

function readPosition(text: string): LogPosition {
  const [serial = '0', subjects = '0'] = text.split('.')
  return { serial: Number(serial), subjects: Number(subjects) }
}

function writePosition({ serial, subjects }: LogPosition): string {
  return subjects === 0 ? String(serial) : `${serial}.${subjects}`
}

function tablesOf({ table }: LoggedSubject): readonly FactTable[] {
  return table === null ? ALL_TABLES : [table]
}

/** The entries of the subjects of a page, by kind and subject. */
async function readAllEntries(
  db: Db,
  subjects: readonly LoggedSubject[],
): Promise<(table: FactTable, subject: string) => readonly StoredEntry[]> {
  const byKey = new Map<string, StoredEntry[]>()
  for (const table of ALL_TABLES) {
    const asked = subjects.filter((logged) => tablesOf(logged).includes(table))
    const names = new Set(asked.map(({ subject }) => subject))
    // One query after the other: four connections at once would be half of the pool.
    // oxlint-disable-next-line eslint/no-await-in-loop
    for (const entry of await readEntries(db, table, [...names])) {
      const key = `${table} ${entry.subject}`
      const known = byKey.get(key)
      if (known === undefined) byKey.set(key, [entry])
      else known.push(entry)
    }
  }
  return (table, subject) => byKey.get(`${table} ${subject}`) ?? []
}
