// Intake of sixty tenants on Citus, a coordinator with two workers, beside the same server without
// the extension, by processor time: one machine cannot show what three of them would do at once.
// And what a tenant costs to make. Needs what `npm run test:citus` needs, and no cluster of others.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Pool } from 'pg'
import { shardDatabase } from '../src/app/sharding/shard-database.ts'
import { migrate, readMigrations } from '../src/kernel/db/migrate.ts'
import { PROGRAM_ROLE } from '../src/kernel/postgres/program-role.ts'
import { findPackageRoot } from '../src/values/resources.ts'
import { type Cluster, closeCluster, findMissing, openCluster } from '../test/citus/cluster.ts'
import { createClusterDatabase, prepareRoles } from '../test/citus/cluster-database.ts'
import { ROWS_OF_ALL_TENANTS } from '../test/harness.ts'
import { createCaller, readMember } from './lib/call.ts'
import type { ServerProcess } from './lib/process.ts'
import { readTreeCpuSeconds } from './lib/processor-time.ts'
import { type Figure, printFigures } from './lib/report.ts'
import { readCount } from './lib/settings.ts'
import type { Stage } from './lib/stage.ts'
import { findMedian, sum } from './lib/statistics.ts'

const TENANTS = 60
const ROUNDS = readCount('BENCH_CITUS_ROUNDS', 8)
const WARM_UP_ROUNDS = 2
const PUSHES_A_ROUND = 60
const EVENTS_A_PUSH = 50
const MICROSECONDS = 1e6

interface Side {
  readonly server: ServerProcess
  readonly tokens: readonly string[]
  /** Of the program and of every node of its database. */
  readonly readCpuSeconds: () => number
  /** Median of making a tenant. */
  readonly tenantMs: number
}

export async function benchCitus(stage: Stage): Promise<void> {
  const missing =
    process.env['CASEWORK_CITUS_URL'] === undefined
      ? findMissing()
      : 'it reads the processor time of a cluster that it has started itself'
  if (missing !== null) {
    console.log(`citus was not measured: ${missing}.`)
    return
  }
  const cluster = await openCluster()
  try {
    await prepareRoles(cluster)
    const sharded = await openSide(stage, cluster, 'bench_citus', [0, 1, 2])
    const plain = await openSide(stage, cluster, 'bench_plain', [0])
    try {
      printFigures(
        `Intake of ${TENANTS} tenants on Citus with two workers`,
        await compare(sharded, plain),
      )
    } finally {
      await Promise.all([sharded.server.stop(), plain.server.stop()])
    }
  } finally {
    closeCluster(cluster)
  }
}

async function compare(sharded: Side, plain: Side): Promise<readonly Figure[]> {
  const rounds: { sharded: number; plain: number }[] = []
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    const measured = {
      sharded: await measureMicros(sharded, round),
      plain: await measureMicros(plain, round),
    }
    if (round >= WARM_UP_ROUNDS) rounds.push(measured)
  }
  const read = (which: 'sharded' | 'plain') => findMedian(rounds.map((round) => round[which]))
  return [
    {
      name: `processor time of an event, ${EVENTS_A_PUSH} in a push, program and database`,
      ours: `${read('sharded').toFixed(0)} µs`,
      calibration: `one PostgreSQL of the same build in turns: ${read('plain').toFixed(0)} µs`,
      ratio: findMedian(rounds.map((round) => round.sharded / round.plain)),
    },
    {
      name: 'making a tenant, which is written on every node',
      ours: `${sharded.tenantMs.toFixed(1)} ms`,
      calibration: `one PostgreSQL: ${plain.tenantMs.toFixed(1)} ms`,
      ratio: sharded.tenantMs / plain.tenantMs,
    },
  ]
}

/** Microseconds of processor time of an event. */
async function measureMicros(side: Side, round: number): Promise<number> {
  const before = side.readCpuSeconds()
  for (let push = 0; push < PUSHES_A_ROUND; push += 1) {
    const events = Array.from({ length: EVENTS_A_PUSH }, (_, index) => ({
      event_date: new Date().toISOString(),
      event_type: 'LoginAttack',
      ip: `192.0.2.${(push * 7 + index) % 250}`,
      report_id: `${round}-${push}-${index}`,
    }))
    const token = side.tokens[push % TENANTS] ?? ''
    await createCaller(side.server.port, token)('POST', '/beta/casework/events', events)
  }
  return ((side.readCpuSeconds() - before) / (PUSHES_A_ROUND * EVENTS_A_PUSH)) * MICROSECONDS
}

async function openSide(
  stage: Stage,
  cluster: Cluster,
  database: string,
  nodes: readonly number[],
): Promise<Side> {
  const { host, port } = cluster.coordinator
  const connection = { host, port, user: PROGRAM_ROLE, database }
  await createClusterDatabase(cluster, connection, nodes.length > 1 ? 'sharded' : 'plain')
  const pool = new Pool({ ...connection, options: ROWS_OF_ALL_TENANTS, max: 1 })
  await migrate(pool, readMigrations(join(findPackageRoot(), 'migrations')))
  await pool.end()
  if (nodes.length > 1) await shardDatabase(connection)
  const server = await stage.startServer({
    CASEWORK_DATA_DIR: join(stage.folder, database),
    DATABASE_URL: `postgres://${PROGRAM_ROLE}@${host}:${port}/${database}`,
  })
  const pids = nodes.map((node) => readPid(cluster, node))
  const { tokens, tenantMs } = await makeTenants(server, stage.token)
  return {
    server,
    tokens,
    tenantMs,
    readCpuSeconds: () => server.readCpuSeconds() + sum(pids.map(readTreeCpuSeconds)),
  }
}

async function makeTenants(
  server: ServerProcess,
  administratorToken: string,
): Promise<{ readonly tokens: readonly string[]; readonly tenantMs: number }> {
  const call = createCaller(server.port, administratorToken)
  const tokens: string[] = []
  const times: number[] = []
  for (let place = 0; place < TENANTS; place += 1) {
    const id = `tenant-${place}`
    const beganMs = performance.now()
    await call('POST', '/beta/admin/tenants', { id, name: id })
    times.push(performance.now() - beganMs)
    const made = await call('POST', '/beta/admin/tokens', {
      name: 'bench',
      scopes: ['events:ingest'],
      tenant_id: id,
      contact_email: 'reporter@example.com',
    })
    tokens.push(String(readMember(made, 'token')))
  }
  return { tokens, tenantMs: findMedian(times) }
}

/** Of the postmaster of a node, from the first line of its file. */
function readPid({ folder }: Cluster, node: number): number {
  const text = readFileSync(join(folder ?? '', 'nodes', `n${node}`, 'postmaster.pid'), 'utf8')
  return Number(text.split('\n')[0])
}
