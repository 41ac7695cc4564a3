// SQL of service accounts.

import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'

export interface ServiceAccountRecord {
  readonly tenantId: string
  readonly id: string
  readonly name: string
  readonly liveTokens: number
  readonly createdAt: Date
  readonly changedAt: Date
}

interface ServiceAccountRow {
  tenant_id: string
  id: string
  name: string
  live_tokens: number
  created_at: Date
  changed_at: Date
}

const COLUMNS = sql`tenant_id, id, name, created_at, changed_at, (
  select count(*)::int from api_token
  where api_token.tenant_id = service_account.tenant_id
    and service_account_id = service_account.id and revoked_at is null
    and (expires_at is null or expires_at > now())
) as live_tokens`

/** Service accounts of a tenant by id, those after `afterId` (null: from the start). */
export async function listServiceAccounts(
  db: Db,
  tenantId: string,
  afterId: string | null,
  limit: number,
): Promise<readonly ServiceAccountRecord[]> {
  const { rows } = await sql<ServiceAccountRow>`
    select ${COLUMNS} from service_account
    where tenant_id = ${tenantId} and (${afterId}::text is null or id > ${afterId})
    order by id limit ${limit}`.execute(db)
  return rows.map(readAccount)
}

export async function findServiceAccount(
  db: Db,
  tenantId: string,
  id: string,
): Promise<ServiceAccountRecord | null> {
  const { rows } = await sql<ServiceAccountRow>`
    select ${COLUMNS} from service_account where tenant_id = ${tenantId} and id = ${id}`.execute(db)
  return rows[0] === undefined ? null : readAccount(rows[0])
}

/** As `findServiceAccount`; a `change` waits for others of the account, `keep` for its deletion. */
export async function lockServiceAccount(
  tx: Tx,
  tenantId: string,
  id: string,
  use: 'change' | 'keep',
): Promise<ServiceAccountRecord | null> {
  const lock = use === 'change' ? sql`for update` : sql`for key share`
  const { rows } = await sql<ServiceAccountRow>`
    select ${COLUMNS} from service_account
    where tenant_id = ${tenantId} and id = ${id} ${lock}`.execute(tx)
  return rows[0] === undefined ? null : readAccount(rows[0])
}

/** The new account, or null when the id is taken. */
export async function insertServiceAccount(
  tx: Tx,
  account: Pick<ServiceAccountRecord, 'tenantId' | 'id' | 'name'>,
): Promise<ServiceAccountRecord | null> {
  const { rows } = await sql`
    insert into service_account (tenant_id, id, name)
    values (${account.tenantId}, ${account.id}, ${account.name})
    on conflict do nothing returning id`.execute(tx)
  // Citus returns no sub-select of what it writes.
  return rows.length === 0 ? null : await findServiceAccount(tx, account.tenantId, account.id)
}

export async function countServiceAccounts(tx: Tx, tenantId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from service_account where tenant_id = ${tenantId}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** The account as it is afterwards, which must be there. */
export async function renameServiceAccount(
  tx: Tx,
  { tenantId, id }: Pick<ServiceAccountRecord, 'tenantId' | 'id'>,
  name: string,
): Promise<ServiceAccountRecord> {
  await sql`
    update service_account set name = ${name}, changed_at = now()
    where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
  const account = await findServiceAccount(tx, tenantId, id)
  if (account === null) throw new Error('the service account is gone although it is locked')
  return account
}

export async function deleteServiceAccount(tx: Tx, tenantId: string, id: string): Promise<void> {
  await sql`delete from service_account where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
}

function readAccount(row: ServiceAccountRow): ServiceAccountRecord {
  return {
    tenantId: row.tenant_id,
    id: row.id,
    name: row.name,
    liveTokens: row.live_tokens,
    createdAt: row.created_at,
    changedAt: row.changed_at,
  }
}
