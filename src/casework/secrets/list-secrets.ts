// GET /beta/casework/secrets: the names of the tenant's secrets, for those who write playbooks.

import { requireCaller } from '../../access/admit-request.ts'
import type { Db } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { listSecrets, TENANT_SECRETS } from './secret-store.ts'
import { presentSecret, SecretList } from './secret-wire.ts'

export function listSecretsRoute({ db }: { readonly db: Db }): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/secrets',
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:read' },
    operationId: 'listSecrets',
    summary: 'List secrets',
    description: 'Values are never shown.',
    responses: { 200: { description: 'All secrets of the tenant, by name.', schema: SecretList } },
    async handle({ caller }) {
      const secrets = await listSecrets(db, requireCaller(caller), TENANT_SECRETS)
      return { status: 200, json: { items: secrets.map(presentSecret), next_cursor: '' } }
    },
  })
}
