// A burst of events of sixty tenants through the real program on a Citus cluster, while a worker is
// killed and brought back: nothing that was acknowledged is lost or doubled, and a recount finds no
// difference. 100,000 events by `CASEWORK_BURST_EVENTS=100000 npm run test:citus --
// test/citus/burst.citus.ts`.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { insertToken } from '../../src/access/api-token-store.ts'
import { createTokenText, hashToken } from '../../src/access/token-text.ts'
import { createDatabase } from '../../src/kernel/db/database.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { createTestDatabase, type SocketConnection } from '../harness.ts'
import { atEnd } from '../postgres-harness.ts'
import { makeOpenFolder, startProgram, startServe } from '../startup/program.ts'
import { waitUntil } from '../wait.ts'
import { bringBackWorker, killWorker } from './cluster.ts'
import { asAdministrator, readCluster } from './cluster-database.ts'

const cluster = readCluster()
const EVENTS = Number(process.env['CASEWORK_BURST_EVENTS'] ?? 5_000)
const TENANTS = 60
const BATCH = 50
// Requests under way at once.
const SENDERS = 8
// One batch in seven is sent a second time, by another sender.
const REPEATED = 7
const AWAY_MS = 3_000
// A worker that comes back takes some seconds; a pause between two attempts is at most one.
const ATTEMPTS_MAX = 200

interface Batch {
  readonly tenant: string
  readonly events: readonly { readonly report_id: string }[]
}

interface Sent {
  /** By report_id: the ids that were answered. */
  readonly acknowledged: Map<string, Set<string>>
  /** By tenant and status, from the loss of the worker until it is back. */
  readonly whileAway: Map<string, Set<number>>
  readonly refusals: string[]
}

test(`${EVENTS} events of ${TENANTS} tenants with a worker killed and brought back: 503 meanwhile, 0 lost, 0 doubled, recount 0`, async (t) => {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const { connection } = database
  const tokens = await createTokens(connection)
  const url = `postgres://${connection.user}@${connection.host}:${connection.port}/${connection.database}`
  const environment = { DATABASE_URL: url, CASEWORK_LOG_LEVEL: 'error', CASEWORK_ACCESS_LOG: 'off' }
  const server = startServe(t, makeOpenFolder(t), [], { environment })
  const address = await server.whenReady
  const batches = buildBatches()
  const sent: Sent = { acknowledged: new Map(), whileAway: new Map(), refusals: [] }
  const work = { next: 0, isAway: false }
  const beganMs = performance.now()
  const senders = Promise.all(
    Array.from({ length: SENDERS }, async () => {
      for (;;) {
        const batch = batches[work.next]
        if (batch === undefined) return
        work.next += 1
        await send(address, tokens, batch, work, sent)
      }
    }),
  )
  if (cluster.folder !== null) await loseWorker(t, work, batches.length)
  await senders
  const seconds = (performance.now() - beganMs) / 1_000
  t.diagnostic(`${EVENTS} events and their repeats in ${seconds.toFixed(0)} s`)

  assert.deepEqual(sent.refusals, [])
  assert.equal(sent.acknowledged.size, EVENTS)
  if (cluster.folder !== null) {
    const all = [...sent.whileAway.values()]
    assert.ok(
      all.some((statuses) => statuses.has(503)),
      'no tenant has noticed the loss',
    )
    assert.ok(
      all.some((statuses) => !statuses.has(503)),
      'no tenant was served meanwhile',
    )
  }
  await assertStored(connection, sent.acknowledged)
  const recount = startProgram(t, ['doctor', '--recount'], {
    environment: { DATABASE_URL: url, CASEWORK_PORT: new URL(address).port },
  })
  assert.deepEqual(await recount.whenExited, { code: 0, signal: null }, recount.stdout())
  const lines = recount.stdout().match(/^\S+: [1-9]\d* cases, 0 differences\.$/gm)
  assert.equal(lines?.length, TENANTS, recount.stdout())
})

async function createTokens(connection: SocketConnection): Promise<ReadonlyMap<string, string>> {
  const database = createDatabase({ connection, poolMax: 1, log: silentLog })
  const tokens = new Map<string, string>()
  try {
    for (let place = 0; place < TENANTS; place += 1) {
      const tenantId = `tenant-${place}`
      const text = createTokenText('api')
      await database.pool.query('insert into tenant (id, name) values ($1, $1)', [tenantId])
      await insertToken(database.kysely, {
        id: `tok_${randomBytes(8).toString('hex')}`,
        tokenHash: hashToken(text),
        name: 'test',
        tenantId,
        scopes: ['events:ingest'],
        contactEmail: 'reporter@example.com',
        isBootstrap: false,
        expiresAt: null,
      })
      tokens.set(tenantId, text)
    }
  } finally {
    await database.close()
  }
  return tokens
}

