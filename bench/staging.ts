// What the temporary tables of intel gain over plain statements, each pair in turn in one run:
// staging a push in a table of the connection or in one table for all with a load id, and reading
// many changed subjects from a table or listing them in each query.

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Pool, type PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { readSnapshot } from '../src/intel/index/fact-stream.ts'
import { STAGED_STATEMENTS } from '../src/intel/sources/push/merge-staged.ts'
import { pushStatements } from '../src/intel/sources/push/push-store.ts'
import { RowStager, type StatementRow } from '../src/intel/sources/push/staged-rows.ts'
import { createDatabase } from '../src/kernel/db/database.ts'
import { silentLog } from '../src/kernel/log.ts'
import { type Figure, printFigures } from './lib/report.ts'
import { readCount } from './lib/settings.ts'
import type { Stage } from './lib/stage.ts'
import { findMedian } from './lib/statistics.ts'

const ROWS = readCount('BENCH_STAGED_ROWS', 200_000)
const ROUNDS = readCount('BENCH_STAGED_ROUNDS', 9)
const PUSHES = 4
const SOURCE = 'bench'
const LOAD = 7

export async function benchStaging(stage: Stage): Promise<void> {
  await stage.makeTables()
  const { user, database = '', host = '', port = 5432 } = stage.pool.options
  const stores = createDatabase({
    connection: { host, port, user: String(user), database },
    poolMax: 2,
    log: silentLog,
  })
  // A server that only reads makes no table (fact-stream.ts).
  const standby = new Pool({
    ...stage.pool.options,
    options: '-c default_transaction_read_only=on',
    max: 1,
  })
  try {
    const figures = [await compareStaging(stage)]
    for (let push = 0; push < PUSHES; push += 1) {
      await pushStatements(stores, 'listing', listRows(push))
    }
    await stage.pool.query('vacuum analyze')
    figures.push(
      await compare(
        `${((PUSHES - 1) * ROWS).toLocaleString('en')} changed subjects of ${(PUSHES * ROWS).toLocaleString('en')}, from a temporary table and listed in each query`,
        () => readChanged(stage.pool),
        () => readChanged(standby),
      ),
    )
    printFigures('Temporary tables of intel', figures)
  } finally {
    await standby.end()
    await stores.close()
  }
}

/** Reads the subjects of all pushes but the first one. */
async function readChanged(pool: Pool): Promise<void> {
  await readSnapshot(pool, { after: 1, builtAtMs: Date.now(), lookBackSeconds: 86_400 })
}

function listRows(push: number): readonly StatementRow[] {
  return Array.from({ length: ROWS }, (_, row) => ({
    subject: `host-${push * ROWS + row}.example.org`,
    name: 'spam',
    source: SOURCE,
    isActive: true,
    reason: null,
    firstSeenMs: 1_000,
    lastSeenMs: 2_000,
    hasLastSeen: true,
    expiresMs: null,
  }))
}

/** Copies rows, inserts them into their table of facts, and takes everything back. */
async function compareStaging({ pool }: Stage): Promise<Figure> {
  const stager = new RowStager()
  for (const row of listRows(0)) stager.addStatement('list', row)
  const { pieces } = stager.build()
  await pool.query(`insert into intel_source (kind, name) values ('list', $1)`, [SOURCE])
  await pool.query(
    `create unlogged table staged_load (${STAGED_STATEMENTS.columns}, load_id integer not null default ${LOAD})`,
  )
  const columns = STAGED_STATEMENTS.columns.replaceAll(/(\w+) [^,]+/g, '$1')
  const client = await pool.connect()
  try {
    return await compare(
      `a push of ${ROWS.toLocaleString('en')} new rows by a temporary table and by one for all loads`,
      async () => {
        await client.query('begin')
        await client.query(
          `create temporary table if not exists ${STAGED_STATEMENTS.name} (${STAGED_STATEMENTS.columns}) on commit delete rows`,
        )
        await copyRows(client, `copy ${STAGED_STATEMENTS.name} from stdin`, pieces)
        await client.query(insertFrom(STAGED_STATEMENTS.name, 'true'))
        await client.query('rollback')
      },
      async () => {
        await client.query('begin')
        await copyRows(client, `copy staged_load (${columns}) from stdin`, pieces)
        await client.query(insertFrom('staged_load', `load_id = ${LOAD}`))
        await client.query(`delete from staged_load where load_id = ${LOAD}`)
        await client.query('rollback')
      },
      async () => {
        await client.query('truncate staged_load')
        await client.query('vacuum listing')
      },
    )
  } finally {
    client.release()
  }
}

async function copyRows(
  client: PoolClient,
  text: string,
  pieces: readonly Uint8Array[],
): Promise<void> {
  await pipeline(Readable.from(pieces), client.query(copyFrom(text)))
}

function insertFrom(table: string, condition: string): string {
  return `insert into listing (subject, source_id, name, is_active, reason, first_seen, last_seen, expires_at)
    select subject, (select id from intel_source where name = '${SOURCE}' limit 1), name, is_active, reason,
      to_timestamp(first_ms / 1000), to_timestamp(last_ms / 1000), to_timestamp(expires_ms / 1000)
    from ${table} where ${condition} order by subject, name`
}

/** Both in turns; each round the other one begins. `between` is done before each, unmeasured. */
async function compare(
  name: string,
  ours: () => Promise<void>,
  plain: () => Promise<void>,
  between: () => Promise<void> = async () => undefined,
): Promise<Figure> {
  const times: { readonly ours: number[]; readonly plain: number[] } = { ours: [], plain: [] }
  const measure = async (work: () => Promise<void>, into: number[]): Promise<void> => {
    await between()
    const startedMs = performance.now()
    await work()
    into.push(performance.now() - startedMs)
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round % 2 === 0) await measure(ours, times.ours)
    await measure(plain, times.plain)
    if (round % 2 === 1) await measure(ours, times.ours)
  }
  const ratios = times.ours.map((ms, round) => ms / (times.plain[round] ?? Number.NaN))
  return {
    name,
    ours: `${Math.round(findMedian(times.ours))} ms`,
    calibration: `the plain statement ${Math.round(findMedian(times.plain))} ms`,
    ratio: findMedian(ratios),
  }
}
