// PUT /beta/sources/{kind}/{name} (design sections 4.3 and 9): description of a source and how it
// is fetched.

import { Type } from 'typebox'
import type { AuditLog } from '../../access/audit/audit-log.ts'
import { inTransaction } from '../../kernel/db/database.ts'
import { requestNotValid } from '../../kernel/errors.ts'
import { answerSuccess } from '../../kernel/http/answer-success.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { FailureEnvelope, successOf } from '../../vocabulary/envelope-wire.ts'
import {
  NETWORK_SOURCE_KIND,
  SOURCE_KINDS,
  type SourceName,
  STATEMENT_SOURCE_KINDS,
} from '../facts/source-kinds.ts'
import type { IntelIndex } from '../index/intel-index.ts'
import { loadSource, type SourceDeps } from './load-source.ts'
import { NAME, SLUG } from './push/row-reader.ts'
import {
  type FetchSettings,
  hasSourceOfKind,
  lockDescription,
  nameSource,
  putSource,
  type SourceDescription,
} from './source-store.ts'
import { NewSource, Source } from './source-wire.ts'

const HEADERS = { 'cache-control': 'no-store' } as const

/** Sources of these kinds are whole lists, which may be fetched. */
const LIST_KINDS: ReadonlySet<string> = new Set([
  ...Object.values(STATEMENT_SOURCE_KINDS),
  NETWORK_SOURCE_KIND,
])

interface PutSourceDeps extends SourceDeps {
  readonly audit: AuditLog
  readonly index: IntelIndex
}

export function putSourceRoute(deps: PutSourceDeps): Route {
  const { db, audit, clock, index } = deps
  return defineRoute({
    method: 'PUT',
    path: '/beta/sources/{kind}/{name}',
    group: 'intel',
    access: { kind: 'scope', scope: 'sources:manage' },
    operationId: 'putSource',
    summary: 'Create or replace a source',
    description:
      'Creates the source if there is none. The whole description is replaced; its entries stay. A source with an enabled fetch is fetched soon afterwards.',
    params: Type.Object({ kind: Type.String(), name: Type.String() }),
    body: NewSource,
    responses: {
      200: { description: 'The replaced source.', schema: successOf(Source) },
      201: { description: 'The new source.', schema: successOf(Source, 201) },
      400: { description: 'The name or a member is not valid.', schema: FailureEnvelope },
      401: { description: 'No valid token.', schema: FailureEnvelope },
      403: { description: 'The token lacks sources:manage.', schema: FailureEnvelope },
    },
    async handle({ params, body }) {
      const wanted = readSourceName(params)
      await requireKind(db, wanted.kind)
      const described = readDescription(index, wanted, body)
      const isNew = await inTransaction(db, async (tx) => {
        const before = await lockDescription(tx, wanted)
        const isCreated = await putSource(tx, wanted, described, clock.nowMs())
        const id = nameSource(wanted)
        await audit.record(tx, 'source.set', { tenantId: null, id, before, after: described })
        return isCreated
      })
      const result = await loadSource(deps, wanted)
      return answerSuccess(result, { status: isNew ? 201 : 200, headers: HEADERS })
    },
  })
}

function readSourceName({ kind, name }: SourceName): SourceName {
  if (!SLUG.pattern.test(kind)) throw requestNotValid(`The kind of a source must be ${SLUG.says}.`)
  if (!NAME.pattern.test(name)) throw requestNotValid(`The name of a source must be ${NAME.says}.`)
  return { kind, name }
}

// A sensor of another kind is described after its first push, so that a slip in the kind makes no
// source that stays empty.
async function requireKind(db: SourceDeps['db'], kind: string): Promise<void> {
  if (SOURCE_KINDS.includes(kind) || (await hasSourceOfKind(db, kind))) return
  throw requestNotValid(
    `There is no kind of source ${kind}; the kinds are ${SOURCE_KINDS.join(', ')}, and those of sensors that have pushed already.`,
  )
}

function readDescription(
  index: IntelIndex,
  wanted: SourceName,
  body: NewSource,
): SourceDescription {
  return {
    description: body.description ?? null,
    origin: body.origin ?? null,
    licence: body.licence ?? null,
    ttlSeconds: body.ttlSeconds ?? null,
    fetch: body.fetch === undefined ? null : readFetch(index, wanted, body.fetch),
  }
}

function readFetch(
  index: IntelIndex,
  { kind, name }: SourceName,
  fetch: NonNullable<NewSource['fetch']>,
): FetchSettings {
  if (!LIST_KINDS.has(kind)) {
    throw requestNotValid(`Only a ${[...LIST_KINDS].join(', ')} can be fetched.`)
  }
  const entryName = fetch.name ?? name
  if (kind === STATEMENT_SOURCE_KINDS.tagging && index.tags().find(entryName) === null) {
    throw requestNotValid('fetch.name must be a tag of the catalogue; GET /beta/tags lists them.')
  }
  if (!NAME.pattern.test(entryName)) throw requestNotValid(`fetch.name must be ${NAME.says}.`)
  const url = URL.parse(fetch.url)
  if (url === null || !['https:', 'http:'].includes(url.protocol) || url.username !== '') {
    throw requestNotValid(
      'fetch.url must be an absolute URL of https or http without user name, such as https://lists.example.org/drop.txt.',
    )
  }
  const { format, intervalSeconds, enabled } = fetch
  return { url: url.href, format, entryName, intervalSeconds, isEnabled: enabled }
}
