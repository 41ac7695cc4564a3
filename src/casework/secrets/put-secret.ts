// PUT and DELETE /beta/casework/secrets/{name}: the secrets that playbooks send to others, such as
// the key of a ticket system. A playbook names them; their values stay here.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { AuditLog } from '../../access/audit/audit-log.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { SecretCipher } from '../../kernel/secrets/secret-cipher.ts'
import { secretNotFound, tooManySecrets } from './errors.ts'
import { deleteSecret, listSecrets, putSecret, TENANT_SECRETS } from './secret-store.ts'
import { presentSecret, SECRET_NAME, SecretBody, SecretRecord } from './secret-wire.ts'

const PATH = '/beta/casework/secrets/{name}'
const SECRETS_MAX = 100
const ACCESS = { kind: 'scope', scope: 'tenant:admin' } as const

export interface PutSecretDeps {
  readonly db: Db
  readonly audit: AuditLog
  readonly secrets: SecretCipher
}

export function putSecretRoute({ db, audit, secrets }: PutSecretDeps): Route {
  return defineRoute({
    method: 'PUT',
    path: PATH,
    group: 'casework',
    access: ACCESS,
    operationId: 'putSecret',
    summary: 'Set a secret',
    description: 'Replaces its value at once, also for runs that wait.',
    params: Type.Object({
      name: Type.String({
        pattern: SECRET_NAME,
        description: '1 to 64 lower-case letters, digits, hyphens or underscores.',
      }),
    }),
    body: SecretBody,
    responses: {
      200: { description: 'Stored.', schema: SecretRecord },
      409: { description: `There are ${SECRETS_MAX} secrets.` },
    },
    async handle({ caller, params: { name }, body }) {
      const scope = requireCaller(caller)
      return await inTransaction(db, async (tx) => {
        await putSecret(tx, secrets, scope, { owner: TENANT_SECRETS, name }, body.value)
        const all = await listSecrets(tx, scope, TENANT_SECRETS)
        if (all.length > SECRETS_MAX) throw tooManySecrets(SECRETS_MAX)
        const stored = all.find((secret) => secret.name === name)
        if (stored === undefined) throw secretNotFound()
        // Its value, and a digest of it, stay out of the log.
        await audit.record(tx, 'secret.set', { tenantId: scope.tenantId, id: name })
        return { status: 200, json: presentSecret(stored) }
      })
    },
  })
}

export function deleteSecretRoute({ db, audit }: Omit<PutSecretDeps, 'secrets'>): Route {
  return defineRoute({
    method: 'DELETE',
    path: PATH,
    group: 'casework',
    access: ACCESS,
    operationId: 'deleteSecret',
    summary: 'Delete a secret',
    description: 'A playbook step that needs it takes its path for errors from then on.',
    params: Type.Object({ name: Type.String() }),
    responses: {
      204: { description: 'Deleted.' },
      404: { description: 'There is no secret of this name.' },
    },
    async handle({ caller, params: { name } }) {
      const { tenantId } = requireCaller(caller)
      await inTransaction(db, async (tx) => {
        const isDeleted = await deleteSecret(tx, { tenantId }, { owner: TENANT_SECRETS, name })
        if (!isDeleted) throw secretNotFound()
        await audit.record(tx, 'secret.delete', { tenantId, id: name })
      })
      return { status: 204 }
    },
  })
}
