// SQL of names beside ids: of the people, groups and tokens of a tenant, those of a page at once.

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'

// Ids that this program made. Any other text, such as the name of a desk's own person, stands for
// itself.
const NAMED_ID = /^(?:usr|grp|tok)_[0-9a-f]{32}$/

/** Shown instead of a name; nothing is told of who it was. */
const FORMER: Readonly<Record<string, string>> = { usr: 'former user', grp: 'deleted group' }

/**
 * The names by id, in one statement, and in none when there is no such id. A person who is out of
 * the tenant, or erased, is `former user`: also an id of a person of another tenant, whose name
 * must not be told here. `tenantId` null is for the chain of the instance.
 */
export async function findActorNames(
  db: Db,
  tenantId: string | null,
  ids: Iterable<string | null>,
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null && NAMED_ID.test(id))
  const names = new Map<string, string>()
  if (wanted.length === 0) return names
  for (const id of wanted) {
    const former = FORMER[id?.slice(0, 3) ?? '']
    if (id !== null && former !== undefined) names.set(id, former)
  }
  const given = sql`any(${wanted}::text[])`
  const { rows } = await sql<{ id: string; name: string }>`
    ${tenantId === null ? selectPeople(given) : selectMembers(given, tenantId)}
    union all select id, name from api_token where id = ${given} and ${ofTenant(tenantId)}
    union all select id, name from user_group where id = ${given} and ${ofTenant(tenantId)}`.execute(
    db,
  )
  for (const { id, name } of rows) names.set(id, name)
  return names
}

function ofTenant(tenantId: string | null): RawBuilder<unknown> {
  return tenantId === null ? sql`true` : sql`tenant_id = ${tenantId}`
}

function selectPeople(given: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select id, name from user_account where id = ${given}`
}

/** Until an invitation is accepted a tenant sees the name that it has given. */
function selectMembers(given: RawBuilder<unknown>, tenantId: string): RawBuilder<unknown> {
  return sql`
    select u.id, case when m.accepted_at is null then m.invited_name else u.name end as name
    from tenant_user m join user_account u on u.id = m.user_id
    where m.tenant_id = ${tenantId} and m.user_id = ${given}`
}
