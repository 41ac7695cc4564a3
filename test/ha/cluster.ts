// PostgreSQL under Patroni and etcd, and HAProxy in front, from the files of deploy/ha: three
// machines, two of them with a database. One of them can be lost at once, and come back.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { atEnd, listChildren, readStat } from '../postgres-harness.ts'
import { waitUntil } from '../wait.ts'
import {
  type Address,
  type Daemon,
  findAccount,
  kill,
  type Machines,
  readVariables,
  startDaemon,
  when,
} from './machines.ts'
import { openWire, type Wire } from './wire.ts'

export interface DatabaseMachine {
  readonly name: string
  /** Its database, past the wire. */
  readonly database: Address
  /** How the machines of Casework reach its database and its Patroni. */
  readonly wires: readonly Wire[]
  /** Kills every process of it at once; resolves when they are gone. */
  readonly lose: () => Promise<void>
  /** Switches it on; its disk holds what it held before. */
  readonly start: () => void
  /** By Patroni: `primary`, or `sync` for a standby that has all that the primary acknowledges. */
  readonly hasRole: (role: 'primary' | 'sync') => Promise<boolean>
}

export interface Cluster {
  /** How long a lost primary keeps its place, in seconds. */
  readonly leaseSeconds: number
  /** Null while there is none. */
  readonly findPrimary: () => Promise<DatabaseMachine | null>
  /** Settles when one is the primary and the other has everything that it acknowledges. */
  readonly whenSafe: () => Promise<Pair>
}

interface Pair {
  readonly primary: DatabaseMachine
  readonly standby: DatabaseMachine
}

// An example's address of a machine with a database, and that of the wire to it in the test.
const WIRED = [1, 2].map((number) => [`192.0.2.2${number}:`, `192.0.2.12${number}:`] as const)

/** `casework.env`, as the nodes of the test have it. */
export function readNodeExample(machines: Machines): string {
  return machines.readExample('casework.env', WIRED)
}

export async function openCluster(t: TestContext, machines: Machines): Promise<Cluster> {
  const startEtcd = [1, 2, 3].map((number) => prepareEtcd(t, machines, number))
  const all = await Promise.all(
    [1, 2].map((number) => prepareMachine(t, machines, number, startEtcd)),
  )
  startEtcd[2]?.()
  const findPrimary = async (): Promise<DatabaseMachine | null> => {
    for (const machine of all) if (await machine.hasRole('primary')) return machine
    return null
  }
  const findPair = async (): Promise<Pair | null> => {
    const primary = await findPrimary()
    const standby = all.find((machine) => machine !== primary)
    return primary && standby && (await standby.hasRole('sync')) ? { primary, standby } : null
  }
  for (const machine of all) machine.start()
  const whenSafe = (): Promise<Pair> => when(t, 'a primary with a synchronous standby', findPair)
  const { primary } = await whenSafe()
  createDatabase(machines, primary)
  await startHaproxy(t, machines)
  const ttl = /^ {4}ttl: (\d+)$/m.exec(machines.readExample('patroni.yml'))?.[1]
  return { leaseSeconds: Number(ttl), findPrimary, whenSafe }
}

type StartEtcd = () => Daemon

function prepareEtcd(t: TestContext, machines: Machines, number: number): StartEtcd {
  const account = findAccount('etcd')
  const folder = machines.makeFolder(`etcd${number}`, account)
  const text = machines.readExample(`db${number}/etcd.env`, [['/var/lib/etcd/casework', folder]])
  const environment = readVariables(text)
  return () => startDaemon(t, machines, ['etcd'], { name: `etcd${number}`, account, environment })
}

async function prepareMachine(
  t: TestContext,
  machines: Machines,
  number: number,
  startEtcd: readonly StartEtcd[],
): Promise<DatabaseMachine> {
  const name = `db${number}`
  const account = findAccount('postgres')
  const folder = machines.makeFolder(name, account)
  const config = join(machines.folder, `patroni-${name}.yml`)
  const text = machines.readExample('patroni.yml', [
    ['/usr/lib/postgresql/15/bin', findPrograms()],
    ['/var/lib/postgresql/', `${folder}/`],
    ['/run/postgresql', folder],
    // It would restart this machine.
    ['mode: automatic', 'mode: off'],
  ])
  writeFileSync(config, text)
  const environment = readVariables(machines.readExample(`${name}/patroni.env`))
  const wires = await Promise.all(
    ([5432, 8008] as const).map((port) =>
      openWire(t, machines.at(120 + number, port), machines.at(20 + number, port)),
    ),
  )
  const rest = machines.at(20 + number, 8008)
  let running: readonly Daemon[] = []
  const lose = async (): Promise<void> => {
    // Patroni starts the database outside of its own process group.
    const postmaster = readPostmaster(join(folder, 'casework'))
    const servers = postmaster === null ? [] : [postmaster, ...listChildren(postmaster)]
    for (const pid of [...running.map((daemon) => daemon.pid), ...servers]) kill(pid, 'SIGKILL')
    await Promise.all(running.map(({ whenExited }) => whenExited))
    await waitUntil(() => servers.every((pid) => readStat(pid, 4) === null))
  }
  atEnd(t, lose)
  return {
    name,
    database: machines.at(20 + number, 5432),
    wires,
    start() {
      const etcd = startEtcd[number - 1]?.() ?? assert.fail()
      const command = ['patroni', config] as const
      running = [etcd, startDaemon(t, machines, command, { name, account, environment })]
    },
    lose,
    async hasRole(role) {
      const answer = await fetch(`http://${rest.host}:${rest.port}/${role}`, {
        signal: AbortSignal.timeout(2_000),
      }).catch(() => null)
      await answer?.body?.cancel()
      return answer?.status === 200
    },
  }
}

function findPrograms(): string {
  const found = globSync('/usr/lib/postgresql/*/bin/postgres').toSorted().at(-1)
  assert.ok(found, 'PostgreSQL is missing: see CONTRIBUTING.md')
  return dirname(found)
}

/** Null before the first start. */
function readPostmaster(cluster: string): number | null {
  const file = join(cluster, 'postmaster.pid')
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : null
}

function createDatabase(machines: Machines, { name, database }: DatabaseMachine): void {
  const folder = join(machines.folder, name)
  const file = join(machines.folder, 'database.sql')
  writeFileSync(file, machines.readExample('database.sql'))
  const args = ['-v', 'ON_ERROR_STOP=1', '-h', folder, '-p', `${database.port}`, '-f', file]
  const ran = spawnSync('psql', args, { encoding: 'utf8', ...findAccount('postgres') })
  assert.equal(ran.status, 0, ran.stderr)
}

async function startHaproxy(t: TestContext, machines: Machines): Promise<void> {
  const config = join(machines.folder, 'haproxy.cfg')
  writeFileSync(config, machines.readExample('haproxy.cfg', WIRED))
  startDaemon(t, machines, ['haproxy', '-db', '-f', config], { name: 'haproxy' })
}
