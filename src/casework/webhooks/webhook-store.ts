// SQL of webhooks: who is told of which changes. The secrets are stored encrypted, beside the table
// (secrets/secret-store.ts): `current`, and `former` for a day after a change.

import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'
import type { SecretCipher } from '../../kernel/secrets/secret-cipher.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { ChangeKind } from '../changes/change.ts'
import { setListener } from '../changes/outbox-store.ts'
import { deleteSecret, findSecret, listSecrets, putSecret } from '../secrets/secret-store.ts'
import type { WebhookFilter } from './webhook.ts'

export interface WebhookSettings extends WebhookFilter {
  readonly url: string
  readonly description: string
  readonly isEnabled: boolean
}

export interface WebhookRecord extends WebhookSettings {
  readonly id: string
  /** Why it was switched off by itself; null otherwise. */
  readonly disabledReason: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

const COLUMNS = sql`id, url, description, types, case_groups as "caseGroups", customers, event_types as "eventTypes",
  is_enabled as "isEnabled", disabled_reason as "disabledReason", created_at as "createdAt", updated_at as "updatedAt"`

/** All of a tenant, the oldest first; there are few. */
export async function listWebhooks(
  db: Db,
  { tenantId }: TenantScope,
): Promise<readonly WebhookRecord[]> {
  const found = await sql<WebhookRecord>`
    select ${COLUMNS} from webhook where tenant_id = ${tenantId} order by id`.execute(db)
  return found.rows
}

/** Those of several tenants that are told of changes, by tenant. */
export async function listEnabledWebhooks(
  db: Db,
  tenantIds: readonly string[],
): Promise<ReadonlyMap<string, readonly WebhookRecord[]>> {
  const found = await sql<WebhookRecord & TenantScope>`
    select tenant_id as "tenantId", ${COLUMNS} from webhook
    where tenant_id = any(${[...tenantIds]}::text[]) and is_enabled order by id`.execute(db)
  return Map.groupBy(found.rows, ({ tenantId }) => tenantId)
}

export async function findWebhook(
  db: Db,
  { tenantId }: TenantScope,
  id: string,
): Promise<WebhookRecord | null> {
  const found = await sql<WebhookRecord>`
    select ${COLUMNS} from webhook where tenant_id = ${tenantId} and id::text = ${id.toLowerCase()}`.execute(
    db,
  )
  return found.rows[0] ?? null
}

/** The same, which no other transaction changes before this one ends. */
export async function lockWebhook(
  tx: Tx,
  { tenantId }: TenantScope,
  id: string,
): Promise<WebhookRecord | null> {
  // Every change of webhooks of the tenant takes this lock.
  await sql`select from tenant where id = ${tenantId} for update`.execute(tx)
  return await findWebhook(tx, { tenantId }, id)
}

/** Stores or replaces it, and listens for the changes that the tenant's webhooks need. */
export async function putWebhook(
  tx: Tx,
  scope: TenantScope,
  id: string,
  settings: WebhookSettings,
): Promise<void> {
  const { url, description, types, caseGroups, customers, eventTypes, isEnabled } = settings
  await sql`
    insert into webhook (tenant_id, id, url, description, types, case_groups, customers, event_types, is_enabled)
    values (${scope.tenantId}, ${id}, ${url}, ${description}, ${types}, ${caseGroups}, ${customers}, ${eventTypes}, ${isEnabled})
    on conflict (tenant_id, id) do update set url = excluded.url, description = excluded.description,
      types = excluded.types, case_groups = excluded.case_groups, customers = excluded.customers,
      event_types = excluded.event_types, is_enabled = excluded.is_enabled,
      disabled_reason = case when excluded.is_enabled then null else webhook.disabled_reason end,
      updated_at = excluded.updated_at`.execute(tx)
  await listenForWebhooks(tx, scope)
}

/** With its deliveries and secrets. */
export async function deleteWebhook(tx: Tx, scope: TenantScope, id: string): Promise<void> {
  for (const { name } of await listSecrets(tx, scope, ownerOf(id))) {
    // Two at most.
    // oxlint-disable-next-line eslint/no-await-in-loop
    await deleteSecret(tx, scope, { owner: ownerOf(id), name })
  }
  await sql`
    delete from webhook where tenant_id = ${scope.tenantId} and id::text = ${id.toLowerCase()}`.execute(
    tx,
  )
  await listenForWebhooks(tx, scope)
}

/** Switches it off by itself, with one public sentence. */
export async function disableWebhook(
  tx: Tx,
  scope: TenantScope,
  id: string,
  reason: string,
): Promise<void> {
  await sql`
    update webhook set is_enabled = false, disabled_reason = ${reason}, updated_at = now()
    where tenant_id = ${scope.tenantId} and id = ${id}`.execute(tx)
  await listenForWebhooks(tx, scope)
}

async function listenForWebhooks(tx: Tx, scope: TenantScope): Promise<void> {
  // One change of webhooks of a tenant at a time: the last one sees all others.
  await sql`select from tenant where id = ${scope.tenantId} for update`.execute(tx)
  const kinds = new Set<ChangeKind>()
  for (const { types, isEnabled } of await listWebhooks(tx, scope)) {
    if (!isEnabled) continue
    if (types.some((type) => type.startsWith('case.'))) kinds.add('case')
    if (types.some((type) => type.startsWith('event.'))) kinds.add('event')
    if (types.some((type) => type.startsWith('report.'))) kinds.add('report')
    if (types.some((type) => type.startsWith('run.'))) kinds.add('run')
  }
  await setListener(tx, scope, 'webhooks', [...kinds])
}

function ownerOf(id: string): string {
  return `webhook:${id}`
}

// A receiver has a day to get to know the new secret.
const FORMER_MS = 24 * 60 * 60 * 1_000

/** Stores a new secret; the present one signs beside it for a day. */
export async function replaceSecret(
  tx: Tx,
  cipher: SecretCipher,
  scope: TenantScope,
  id: string,
  secret: string,
): Promise<void> {
  const owner = ownerOf(id)
  const present = await findSecret(tx, cipher, scope, { owner, name: 'current' })
  if (present !== null) await putSecret(tx, cipher, scope, { owner, name: 'former' }, present)
  await putSecret(tx, cipher, scope, { owner, name: 'current' }, secret)
}

/** The secrets that sign now, the newest first. */
export async function findSigningSecrets(
  db: Db,
  cipher: SecretCipher,
  scope: TenantScope,
  id: string,
  nowMs: number,
): Promise<readonly string[]> {
  const owner = ownerOf(id)
  const secrets: string[] = []
  // By name, so `current` comes before `former`.
  for (const { name, updatedAt } of await listSecrets(db, scope, owner)) {
    if (name === 'former' && updatedAt.getTime() < nowMs - FORMER_MS) continue
    // oxlint-disable-next-line eslint/no-await-in-loop
    const secret = await findSecret(db, cipher, scope, { owner, name })
    if (secret !== null) secrets.push(secret)
  }
  return secrets
}
