// Saved views: GET and POST /beta/casework/views; GET, PATCH and DELETE of one. A view is what the
// list itself takes: it is checked by the parameters of the list, and by nothing else.

import { type TSchema, Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import type { AuditLog } from '../../../access/audit/audit-log.ts'
import { byId, listRoute, showRows } from '../../../access/list-route.ts'
import { type Db, inTransaction } from '../../../kernel/db/database.ts'
import { scopeMissing } from '../../../kernel/errors.ts'
import type { CursorSealer } from '../../../kernel/http/cursor.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { compileQueryCheck, type Validate } from '../../../kernel/http/validator.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import { OperatingError } from '../../../kernel/operating-error.ts'
import { parseRecordId } from '../../../values/uuid.ts'
import type { Caller } from '../../../vocabulary/caller.ts'
import { PAGE_PARAMETERS } from '../../../vocabulary/page-wire.ts'
import { tooManyViews, viewNotFound, viewNotValid } from '../errors.ts'
import {
  countViews,
  deleteView,
  findView,
  insertView,
  listViews,
  lockView,
  updateView,
  type ViewRecord,
} from './view-store.ts'
import {
  NewView,
  presentView,
  SavedView,
  SavedViewList,
  ViewChange,
  ViewList,
} from './view-wire.ts'

const PATH = '/beta/casework/views'
const VIEW_PATH = `${PATH}/{viewId}`
const ViewParams = Type.Object({ viewId: Type.String({ description: 'Id of the view.' }) })
const READ = { kind: 'scope', scope: 'cases:read' } as const
// More than a person finds in a menu; it bounds the table.
const VIEWS_MAX = 500
const NO_VIEW = { description: 'There is no such view.' }
const REFUSED = { description: 'The list would refuse the parameters.' }
const NOT_SHARED = 'A view that is shared in the tenant needs the scope cases:write too.'

/** The list of a view, as its own endpoint reads its parameters. */
interface ListOfView {
  readonly query: TSchema
  /** Throws the operating error of a parameter that the list refuses. */
  check(query: unknown): void
}

export interface SaveViewDeps {
  readonly db: Db
  readonly audit: AuditLog
  readonly ids: IdSource
  readonly cursors: CursorSealer
  readonly lists: Readonly<Record<ViewRecord['list'], ListOfView>>
}

export function listViewsRoute({ db, cursors }: SaveViewDeps): Route {
  return listRoute({
    cursors,
    path: PATH,
    access: READ,
    operationId: 'listViews',
    summary: 'List saved views',
    description: 'The shared views of the tenant, and those of the token.',
    query: Type.Object({ list: Type.Optional(ViewList), ...PAGE_PARAMETERS }),
    responses: { 200: { description: 'A page of views.', schema: SavedViewList } },
    list: 'views',
    sort: 'id',
    open: ({ caller, query: { list } }) => ({
      filters: { list, token: caller.tokenId },
      find: async (request) =>
        showRows(await listViews(db, caller, list ?? null, request), byId, presentView),
    }),
  })
}

export function createViewRoute({ db, audit, ids, lists }: SaveViewDeps): Route {
  const check = createViewCheck(lists)
  return defineRoute({
    method: 'POST',
    path: PATH,
    group: 'casework',
    access: READ,
    operationId: 'createView',
    idempotency: 'kept',
    summary: 'Save a view',
    description: NOT_SHARED,
    body: NewView,
    responses: {
      201: { description: 'The view.', schema: SavedView },
      400: REFUSED,
      409: { description: `There are ${VIEWS_MAX} views.` },
    },
    async handle({ caller, body }) {
      const reader = requireCaller(caller)
      const { name, list, query, shared: isShared = false } = body
      if (isShared) requireWriter(reader)
      check(list, query)
      const stored = await inTransaction(db, async (tx) => {
        if ((await countViews(tx, reader)) >= VIEWS_MAX) throw tooManyViews(VIEWS_MAX)
        const made = await insertView(tx, reader, {
          id: ids.nextUuid(),
          name,
          list,
          query,
          isShared,
        })
        if (isShared) {
          const { tenantId } = reader
          await audit.record(tx, 'view.create', { tenantId, id: made.id, after: presentView(made) })
        }
        return made
      })
      return { status: 201, json: presentView(stored) }
    },
  })
}

export function getViewRoute({ db }: SaveViewDeps): Route {
  return defineRoute({
    method: 'GET',
    path: VIEW_PATH,
    group: 'casework',
    access: READ,
    operationId: 'getView',
    summary: 'Get a saved view',
    params: ViewParams,
    responses: { 200: { description: 'The view.', schema: SavedView }, 404: NO_VIEW },
    async handle({ caller, params }) {
      const view = await findView(db, requireCaller(caller), readId(params.viewId))
      if (view === null) throw viewNotFound()
      return { status: 200, json: presentView(view) }
    },
  })
}

export function changeViewRoute({ db, audit, lists }: SaveViewDeps): Route {
  const check = createViewCheck(lists)
  return defineRoute({
    method: 'PATCH',
    path: VIEW_PATH,
    group: 'casework',
    access: READ,
    operationId: 'changeView',
    summary: 'Change a saved view',
    description: `${NOT_SHARED} Its list stays.`,
    params: ViewParams,
    body: ViewChange,
    responses: {
      200: { description: 'The view.', schema: SavedView },
      400: REFUSED,
      404: NO_VIEW,
    },
    async handle({ caller, params, body }) {
      const reader = requireCaller(caller)
      const id = readId(params.viewId)
      const stored = await inTransaction(db, async (tx) => {
        const view = await lockView(tx, reader, id)
        if (view === null) throw viewNotFound()
        const { name = view.name, query = view.query, shared: isShared = view.isShared } = body
        if (isShared || view.isShared) requireWriter(reader)
        check(view.list, query)
        const changed = await updateView(tx, reader, { ...view, name, query, isShared })
        if (isShared || view.isShared) {
          await audit.record(tx, 'view.change', {
            tenantId: reader.tenantId,
            id,
            before: presentView(view),
            after: presentView(changed),
          })
        }
        return changed
      })
      return { status: 200, json: presentView(stored) }
    },
  })
}

export function deleteViewRoute({ db, audit }: SaveViewDeps): Route {
  return defineRoute({
    method: 'DELETE',
    path: VIEW_PATH,
    group: 'casework',
    access: READ,
    operationId: 'deleteView',
    summary: 'Delete a saved view',
    description: NOT_SHARED,
    params: ViewParams,
    responses: { 204: { description: 'Deleted.' }, 404: NO_VIEW },
    async handle({ caller, params }) {
      const reader = requireCaller(caller)
      const id = readId(params.viewId)
      await inTransaction(db, async (tx) => {
        const view = await lockView(tx, reader, id)
        if (view === null) throw viewNotFound()
        if (view.isShared) requireWriter(reader)
        await deleteView(tx, reader, id)
        if (!view.isShared) return
        const { tenantId } = reader
        await audit.record(tx, 'view.delete', { tenantId, id, before: presentView(view) })
      })
      return { status: 204 }
    },
  })
}

function readId(text: string): string {
  const id = parseRecordId(text)
  if (id === null) throw viewNotFound()
  return id
}

function requireWriter({ scopes }: Caller): void {
  if (!scopes.has('cases:write')) throw scopeMissing('cases:write')
}

/** Throws CASEWORK_VIEW_NOT_VALID with the parameters that the list would refuse. */
function createViewCheck(
  lists: SaveViewDeps['lists'],
): (list: ViewRecord['list'], query: ViewRecord['query']) => void {
  const checks: Readonly<Record<ViewRecord['list'], Validate>> = {
    cases: compileQueryCheck(lists.cases.query, 'refused'),
    events: compileQueryCheck(lists.events.query, 'refused'),
  }
  return (list, query) => {
    if ('cursor' in query) {
      throw viewNotValid([{ path: '/query/cursor', reason: 'belongs to one page, not to a view' }])
    }
    // A query travels as text, whatever the view holds.
    const texts = Object.entries(query).map(([name, value]) => [name, String(value)])
    const parameters: Record<string, unknown> = Object.fromEntries(texts)
    const refusal = checks[list](parameters) ?? catchRefusal(() => lists[list].check(parameters))
    if (refusal === null) return
    throw viewNotValid(
      refusal.fields.map(({ path, reason }) => ({ path: `/query${path}`, reason })),
    )
  }
}

function catchRefusal(check: () => void) {
  try {
    check()
    return null
  } catch (error) {
    if (error instanceof OperatingError) return error
    throw error
  }
}
