// The adapters of a tenant: GET /beta/casework/mitigation-adapters, and GET, PUT and DELETE of one.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { AuditLog } from '../../access/audit/audit-log.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { AllowList } from '../../kernel/outbound/allow-list.ts'
import { findTargetTrouble } from '../../kernel/outbound/check-target.ts'
import { isSigningSecret } from '../../kernel/outbound/sign-message.ts'
import type { SecretCipher } from '../../kernel/secrets/secret-cipher.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { findSecret, TENANT_SECRETS } from '../secrets/secret-store.ts'
import {
  type AdapterSettings,
  deleteAdapter,
  findAdapter,
  listAdapters,
  lockAdapter,
  putAdapter,
} from './adapter-store.ts'
import { Adapter, AdapterBody, AdapterList, AdapterName, presentAdapter } from './adapter-wire.ts'
import { adapterInUse, adapterNotFound, adapterNotValid, tooManyAdapters } from './errors.ts'
import { MANUAL_ADAPTER } from './mitigation.ts'

const PATH = '/beta/casework/mitigation-adapters'
const ONE = `${PATH}/{name}`
const READ = { kind: 'scope', scope: 'playbooks:read' } as const
const WRITE = { kind: 'scope', scope: 'tenant:admin' } as const
const ADAPTERS_MAX = 50
const NO_ADAPTER = { description: 'There is no such adapter.' }

export interface AdapterDeps {
  readonly db: Db
  readonly audit: AuditLog
  readonly secrets: SecretCipher
  /** Private targets that the operator has opened (`CASEWORK_OUTBOUND_ALLOW`). */
  readonly allow: AllowList
}

export function listAdaptersRoute({ db }: AdapterDeps): Route {
  return defineRoute({
    method: 'GET',
    path: PATH,
    group: 'casework',
    access: READ,
    operationId: 'listMitigationAdapters',
    summary: 'List mitigation adapters',
    description: 'Beside them there is always `manual`: a person acts and confirms it.',
    responses: {
      200: { description: 'All adapters of the tenant, by name.', schema: AdapterList },
    },
    async handle({ caller }) {
      const adapters = await listAdapters(db, requireCaller(caller))
      return { status: 200, json: { items: adapters.map(presentAdapter), next_cursor: '' } }
    },
  })
}

export function getAdapterRoute({ db }: AdapterDeps): Route {
  return defineRoute({
    method: 'GET',
    path: ONE,
    group: 'casework',
    access: READ,
    operationId: 'getMitigationAdapter',
    summary: 'Get a mitigation adapter',
    description: 'How the adapter is called. Its secret is named, never shown.',
    params: Type.Object({ name: Type.String() }),
    responses: { 200: { description: 'The adapter.', schema: Adapter }, 404: NO_ADAPTER },
    async handle({ caller, params: { name } }) {
      const found = await findAdapter(db, requireCaller(caller), name)
      if (found === null) throw adapterNotFound()
      return { status: 200, json: presentAdapter(found) }
    },
  })
}

export function putAdapterRoute(deps: AdapterDeps): Route {
  const { db, audit } = deps
  return defineRoute({
    method: 'PUT',
    path: ONE,
    group: 'casework',
    access: WRITE,
    operationId: 'putMitigationAdapter',
    summary: 'Create or replace a mitigation adapter',
    description:
      'Requests are signed as Standard Webhooks has it and carry `Idempotency-Key`. What is due goes to the new URL.',
    params: Type.Object({ name: AdapterName }),
    body: AdapterBody,
    responses: {
      200: { description: 'The adapter.', schema: Adapter },
      400: { description: 'It cannot be used; every fault is named.' },
      409: { description: `There are ${ADAPTERS_MAX} adapters.` },
    },
    async handle({ caller, params: { name }, body }) {
      const scope = requireCaller(caller)
      const settings: AdapterSettings = {
        name,
        url: body.url,
        secretName: body.secret,
        kinds: body.kinds,
        description: body.description ?? '',
        isEnabled: body.enabled ?? true,
      }
      const problems = await findProblems(deps, scope, settings)
      if (problems.length > 0) throw adapterNotValid(problems)
      const stored = await inTransaction(db, async (tx) => {
        const before = await lockAdapter(tx, scope, name)
        await putAdapter(tx, scope, settings)
        const all = await listAdapters(tx, scope)
        if (all.length > ADAPTERS_MAX) throw tooManyAdapters(ADAPTERS_MAX)
        const after = all.find((one) => one.name === name)
        if (after === undefined) throw adapterNotFound()
        await audit.record(tx, 'mitigation_adapter.set', {
          tenantId: scope.tenantId,
          id: name,
          before: before === null ? null : presentAdapter(before),
          after: presentAdapter(after),
        })
        return after
      })
      return { status: 200, json: presentAdapter(stored) }
    },
  })
}

async function findProblems(
  { db, secrets, allow }: AdapterDeps,
  scope: TenantScope,
  { name, url, secretName }: AdapterSettings,
): Promise<readonly FieldProblem[]> {
  const problems: FieldProblem[] = []
  if (name === MANUAL_ADAPTER) {
    problems.push({ path: '/name', reason: 'is the adapter of people, which is always there' })
  }
  const trouble = findTargetTrouble(url, allow)
  if (trouble !== null) problems.push({ path: '/url', reason: trouble })
  const place = { owner: TENANT_SECRETS, name: secretName }
  const secret = await findSecret(db, secrets, scope, place)
  if (secret === null) problems.push({ path: '/secret', reason: 'names no secret of the tenant' })
  else if (!isSigningSecret(secret)) {
    const reason = 'names a secret that cannot sign: it must be whsec_ and 24 to 64 bytes in base64'
    problems.push({ path: '/secret', reason })
  }
  return problems
}

export function deleteAdapterRoute({ db, audit }: AdapterDeps): Route {
  return defineRoute({
    method: 'DELETE',
    path: ONE,
    group: 'casework',
    access: WRITE,
    operationId: 'deleteMitigationAdapter',
    summary: 'Delete a mitigation adapter',
    description: 'The adapter takes no more mitigations. Those that it carried out stay.',
    params: Type.Object({ name: Type.String() }),
    responses: {
      204: { description: 'Deleted.' },
      404: NO_ADAPTER,
      409: { description: 'Mitigations of it are pending, active or being removed.' },
    },
    async handle({ caller, params: { name } }) {
      const scope = requireCaller(caller)
      await inTransaction(db, async (tx) => {
        const before = await lockAdapter(tx, scope, name)
        const deletion = await deleteAdapter(tx, scope, name)
        if (deletion === 'not_found' || before === null) throw adapterNotFound()
        if (deletion === 'in_use') throw adapterInUse()
        await audit.record(tx, 'mitigation_adapter.delete', {
          tenantId: scope.tenantId,
          id: name,
          before: presentAdapter(before),
        })
      })
      return { status: 204 }
    },
  })
}
