// The caller of requests over the socket in the data folder, or of a command that opens the
// database itself: the administrator of this machine.

import { type Caller, DEFAULT_TENANT_ID } from '../vocabulary/caller.ts'
import { SCOPES } from '../vocabulary/scopes.ts'

/** An account that can open the socket in the data folder (mode 0600) owns the data anyway. */
export const LOCAL_CALLER: Caller = {
  tokenId: 'local',
  name: 'local administrator',
  tenantId: DEFAULT_TENANT_ID,
  scopes: new Set(SCOPES),
  roles: [],
  owner: null,
  networks: null,
  contactEmail: null,
  expiresAt: null,
}
