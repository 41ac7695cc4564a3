// PUT /beta/sources/{kind}/{name}/entries: a published list as a whole (an addition, see
// docs/interface-gaps/sources.md). Entries that the list no longer names are removed, in one
// serial.

import type { Readable } from 'node:stream'
import { type Static, Type } from 'typebox'
import type { Database } from '../../../kernel/db/database.ts'
import { requestNotValid } from '../../../kernel/errors.ts'
import { answerSuccess } from '../../../kernel/http/answer-success.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { FailureEnvelope, successOf } from '../../../vocabulary/envelope-wire.ts'
import { sourceShrank } from '../../errors.ts'
import type { ReplaceList } from '../replace-list.ts'
import { noteHeard } from '../source-store.ts'
import { limitStreams, PUSH_REFUSALS, STREAMED_BODY } from './push-body.ts'
import { ARRAY_ROWS_MAX } from './push-reader.ts'
import { EntryRowBody, ReplacementResult } from './push-wire.ts'
import type { ReadPushBody } from './read-push.ts'
import { NAME } from './row-reader.ts'

// About four million entries with nothing but their item.
const NDJSON_BYTES_MAX = 128 * 1_024 * 1_024
const BODY_TIMEOUT_MS = 600_000
// Reading a list of a million entries takes about 100 MB.
const STREAMS_MAX = 1

const Params = Type.Object({
  kind: Type.Union([
    Type.Literal('mail-blocklist'),
    Type.Literal('tag-list'),
    Type.Literal('allow-list'),
    Type.Literal('network'),
  ]),
  name: Type.String({ description: 'Name of the source, created by its first list.' }),
})
const Query = Type.Object({
  allowShrink: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'true accepts a list that has less than half as many entries as the source has now.',
    }),
  ),
})
const TABLES = {
  'mail-blocklist': 'listing',
  'tag-list': 'tagging',
  'allow-list': 'allowance',
  network: 'network',
} as const

interface ReplaceDeps {
  readonly database: Pick<Database, 'kysely' | 'pool'>
  readonly readPush: ReadPushBody
  readonly replaceList: ReplaceList
}

export function replaceEntriesRoute(deps: ReplaceDeps): Route {
  const limited = limitStreams(STREAMS_MAX)
  return defineRoute({
    method: 'PUT',
    path: '/beta/sources/{kind}/{name}/entries',
    group: 'intel',
    access: { kind: 'scope', scope: 'sources:manage' },
    operationId: 'replaceEntries',
    summary: 'Replace the entries of a source',
    description:
      'All entries of the source, as a JSON array of up to 10,000 (8 MiB) or NDJSON of up to 128 MiB. Former entries that the list lacks are removed; look-ups see the old list or the new one, never a mixture. An entry that cannot be read is rejected, the others are accepted; when none can be read, nothing changes. A list that shrank by more than half is refused with 409 unless allowShrink is true.',
    params: Params,
    query: Query,
    body: Type.Array(EntryRowBody, { maxItems: ARRAY_ROWS_MAX }),
    ...STREAMED_BODY,
    bodyLimit: NDJSON_BYTES_MAX,
    bodyTimeoutMs: BODY_TIMEOUT_MS,
    responses: {
      200: {
        description: 'The accepted, removed and rejected entries.',
        schema: successOf(ReplacementResult),
      },
      ...PUSH_REFUSALS,
      403: { description: 'The token lacks sources:manage.', schema: FailureEnvelope },
      409: { description: 'The list shrank by more than half.', schema: FailureEnvelope },
    },
    async handle({ params, query, body }) {
      const result = await limited(body, (sent) =>
        replace(deps, params, query.allowShrink === true, sent),
      )
      return answerSuccess(result)
    },
  })
}

async function replace(
  { database, readPush, replaceList }: ReplaceDeps,
  { kind, name }: Static<typeof Params>,
  mayShrink: boolean,
  body: Buffer | Readable,
): Promise<ReplacementResult> {
  if (!NAME.pattern.test(name)) throw requestNotValid(`The name of a source must be ${NAME.says}.`)
  const table = TABLES[kind]
  const form = { kind: 'entries', table, source: name } as const
  const { accepted, rejected, staged } = await readPush(body, form)
  // A feed that broke and sends something else. An empty list is one without rejected rows.
  if (accepted === 0 && rejected.length > 0) return { accepted, removed: 0, rejected }
  const replaced = await replaceList({ table, source: name, staged, mayShrink })
  if (replaced.kind === 'shrank') throw sourceShrank(replaced.before, replaced.after)
  // Only people read when a source was last heard of, so trouble here does not fail the call.
  await noteHeard(database.kysely, [{ kind, name }]).catch(() => undefined)
  return { accepted, removed: replaced.removed, rejected }
}
