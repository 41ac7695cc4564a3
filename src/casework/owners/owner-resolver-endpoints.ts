// GET, PUT and DELETE /beta/admin/tenants/{tenantId}/owner-resolver: the service of a tenant that
// says whose something was. The secret of its header goes in and never comes out.

import { Type } from 'typebox'
import { type Admin, administeredTenant } from '../../access/admin-scope.ts'
import {
  ownerResolverNotFound,
  ownerResolverNotValid,
  tenantNotFound,
} from '../../access/errors.ts'
import { defineRoute, type Route, requireCaller } from '../../kernel/http/route.ts'
import { parseAllowList } from '../../kernel/outbound/allow-list.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import type { Caller } from '../../vocabulary/caller.ts'
import type { OwnerResolver } from './owner-resolver.ts'
import { decideSettings, type OwnerResolverInput } from './owner-resolver-settings.ts'
import {
  deleteOwnerResolver,
  findOwnerResolver,
  type OwnerResolverRecord,
  putOwnerResolver,
} from './owner-resolver-store.ts'
import { OwnerResolverAnswer, OwnerResolverBody } from './owner-resolver-wire.ts'

const PATH = '/beta/admin/tenants/{tenantId}/owner-resolver'
const Params = Type.Object({ tenantId: Type.String() })
const ACCESS = { kind: 'scope', scope: 'tenant:admin' } as const
/** What of it must learn that settings were changed. */
type Owners = Pick<OwnerResolver, 'forget'>

const ABSENT = { description: 'There is no such tenant, it is not yours, or it has no resolver.' }

export function getOwnerResolverRoute({ foundation }: Admin): Route {
  return defineRoute({
    method: 'GET',
    path: PATH,
    group: 'admin',
    access: ACCESS,
    operationId: 'getOwnerResolver',
    summary: 'Get the resolver of a tenant, without its secret',
    params: Params,
    responses: { 200: { description: 'The resolver.', schema: OwnerResolverAnswer }, 404: ABSENT },
    async handle({ caller, params }) {
      const scope = requireOwnTenant(caller, params.tenantId)
      const resolver = await findOwnerResolver(foundation.database.kysely, scope)
      if (resolver === null) throw ownerResolverNotFound()
      return { status: 200, json: presentOwnerResolver(resolver) }
    },
  })
}

export function putOwnerResolverRoute({ foundation }: Admin, owners: Owners): Route {
  const allow = parseAllowList(foundation.config.outboundAllow)
  return defineRoute({
    method: 'PUT',
    path: PATH,
    group: 'admin',
    access: ACCESS,
    operationId: 'putOwnerResolver',
    summary: 'Let a service of the tenant say whose something was',
    description:
      'Asked for events that no resource of the tenant covers. What was answered under earlier settings does not count any more.',
    params: Params,
    body: OwnerResolverBody,
    responses: {
      200: { description: 'The resolver.', schema: OwnerResolverAnswer },
      400: { description: 'It cannot be used as described; every fault is named.' },
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
      const stored = await putOwnerResolver(foundation.database.kysely, scope, (current) => {
        const problems: FieldProblem[] = []
        const settings = decideSettings(input, current, allow, problems)
        if (problems.length > 0) throw ownerResolverNotValid(problems)
        return settings
      })
      if (stored === null) throw tenantNotFound()
      owners.forget(scope)
      return { status: 200, json: presentOwnerResolver(stored) }
    },
  })
}

export function deleteOwnerResolverRoute({ foundation }: Admin, owners: Owners): Route {
  return defineRoute({
    method: 'DELETE',
    path: PATH,
    group: 'admin',
    access: ACCESS,
    operationId: 'deleteOwnerResolver',
    summary: 'Ask the resolver of a tenant no more',
    params: Params,
    responses: { 204: { description: 'Gone, with its secret.' }, 404: ABSENT },
    async handle({ caller, params }) {
      const scope = requireOwnTenant(caller, params.tenantId)
      const isDeleted = await deleteOwnerResolver(foundation.database.kysely, scope)
      if (!isDeleted) throw ownerResolverNotFound()
      owners.forget(scope)
      return { status: 204 }
    },
  })
}

/** A tenant of somebody else is as good as none. */
function requireOwnTenant(caller: Caller | null, tenantId: string): { readonly tenantId: string } {
  const own = administeredTenant(requireCaller(caller))
  if (own !== null && own !== tenantId) throw tenantNotFound()
  return { tenantId }
}

function presentOwnerResolver(resolver: OwnerResolverRecord) {
  const { url, headerName, headerValue, timeoutMs, cacheSeconds, failures } = resolver
  return {
    url,
    ...(headerName === null ? {} : { header_name: headerName }),
    has_header_value: headerValue !== null,
    timeout_ms: timeoutMs,
    cache_seconds: cacheSeconds,
    updated_at: resolver.updatedAt.toISOString(),
    failures,
    ...(resolver.failedAt === null ? {} : { failed_at: resolver.failedAt.toISOString() }),
    ...(resolver.failure === null ? {} : { failure: resolver.failure }),
  }
}
