// GET, PUT and DELETE /beta/admin/tenants/{tenantId}/owner-resolver: the settings of a tenant's own
// service that names the owner of an address, domain or account. The secret of its header is stored
// and never shown.

import { Type } from 'typebox'
import { administeredTenant } from '../../access/admin-scope.ts'
import { requireCaller } from '../../access/admit-request.ts'
import type { AuditLog } from '../../access/audit/audit-log.ts'
import {
  ownerResolverNotFound,
  ownerResolverNotValid,
  tenantNotFound,
} from '../../access/errors.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { AllowList } from '../../kernel/outbound/allow-list.ts'
import type { SecretCipher } from '../../kernel/secrets/secret-cipher.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import type { Caller, TenantScope } from '../../vocabulary/caller.ts'
import { decideSettings, type OwnerResolverInput } from './owner-resolver-settings.ts'
import {
  deleteOwnerResolver,
  findOwnerResolver,
  type OwnerResolverRecord,
  type OwnerResolverSettings,
  putOwnerResolver,
} from './owner-resolver-store.ts'
import {
  OwnerResolverAnswer,
  OwnerResolverBody,
  presentOwnerResolver,
} from './owner-resolver-wire.ts'

const PATH = '/beta/admin/tenants/{tenantId}/owner-resolver'
const Params = Type.Object({ tenantId: Type.String() })
const ACCESS = { kind: 'scope', scope: 'tenant:admin' } as const

export interface OwnerResolverDeps {
  readonly db: Db
  readonly audit: AuditLog
  readonly secrets: SecretCipher
  /** Private targets that the operator has opened (`CASEWORK_OUTBOUND_ALLOW`). */
  readonly allow: AllowList
  /** The resolver settings of this tenant were changed: the copy in memory is out of date. */
  readonly forgetResolver: (scope: TenantScope) => void
}

const ABSENT = { description: 'There is no such tenant, it is not yours, or it has no resolver.' }

export function getOwnerResolverRoute({
  db,
  secrets,
}: Pick<OwnerResolverDeps, 'db' | 'secrets'>): Route {
  return defineRoute({
    method: 'GET',
    path: PATH,
    group: 'admin',
    access: ACCESS,
    operationId: 'getOwnerResolver',
    summary: 'Get an owner resolver',
    description: 'How the system of the tenant is asked for owners. The secret is never shown.',
    params: Params,
    responses: { 200: { description: 'The resolver.', schema: OwnerResolverAnswer }, 404: ABSENT },
    async handle({ caller, params }) {
      const scope = requireOwnTenant(caller, params.tenantId)
      const resolver = await findOwnerResolver(db, secrets, scope)
      if (resolver === null) throw ownerResolverNotFound()
      return { status: 200, json: presentOwnerResolver(resolver) }
    },
  })
}

export function putOwnerResolverRoute({
  db,
  audit,
  secrets,
  allow,
  forgetResolver,
}: OwnerResolverDeps): Route {
  return defineRoute({
    method: 'PUT',
    path: PATH,
    group: 'admin',
    access: ACCESS,
    operationId: 'putOwnerResolver',
    summary: 'Set an owner resolver',
    description:
      'A service of the tenant that names the owner of events that no resource covers. Answers that it gave under earlier settings no longer count.',
    params: Params,
    body: OwnerResolverBody,
    responses: {
      200: { description: 'The resolver.', schema: OwnerResolverAnswer },
      400: { description: 'The settings cannot be used; every fault is named.' },
      404: { description: 'There is no such tenant, or it is not yours.' },
    },
    async handle({ caller, params, body }) {
      const scope = requireOwnTenant(caller, params.tenantId)
      const input: OwnerResolverInput = {
        url: body.url,
        headerName: body.header_name ?? null,
        headerValue: body.header_value,
        timeoutMs: body.timeout_ms ?? 2_000,
        cacheSeconds: body.cache_seconds ?? 3_600,
      }
      const decide = (current: OwnerResolverRecord | null): OwnerResolverSettings => {
        const problems: FieldProblem[] = []
        const settings = decideSettings(input, current, allow, problems)
        if (problems.length > 0) throw ownerResolverNotValid(problems)
        return settings
      }
      const stored = await putOwnerResolver(db, secrets, scope, decide, (tx, before, after) =>
        audit.record(tx, 'owner_resolver.set', {
          ...scope,
          id: 'owner-resolver',
          before: before === null ? null : presentOwnerResolver(before),
          after: presentOwnerResolver(after),
        }),
      )
      if (stored === null) throw tenantNotFound()
      forgetResolver(scope)
      return { status: 200, json: presentOwnerResolver(stored) }
    },
  })
}

export function deleteOwnerResolverRoute({
  db,
  audit,
  forgetResolver,
}: Pick<OwnerResolverDeps, 'db' | 'audit' | 'forgetResolver'>): Route {
  return defineRoute({
    method: 'DELETE',
    path: PATH,
    group: 'admin',
    access: ACCESS,
    operationId: 'deleteOwnerResolver',
    summary: 'Remove an owner resolver',
    description: 'Owners are found by customers, contracts and resources alone from now on.',
    params: Params,
    responses: { 204: { description: 'Removed, with its secret.' }, 404: ABSENT },
    async handle({ caller, params }) {
      const scope = requireOwnTenant(caller, params.tenantId)
      await inTransaction(db, async (tx) => {
        const before = await deleteOwnerResolver(tx, scope)
        if (before === null) throw ownerResolverNotFound()
        await audit.record(tx, 'owner_resolver.delete', { ...scope, id: 'owner-resolver', before })
      })
      forgetResolver(scope)
      return { status: 204 }
    },
  })
}

/** Another tenant is answered like one that does not exist. */
function requireOwnTenant(caller: Caller | null, tenantId: string): { readonly tenantId: string } {
  const own = administeredTenant(requireCaller(caller))
  if (own !== null && own !== tenantId) throw tenantNotFound()
  return { tenantId }
}
