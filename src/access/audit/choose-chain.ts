// Whose chain of the audit log a caller reads.

import type { Caller } from '../../vocabulary/caller.ts'
import { administeredTenant } from '../admin-scope.ts'
import { tenantNotFound } from '../errors.ts'

/** Another tenant is answered like one that does not exist. */
export function chooseChain(caller: Caller, tenantId: string | undefined): string {
  const own = administeredTenant(caller)
  const chosen = tenantId ?? caller.tenantId
  if (own !== null && own !== chosen) throw tenantNotFound()
  return chosen
}
