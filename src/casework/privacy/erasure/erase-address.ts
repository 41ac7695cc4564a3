// POST /beta/casework/erasures: e-mail addresses of people are replaced in everything that the
// tenant has, some seconds of work a request. GET lists what was asked; the addresses are in none
// of it.

import { type Static, Type } from 'typebox'
import type { Casework } from '../../../app/open-casework.ts'
import { ensureCursorKey } from '../../../kernel/db/cursor-key-store.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { readPage } from '../../../kernel/http/read-page.ts'
import { defineRoute, type Route, requireCaller } from '../../../kernel/http/route.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { PAGE_PARAMETERS } from '../../../vocabulary/page-wire.ts'
import { erasureNotFound, erasureNotValid } from '../errors.ts'
import { nameErasure, readErasedAddresses } from './erased-address.ts'
import { type ErasureRecord, findErasure, listErasures } from './erasure-store.ts'
import { Erasure, ErasureBody, ErasureList } from './erasure-wire.ts'
import { repeatErasures } from './repeat-erasures.ts'
import { type ErasureTask, eraseAddresses } from './run-erasure.ts'

const PATH = '/beta/casework/erasures'
const ACCESS = { kind: 'scope', scope: 'privacy:erase' } as const
// Far below what a client waits for.
const BUDGET_MS = 5_000
// 10,000 addresses of the greatest length.
const BODY_BYTES_MAX = 4 * 1_048_576

export function eraseAddressRoute({ foundation, erasureLog }: Casework): Route {
  const db = foundation.database.kysely
  return defineRoute({
    method: 'POST',
    path: PATH,
    group: 'casework',
    access: ACCESS,
    operationId: 'eraseAddress',
    summary: 'Erase e-mail addresses of people',
    description:
      'Each is replaced by a text that is the same each time and tells the address to nobody; raw reports that hold one lose their bytes. Works for some seconds: send it again until the state is done. Give one of address, addresses and repeats.',
    body: ErasureBody,
    bodyLimit: BODY_BYTES_MAX,
    responses: {
      200: { description: 'How far it has come.', schema: Erasure },
      400: { description: 'It is no e-mail address, or not one of the three was given.' },
      404: { description: 'There is no erasure of this id to repeat.' },
    },
    async handle({ caller, body }) {
      const { tenantId, tokenId } = requireCaller(caller)
      const task = await readTask(db, { tenantId }, tokenId, body)
      const erasure = await eraseAddresses(foundation, { tenantId }, task)
      if (erasure.finishedAt !== null) await erasureLog.write()
      return { status: 200, json: presentErasure(erasure) }
    },
  })
}

async function readTask(
  db: Db,
  scope: TenantScope,
  tokenId: string,
  body: Static<typeof ErasureBody>,
): Promise<ErasureTask> {
  const { address, addresses: list, repeats } = body
  const given = [address, list, repeats].filter((member) => member !== undefined)
  if (given.length !== 1) throw erasureNotValid('/address', 'or addresses or repeats must be given')
  const secret = await ensureCursorKey(db)
  const more = { isPreview: body.preview === true, requestedBy: tokenId, budgetMs: BUDGET_MS }
  if (repeats !== undefined) {
    const former = await findErasure(db, scope, repeats)
    if (former === null) throw erasureNotFound()
    return { ...repeatErasures([former], scope, secret), ...more }
  }
  const read = readErasedAddresses(list ?? [address ?? ''], scope.tenantId, secret)
  if (read === null) {
    const [path, reason] =
      list === undefined
        ? ['/address', 'is no e-mail address']
        : ['/addresses', 'has what is no e-mail address']
    throw erasureNotValid(path, reason)
  }
  const [only, ...others] = read.subjects
  const replacedBy =
    only !== undefined && others.length === 0 ? only : nameErasure('batch', read.subjects)
  return { ...read, replacedBy, repeats: [], ...more }
}

export function listErasuresRoute({ foundation, cursors }: Casework): Route {
  return defineRoute({
    method: 'GET',
    path: PATH,
    group: 'casework',
    access: ACCESS,
    operationId: 'listErasures',
    summary: 'List erasures, without the addresses',
    query: Type.Object(PAGE_PARAMETERS),
    responses: { 200: { description: 'A page of erasures.', schema: ErasureList } },
    async handle({ caller, query }) {
      const scope = requireCaller(caller)
      const view = { list: 'erasures', sort: 'started_at', filters: {} }
      const page = readPage(cursors, scope, view, query)
      const rows = await listErasures(foundation.database.kysely, scope, page.request)
      return { status: 200, json: page.present(rows, (row) => [row.id], presentErasure) }
    },
  })
}

function presentErasure(erasure: ErasureRecord) {
  const { id, isPreview, subjects, repeats, requestedBy } = erasure
  const { changed, kept, held, startedAt, finishedAt } = erasure
  return {
    id,
    state: finishedAt === null ? 'under_way' : 'done',
    preview: isPreview,
    addresses: subjects.length,
    ...(subjects.length === 1 ? { replaced_by: subjects[0] } : {}),
    ...(repeats.length === 0 ? {} : { repeats }),
    changed,
    kept,
    held,
    requested_by: requestedBy,
    started_at: startedAt.toISOString(),
    ...(finishedAt === null ? {} : { finished_at: finishedAt.toISOString() }),
  }
}
