// The whole program through a real PgBouncer in transaction mode with its defaults: what rests on a
// session (settings, temporary tables, prepared statements) must not go astray between its servers.

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { openPgBouncer, type PgBouncer } from '../../test/fixtures/pgbouncer.ts'
import { openTestApp, readTestConnection, type TestApp } from '../../test/harness.ts'
import { APPROVAL, createActivePlaybook, createCases } from '../../test/playbook-fixtures.ts'
import { waitUntil } from '../../test/wait.ts'
import { createDatabase } from '../kernel/db/database.ts'
import { silentLog } from '../kernel/log.ts'
import { writeBackup } from './backup/write-backup.ts'
import { openServedDatabase } from './open-database.ts'
import { startJobs } from './worker-jobs.ts'

let pooler: PgBouncer
let app: TestApp
let token: string
before(async () => {
  pooler = await openPgBouncer(readTestConnection())
  app = await openTestApp({
    reach: ({ database }) => ({ connectionString: pooler.buildUrl(database) }),
  })
  token = await app.createToken()
})
after(async () => {
  await app.close()
  await pooler.stop()
})

const EVENTS = '/beta/casework/events'
const ROUNDS = 20
const BATCH = 1_000

function makeEvent(number: number): object {
  return {
    event_type: 'LoginAttack',
    event_date: new Date(Date.UTC(2026, 0, 1) + number).toISOString(),
    ip: `192.0.2.${number % 250}`,
    sender_email: 'reporter@example.com',
  }
}

test('20,000 events beside single ones are all stored once, in cases that a recount confirms', async () => {
  const bulk = Array.from({ length: ROUNDS }, async (_, round) => {
    const json = Array.from({ length: BATCH }, (_each, at) => makeEvent(round * BATCH + at))
    const answer = await app.send('POST', EVENTS, { token, json })
    assert.equal(answer.status, 200, answer.text)
    return answer.json().items.filter((item: { outcome: string }) => item.outcome === 'created')
  })
  const singles = Array.from({ length: 100 }, async (_, at) => {
    const json = makeEvent(ROUNDS * BATCH + at)
    assert.equal((await app.send('POST', EVENTS, { token, json })).status, 201)
  })
  const created = await Promise.all(bulk)
  await Promise.all(singles)
  assert.equal(created.flat().length, ROUNDS * BATCH)
  const { rows } = await app.services.foundation.database.pool.query(
    `select (select count(*) from event) as events, (select sum(event_count) from abuse_case)::bigint as counted`,
  )
  assert.deepEqual(rows, [{ events: ROUNDS * BATCH + 100, counted: ROUNDS * BATCH + 100 }])
})

test('triggers at the same time, with the worker and the scheduled jobs beside them: one 202 each, and every run ends', async () => {
  const jobs = await startJobs(app.services)
  try {
    const playbook = await createActivePlaybook(app, token, APPROVAL)
    const caseIds = await createCases(app, 'default', playbook, 100)
    const { pool } = app.services.foundation.database
    await waitUntil(async () => {
      const { rows } = await pool.query(`select count(*) from run_token where state = 'waiting'`)
      return rows[0]?.count === caseIds.length
    }, 'every run waits')
    const statuses = await Promise.all(
      caseIds.flatMap((caseId) =>
        ['approve', 'reject'].map(async (choice) => {
          const json = { node: 'ask', path: choice }
          const path = `/beta/casework/cases/${caseId}/trigger-playbook`
          // A busy machine may answer 503 before anything was stored; a client then asks again.
          for (let again = 0; ; again += 1) {
            const { status } = await app.send('POST', path, { token, json })
            if (status !== 503 || again === 20) return status
          }
        }),
      ),
    )
    assert.equal(statuses.filter((status) => status === 202).length, caseIds.length)
    assert.equal(statuses.filter((status) => status === 409).length, caseIds.length)
    await waitUntil(async () => {
      const { rows } = await pool.query(`select count(*) from run_token where state <> 'done'`)
      return rows[0]?.count === 0
    }, 'every run ends')
  } finally {
    await jobs.stop()
  }
})

test('imports and small pushes of all kinds at once are each seen by look-ups', async () => {
  const large = Array.from({ length: 20_000 }, (_, at) => ({
    item: `198.18.${Math.floor(at / 250)}.${at % 250}`,
    list: 'large',
    source: 'large',
  }))
  const body = large.map((row) => JSON.stringify(row)).join('\n')
  const headers = { 'content-type': 'application/x-ndjson' }
  const importing = app.send('POST', '/beta/listings', { token, body, headers })
  const small = Array.from({ length: 40 }, async (_, at) => {
    const row = { item: `203.0.113.${at}`, source: `small-${at}` }
    const listing = { token, json: [{ ...row, list: 'small' }] }
    const sighting = {
      token,
      json: [
        {
          ...row,
          kind: 'honeypot',
          service: 'ssh',
          type: 'login',
          lastSeen: new Date().toISOString(),
        },
      ],
    }
    const tagging = { token, json: [{ ...row, tag: 'phishing:host' }] }
    const answers = await Promise.all([
      app.send('POST', '/beta/listings', listing),
      app.send('POST', '/beta/sightings', sighting),
      app.send('POST', '/beta/taggings', tagging),
    ])
    for (const answer of answers) assert.equal(answer.json().result?.accepted, 1, answer.text)
  })
  await Promise.all(small)
  assert.equal((await importing).json().result.accepted, large.length)
  // Reads all facts, and the changes of many, as streams of COPY over temporary tables.
  await app.services.intel.index.refreshNow()
  for (const item of ['198.18.0.0', '198.18.79.249', '203.0.113.0', '203.0.113.39']) {
    const answer = await app.send('GET', `/beta/query/${item}`)
    assert.ok(answer.text.includes('"ACTIVE"'), answer.text)
  }
})

test('a fresh node comes up through it, and a backup is read through it', async () => {
  const { config } = app.services.foundation
  const connectionString = pooler.buildUrl(app.connection.database)
  const served = await openServedDatabase({ ...config, databaseUrl: connectionString }, silentLog)
  await served.stop()
  const folder = await mkdtemp(join(tmpdir(), 'casework-pooler-'))
  try {
    const file = join(folder, 'backup')
    const connection = { connectionString }
    const signal = new AbortController().signal
    const summary = await writeBackup({ file, connection, place: 'here', signal })
    assert.ok(summary.rows > ROUNDS * BATCH)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('each transaction has the limit of statements, and no session keeps it', async () => {
  const connection = { connectionString: pooler.buildUrl(app.connection.database) }
  const database = createDatabase({ connection, poolMax: 1, log: silentLog })
  const read = `select current_setting('statement_timeout') as limit`
  try {
    const within = await database.kysely.transaction().execute(async (tx) => {
      return await sql<{ limit: string }>`${sql.raw(read)}`.execute(tx)
    })
    assert.deepEqual(within.rows, [{ limit: '1min' }])
    assert.deepEqual((await database.pool.query(read)).rows, [{ limit: '0' }])
  } finally {
    await database.close()
  }
})
