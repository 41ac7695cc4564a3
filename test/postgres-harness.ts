// The embedded PostgreSQL in a test of its own: data folders with a cluster ready made, a program
// to kill, and clean-up.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { Client } from 'pg'
import { silentLog } from '../src/kernel/log.ts'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../src/kernel/postgres/embedded-postgres.ts'

export const OUTSIDE_ROOT = '/var/lib/casework'
const SETTINGS = { fsync: 'off', shared_buffers: '16MB' }

const cleanups = new WeakMap<TestContext, (() => unknown)[]>()

/**
 * Runs `work` after the test, last one first: node:test runs `after` hooks first one first, and
 * would remove what still runs.
 */
export function atEnd(t: TestContext, work: () => unknown): void {
  const known = cleanups.get(t)
  if (known !== undefined) {
    known.push(work)
    return
  }
  const list = [work]
  cleanups.set(t, list)
  t.after(async () => {
    const failures: unknown[] = []
    // A failed check of a log must not leave a program running.
    for (const next of list.toReversed()) {
      try {
        await next()
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  })
}

/**
 * An empty data folder, at the end of the folders `below` a new 0700 one; removed with its
 * database, wherever that lies.
 */
export function makeDataFolder(t: TestContext, ...below: readonly string[]): string {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'casework-postgres-'))
  const dataDir = join(root, ...below)
  mkdirSync(dataDir, { recursive: true })
  atEnd(t, () => {
    const outside = readPointer(dataDir)
    if (outside !== null) removeOutside(outside)
    rmSync(root, { recursive: true, force: true, maxRetries: 20 })
  })
  return dataDir
}

export function readPointer(dataDir: string): string | null {
  const pointer = join(dataDir, 'postgres.location')
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : null
}

function removeOutside(place: string): void {
  assert.ok(place.startsWith(`${OUTSIDE_ROOT}/`))
  rmSync(place, { recursive: true, force: true })
  try {
    rmdirSync(OUTSIDE_ROOT)
  } catch {
    // It holds others' databases.
  }
}

export interface ClusterTemplate {
  /**
   * A data folder as after one start, with one row in a table, for tests of what comes later.
   * initdb costs a second, a copy 0.1.
   */
  readonly copy: (t: TestContext) => string
  readonly remove: () => void
}

export async function createClusterTemplate(): Promise<ClusterTemplate> {
  const dataDir = mkdtempSync(join(realpathSync(tmpdir()), 'casework-template-'))
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog, settings: SETTINGS })
  await writeRow(postgres)
  await postgres.stop()
  return {
    copy: (t) => {
      const copy = makeDataFolder(t)
      cpSync(dataDir, copy, { recursive: true })
      return copy
    },
    remove: () => rmSync(dataDir, { recursive: true, force: true }),
  }
}

export async function startPostgres(t: TestContext, dataDir: string): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog, settings: SETTINGS })
  atEnd(t, postgres.stop)
  return postgres
}

export async function query(postgres: EmbeddedPostgres, sql: string): Promise<readonly object[]> {
  const client = new Client(postgres.connection)
  await client.connect()
  try {
    return (await client.query<object>(sql)).rows
  } finally {
    await client.end()
  }
}

export async function writeRow(postgres: EmbeddedPostgres): Promise<void> {
  await query(postgres, "create table kept (word text); insert into kept values ('yes')")
}

export async function assertRowKept(postgres: EmbeddedPostgres): Promise<void> {
  assert.deepEqual(await query(postgres, 'select word from kept'), [{ word: 'yes' }])
}

/** The processes below `pid`, by the fourth field of /proc/<pid>/stat. */
export function listChildren(pid: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((candidate) => Number.isInteger(candidate) && readStat(candidate, 4) === pid)
}

/**
 * One numeric field of /proc/<pid>/stat, counted from 1 as proc(5) does; null when the process is
 * gone.
 */
export function readStat(pid: number, field: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the program's name in brackets and may hold spaces.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[field - 3])
  } catch {
    return null
  }
}

function locate(path: string): string {
  return JSON.stringify(new URL(`../src/kernel/${path}`, import.meta.url).href)
}

// A program that opens the data folder, starts the database, says its process id, and stays until
// it is signalled.
const PROGRAM = `
import { openDataFolder } from ${locate('data-folder.ts')}
import { silentLog } from ${locate('log.ts')}
import { startEmbeddedPostgres } from ${locate('postgres/embedded-postgres.ts')}
const folder = await openDataFolder({ path: process.argv[1] })
const postgres = await startEmbeddedPostgres({ dataDir: folder.path, log: silentLog })
process.once('SIGTERM', () => postgres.stop().then(folder.close))
process.stdout.write(postgres.pid + '\\n')`

export function spawnProgram(t: TestContext, dataDir: string): ChildProcess {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  atEnd(t, () => child.kill('SIGKILL'))
  return child
}

export interface Program {
  readonly child: ChildProcess
  readonly pid: number
  readonly postmasterPid: number
}

export async function startProgram(t: TestContext, dataDir: string): Promise<Program> {
  const child = spawnProgram(t, dataDir)
  assert.ok(child.stdout !== null && child.pid !== undefined)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const postmasterPid = Number((await lines.next()).value)
  assert.ok(postmasterPid > 0, 'the program did not start the database')
  return { child, pid: child.pid, postmasterPid }
}
