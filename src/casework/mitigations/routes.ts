// The endpoints of mitigations and their adapters.

import type { Route } from '../../kernel/http/route.ts'
import {
  type AdapterDeps,
  deleteAdapterRoute,
  getAdapterRoute,
  listAdaptersRoute,
  putAdapterRoute,
} from './adapter-endpoints.ts'
import {
  confirmMitigationRoute,
  createMitigationRoute,
  executeMitigationRoute,
  getMitigationRoute,
  listCaseMitigationsRoute,
  listMitigationsRoute,
  type MitigationEndpointDeps,
  undoMitigationRoute,
} from './mitigation-endpoints.ts'

export function mitigationRoutes(deps: MitigationEndpointDeps & AdapterDeps): readonly Route[] {
  return [
    createMitigationRoute(deps),
    listCaseMitigationsRoute(deps),
    listMitigationsRoute(deps),
    getMitigationRoute(deps),
    executeMitigationRoute(deps),
    undoMitigationRoute(deps),
    confirmMitigationRoute(deps),
    listAdaptersRoute(deps),
    getAdapterRoute(deps),
    putAdapterRoute(deps),
    deleteAdapterRoute(deps),
  ]
}
