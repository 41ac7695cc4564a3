// What row level security depends on in a database that an operator set up: the role of the
// program, and whether conditions still use their indexes.

import type { Pool } from 'pg'
import type { ReadinessFinding } from '../readiness.ts'

/**
 * Functions of indexed conditions. Under row security PostgreSQL runs a condition by an index only
 * if it trusts its functions to tell nothing of rows that are not to be seen; else it would read
 * all rows of the tenant. It distrusts those whose error messages may show a value. That is a
 * matter for those who write SQL of their own, and nobody but the program does.
 */
export const INDEXED_FUNCTIONS: readonly string[] = [
  // Tags and types of cases; the contacts of customers.
  'arraycontains(anyarray, anyarray)',
  'jsonb_contains(jsonb, jsonb)',
  // Words.
  'ts_match_vq(tsvector, tsquery)',
  'to_tsvector(regconfig, text)',
  'jsonb_to_tsvector(regconfig, jsonb, jsonb)',
  'textcat(text, text)',
  'textlike(text, text)',
  // Addresses of people, domains and IP addresses.
  'lower(text)',
  'reverse(text)',
  'textout(text)',
  'inet_in(cstring)',
  // Weeks of cases.
  'timezone(text, timestamptz)',
  'extract(text, timestamp)',
  'numeric_div(numeric, numeric)',
  'floor(numeric)',
  'numeric_eq(numeric, numeric)',
  'numeric_ge(numeric, numeric)',
  'numeric_le(numeric, numeric)',
  'numeric_lt(numeric, numeric)',
]

interface RoleFacts {
  readonly role: string
  readonly bypasses: boolean
  readonly unmarked: number
}

/** What an operator should know of the role that this database is reached by. */
export async function checkRole(pool: Pool): Promise<ReadinessFinding> {
  const { rows } = await pool.query<RoleFacts>(
    `select current_user as role,
       (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as bypasses,
       (select count(*)::integer from pg_proc where oid = any(array(
          select to_regprocedure('pg_catalog.' || name) from unnest($1::text[]) as name)) and not proleakproof) as unmarked`,
    [INDEXED_FUNCTIONS],
  )
  const [facts] = rows
  if (facts === undefined) throw new Error('the database told nothing of its role')
  return describeRole(facts)
}

function describeRole({ role, bypasses, unmarked }: RoleFacts): ReadinessFinding {
  if (bypasses) {
    const detail = `The role ${role} is a superuser or has BYPASSRLS, so row level security holds nothing back: let the program work as a role of its own (docs/guides/operate.md, "The role of the program").`
    return { state: 'degraded', detail }
  }
  const held = `Row level security binds the role ${role}.`
  if (unmarked === 0) return { state: 'ok', detail: held }
  const detail = `${held} ${unmarked} functions are not marked as leakproof, so searches and some filters read all rows of a tenant (docs/guides/operate.md, "The role of the program").`
  return { state: 'ok', detail }
}
