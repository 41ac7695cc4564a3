// POST /beta/casework/erasures: replaces e-mail addresses of people in all data of the tenant. One
// request works for some seconds; it is repeated until the erasure is done.

import type { Static } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import type { AuditLog } from '../../../access/audit/audit-log.ts'
import { findAddressesOfUsers } from '../../../access/people/user-store.ts'
import { ensureCursorKey } from '../../../kernel/db/cursor-key-store.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { parseRecordId } from '../../../values/uuid.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { erasureNotFound, erasureNotValid, erasureOfUser } from '../errors.ts'
import { eraseInInstanceLog } from './erase-instance-log.ts'
import { nameErasure, readErasedAddresses } from './erased-address.ts'
import type { ErasureLog } from './erasure-log.ts'
import { findErasure } from './erasure-store.ts'
import { Erasure, ErasureBody, presentErasure } from './erasure-wire.ts'
import { repeatErasures } from './repeat-erasures.ts'
import { type EraseDeps, type ErasureTask, eraseAddresses } from './run-erasure.ts'

// Far below the timeout of clients.
const BUDGET_MS = 5_000
// 10,000 addresses of the greatest length.
const BODY_BYTES_MAX = 4 * 1_048_576

export function eraseAddressRoute({
  db,
  log,
  audit,
  ids,
  rawSearcher,
  erasureLog,
}: EraseDeps & { readonly audit: AuditLog; readonly erasureLog: ErasureLog }): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/erasures',
    group: 'casework',
    access: { kind: 'scope', scope: 'privacy:erase' },
    operationId: 'eraseAddress',
    idempotency: 'kept',
    summary: 'Erase data about a person',
    description:
      'Each address is replaced by a text that is always the same for it and does not reveal it. Raw reports that contain an address lose their bytes. The request works for some seconds: send it again until the state is done. Give one of address, addresses and repeats.',
    body: ErasureBody,
    bodyLimit: BODY_BYTES_MAX,
    responses: {
      200: { description: 'The erasure and its progress.', schema: Erasure },
      400: {
        description:
          'The text is no e-mail address, or not exactly one of the three members is given.',
      },
      404: { description: 'There is no erasure of this id to repeat.' },
      409: { description: 'A user of this tenant signs in by the address.' },
    },
    async handle({ caller, body }) {
      const { tenantId, tokenId } = requireCaller(caller)
      const task = await readTask(db, { tenantId }, tokenId, body)
      const { isPreview, repeats, subjects } = task
      const after = { preview: isPreview, addresses: subjects.length, repeats }
      const erasure = await eraseAddresses(
        { db, log, ids, rawSearcher },
        { tenantId },
        {
          ...task,
          record: (tx, id) => audit.record(tx, 'erasure.create', { tenantId, id, after }),
        },
      )
      if (erasure.finishedAt !== null) await erasureLog.write()
      const isOperator = requireCaller(caller).scopes.has('instance:admin')
      if (isOperator && !isPreview && erasure.finishedAt !== null) {
        await eraseInInstanceLog(db, task.addresses)
      }
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
    const id = parseRecordId(repeats)
    const former = id === null ? null : await findErasure(db, scope, id)
    if (former === null) throw erasureNotFound()
    return { ...repeatErasures([former], scope, secret), ...more }
  }
  const read = readErasedAddresses(list ?? [address ?? ''], scope.tenantId, secret)
  if (read === null) {
    const [path, reason] =
      list === undefined
        ? ['/address', 'is no e-mail address']
        : ['/addresses', 'has a text that is no e-mail address']
    throw erasureNotValid(path, reason)
  }
  await assertNoUser(db, scope, list ?? [address ?? ''], list === undefined)
  const [only, ...others] = read.subjects
  const replacedBy =
    only !== undefined && others.length === 0 ? only : nameErasure('batch', read.subjects)
  return { ...read, replacedBy, repeats: [], ...more }
}

/**
 * A person who still works here signs in by the address: erased in half of the places, the account
 * would be neither usable nor forgotten.
 */
async function assertNoUser(
  db: Db,
  { tenantId }: TenantScope,
  addresses: readonly string[],
  isSingle: boolean,
): Promise<void> {
  const [first] = await findAddressesOfUsers(db, tenantId, addresses)
  if (first === undefined) return
  throw erasureOfUser(isSingle ? '/address' : `/addresses/${addresses.indexOf(first)}`)
}
