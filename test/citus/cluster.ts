// The Citus cluster of the tests: that of CASEWORK_CITUS_URL, or one that ../shared/citus/start.sh
// brings up on loopback. A worker of the latter can be killed and brought back.

import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client } from 'pg'
import { findPackageRoot } from '../../src/values/resources.ts'

export interface ClusterNode {
  readonly host: string
  readonly port: number
}

export interface Cluster {
  /** Of an administrator, at the coordinator. */
  readonly url: string
  readonly coordinator: ClusterNode
  readonly workers: readonly ClusterNode[]
  /** The folder of a cluster that we started ourselves; null for that of somebody else. */
  readonly folder: string | null
}

const BIN = '/usr/lib/postgresql/15/bin'

// Each database of a test has a background process of Citus; tests keep nothing.
const SETTINGS = `
max_worker_processes = 64
max_connections = 400
max_prepared_transactions = 400
shared_buffers = '128MB'
max_wal_size = '256MB'
synchronous_commit = off
full_page_writes = off
autovacuum = off
`

/** Why there is no cluster here, as the end of a sentence; null when there is one. */
export function findMissing(): string | null {
  if (process.env['CASEWORK_CITUS_URL'] !== undefined) return null
  if (findStarter() === null) {
    return 'CASEWORK_CITUS_URL is not set, and there is no ../shared/citus/start.sh'
  }
  if (process.getuid?.() !== 0) return 'CASEWORK_CITUS_URL is not set, and start.sh needs root'
  return null
}

function findStarter(): string | null {
  // Beside the checkout, or beside the folder of its work trees.
  const places = ['../shared/citus/start.sh', '../../shared/citus/start.sh']
  const found = places.map((place) => resolve(findPackageRoot(), place))
  return found.find((path) => existsSync(path)) ?? null
}

export async function openCluster(): Promise<Cluster> {
  const url = process.env['CASEWORK_CITUS_URL']
  return url === undefined ? await startCluster() : await describeCluster(url, null)
}

async function startCluster(): Promise<Cluster> {
  const starter = findStarter()
  if (starter === null) throw new Error('there is no start.sh')
  const folder = mkdtempSync(join(tmpdir(), 'casework-citus-'))
  chmodSync(folder, 0o711)
  const port = await findPorts()
  const nodes = join(folder, 'nodes')
  const url = execFileSync(starter, [nodes, String(port)], { encoding: 'utf8' }).trim()
  for (const number of [0, 1, 2]) {
    appendFileSync(join(nodes, `n${number}`, 'postgresql.conf'), SETTINGS)
    control(nodes, number, 'restart -w -m fast')
  }
  return await describeCluster(url, folder)
}

async function describeCluster(url: string, folder: string | null): Promise<Cluster> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<ClusterNode & { groupid: number }>(
      'select groupid, nodename as host, nodeport as port from pg_dist_node order by groupid',
    )
    const [coordinator, ...workers] = rows.map(({ host, port }) => ({ host, port }))
    if (coordinator === undefined || workers.length < 2) {
      throw new Error('the tests need a coordinator that knows itself and two workers')
    }
    return { url, coordinator, workers, folder }
  } finally {
    await client.end()
  }
}

/** Why a test that kills a worker is skipped on a cluster that we did not start. */
export const NOT_OURS = 'the workers of somebody else are not killed'

/** As after the loss of its machine: the server ends at once, and its clients are cut. */
export function killWorker({ folder }: Cluster, number: 1 | 2): void {
  control(join(folder ?? '', 'nodes'), number, 'stop -m immediate')
}

export function bringBackWorker({ folder }: Cluster, number: 1 | 2): void {
  control(join(folder ?? '', 'nodes'), number, 'start -w')
}

function control(nodes: string, number: number, command: string): void {
  const log = join(nodes, `log${number}`)
  const line = `${BIN}/pg_ctl -D ${nodes}/n${number} -l ${log} ${command}`
  execFileSync('su', ['postgres', '-s', '/bin/sh', '-c', line], { stdio: 'ignore' })
}

export function closeCluster({ folder }: Cluster): void {
  if (folder === null) return
  const starter = findStarter()
  if (starter !== null) {
    execFileSync(starter, ['stop', join(folder, 'nodes')], { stdio: 'ignore' })
  }
  rmSync(folder, { recursive: true, force: true })
}

/** The first of three free ports in a row. */
async function findPorts(): Promise<number> {
  for (let port = 25_432; port < 26_432; port += 3) {
    const free = await Promise.all([port, port + 1, port + 2].map(isFree))
    if (!free.includes(false)) return port
  }
  throw new Error('there are no three free ports in a row')
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return await new Promise((done) => {
    server.once('error', () => done(false))
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)))
  })
}

/** Runs statements on each node, as its administrator in this database. */
export async function onEachNode(
  cluster: Cluster,
  database: string,
  statements: readonly string[],
): Promise<void> {
  for (const { host, port } of [cluster.coordinator, ...cluster.workers]) {
    const client = new Client({ connectionString: buildUrl(cluster, { host, port }, database) })
    await client.connect()
    try {
      for (const statement of statements) await client.query(statement)
    } finally {
      await client.end()
    }
  }
}

function buildUrl({ url }: Cluster, { host, port }: ClusterNode, database: string): string {
  const own = new URL(url)
  own.hostname = host
  own.port = String(port)
  own.pathname = database
  return own.href
}
