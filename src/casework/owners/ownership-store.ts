// SQL of resolution: whose resource an event is about at its own time, for a whole batch in one
// statement. An address is found by looking up its prefixes of the lengths that the tenant's ranges
// have, each a probe of one index, so that no operator class beyond btree is needed (design section
// 1, row 4).

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { Ownership } from '../rules/correlation-key.ts'

/** What of an event may be somebody's. */
export interface OwnedTarget {
  /** ISO 8601: when it happened. */
  readonly at: string
  readonly account: string | null
  /** Canonical. */
  readonly ip: string | null
  /** The domain and its parents down to the registrable one, nearest first. */
  readonly domains: readonly string[]
}

/**
 * In the order of the targets; null where no resource is valid at that time. An account goes before
 * an address, an address before a domain; the narrowest range and the nearest name win, then what
 * is valid from the latest time on. A resource whose contract was not valid at that time is
 * nobody's.
 */
export async function findOwners(
  db: Db,
  scope: TenantScope,
  targets: readonly OwnedTarget[],
): Promise<readonly (Ownership | null)[]> {
  const candidates = listCandidates(scope, targets)
  if (candidates.length === 0) return targets.map(() => null)
  const found = await sql<Ownership & { readonly place: number }>`
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
    select distinct on (candidate.place) candidate.place, resource.customer_id as "customerId",
      resource.contract_id as "contractId", resource.id as "resourceId"
    from (${sql.join(candidates, sql` union all `)}) as candidate (place, at, rank, distance, resource_id)
    cross join lateral (
      select * from resource where tenant_id = ${scope.tenantId} and id = candidate.resource_id
        and valid_from <= candidate.at and candidate.at < valid_until offset 0
    ) as resource
    left join contract on contract.tenant_id = ${scope.tenantId} and contract.id = resource.contract_id
    where contract.id is null
      or (contract.valid_from <= candidate.at and candidate.at < contract.valid_until)
    order by candidate.place, candidate.rank, candidate.distance, resource.valid_from desc, resource.id desc`.execute(
    db,
  )
  const owners = new Map(found.rows.map(({ place, ...owner }) => [place, owner]))
  return targets.map((_, place) => owners.get(place) ?? null)
}

// `offset 0` keeps each look-up a probe of its index, whatever the statistics say: right after an
// import they are those of an empty table, and a join then read all 30,000 resources for one event
// (57 ms, measured 2026-11-22).

/**
 * Rows of (place, at, rank, distance, resource), one select for each kind of target that the batch
 * has.
 */
function listCandidates(
  scope: TenantScope,
  targets: readonly OwnedTarget[],
): readonly RawBuilder<unknown>[] {
  const named = targets.map((target, place) => ({ ...target, place }))
  const accounts = named.flatMap(({ account, place, at }) =>
    account === null ? [] : [{ place, at, value: account, distance: 0 }],
  )
  const ips = named.flatMap(({ ip, place, at }) => (ip === null ? [] : [{ place, at, ip }]))
  const names = named.flatMap(({ domains, place, at }) =>
    domains.map((value, distance) => ({ place, at, value, distance })),
  )
  return [
    ...(accounts.length === 0 ? [] : [matchValues(scope, 'account', 1, accounts)]),
    ...(ips.length === 0 ? [] : [matchAddresses(scope, ips)]),
    ...(names.length === 0 ? [] : [matchValues(scope, 'domain', 3, names)]),
  ]
}

interface NamedValue {
  readonly place: number
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
    select given.place, given.at, ${sql.lit(rank)}, given.distance, named.id
    from unnest(
      ${values.map((one) => one.place)}::integer[], ${values.map((one) => one.at)}::timestamptz[],
      ${values.map((one) => one.value)}::text[], ${values.map((one) => one.distance)}::integer[]
    ) as given (place, at, value, distance)
    cross join lateral (
      select id from resource where tenant_id = ${scope.tenantId} and kind = ${sql.lit(kind)}
        and value = given.value collate "C" offset 0
    ) as named`
}

function matchAddresses(
  scope: TenantScope,
  ips: readonly { readonly place: number; readonly at: string; readonly ip: string }[],
): RawBuilder<unknown> {
  return sql`
    select given.place, given.at, 2, -block.range_length, block.resource_id
    from unnest(
      ${ips.map((one) => one.place)}::integer[], ${ips.map((one) => one.at)}::timestamptz[],
      ${ips.map((one) => one.ip)}::inet[]
    ) as given (place, at, ip)
    join length_in_use on length_in_use.family = family(given.ip)
    cross join lateral (
      select range_length, resource_id from resource_block where tenant_id = ${scope.tenantId}
        and family = length_in_use.family and prefix_length = length_in_use.prefix_length
        and network = network(set_masklen(given.ip, length_in_use.prefix_length)) offset 0
    ) as block`
}
