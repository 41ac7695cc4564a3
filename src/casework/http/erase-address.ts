// POST /beta/casework/erasures: the e-mail address of a person is replaced in everything that the tenant has, some seconds of work a request.
// GET lists what was asked; the address is in none of it.

import { Type } from 'typebox'
import { Erasure, ErasureBody, ErasureList } from '../../contract/erasure.ts'
import { PAGE_PARAMETERS } from '../../contract/page.ts'
import { defineRoute, type Route, requireCaller } from '../../kernel/http/route.ts'
import type { Casework } from '../casework.ts'
import { eraseAddress } from '../erasure/erase-address.ts'
import { erasureNotValid } from '../errors.ts'
import { readErasedAddress } from '../model/erased-address.ts'
import { ensureCursorKey } from '../store/cursor-key-store.ts'
import { type ErasureRecord, listErasures } from '../store/erasure-store.ts'
import { readPage } from './read-page.ts'

const PATH = '/beta/casework/erasures'
const ACCESS = { kind: 'scope', scope: 'privacy:erase' } as const
// Far below what a client waits for.
const BUDGET_MS = 5_000

export function eraseAddressRoute({ foundation }: Casework): Route {
  return defineRoute({
    method: 'POST',
    path: PATH,
    group: 'casework',
    access: ACCESS,
    operationId: 'eraseAddress',
    summary: 'Erase the e-mail address of a person',
    description:
      'It is replaced by a text that is the same each time and tells the address to nobody; raw reports that hold it lose their bytes. Works for some seconds: send it again until the state is done.',
    body: ErasureBody,
    responses: {
      200: { description: 'How far it has come.', schema: Erasure },
      400: { description: 'It is no e-mail address.' },
    },
    async handle({ caller, body }) {
      const { tenantId, tokenId } = requireCaller(caller)
      const secret = await ensureCursorKey(foundation.database.kysely)
      const address = readErasedAddress(body.address, tenantId, secret)
      if (address === null) throw erasureNotValid()
      const erasure = await eraseAddress(
        foundation,
        { tenantId },
        {
          address,
          isPreview: body.preview === true,
          requestedBy: tokenId,
          budgetMs: BUDGET_MS,
        },
      )
      return { status: 200, json: presentErasure(erasure) }
    },
  })
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
  const { id, isPreview, replacedBy, changed, kept, requestedBy, startedAt, finishedAt } = erasure
  return {
    id,
    state: finishedAt === null ? 'under_way' : 'done',
    preview: isPreview,
    replaced_by: replacedBy,
    changed,
    kept,
    requested_by: requestedBy,
    started_at: startedAt.toISOString(),
    ...(finishedAt === null ? {} : { finished_at: finishedAt.toISOString() }),
  }
}
