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
 * Those of the ids to which a case cannot be assigned: neither a user nor a group of the tenant.
 * While the tenant has no users, any text names an assignee, as that of a desk that keeps its
 * people elsewhere.
 */
export async function findUnknownAssigneeIds(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select given.id from unnest(${[...new Set(ids)]}::text[]) as given (id)
    where not exists (select from tenant_user m join user_account u on u.id = m.user_id
        where m.tenant_id = ${tenantId} and m.user_id = given.id collate "C"
          and m.accepted_at is not null and u.disabled_at is null)
      and not exists (
        select from user_group g where g.tenant_id = ${tenantId} and g.id = given.id collate "C")
      and exists (select from tenant_user m where m.tenant_id = ${tenantId})`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
