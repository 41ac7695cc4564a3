// What `casework doctor` says of a database that Citus shards: the extension, the nodes, and where
// the tables lie.

import type { ClientBase } from 'pg'
import type { DatabaseConnection } from '../../kernel/db/database-hosts.ts'
import { openClient } from '../../kernel/db/open-client.ts'
import type { ReadinessFinding } from '../../kernel/readiness.ts'
import { describeSilentNodes } from './silent-nodes.ts'
import { REFERENCE_TABLES, SHARDED_TABLES } from './table-kinds.ts'

// The oldest that was run with Casework is 13; from 11 on the open one has row level security.
const CITUS_MAJOR_MIN = 11
const NAMES_SHOWN = 5

/** Null for a server without Citus. */
export async function checkShards(
  connection: DatabaseConnection,
): Promise<ReadinessFinding | null> {
  const { client, close } = await openClient(connection, 'casework doctor')
  try {
    const { rows } = await client.query<{ version: string }>(
      `select extversion as version from pg_extension where extname = 'citus'`,
    )
    const version = rows[0]?.version
    if (version === undefined) return null
    if (!(await isDistributed(client))) {
      const detail = `Citus ${version}, not sharded: "npx casework migrate --distribute" does it (docs/guides/shard-by-tenant.md).`
      return { state: 'degraded', detail }
    }
    return await describeShards(client, version)
  } finally {
    await close()
  }
}

async function isDistributed(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_catalog.pg_dist_partition where logicalrelid = to_regclass('tenant')`,
  )
  return rows.length > 0
}

async function describeShards(client: ClientBase, version: string): Promise<ReadinessFinding> {
  const faults: string[] = []
  if (Number.parseInt(version, 10) < CITUS_MAJOR_MIN) {
    faults.push(`Citus ${version} is older than ${CITUS_MAJOR_MIN}`)
  }
  const silent = await describeSilentNodes(client)
  if (silent !== null) faults.push(silent)
  const facts = await readFacts(client)
  if (facts.misplaced.length > 0) {
    faults.push(
      `${list(facts.misplaced)} not as sharding wants it: run "npx casework migrate --distribute" again`,
    )
  }
  if (facts.groups > 1) faults.push(`the tables lie in ${facts.groups} groups, not in one`)
  if (facts.astray > 0) {
    faults.push(`${facts.astray} shards lie on nodes that are gone or switched off`)
  }
  if (facts.propagates !== 'local') {
    faults.push(
      `citus.propagate_set_commands is ${facts.propagates}, so no tenant sees its rows: run "npx casework migrate --distribute" again`,
    )
  }
  if (faults.length > 0) return { state: 'failed', detail: `${faults.join('; ')}.` }
  const detail = `Citus ${version}: ${SHARDED_TABLES.length} tables in ${facts.shards} shards each on ${facts.workers} workers, all of which answer.`
  return { state: 'ok', detail }
}

function list(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN
  const shown = names.slice(0, NAMES_SHOWN).join(', ')
  return `${shown}${more > 0 ? ` and ${more} more` : ''} ${names.length === 1 ? 'is' : 'are'}`
}

interface Facts {
  readonly misplaced: readonly string[]
  readonly groups: number
  readonly astray: number
  readonly shards: number
  readonly workers: number
  readonly propagates: string
}

async function readFacts(client: ClientBase): Promise<Facts> {
  const { rows } = await client.query<Facts>(
    `with wanted as (
       select name, 'h' as kind from unnest($1::text[]) as name
       union all select name, 'n' from unnest($2::text[]) as name
     ), placed as (
       select wanted.name, wanted.kind, p.colocationid from wanted
       join pg_catalog.pg_dist_partition p on p.logicalrelid = to_regclass(wanted.name) and p.partmethod::text = wanted.kind
     ), sharded as (
       select shardid from pg_catalog.pg_dist_shard where logicalrelid = any (array(select to_regclass(name) from placed where kind = 'h'))
     )
     select array(select name from wanted where name not in (select name from placed) order by 1) as misplaced,
       (select count(distinct colocationid) from placed where kind = 'h')::integer as groups,
       (select count(*) from sharded where not exists (
          select from pg_catalog.pg_dist_placement l join pg_catalog.pg_dist_node n using (groupid)
          where l.shardid = sharded.shardid and n.isactive and n.noderole = 'primary'))::integer as astray,
       (select count(*) from pg_catalog.pg_dist_shard where logicalrelid = to_regclass('abuse_case'))::integer as shards,
       (select count(*) from pg_catalog.pg_dist_node where shouldhaveshards)::integer as workers,
       coalesce(current_setting('citus.propagate_set_commands', true), 'not set') as propagates`,
    [SHARDED_TABLES, REFERENCE_TABLES],
  )
  const [facts] = rows
  if (facts === undefined) throw new Error('the database told nothing of its shards')
  return facts
}
