// Sixteen writers in four processes that burst into one set of keys, with a threshold on one group
// and a greatest gap on another.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { whenOutput } from '../../../test/child-process.ts'
import { openTestApp, type TestApp } from '../../../test/harness.ts'
import { BURST_EVENTS, buildBurst, type WriterPlan } from '../../../test/ingest-burst.ts'
import { query } from '../../../test/playbook-fixtures.ts'
import { recountCases } from '../cases/recount/recount-cases.ts'

const TENANT = 'burst'
const WRITERS = 16
const PROCESSES = 4
const BATCHES = 4
const THRESHOLD = 6

let app: TestApp
before(async () => {
  app = await openTestApp()
})
after(async () => app.close())

async function startWriters(plan: WriterPlan): Promise<ChildProcess> {
  const script = join(import.meta.dirname, '../../../test/ingest-writer-process.ts')
  const child = spawn(process.execPath, [script, JSON.stringify(plan)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await whenOutput(child)
  return child
}

async function createGroups(): Promise<void> {
  await app.createTenant(TENANT)
  const token = await app.createToken({ tenantId: TENANT })
  const window = { events: THRESHOLD, reporters: 2, window_seconds: 100 * 3_600 }
  for (const json of [
    { name: 'Many', id: 'many', condition: 'event.event_type == "PortScan"', threshold: window },
    {
      name: 'Gap',
      id: 'gap',
      condition: 'event.event_type == "Phishing"',
      max_gap_seconds: 36_000,
    },
  ]) {
    const answer = await app.send('POST', '/beta/casework/case-groups', { token, json })
    assert.equal(answer.status, 201, answer.text)
  }
}

test('sixteen writers in four processes never open two cases for a key, and every count equals a recount', async () => {
  await createGroups()
  const all = Array.from({ length: WRITERS }, (_, writer) => writer)
  const children = await Promise.all(
    Array.from({ length: PROCESSES }, (_, process) =>
      startWriters({
        connection: app.connection,
        tenantId: TENANT,
        writers: all.filter((writer) => writer % PROCESSES === process),
        batches: BATCHES,
      }),
    ),
  )
  const ends = children.map((child) => once(child, 'exit'))
  for (const child of children) child.stdin?.write('go\n')
  for (const end of await Promise.all(ends)) assert.deepEqual(end, [0, null])

  const sent = new Set(
    all.flatMap((writer) =>
      Array.from({ length: BATCHES }, (_, batch) => buildBurst(writer, batch)).flatMap((burst) =>
        burst.map(({ fingerprint }) => fingerprint),
      ),
    ),
  )
  const [stored] = await query<{ events: number; seen: number }>(
    app,
    'select count(*) as events, sum(seen_count)::bigint as seen from event_fingerprint where tenant_id = $1',
    [TENANT],
  )
  assert.deepEqual(stored, { events: sent.size, seen: WRITERS * BATCHES * BURST_EVENTS })

  const doubles = await query(
    app,
    `select case_group_id, key_hash from abuse_case where tenant_id = $1 and ended_at is null and sealed_at is null
     group by 1, 2 having count(*) > 1`,
    [TENANT],
  )
  assert.deepEqual(doubles, [])
  const { kysely } = app.services.foundation.database
  assert.deepEqual((await recountCases(kysely, { tenantId: TENANT })).differences, [])
  await checkThreshold(sent.size)
})

async function checkThreshold(events: number): Promise<void> {
  const cases = await query<{ case_group_id: string; cases: number; events: number }>(
    app,
    `select case_group_id, count(*) as cases, sum(event_count)::bigint as events from abuse_case where tenant_id = $1
     group by 1 order by 1`,
    [TENANT],
  )
  assert.deepEqual(
    cases.map((row) => row.case_group_id),
    ['default', 'gap', 'many'],
  )
  const [below] = await query<{ events: number; fewest: number }>(
    app,
    `select (select count(*) from event where tenant_id = $1 and case_id is null and tags = '{below-threshold}') as events,
       (select min(event_count) from abuse_case where tenant_id = $1 and case_group_id = 'many') as fewest`,
    [TENANT],
  )
  assert.ok((below?.fewest ?? 0) >= THRESHOLD, JSON.stringify(below))
  const inCases = cases.reduce((sum, row) => sum + row.events, 0)
  assert.equal(inCases + (below?.events ?? 0), events)
  // A key that has a case keeps nobody waiting.
  const waiting = await query(
    app,
    `select from held_event join case_slot using (tenant_id, case_group_id, key_hash) where tenant_id = $1`,
    [TENANT],
  )
  assert.deepEqual(waiting, [])
}
