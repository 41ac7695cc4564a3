// The time in which the demo happens. The use cases take their time from the clock, and their SQL
// from now(); both have to stand in the past together, else a case of last month would have a
// playbook run of today. For SQL a function `now` of our own stands before the one of PostgreSQL in
// the search path of the connections of the demo, and of no other connection: everywhere else the
// search path begins with pg_catalog. demo.test.ts fails when this stops working.

import { escapeLiteral, type QueryResult, type QueryResultRow } from 'pg'
import type { Clock } from '../../kernel/clock.ts'
import type { DatabaseConnection } from '../../kernel/db/database-hosts.ts'
import { inInstance } from '../../kernel/db/instance-acts.ts'
import { openClient } from '../../kernel/db/open-client.ts'

export interface PastTime {
  readonly clock: Clock
  /** For a pool whose now() is the time of the demo. */
  readonly connection: DatabaseConnection
  /** Time goes forward only: the order of ids is the order of time. */
  readonly goTo: (timeMs: number) => Promise<void>
  /**
   * Gives the present time of the demo to what was stored since the last call. A default of a
   * column is not read anew: it keeps to the function of PostgreSQL, and to the real time.
   */
  readonly dateDefaults: () => Promise<void>
  /** Takes the functions away again. */
  readonly end: () => Promise<void>
}

export async function openPastTime(
  connection: DatabaseConnection,
  startMs: number,
  tenants: readonly string[],
): Promise<PastTime> {
  const { client, close } = await openClient(connection, 'casework demo')
  let nowMs = startMs
  const send: SendStatement = (text, values = []) =>
    inInstance('fill the demo', () => client.query(text, [...values]))
  try {
    const { rows } = await send<{ path: string; schema: string; at: Date }>(
      `select current_setting('search_path') as path, quote_ident(current_schema()) as schema,
        now() as at`,
    )
    const { path = 'public', schema = 'public', at = new Date() } = rows[0] ?? {}
    // With its schema: the name alone would be read as the function of PostgreSQL.
    const now = `${schema}.now()`
    const dateRows = `${schema}.date_demo_rows(timestamptz)`
    const setNow = async (): Promise<void> => {
      const text = new Date(nowMs).toISOString()
      await send(`create or replace function ${now} returns timestamptz
        language sql stable as $$ select timestamptz '${text}' $$`)
    }
    await setNow()
    await send(await writeDateRows(send, dateRows, tenants, at))
    return {
      clock: { nowMs: () => nowMs },
      connection: withSearchPath(connection, `${path},pg_catalog`),
      async goTo(timeMs) {
        if (timeMs <= nowMs) return
        nowMs = timeMs
        await setNow()
      },
      async dateDefaults() {
        await send('select date_demo_rows($1)', [new Date(nowMs).toISOString()])
      },
      async end() {
        try {
          await send(`drop function if exists ${now}`)
          await send(`drop function if exists ${dateRows}`)
        } finally {
          await close()
        }
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

type SendStatement = <Row extends QueryResultRow>(
  text: string,
  values?: readonly string[],
) => Promise<QueryResult<Row>>

/**
 * The function that dates the rows: what a default filled is later than the start of the demo, and
 * everything else is earlier, but for times that nodes and settings name.
 */
async function writeDateRows(
  send: SendStatement,
  name: string,
  tenants: readonly string[],
  startedAt: Date,
): Promise<string> {
  const { rows } = await send<{ table: string; column: string }>(
    `select quote_ident(c.relname) as table, quote_ident(a.attname) as column
     from pg_class c join pg_attribute a on a.attrelid = c.oid
       join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname not like 'audit%' and pg_get_expr(d.adbin, d.adrelid) like '%now()%'
       and exists (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id')
     order by 1, 2`,
  )
  const ours = `tenant_id in (${tenants.map(escapeLiteral).join(', ')})`
  const since = escapeLiteral(startedAt.toISOString())
  const [from, to] = [`timestamptz ${since}`, `timestamptz ${since} + interval '1 hour'`]
  const updates = rows.map(
    ({ table, column }) =>
      `update ${table} set ${column} = demo_time where ${ours} and ${column} between ${from} and ${to};`,
  )
  return `create or replace function ${name.replace('(', '(demo_time ')} returns void
    language plpgsql as $$ begin ${updates.join('\n')} end $$`
}

function withSearchPath(connection: DatabaseConnection, path: string): DatabaseConnection {
  const options = `-c search_path=${path.replaceAll(/\s/g, '')}`
  if (!('connectionString' in connection)) return withOptions(connection, options)
  const { connectionString: url } = connection
  const mark = url.includes('?') ? '&' : '?'
  return { connectionString: `${url}${mark}options=${encodeURIComponent(options)}` }
}

/** The driver takes more members than our type of a connection has. */
function withOptions<Connection extends object>(
  connection: Connection,
  options: string,
): Connection {
  return { ...connection, options }
}
