// SQL that finds the owners of targets at a time, for a whole batch in one statement. An address is
// looked up by its prefixes, one for each length that the tenant's ranges have. Each is a probe of
// one index, so that no operator class beyond btree is needed (design section 1, row 4).

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import { PLANNED_ALONE } from '../../kernel/db/planner.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { Ownership } from '../rules/correlation-key.ts'

/** The parts of an event that may have an owner. */
export interface OwnedTarget {
  /** The time of the event, ISO 8601. */
  readonly at: string
  readonly account: string | null
  /** Canonical. */
  readonly ip: string | null
  /** The domain and its parents down to the registrable one, nearest first. */
  readonly domains: readonly string[]
}

/**
 * The owners in the order of the targets; null where no resource is valid at that time. An account
 * wins over an address, an address over a domain. Then the narrowest range and the nearest name
 * win, then the resource with the latest start. A resource whose contract was not valid at that
 * time has no owner.
 */
export async function findOwners(
  db: Db,
  scope: TenantScope,
  targets: readonly OwnedTarget[],
): Promise<readonly (Ownership | null)[]> {
  const candidates = listCandidates(scope, targets)
  if (candidates.length === 0) return targets.map(() => null)
  const found = await sql<Ownership & { readonly ordinal: number }>`
    with recursive length_in_use (family, prefix_length) as (
      (select family, prefix_length from resource_block where tenant_id = ${scope.tenantId}
        order by family, prefix_length limit 1)
      union all
      select next.family, next.prefix_length from length_in_use cross join lateral (
        select family, prefix_length from resource_block
        where tenant_id = ${scope.tenantId}
          and (family, prefix_length) > (length_in_use.family, length_in_use.prefix_length)
        order by family, prefix_length limit 1
      ) as next
    )
    select distinct on (candidate.ordinal) candidate.ordinal, resource.customer_id as "customerId",
      resource.contract_id as "contractId", resource.id as "resourceId"
    from (${sql.join(candidates, sql` union all `)}) as candidate (ordinal, at, rank, distance, resource_id)
    cross join lateral (
      select * from resource where tenant_id = ${scope.tenantId} and id = candidate.resource_id
        and valid_from <= candidate.at and candidate.at < valid_until ${PLANNED_ALONE}
    ) as resource
    left join contract on contract.tenant_id = ${scope.tenantId} and contract.id = resource.contract_id
    where contract.id is null
      or (contract.valid_from <= candidate.at and candidate.at < contract.valid_until)
    order by candidate.ordinal, candidate.rank, candidate.distance, resource.valid_from desc, resource.id desc`.execute(
    db,
  )
  const owners = new Map(found.rows.map(({ ordinal, ...owner }) => [ordinal, owner]))
  return targets.map((_, ordinal) => owners.get(ordinal) ?? null)
}

// PLANNED_ALONE keeps each look-up a probe of its index. Right after an import the statistics are
// those of an empty table, and without it the planner reads all resources for each event.

/**
 * Rows of (ordinal, at, rank, distance, resource): one select for each kind of target in the batch.
 */
function listCandidates(
  scope: TenantScope,
  targets: readonly OwnedTarget[],
): readonly RawBuilder<unknown>[] {
  const named = targets.map((target, ordinal) => ({ ...target, ordinal }))
  const accounts = named.flatMap(({ account, ordinal, at }) =>
    account === null ? [] : [{ ordinal, at, value: account, distance: 0 }],
  )
  const ips = named.flatMap(({ ip, ordinal, at }) => (ip === null ? [] : [{ ordinal, at, ip }]))
  const names = named.flatMap(({ domains, ordinal, at }) =>
    domains.map((value, distance) => ({ ordinal, at, value, distance })),
  )
  return [
    ...(accounts.length === 0 ? [] : [matchValues(scope, 'account', 1, accounts)]),
    ...(ips.length === 0 ? [] : [matchAddresses(scope, ips)]),
    ...(names.length === 0 ? [] : [matchValues(scope, 'domain', 3, names)]),
  ]
}

interface NamedValue {
  readonly ordinal: number
  readonly at: string
  readonly value: string
  readonly distance: number
}

function matchValues(
  scope: TenantScope,
  kind: 'account' | 'domain',
  rank: number,
  values: readonly NamedValue[],
): RawBuilder<unknown> {
  return sql`
    select given.ordinal, given.at, ${sql.lit(rank)}, given.distance, named.id
    from unnest(
      ${values.map((one) => one.ordinal)}::integer[], ${values.map((one) => one.at)}::timestamptz[],
      ${values.map((one) => one.value)}::text[], ${values.map((one) => one.distance)}::integer[]
    ) as given (ordinal, at, value, distance)
    cross join lateral (
      select id from resource where tenant_id = ${scope.tenantId} and kind = ${sql.lit(kind)}
        and value = given.value collate "C" ${PLANNED_ALONE}
    ) as named`
}

function matchAddresses(
  scope: TenantScope,
  ips: readonly { readonly ordinal: number; readonly at: string; readonly ip: string }[],
): RawBuilder<unknown> {
  return sql`
    select given.ordinal, given.at, 2, -block.range_length, block.resource_id
    from unnest(
      ${ips.map((one) => one.ordinal)}::integer[], ${ips.map((one) => one.at)}::timestamptz[],
      ${ips.map((one) => one.ip)}::inet[]
    ) as given (ordinal, at, ip)
    join length_in_use on length_in_use.family = family(given.ip)
    cross join lateral (
      select range_length, resource_id from resource_block where tenant_id = ${scope.tenantId}
        and family = length_in_use.family and prefix_length = length_in_use.prefix_length
        and network = network(set_masklen(given.ip, length_in_use.prefix_length)) ${PLANNED_ALONE}
    ) as block`
}
