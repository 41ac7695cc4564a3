// GET /beta/sources/{kind}/{name}/entries: reads a list back, as pages of JSON or as plain text,
// one item a line, which can be piped (an addition, see docs/interface-gaps/sources.md).

import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { Db } from '../../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { FailureEnvelope, successOf } from '../../../vocabulary/envelope-wire.ts'
import { sourceUnknown } from '../../errors.ts'
import { findSource } from '../source-store.ts'
import type { EntryKey, EntryStore, StoredSource } from './entry-store.ts'
import { EntryList, presentEntries, readKey } from './entry-wire.ts'

const LIMIT_DEFAULT = 1_000
// About 1.5 MB.
const LIMIT_MAX = 10_000
// Entries of one piece of plain text: some 150 KB.
const PLAIN_PAGE = 10_000
const HEADERS = { 'cache-control': 'no-store', vary: 'accept' } as const

const Query = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT })),
  after: Type.Optional(
    Type.String({ maxLength: 500, description: 'The next of the former page.' }),
  ),
})

export interface EntriesDeps {
  readonly db: Db
  readonly entriesOf: (kind: string) => EntryStore
}

export function listEntriesRoute({ db, entriesOf }: EntriesDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/sources/{kind}/{name}/entries',
    group: 'intel',
    access: { kind: 'scope', scope: 'intel:read' },
    operationId: 'listEntries',
    summary: 'List the entries of a source',
    description:
      'Live entries only; of a sensor all observations that are kept, summed up by item, service and type. A page may be newer than the former one. With "Accept: text/plain" the answer is the whole list, an item a line, from after on; limit does not apply.',
    params: Type.Object({ kind: Type.String(), name: Type.String() }),
    query: Query,
    responses: {
      200: { description: 'A page, or plain text.', schema: successOf(EntryList) },
      400: { description: 'limit or after is malformed.', schema: FailureEnvelope },
      401: { description: 'No valid token.', schema: FailureEnvelope },
      403: { description: 'The token lacks intel:read.', schema: FailureEnvelope },
      404: { description: 'There is no such source.', schema: FailureEnvelope },
    },
    async handle({ params, query, headers }) {
      const source = await findSource(db, params)
      if (source === null) throw sourceUnknown()
      const store = entriesOf(source.kind)
      const after = query.after === undefined || query.after === '' ? null : readKey(query.after)
      if (wantsPlainText(headers['accept'])) {
        const stream = Readable.from(writeLines(store, source, after), { objectMode: false })
        return { status: 200, stream, contentType: 'text/plain; charset=utf-8', headers: HEADERS }
      }
      const limit = query.limit ?? LIMIT_DEFAULT
      const entries = await store.list(source, { after, limit: limit + 1 })
      const result = presentEntries(entries, limit)
      return { status: 200, json: { status: 'success', statusCode: 200, result }, headers: HEADERS }
    },
  })
}

/** JSON unless the client names text/plain and no JSON. */
function wantsPlainText(accept: string | string[] | undefined): boolean {
  const text = String(accept ?? '')
  return /\btext\/plain\b/i.test(text) && !/\bapplication\/json\b/i.test(text)
}

/** Every subject once, in pieces; the client sets the pace. */
async function* writeLines(
  store: EntryStore,
  source: StoredSource,
  from: EntryKey | null,
): AsyncGenerator<string> {
  let after = from
  let written = ''
  for (;;) {
    const entries = await store.list(source, { after, limit: PLAIN_PAGE })
    let piece = ''
    for (const { subject } of entries) {
      if (subject === written) continue
      piece += `${subject}\n`
      written = subject
    }
    if (piece !== '') yield piece
    after = entries.at(-1) ?? null
    if (after === null || entries.length < PLAIN_PAGE) return
  }
}