/** Events of some fifty keys a tenant, and every seventh batch once more some batches later. */
function buildBatches(): readonly Batch[] {
  const batches: Batch[] = []
  for (let at = 0; at < EVENTS; at += BATCH) {
    const number = at / BATCH
    batches.push({
      tenant: `tenant-${number % TENANTS}`,
      events: Array.from({ length: Math.min(BATCH, EVENTS - at) }, (_, index) => ({
        event_date: new Date(Date.UTC(2026, 0, 1) + (at + index) * 1_000).toISOString(),
        event_type: 'LoginAttack',
        ip: `192.0.2.${(number * 7 + index) % 50}`,
        report_id: `burst-${at + index}`,
      })),
    })
  }
  const late = batches.filter((_, place) => place % REPEATED === 0)
  return batches.flatMap((batch, place) => {
    const again = place > 20 ? late[Math.floor(place / REPEATED) - 2] : undefined
    return place % REPEATED === 1 && again !== undefined ? [batch, again] : [batch]
  })
}

async function send(
  address: string,
  tokens: ReadonlyMap<string, string>,
  batch: Batch,
  work: { readonly isAway: boolean },
  sent: Sent,
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const wasAway = work.isAway
    const answer = await fetch(`${address}/beta/casework/events`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tokens.get(batch.tenant)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(batch.events),
    })
    const text = await answer.text()
    if (wasAway && work.isAway) {
      const statuses = sent.whileAway.get(batch.tenant) ?? new Set()
      sent.whileAway.set(batch.tenant, statuses.add(answer.status))
    }
    if (answer.status === 503 && /^\d+$/.test(answer.headers.get('retry-after') ?? '')) {
      await delay(Math.min(1_000, 50 * (attempt + 1)))
      continue
    }
    if (answer.status >= 300) {
      sent.refusals.push(`${answer.status} ${text.slice(0, 300)}`)
      return
    }
    const { items } = JSON.parse(text) as { items: { index: number; event_id?: string }[] }
    for (const { index, event_id: id } of items) {
      const name = batch.events[index]?.report_id ?? ''
      if (id === undefined) sent.refusals.push(`${name} has no id: ${text.slice(0, 300)}`)
      else sent.acknowledged.set(name, (sent.acknowledged.get(name) ?? new Set()).add(id))
    }
    return
  }
  sent.refusals.push(`given up after ${ATTEMPTS_MAX} attempts`)
}

/** Kills a worker when a third of the burst is sent, and brings it back. */
async function loseWorker(
  t: TestContext,
  work: { next: number; isAway: boolean },
  count: number,
): Promise<void> {
  await waitUntil(() => work.next >= count / 3)
  killWorker(cluster, 1)
  work.isAway = true
  const bringBack = () => {
    if (!work.isAway) return
    work.isAway = false
    bringBackWorker(cluster, 1)
  }
  atEnd(t, async () => bringBack())
  await delay(AWAY_MS)
  bringBack()
}

async function assertStored(
  connection: SocketConnection,
  acknowledged: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<void> {
  const { events, keys } = await asAdministrator(connection, async (client) => ({
    events: await client.query<{ name: string; id: string }>(
      'select reporter_report_id as name, event_id as id from event',
    ),
    keys: await client.query(
      `select from abuse_case where ended_at is null and sealed_at is null
       group by tenant_id, case_group_id, key_hash having count(*) > 1`,
    ),
  }))
  const stored = Map.groupBy(events.rows, ({ name }) => name)
  const lost = [...acknowledged].filter(
    ([name, ids]) => stored.get(name)?.some(({ id }) => ids.has(id)) !== true,
  )
  const doubled = [...stored].filter(([, rows]) => rows.length > 1)
  const otherwise = [...acknowledged].filter(([, ids]) => ids.size > 1)
  assert.deepEqual({ lost, doubled, otherwise }, { lost: [], doubled: [], otherwise: [] })
  assert.equal(events.rows.length, EVENTS)
  assert.equal(keys.rows.length, 0)
}
