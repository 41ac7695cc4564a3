// GET /beta/casework/suppressed-addresses, and PUT and DELETE of one: the addresses to which
// nothing is sent.

import { type Static, Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { AuditLog } from '../../access/audit/audit-log.ts'
import { listRoute, showRows } from '../../access/list-route.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import type { CursorSealer } from '../../kernel/http/cursor.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { isEmailAddress } from '../../values/email.ts'
import { named } from '../../vocabulary/named-schema.ts'
import { PAGE_PARAMETERS, pageOf } from '../../vocabulary/page-wire.ts'
import { suppressedAddressNotFound, suppressedAddressNotValid } from './errors.ts'
import {
  addSuppression,
  findSuppression,
  listSuppressions,
  removeSuppression,
  type Suppression,
} from './suppression-store.ts'

const PATH = '/beta/casework/suppressed-addresses'
const ONE = `${PATH}/{address}`
const Params = Type.Object({ address: Type.String() })

const SuppressedAddress = named(
  'SuppressedAddress',
  Type.Object({
    address: Type.String(),
    cause: Type.Union([Type.Literal('person'), Type.Literal('bounce'), Type.Literal('complaint')]),
    note: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
    created_by: Type.String(),
  }),
)

function present(one: Suppression): Static<typeof SuppressedAddress> {
  const { address, cause, note, createdAt, createdBy } = one
  return { address, cause, note, created_at: createdAt.toISOString(), created_by: createdBy }
}

export interface SuppressionDeps {
  readonly db: Db
  readonly audit: AuditLog
  readonly cursors: CursorSealer
}

export function listSuppressedAddressesRoute({ db, cursors }: SuppressionDeps): Route {
  return listRoute({
    cursors,
    path: PATH,
    access: { kind: 'scope', scope: 'customers:read' },
    operationId: 'listSuppressedAddresses',
    summary: 'List suppressed addresses',
    description: 'Addresses that bounced, complained, or that somebody entered.',
    query: Type.Object(PAGE_PARAMETERS),
    responses: { 200: { description: 'A page of addresses.', schema: pageOf(SuppressedAddress) } },
    list: 'suppressed addresses',
    sort: 'created_at',
    open: ({ caller }) => ({
      filters: {},
      find: async (request) =>
        showRows(
          await listSuppressions(db, caller, request),
          (row) => [row.createdAt.toISOString(), row.key],
          present,
        ),
    }),
  })
}

export function putSuppressedAddressRoute({ db, audit }: SuppressionDeps): Route {
  return defineRoute({
    method: 'PUT',
    path: ONE,
    group: 'casework',
    access: { kind: 'scope', scope: 'customers:write' },
    operationId: 'putSuppressedAddress',
    summary: 'Suppress an address',
    description: 'An address that is on the list already stays as it is.',
    params: Params,
    body: named(
      'NewSuppressedAddress',
      Type.Object(
        { note: Type.Optional(Type.String({ maxLength: 500, description: 'Why, for people.' })) },
        { additionalProperties: false },
      ),
    ),
    responses: {
      200: { description: 'The address.', schema: SuppressedAddress },
      400: { description: 'It is no e-mail address.' },
    },
    async handle({ caller, params: { address }, body }) {
      const { tenantId, tokenId } = requireCaller(caller)
      if (!isEmailAddress(address)) throw suppressedAddressNotValid()
      const entry = { address, cause: 'person', note: body.note ?? '', createdBy: tokenId } as const
      const stored = await inTransaction(db, async (tx) => {
        const isNew = await addSuppression(tx, { tenantId }, entry)
        const found = await findSuppression(tx, { tenantId }, address)
        if (found === null) throw suppressedAddressNotFound()
        const about = { tenantId, id: address.toLowerCase(), after: present(found) }
        if (isNew) await audit.record(tx, 'suppressed_address.set', about)
        return found
      })
      return { status: 200, json: present(stored) }
    },
  })
}

export function deleteSuppressedAddressRoute({ db, audit }: SuppressionDeps): Route {
  return defineRoute({
    method: 'DELETE',
    path: ONE,
    group: 'casework',
    access: { kind: 'scope', scope: 'customers:write' },
    operationId: 'deleteSuppressedAddress',
    summary: 'Stop suppressing an address',
    description: 'Takes the address off the list; the next notice goes out to it.',
    params: Params,
    responses: {
      204: { description: 'It is off the list.' },
      404: { description: 'It is not on the list.' },
    },
    async handle({ caller, params }) {
      const { tenantId } = requireCaller(caller)
      await inTransaction(db, async (tx) => {
        const gone = await removeSuppression(tx, { tenantId }, params.address)
        if (gone === null) throw suppressedAddressNotFound()
        const about = { tenantId, id: params.address.toLowerCase(), before: present(gone) }
        await audit.record(tx, 'suppressed_address.delete', about)
      })
      return { status: 204 }
    },
  })
}
