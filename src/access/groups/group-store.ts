// SQL of groups of users: a desk of a tenant, to which cases are assigned.

import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'
import { isKeyTaken } from '../../kernel/db/trouble-codes.ts'

export interface GroupRecord {
  readonly tenantId: string
  readonly id: string
  readonly name: string
  readonly userIds: readonly string[]
  readonly createdAt: Date
}

const GROUPS = sql`
  select g.tenant_id as "tenantId", g.id, g.name, g.created_at as "createdAt",
    array(select m.user_id from user_group_member m
      where m.tenant_id = g.tenant_id and m.group_id = g.id order by m.user_id) as "userIds"
  from user_group g`

/** Groups of a tenant by name, those after `afterName` (null: from the start). */
export async function listGroups(
  db: Db,
  tenantId: string,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<readonly GroupRecord[]> {
  const { rows } = await sql<GroupRecord>`${GROUPS}
    where g.tenant_id = ${tenantId} and (${after}::text is null or g.name > ${after}::text)
    order by g.name limit ${limit}`.execute(db)
  return rows
}

export async function findGroup(db: Db, tenantId: string, id: string): Promise<GroupRecord | null> {
  const { rows } = await sql<GroupRecord>`${GROUPS}
    where g.tenant_id = ${tenantId} and g.id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** The group, which no other transaction changes before this one ends. */
export async function lockGroup(tx: Tx, tenantId: string, id: string): Promise<GroupRecord | null> {
  await sql`select id from user_group where tenant_id = ${tenantId} and id = ${id}
    for no key update`.execute(tx)
  return await findGroup(tx, tenantId, id)
}

/** False when the tenant has a group of this name already. */
export async function insertGroup(
  tx: Tx,
  group: { readonly tenantId: string; readonly id: string; readonly name: string },
): Promise<boolean> {
  const made = await sql`insert into user_group (tenant_id, id, name)
    values (${group.tenantId}, ${group.id}, ${group.name})
    on conflict (tenant_id, name) do nothing`.execute(tx)
  return made.numAffectedRows === 1n
}

/**
 * False when another group of the tenant has this name, or gets it at the same time: the
 * transaction is of no use afterwards.
 */
export async function renameGroup(
  tx: Tx,
  tenantId: string,
  id: string,
  name: string,
): Promise<boolean> {
  try {
    await sql`update user_group set name = ${name}
      where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
    return true
  } catch (error) {
    if (isKeyTaken(error)) return false
    throw error
  }
}

export async function deleteGroup(tx: Tx, tenantId: string, id: string): Promise<void> {
  await sql`delete from user_group where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
}

/** The ids that are no user of the tenant; nothing is changed unless it is empty. */
export async function replaceMembers(
  tx: Tx,
  tenantId: string,
  id: string,
  userIds: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select one.id from unnest(${[...userIds]}::text[]) as one (id)
    where not exists (
      select from tenant_user m where m.tenant_id = ${tenantId} and m.user_id = one.id)`.execute(tx)
  if (rows.length > 0) return rows.map((row) => row.id)
  await sql`delete from user_group_member
    where tenant_id = ${tenantId} and group_id = ${id} and user_id <> all (${[...userIds]}::text[])`.execute(
    tx,
  )
  await sql`insert into user_group_member (tenant_id, group_id, user_id)
    select ${tenantId}, ${id}, one.id from unnest(${[...userIds]}::text[]) as one (id)
    on conflict do nothing`.execute(tx)
  return []
}
