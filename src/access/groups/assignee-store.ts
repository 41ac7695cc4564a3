// SQL of those to whom cases are assigned: the users of a tenant and their groups.

import { sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'

export interface AssigneeRecord {
  readonly kind: 'user' | 'group'
  readonly id: string
  readonly name: string
}

/** By name, those after the position of the page before (name and id). */
export async function listAssignees(
  db: Db,
  tenantId: string,
  { after, limit }: { readonly after: readonly string[] | null; readonly limit: number },
): Promise<readonly AssigneeRecord[]> {
  const [name = null, id = null] = after ?? []
  const { rows } = await sql<AssigneeRecord>`
    select kind, id, name from (
      select 'user' as kind, u.id, u.name from tenant_user m join user_account u on u.id = m.user_id
      where m.tenant_id = ${tenantId} and m.accepted_at is not null and u.disabled_at is null
      union all
      select 'group', g.id, g.name from user_group g where g.tenant_id = ${tenantId}) as one
    where ${id}::text is null or (name, id) > (${name}::text, ${id}::text)
    order by name, id limit ${limit}`.execute(db)
  return rows
}

/**
 * Whether a case can be assigned to it: a user or a group of the tenant. While the tenant has no
 * users, any text names an assignee, as that of a desk that keeps its people elsewhere.
 */
export async function isAssignable(db: Db, tenantId: string, id: string): Promise<boolean> {
  const { rows } = await sql<{ isAssignable: boolean }>`
    select exists (select from tenant_user m join user_account u on u.id = m.user_id
        where m.tenant_id = ${tenantId} and m.user_id = ${id}
          and m.accepted_at is not null and u.disabled_at is null)
      or exists (select from user_group g where g.tenant_id = ${tenantId} and g.id = ${id})
      or not exists (select from tenant_user m where m.tenant_id = ${tenantId})
      as "isAssignable"`.execute(db)
  return rows[0]?.isAssignable === true
}

/** The names of these users, by id, also of those who have left the tenant. */
export async function findUserNames(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids)].filter((id) => id.startsWith('usr_'))
  if (wanted.length === 0) return new Map()
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from user_account where id = any (${wanted}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row.name]))
}
