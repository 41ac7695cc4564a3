// GET /beta/sources and GET, PUT, DELETE /beta/sources/{kind}/{name} (design sections 4.3 and 9):
// where intel comes from. The URL of a fetched list may hold a key, so everything here asks for the
// scope to manage sources.

import { Type } from 'typebox'
import type { Intel } from '../../app/open-intel.ts'
import { requestNotValid } from '../../kernel/errors.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { FailureEnvelope, successOf } from '../../vocabulary/envelope-wire.ts'
import { sourceUnknown } from '../errors.ts'
import { type SourceName, STATEMENT_SOURCE_KINDS } from '../facts/source-kinds.ts'
import { SourceCounts } from './count-sources.ts'
import { presentSource } from './present-source.ts'
import { NAME, SLUG } from './push/row-reader.ts'
import { removeSource } from './remove-source.ts'
import {
  type FetchSettings,
  findSource,
  listSources,
  putSource,
  type SourceDescription,
} from './source-description-store.ts'
import { NewSource, Source } from './source-wire.ts'

const PATH = '/beta/sources/{kind}/{name}'
const ACCESS = { kind: 'scope', scope: 'sources:manage' } as const
const HEADERS = { 'cache-control': 'no-store' } as const
const Params = Type.Object({ kind: Type.String(), name: Type.String() })
const NO_SCOPE = {
  401: { description: 'No valid token.', schema: FailureEnvelope },
  403: { description: 'The token lacks sources:manage.', schema: FailureEnvelope },
} as const
const NOT_THERE = { description: 'There is no such source.', schema: FailureEnvelope }

/** Sources of these kinds are whole lists, which may be fetched. */
const LIST_KINDS: ReadonlySet<string> = new Set(Object.values(STATEMENT_SOURCE_KINDS))

export function sourceRoutes(intel: Intel): readonly Route[] {
  const counts = new SourceCounts(intel)
  return [
    listSourcesRoute(intel, counts),
    getSourceRoute(intel, counts),
    putSourceRoute(intel, counts),
    deleteSourceRoute(intel),
  ]
}

function listSourcesRoute({ foundation }: Intel, counts: SourceCounts): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/sources',
    group: 'intel',
    access: ACCESS,
    operationId: 'listSources',
    summary: 'List the sources of intel',
    description:
      'Every source with its state, its terms and how many entries it has. The state of a source never moves a verdict.',
    responses: {
      200: { description: 'By kind and name.', schema: successOf(Type.Array(Source)) },
      ...NO_SCOPE,
    },
    async handle() {
      const sources = await listSources(foundation.database.kysely)
      const entriesOf = await counts.read(sources)
      const nowMs = foundation.clock.nowMs()
      const result = sources.map((source) => presentSource(source, entriesOf(source), nowMs))
      return { status: 200, json: { status: 'success', statusCode: 200, result }, headers: HEADERS }
    },
  })
}

function getSourceRoute(intel: Intel, counts: SourceCounts): Route {
  return defineRoute({
    method: 'GET',
    path: PATH,
    group: 'intel',
    access: ACCESS,
    operationId: 'getSource',
    summary: 'Get one source of intel',
    params: Params,
    responses: {
      200: { description: 'The source.', schema: successOf(Source) },
      ...NO_SCOPE,
      404: NOT_THERE,
    },
    handle: async ({ params }) => await answerSource(intel, counts, params, 200),
  })
}

async function answerSource(
  { foundation }: Intel,
  counts: SourceCounts,
  wanted: SourceName,
  status: 200 | 201,
) {
  const source = await findSource(foundation.database.kysely, wanted)
  if (source === null) throw sourceUnknown()
  const entriesOf = await counts.read([source])
  const result = presentSource(source, entriesOf(source), foundation.clock.nowMs())
  // Interface section 2.1: the envelope of success says 200.
  return { status, json: { status: 'success', statusCode: 200, result }, headers: HEADERS }
}

function putSourceRoute(intel: Intel, counts: SourceCounts): Route {
  return defineRoute({
    method: 'PUT',
    path: PATH,
    group: 'intel',
    access: ACCESS,
    operationId: 'putSource',
    summary: 'Describe a source, and say how it is fetched',
    description:
      'Makes the source where there is none. The whole description is replaced; its entries stay as they are. What is fetched is fetched soon when it is enabled.',
    params: Params,
    body: NewSource,
    responses: {
      200: { description: 'The source as it is now.', schema: successOf(Source) },
      201: { description: 'The source, which is new.', schema: successOf(Source) },
      400: { description: 'Something in it cannot be taken.', schema: FailureEnvelope },
      ...NO_SCOPE,
    },
    async handle({ params, body }) {
      const wanted = readSourceName(params)
      const described = readDescription(intel, wanted, body)
      const { database, clock } = intel.foundation
      const isNew = await putSource(database.kysely, wanted, described, clock.nowMs())
      return await answerSource(intel, counts, wanted, isNew ? 201 : 200)
    },
  })
}

function deleteSourceRoute(intel: Intel): Route {
  return defineRoute({
    method: 'DELETE',
    path: PATH,
    group: 'intel',
    access: ACCESS,
    operationId: 'deleteSource',
    summary: 'Delete a source with everything it says',
    description: 'All its entries go in one change, which look-ups see at once.',
    params: Params,
    responses: { 204: { description: 'It is gone.' }, ...NO_SCOPE, 404: NOT_THERE },
    async handle({ params }) {
      const { foundation, index } = intel
      const source = await findSource(foundation.database.kysely, params)
      if (source === null) throw sourceUnknown()
      const removed = await removeSource(foundation.database, source)
      // It is gone for good: trouble with reading that back is no failure of the call, and the poll
      // tries again.
      if (removed > 0) await index.refreshNow().catch(() => undefined)
      return { status: 204 }
    },
  })
}

function readSourceName({ kind, name }: SourceName): SourceName {
  if (!SLUG.pattern.test(kind)) throw requestNotValid(`The kind of a source must be ${SLUG.says}.`)
  if (!NAME.pattern.test(name)) throw requestNotValid(`The name of a source must be ${NAME.says}.`)
  return { kind, name }
}

function readDescription(intel: Intel, wanted: SourceName, body: NewSource): SourceDescription {
  return {
    description: body.description ?? null,
    origin: body.origin ?? null,
    licence: body.licence ?? null,
    ttlSeconds: body.ttlSeconds ?? null,
    fetch: body.fetch === undefined ? null : readFetch(intel, wanted, body.fetch),
  }
}

function readFetch(
  intel: Intel,
  { kind, name }: SourceName,
  fetch: NonNullable<NewSource['fetch']>,
): FetchSettings {
  if (!LIST_KINDS.has(kind)) {
    throw requestNotValid(`Only a ${[...LIST_KINDS].join(', ')} can be fetched.`)
  }
  const entryName = fetch.name ?? name
  if (kind === STATEMENT_SOURCE_KINDS.tagging && intel.index.tags().find(entryName) === null) {
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
