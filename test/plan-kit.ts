// The plans of the statements that a function of the program sends. The function gets a database
// handle that notes its statements; each is explained afterwards with its own parameters.

import { Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import { asObserver, isOnCitus, type SocketConnection } from './harness.ts'

export interface PlanReader {
  readonly db: Kysely<object>
  /** The plans of the statements since the last call, each as one text. */
  readonly readPlans: () => Promise<readonly string[]>
  /** The tables and partitions that the plans of these statements read. */
  readonly readTables: () => Promise<ReadonlySet<string>>
  readonly close: () => Promise<void>
}

function openPool(connection: SocketConnection): Pool {
  const pool = new Pool({ ...asObserver(connection), max: 1 })
  // A connection that breaks between two statements shows in the next one.
  pool.on('error', () => undefined)
  return pool
}

export function openPlanReader(connection: SocketConnection): PlanReader {
  const pool = openPool(connection)
  let sent: { readonly text: string; readonly values: readonly unknown[] }[] = []
  const db = new Kysely<object>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => {
      sent.push({ text: query.sql, values: query.parameters })
    },
  })
  const explain = async (): Promise<readonly string[]> => {
    const plans: string[] = []
    for (const { text, values } of sent) {
      if (!/^\s*(?:select|with|update|insert|delete)/i.test(text)) continue
      const { rows } = await pool.query<Record<string, string>>(`explain ${text}`, [...values])
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
    }
    sent = []
    return plans
  }
  return {
    db,
    readPlans: async () => (await explain()).map(nameTables),
    async readTables() {
      const plans = (await explain()).map(withoutShards).join('\n')
      return new Set([...plans.matchAll(/ on (\w+)/g)].map(([, table = '']) => table))
    },
    close: () => pool.end(),
  }
}

/** Citus adds the number of the shard to the name of each table, partition and index. */
function withoutShards(plan: string): string {
  if (!isOnCitus()) return plan
  return plan.replaceAll(/(?<=\b[a-z]\w+)_1\d{5}\b/g, '')
}

/**
 * The plan that a connection keeps for the last query of a function, whatever its arguments are
 * (migration 0124).
 */
export async function readKeptPlan(connection: SocketConnection, name: string): Promise<string> {
  const [plan = ''] = await readKeptPlans(connection, name, /^[^]*return query([^;]+);/g)
  return plan
}

/** The same for each query of the function that makes an array, in their order. */
export async function readKeptPlansOfArrays(
  connection: SocketConnection,
  name: string,
): Promise<readonly string[]> {
  return await readKeptPlans(connection, name, /:= array\(([^;]+)\);/g)
}

async function readKeptPlans(
  connection: SocketConnection,
  name: string,
  pattern: RegExp,
): Promise<readonly string[]> {
  const pool = openPool(connection)
  try {
    const found = await pool.query<{ body: string; parameters: readonly string[]; types: string }>(
      `select prosrc as body, proargnames[:pronargs] as parameters,
         (select string_agg(format_type(type, null), ', ' order by place) from unnest(proargtypes) with ordinality as one (type, place)) as types
       from pg_proc where proname = $1`,
      [name],
    )
    const { body = '', parameters = [], types = '' } = found.rows[0] ?? {}
    await pool.query('set plan_cache_mode = force_generic_plan')
    await pool.query('set enable_seqscan = off')
    const plans: string[] = []
    for (const [, query = ''] of body.matchAll(pattern)) {
      const text = query.replaceAll(/\b[a-z]+\b/g, (word) => {
        const place = parameters.indexOf(word)
        return place < 0 ? word : `$${place + 1}`
      })
      plans.push(await explainKept(pool, text, types))
    }
    return plans
  } finally {
    await pool.end()
  }
}

async function explainKept(pool: Pool, text: string, types: string): Promise<string> {
  await pool.query(`prepare kept (${types}) as ${text}`)
  const nulls = types.split(', ').map(() => 'null')
  const { rows } = await pool.query<Record<string, string>>(
    `explain execute kept (${nulls.join(', ')})`,
  )
  await pool.query('deallocate kept')
  return nameTables(rows.map((row) => row['QUERY PLAN']).join('\n'))
}

/** The plan with the name of a divided table instead of that of a partition (migration 0118). */
export function nameTables(plan: string): string {
  return (
    withoutShards(plan)
      // The partitions for a month to come and for all other ids are empty, and an empty table
      // needs no index.
      .replaceAll(
        /Seq Scan on (?:event|case_history|visit)_(?:other|\d{4}_\d{2})\b/g,
        'Scan of nothing',
      )
      .replaceAll(/\b(event|case_history|visit)_(?:until_)?\d{4}_\d{2}/g, '$1')
  )
}

const TYPES = ['Spam', 'Phishing', 'PortScan']

/**
 * `count` events of one tenant that came on the first of January 2026, ten to a case and a few of
 * rare values, straight into the tables, with statistics.
 */
export async function writeManyEvents(
  connection: SocketConnection,
  tenantId: string,
  count: number,
): Promise<void> {
  const pool = openPool(connection)
  try {
    await pool.query(
      `insert into event (tenant_id, event_id, create_date, event_date, event_type, sender_email, domain, ip, customer_id, case_id,
         event_subtypes, tags, details)
       select $1, ('019b76da-a800-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, now(), timestamptz '2026-01-01' + n * interval '1 second',
         ($3::text[])[1 + n % 3], 'reporter-' || n % 7 || '@example.org', case when n % 5 = 0 then 'site-' || n / 10 || '.example.net' end,
         host('10.0.0.0'::inet + n / 10), 'customer-' || n / 10,
         'C-01900000-0000-7000-8000-' || upper(lpad(to_hex(n / 10), 12, '0')), '{}', '{}',
         jsonb_build_object('url', 'https://site-' || n / 10 || '.example.net/x' || n, 'protocol', 'tcp')
       from generate_series(0, $2::integer - 1) as n`,
      [tenantId, count, TYPES],
    )
    await pool.query(
      `insert into abuse_case (tenant_id, id, case_group_id, key_hash, state, created_at, updated_at, customer_id, first_event_date,
         last_event_date, event_count, event_types, event_ips, event_reporters, event_tags)
       select $1, case_id, 'default', sha256(case_id::bytea), 'NEW', first, first, customer_id, first, last, count, types, ips, '{}', '{}'
       from (
         select case_id, min(customer_id) as customer_id, min(event_date) as first, max(event_date) as last, count(*) as count,
           array_agg(distinct event_type) as types, array_agg(distinct ip) as ips
         from event where tenant_id = $1 group by case_id
       ) as sums`,
      [tenantId],
    )
    await pool.query(
      `insert into case_last_event (tenant_id, last_event_date, id, state, created_at, customer_id, contract_id, case_group_id)
       select tenant_id, last_event_date, id, state, created_at, customer_id, contract_id, case_group_id from abuse_case where tenant_id = $1`,
      [tenantId],
    )
    await pool.query('vacuum analyze event, abuse_case, case_last_event')
  } finally {
    await pool.end()
  }
}
