// The endpoints of the secrets that a tenant names for its playbooks.

import type { Route } from '../../kernel/http/route.ts'
import { listSecretsRoute } from './list-secrets.ts'
import { deleteSecretRoute, type PutSecretDeps, putSecretRoute } from './put-secret.ts'

export function secretRoutes(deps: PutSecretDeps): readonly Route[] {
  return [listSecretsRoute(deps), putSecretRoute(deps), deleteSecretRoute(deps)]
}
