// The endpoints of customers, contracts and resources, and of a tenant's owner resolver.

import type { Clock } from '../../kernel/clock.ts'
import type { Route } from '../../kernel/http/route.ts'
import { changeOwnerRoute } from './change-owner.ts'
import { createOwnerRoute } from './create-owner.ts'
import { deleteOwnerRoute } from './delete-owner.ts'
import { getCustomerCountersRoute } from './get-customer-counters.ts'
import { getOwnerRoute } from './get-owner.ts'
import { importOwnersRoute } from './import-owners.ts'
import { type ListOwnersDeps, listOwnersRoute } from './list-owners.ts'
import { CONTRACTS, CUSTOMERS, RESOURCES } from './owner-records.ts'
import {
  deleteOwnerResolverRoute,
  getOwnerResolverRoute,
  type OwnerResolverDeps,
  putOwnerResolverRoute,
} from './owner-resolver-endpoints.ts'
import type { OwnerDeps } from './save-owners.ts'

export interface OwnerRoutesDeps extends OwnerDeps, ListOwnersDeps, OwnerResolverDeps {
  readonly clock: Clock
}

export function ownerRoutes(deps: OwnerRoutesDeps): readonly Route[] {
  return [
    ...[CUSTOMERS, CONTRACTS, RESOURCES].flatMap((records) => [
      createOwnerRoute(deps, records),
      importOwnersRoute(deps, records),
      listOwnersRoute(deps, records),
      getOwnerRoute(deps, records),
      changeOwnerRoute(deps, records),
      deleteOwnerRoute(deps, records),
    ]),
    getCustomerCountersRoute(deps),
    getOwnerResolverRoute(deps),
    putOwnerResolverRoute(deps),
    deleteOwnerResolverRoute(deps),
  ]
}
