// SQL of device codes. They are of the instance until a person has decided.

import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'

export interface DeviceCode {
  readonly id: string
  readonly clientName: string
  readonly address: string | null
  /** Null for all that the person may. */
  readonly scopes: readonly string[] | null
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly pollSeconds: number
  readonly lastPolledAt: Date | null
  readonly decision: 'approved' | 'denied' | null
  readonly userId: string | null
  readonly tenantId: string | null
}

export interface NewDeviceCode {
  readonly id: string
  readonly deviceHash: Buffer
  readonly userCodeHash: Buffer
  readonly clientName: string
  readonly address: string | null
  readonly addressGroup: string
  readonly scopes: readonly string[] | null
  readonly at: Date
  readonly expiresAt: Date
  readonly pollSeconds: number
}

const CODES = sql`select id, client_name as "clientName", address, scopes, created_at as "createdAt",
  expires_at as "expiresAt", poll_seconds as "pollSeconds", last_polled_at as "lastPolledAt", decision,
  user_id as "userId", tenant_id as "tenantId" from device_code`

export interface CodeCounts {
  readonly ofAddress: number
  readonly all: number
}

/** Open codes; those that have ended are forgotten. */
export async function countCodes(tx: Tx, addressGroup: string, now: Date): Promise<CodeCounts> {
  await sql`delete from device_code where expires_at <= ${now}`.execute(tx)
  const { rows } = await sql<CodeCounts>`select count(*)::integer as all,
    (count(*) filter (where address_group = ${addressGroup}))::integer as "ofAddress"
    from device_code`.execute(tx)
  return rows[0] ?? { ofAddress: 0, all: 0 }
}

export async function insertCode(tx: Tx, code: NewDeviceCode): Promise<void> {
  const scopes = code.scopes === null ? null : [...code.scopes]
  await sql`insert into device_code (id, device_hash, user_code_hash, client_name, address,
      address_group, scopes, created_at, expires_at, poll_seconds)
    values (${code.id}, ${code.deviceHash}, ${code.userCodeHash}, ${code.clientName}, ${code.address},
      ${code.addressGroup}, ${scopes}::text[], ${code.at}, ${code.expiresAt}, ${code.pollSeconds})`.execute(
    tx,
  )
}

/** One that nobody has decided on and that has not ended, or null. */
export async function findOpenCode(
  db: Db,
  userCodeHash: Buffer,
  now: Date,
): Promise<DeviceCode | null> {
  const { rows } = await sql<DeviceCode>`${CODES} where user_code_hash = ${userCodeHash}
    and decision is null and expires_at > ${now}`.execute(db)
  return rows[0] ?? null
}

export interface Decision {
  readonly decision: 'approved' | 'denied'
  readonly userId: string
  readonly tenantId: string
}

/** False when another request has decided before. */
export async function decideCode(
  tx: Tx,
  id: string,
  { decision, userId, tenantId }: Decision,
): Promise<boolean> {
  const decided = await sql`update device_code
    set decision = ${decision}, user_id = ${userId}, tenant_id = ${tenantId}
    where id = ${id} and decision is null`.execute(tx)
  return decided.numAffectedRows === 1n
}

/** The code, which no other poll sees before this transaction ends. */
export async function lockCode(tx: Tx, deviceHash: Buffer): Promise<DeviceCode | null> {
  const { rows } = await sql<DeviceCode>`${CODES}
    where device_hash = ${deviceHash} for update`.execute(tx)
  return rows[0] ?? null
}

export async function notePoll(
  tx: Tx,
  id: string,
  poll: { readonly at: Date; readonly pollSeconds: number },
): Promise<void> {
  await sql`update device_code set last_polled_at = ${poll.at}, poll_seconds = ${poll.pollSeconds}
    where id = ${id}`.execute(tx)
}

export async function deleteCode(tx: Tx, id: string): Promise<void> {
  await sql`delete from device_code where id = ${id}`.execute(tx)
}

/** Ends the logins that wait for their token: somebody else may have approved them. */
export async function deleteCodesOfUser(tx: Tx, userId: string): Promise<void> {
  await sql`delete from device_code where user_id = ${userId}`.execute(tx)
}
