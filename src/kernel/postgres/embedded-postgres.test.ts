import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Client } from 'pg'
import {
  assertRowKept,
  atEnd,
  type ClusterTemplate,
  createClusterTemplate,
  listChildren,
  makeDataFolder,
  query,
  readStat,
  spawnProgram,
  startPostgres,
  startProgram,
} from '../../../test/postgres-harness.ts'
import { waitUntil } from '../../../test/wait.ts'
import { silentLog } from '../log.ts'
import { isRoot } from './account.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { chooseBuffersMb, chooseLogMb, SUPERUSER } from './init-cluster.ts'
import { isAlive, isPostmasterOf, readPidFile } from './leftover.ts'
import { PROGRAM_ROLE } from './program-role.ts'

let template: ClusterTemplate
before(async () => {
  template = await createClusterTemplate()
})
after(() => template.remove())

test('first start makes the database casework in UTF-8, on a private socket and nothing else', async (t) => {
  const dataDir = makeDataFolder(t)
  const postgres = await startPostgres(t, dataDir)
  const [row] = await query(
    postgres,
    `select current_database() as name, getdatabaseencoding() as encoding, datlocale as locale,
       current_setting('listen_addresses') as network, current_setting('timezone') as timezone
     from pg_database where datname = current_database()`,
  )
  assert.deepEqual(row, {
    name: 'casework',
    encoding: 'UTF8',
    locale: 'C.UTF-8',
    network: '',
    timezone: 'UTC',
  })
  assert.equal(statSync(join(dataDir, 'postgres', 'socket')).mode & 0o777, 0o700)
  assert.equal(statSync(join(dataDir, 'postgres')).mode & 0o007, 0)
  assert.ok(isPostmasterOf(postgres.pid, join(dataDir, 'postgres', 'cluster')))
  // Field 6 is the session: one of its own, so that Ctrl-C does not reach it.
  assert.equal(readStat(postgres.pid, 6), postgres.pid)
})

test('the database takes a sixteenth of the memory for its pages, no less than 128 MB and no more than 1 GB', async (t) => {
  const gigabyte = 1024 ** 3
  const chosen = [0.5, 2, 4, 8, 16, 256].map((size) => chooseBuffersMb(size * gigabyte))
  assert.deepEqual(chosen, [128, 128, 256, 512, 1_024, 1_024])
  const postgres = await startPostgres(t, makeDataFolder(t))
  // The test starts it with fewer; the file says what a start of the product has.
  const { connection } = postgres
  const [row] = await query(
    { ...postgres, connection: { ...connection, user: SUPERUSER } },
    `select replace(setting, 'MB', '')::integer between 128 and 1024 as fits
     from pg_file_settings where name = 'shared_buffers'`,
  )
  assert.deepEqual(row, { fits: true })
})

test('the write-ahead log takes a sixteenth of the disk, no less than 64 MB and no more than 2 GB', () => {
  const gigabyte = 1024 ** 3
  const chosen = [0.4, 4, 100].map((size) => chooseLogMb(size * gigabyte))
  assert.deepEqual(chosen, [64, 256, 2_048])
})

test('a second start keeps the data, and stop leaves no process behind', async (t) => {
  const dataDir = template.copy(t)
  const first = await startPostgres(t, dataDir)
  const children = listChildren(process.pid)
  assert.ok(children.includes(first.pid))
  await Promise.all([first.stop(), first.stop()])
  assert.deepEqual(await first.whenExited, { code: 0, signal: null })
  assert.deepEqual(
    listChildren(process.pid).filter((pid) => children.includes(pid)),
    [],
  )
  assert.equal(readPidFile(join(dataDir, 'postgres', 'cluster')), null)
  await assertRowKept(await startPostgres(t, dataDir))
})

test('stop is not held up by open connections', async (t) => {
  const postgres = await startPostgres(t, template.copy(t))
  const client = new Client(postgres.connection)
  client.on('error', () => undefined)
  const ended = new Promise<void>((settle) => client.once('end', settle))
  await client.connect()
  await postgres.stop()
  await ended
})

