// SQL of stored secrets. They are encrypted before they are sent to the database (kernel/secrets),
// and each is bound to its tenant, owner and name.

import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'
import { type DueRows, workByTenantInOne } from '../../kernel/db/due-tenants.ts'
import type { SealedSecret, SecretCipher } from '../../kernel/secrets/secret-cipher.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'

/** Where a secret belongs: those that a tenant names itself have the owner `tenant`. */
export interface SecretName {
  readonly owner: string
  readonly name: string
}

/** The owner of the secrets that a tenant names itself. */
export const TENANT_SECRETS = 'tenant'

function describeBinding({ tenantId }: TenantScope, { owner, name }: SecretName): string {
  return JSON.stringify([tenantId, owner, name])
}

/** Stores or replaces a secret. */
export async function putSecret(
  tx: Tx,
  cipher: SecretCipher,
  scope: TenantScope,
  place: SecretName,
  text: string,
): Promise<void> {
  const { keyId, sealed } = cipher.seal(describeBinding(scope, place), text)
  await sql`
    insert into secret (tenant_id, owner, name, key_id, sealed)
    values (${scope.tenantId}, ${place.owner}, ${place.name}, ${keyId}, ${sealed})
    on conflict (tenant_id, owner, name) do update
      set key_id = excluded.key_id, sealed = excluded.sealed, updated_at = excluded.updated_at`.execute(
    tx,
  )
}

/** Null when there is none. Throws KERNEL_SECRET_KEY_MISSING without the key that sealed it. */
export async function findSecret(
  db: Db,
  cipher: SecretCipher,
  scope: TenantScope,
  place: SecretName,
): Promise<string | null> {
  const found = await sql<SealedSecret>`
    select key_id as "keyId", sealed from secret
    where tenant_id = ${scope.tenantId} and owner = ${place.owner} and name = ${place.name}`.execute(
    db,
  )
  const [row] = found.rows
  return row === undefined ? null : cipher.open(describeBinding(scope, place), row)
}

export async function deleteSecret(
  db: Db,
  scope: TenantScope,
  place: SecretName,
): Promise<boolean> {
  const deleted = await sql`
    delete from secret
    where tenant_id = ${scope.tenantId} and owner = ${place.owner} and name = ${place.name}`.execute(
    db,
  )
  return (deleted.numAffectedRows ?? 0n) > 0n
}

/** What may be told of a secret. */
export interface SecretNote {
  readonly name: string
  readonly updatedAt: Date
}

/** Of one owner, by name. */
export async function listSecrets(
  db: Db,
  { tenantId }: TenantScope,
  owner: string,
): Promise<readonly SecretNote[]> {
  const found = await sql<SecretNote>`
    select name, updated_at as "updatedAt" from secret
    where tenant_id = ${tenantId} and owner = ${owner} order by name`.execute(db)
  return found.rows
}

/** The ids of the keys of stored secrets, over all tenants: a node must have each of them. */
export async function listSecretKeys(db: Db): Promise<readonly string[]> {
  const found = await sql<{ keyId: string }>`
    select distinct key_id as "keyId" from secret order by key_id`.execute(db)
  return found.rows.map(({ keyId }) => keyId)
}

interface SealedRow extends SealedSecret, SecretName {
  readonly tenantId: string
}

const BATCH = 500

/**
 * Seals up to 500 secrets of each tenant that have other keys with the first key of `cipher`;
 * `isMore` when there may be more of them. The time of a value stays: it says how long a former
 * secret of a webhook signs.
 */
export async function sealAgain(
  tx: Tx,
  cipher: SecretCipher,
): Promise<{ readonly count: number; readonly isMore: boolean }> {
  const [first = ''] = cipher.keyIds
  const others: DueRows = {
    table: 'secret',
    isDue: sql`key_id <> ${first}`,
    since: sql`tenant_id`,
  }
  let count = 0
  const { isMore } = await workByTenantInOne(tx, others, BATCH, async (tenantId, limit) => {
    const found = await sql<SealedRow>`
      select tenant_id as "tenantId", owner, name, key_id as "keyId", sealed from secret
      where tenant_id = ${tenantId} and key_id <> ${first} order by owner, name limit ${limit} for update`.execute(
      tx,
    )
    for (const row of found.rows) {
      // A secret is as long as a password, and an installation has few.
      // oxlint-disable-next-line eslint/no-await-in-loop
      await sealRowAgain(tx, cipher, row)
    }
    count += found.rows.length
    return found.rows.length
  })
  return { count, isMore }
}

async function sealRowAgain(tx: Tx, cipher: SecretCipher, row: SealedRow): Promise<void> {
  const { tenantId, owner, name } = row
  const binding = describeBinding({ tenantId }, row)
  const { keyId, sealed } = cipher.seal(binding, cipher.open(binding, row))
  await sql`
    update secret set key_id = ${keyId}, sealed = ${sealed}
    where tenant_id = ${tenantId} and owner = ${owner} and name = ${name}`.execute(tx)
}
