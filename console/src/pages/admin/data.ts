// What the sections ask the interface. Lists of people and tokens are short enough to be read whole.

import { queryOptions } from '@tanstack/react-query'
import { CaseworkError, type Schemas } from 'casework/client'
import { casework } from '../../data/client.ts'

// More of them are looked for by the command line.
export const ROWS_MAX = 2_000

/** The rows of all pages, up to so many. */
export async function collect<Row>(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  const found: Row[] = []
  for await (const row of rows) {
    found.push(row)
    if (found.length === ROWS_MAX) break
  }
  return found
}

export type Token = Schemas['Token']
export type User = Schemas['User']
export type Role = Schemas['Role']
export type Webhook = Schemas['Webhook']
export type Tenant = Schemas['Tenant']

export const tokensQuery = queryOptions({
  queryKey: ['tokens', 'list'],
  queryFn: () => collect(casework.list('/beta/admin/tokens')),
})

export const usersQuery = queryOptions({
  queryKey: ['users', 'list'],
  queryFn: () => collect(casework.list('/beta/admin/users')),
})

export const rolesQuery = queryOptions({
  queryKey: ['roles', 'list'],
  queryFn: async (): Promise<readonly Role[]> => (await casework.get('/beta/admin/roles')).items,
})

export const groupsQuery = queryOptions({
  queryKey: ['groups', 'list'],
  queryFn: () => collect(casework.list('/beta/admin/groups')),
})

export const serviceAccountsQuery = queryOptions({
  queryKey: ['service-accounts', 'list'],
  queryFn: () => collect(casework.list('/beta/admin/service-accounts')),
})

export const tenantsQuery = queryOptions({
  queryKey: ['tenants', 'list'],
  queryFn: () => collect(casework.list('/beta/admin/tenants')),
})

/** The list of an administrator of one tenant. */
export const ownTenantQuery = (tenantId: string) =>
  queryOptions({
    queryKey: ['tenants', 'own', tenantId],
    queryFn: async (): Promise<readonly Tenant[]> => {
      const params = { path: { tenantId } }
      return [await casework.get('/beta/admin/tenants/{tenantId}', { params })]
    },
  })

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks', 'list'],
  queryFn: async (): Promise<readonly Webhook[]> => (await casework.get('/beta/webhooks')).items,
})

export const adaptersQuery = queryOptions({
  queryKey: ['mitigation-adapters', 'list'],
  queryFn: async (): Promise<readonly Schemas['MitigationAdapter'][]> =>
    (await casework.get('/beta/casework/mitigation-adapters')).items,
})

type Readiness = Schemas['Readiness']

export const readinessQuery = queryOptions({
  queryKey: ['readiness'],
  queryFn: async (): Promise<Readiness> => {
    try {
      return await casework.get('/readyz')
    } catch (error) {
      // A node that is not ready answers with 503, and with its checks all the same.
      if (error instanceof CaseworkError && isReadiness(error.body)) return error.body
      throw error
    }
  },
  staleTime: 5_000,
})

function isReadiness(body: unknown): body is Readiness {
  return typeof body === 'object' && body !== null && Reflect.get(body, 'status') === 'not_ready'
}

export const reportAddressesQuery = queryOptions({
  queryKey: ['report-addresses', 'list'],
  queryFn: () => collect(casework.list('/beta/admin/report-addresses')),
})