test('a postmaster killed by SIGKILL is reported, and the next start recovers', async (t) => {
  const dataDir = template.copy(t)
  const first = await startPostgres(t, dataDir)
  process.kill(first.pid, 'SIGKILL')
  assert.deepEqual(await first.whenExited, { code: null, signal: 'SIGKILL' })
  await assertRowKept(await startPostgres(t, dataDir))
})

test('SIGKILL of the program alone: its watchdog stops the database', async (t) => {
  const { child, postmasterPid } = await startProgram(t, template.copy(t))
  child.kill('SIGKILL')
  await waitUntil(() => !isAlive(postmasterPid))
})

test('SIGKILL of the program and a start at once: the data is there, whoever stops the old database', async (t) => {
  const dataDir = template.copy(t)
  for (let round = 0; round < 3; round += 1) {
    const { child } = await startProgram(t, dataDir)
    child.kill('SIGKILL')
  }
  await assertRowKept(await startPostgres(t, dataDir))
})

test('SIGTERM of the program leaves none of its processes', async (t) => {
  const { child, pid } = await startProgram(t, template.copy(t))
  const pids = listChildren(pid)
  assert.equal(pids.length, 2)
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  assert.deepEqual(await exited, [0, null])
  assert.deepEqual(pids.filter(isAlive), [])
})

test('a live postmaster whose parent and watchdog were killed is replaced, with its data', async (t) => {
  const dataDir = template.copy(t)
  const { child, pid, postmasterPid } = await startProgram(t, dataDir)
  const exited = once(child, 'exit')
  const watchdogs = listChildren(pid).filter((candidate) => candidate !== postmasterPid)
  assert.equal(watchdogs.length, 1)
  for (const watchdog of watchdogs) process.kill(watchdog, 'SIGKILL')
  child.kill('SIGKILL')
  await exited
  assert.ok(isAlive(postmasterPid))
  const postgres = await startPostgres(t, dataDir)
  assert.notEqual(postgres.pid, postmasterPid)
  assert.equal(isPostmasterOf(postmasterPid, join(dataDir, 'postgres', 'cluster')), false)
  await assertRowKept(postgres)
})

test('a stranger whose number is in postmaster.pid is not touched, and does not hinder the start', async (t) => {
  const dataDir = template.copy(t)
  const first = await startPostgres(t, dataDir)
  process.kill(first.pid, 'SIGKILL')
  await first.whenExited
  // Under the database's own account, since PostgreSQL passes over processes that it may not
  // signal.
  const cluster = join(dataDir, 'postgres', 'cluster')
  const { uid, gid } = statSync(cluster)
  const stranger = spawn('/bin/sleep', ['600'], isRoot() ? { uid, gid } : {})
  atEnd(t, () => stranger.kill('SIGKILL'))
  for (const file of [
    join(cluster, 'postmaster.pid'),
    join(cluster, '../socket/.s.PGSQL.5432.lock'),
  ]) {
    const lines = readFileSync(file, 'utf8').split('\n')
    writeFileSync(file, [stranger.pid, ...lines.slice(1)].join('\n'))
  }
  await assertRowKept(await startPostgres(t, dataDir))
  assert.equal(stranger.exitCode ?? stranger.signalCode, null)
})

test('a cluster of another PostgreSQL major is refused with the way out, untouched', async (t) => {
  const dataDir = template.copy(t)
  const first = await startPostgres(t, dataDir)
  await first.stop()
  const file = join(dataDir, 'postgres', 'cluster', 'PG_VERSION')
  writeFileSync(file, '15\n')
  await assert.rejects(
    startPostgres(t, dataDir),
    /POSTGRES_MAJOR_DIFFERS.*PostgreSQL 15.*brings PostgreSQL 18.*casework backup.*casework restore/,
  )
  assert.equal(readFileSync(file, 'utf8'), '15\n')
})

test('a first start killed midway leaves nothing that hinders the next', async (t) => {
  const dataDir = makeDataFolder(t)
  const child = spawnProgram(t, dataDir)
  const exited = once(child, 'exit')
  const location = join(dataDir, 'postgres')
  const isHalfDone = (): boolean =>
    existsSync(location) && readdirSync(location).some((name) => name.startsWith('cluster.new-'))
  await waitUntil(isHalfDone)
  child.kill('SIGKILL')
  await exited
  assert.equal(existsSync(join(location, 'cluster')), false)
  const postgres = await startPostgres(t, dataDir)
  assert.deepEqual(await query(postgres, 'select 1 as one'), [{ one: 1 }])
  await postgres.stop()
  // The initdb of the killed start may live on for a while and write; the next start after its end
  // finds all of it.
  await waitUntil(() => !isInitdbAlive(location))
  await startPostgres(t, dataDir)
  // Under a folder of root that nobody else can enter there are copied binaries as well.
  const left = readdirSync(location).filter((name) => name !== 'binaries')
  assert.deepEqual(left.toSorted(), ['cluster', 'socket'])
})

function isInitdbAlive(location: string): boolean {
  return readdirSync('/proc').some((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(join(location, 'cluster.new-'))
    } catch {
      return false
    }
  })
}

test('a folder that only looks like a cluster is refused, not overwritten', async (t) => {
  const dataDir = makeDataFolder(t)
  mkdirSync(join(dataDir, 'postgres', 'cluster', 'base'), { recursive: true })
  await assert.rejects(
    startPostgres(t, dataDir),
    /POSTGRES_SETUP_FAILED.*holds no complete database/,
  )
  assert.ok(existsSync(join(dataDir, 'postgres', 'cluster', 'base')))
})

test('a setting that PostgreSQL refuses is told in its own words', async (t) => {
  const dataDir = template.copy(t)
  await assert.rejects(
    startEmbeddedPostgres({ dataDir, log: silentLog, settings: { work_mem: 'much' } }),
    /POSTGRES_START_FAILED.*invalid value for parameter "work_mem"/,
  )
})

test('what an earlier version left to the superuser belongs to the role of the program after a start', async (t) => {
  const dataDir = template.copy(t)
  const first = await startPostgres(t, dataDir)
  const { connection } = first
  await query(
    { ...first, connection: { ...connection, user: SUPERUSER } },
    `alter table kept owner to ${SUPERUSER};
     create schema old;
     create type old.mood as enum ('fine');
     create table old.parent (id bigint generated always as identity, at timestamptz not null, mood old.mood) partition by range (at);
     create table old.part partition of old.parent for values from ('2026-01-01') to ('2027-01-01');
     create sequence old.numbers;
     create view old.seen as select * from old.parent;
     create function old.touch() returns void language sql as 'select'`,
  )
  await first.stop()
  const second = await startPostgres(t, dataDir)
  assert.equal(second.connection.user, PROGRAM_ROLE)
  const left = await query(
    second,
    `select oid::regclass::text as name from pg_class where relowner = '${SUPERUSER}'::regrole and relnamespace in ('public'::regnamespace, 'old'::regnamespace)
     union all select proname::text from pg_proc where proowner = '${SUPERUSER}'::regrole and pronamespace = 'old'::regnamespace
     union all select typname::text from pg_type where typowner = '${SUPERUSER}'::regrole and typnamespace = 'old'::regnamespace
     union all select nspname::text from pg_namespace where nspowner = '${SUPERUSER}'::regrole and nspname = 'old'
     union all select datname::text from pg_database where datdba = '${SUPERUSER}'::regrole and datname = current_database()`,
  )
  assert.deepEqual(left, [])
  await query(
    second,
    `alter table old.parent add column note text; insert into kept values ('more')`,
  )
})
