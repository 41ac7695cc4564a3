// The checks and metrics of work behind the requests: what they say at their bounds, that none of
// them takes a node out of a load balancer, and that they read what is there.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Pool } from 'pg'
import { ROWS_OF_ALL_TENANTS, withApp } from '../../test/harness.ts'
import { createEmptyDatabase, query } from '../../test/query.ts'
import { applyMigrations, prepareLedger, readMigrations } from '../kernel/db/migrate.ts'
import { readMonths } from '../kernel/db/months/month-store.ts'
import { MONTHLY_TABLES } from '../kernel/db/months/months.ts'
import type { JobBacklog } from '../kernel/job-backlog.ts'
import { MIGRATIONS_FOLDER } from './migrations-folder.ts'
import {
  describeClaims,
  describeDisks,
  describeJobs,
  describeMonths,
  describeQueues,
  describeWorkers,
  type OperationFinding,
} from './operation-checks.ts'
import { startJobs } from './worker-jobs.ts'

const CALM: JobBacklog = {
  begunAgoSeconds: 300,
  waiting: 0,
  oldestWaitingSeconds: null,
  failing: [],
}
const EMPTY = { single: 0, bulk: 0 }
const NONE_UNREAD = { count: 0, oldestSeconds: null }
const GB = 1_000_000_000

describe('the checks of work behind the requests', () => {
  const rows: readonly (readonly [string, OperationFinding, 'ok' | 'off' | 'degraded'])[] = [
    ['a worker began a job', describeWorkers(CALM, true), 'ok'],
    [
      'no worker began one for long',
      describeWorkers({ ...CALM, begunAgoSeconds: 301 }, true),
      'degraded',
    ],
    ['this worker has just started', describeWorkers(null, true), 'off'],
    ['no worker ever started', describeWorkers(null, false), 'degraded'],
    ['the worker claims', describeClaims(30_000), 'ok'],
    ['the worker claims no more', describeClaims(30_001), 'degraded'],
    ['jobs run', describeJobs(CALM), 'ok'],
    ['there are no jobs', describeJobs(null), 'off'],
    ['a job waits', describeJobs({ ...CALM, waiting: 1, oldestWaitingSeconds: 600 }), 'ok'],
    [
      'a job waits for long',
      describeJobs({ ...CALM, waiting: 1, oldestWaitingSeconds: 601 }),
      'degraded',
    ],
    ['a job failed', describeJobs({ ...CALM, failing: ['fetch-sources'] }), 'degraded'],
    ['the queues are empty', describeQueues(EMPTY, NONE_UNREAD), 'ok'],
    ['single events wait', describeQueues({ single: 2_499, bulk: 9_999 }, NONE_UNREAD), 'ok'],
    [
      'many single events wait',
      describeQueues({ ...EMPTY, single: 2_500 }, NONE_UNREAD),
      'degraded',
    ],
    ['many bulk events wait', describeQueues({ ...EMPTY, bulk: 10_000 }, NONE_UNREAD), 'degraded'],
    ['a report is unread', describeQueues(EMPTY, { count: 1, oldestSeconds: 600 }), 'ok'],
    [
      'a report is unread for long',
      describeQueues(EMPTY, { count: 1, oldestSeconds: 601 }),
      'degraded',
    ],
    ['there is room', describeDisks({ dataBytes: GB, databaseBytes: GB }), 'ok'],
    ['the database is elsewhere', describeDisks({ dataBytes: GB, databaseBytes: null }), 'ok'],
    [
      'the data folder is full',
      describeDisks({ dataBytes: GB - 1, databaseBytes: null }),
      'degraded',
    ],
    [
      'the disk of the database is full',
      describeDisks({ dataBytes: GB, databaseBytes: 0 }),
      'degraded',
    ],
    [
      'the data folder is away',
      describeDisks({ dataBytes: null, databaseBytes: null }),
      'degraded',
    ],
  ]
  for (const [when, finding, state] of rows) {
    test(`${state}: ${when}`, () => {
      assert.equal(finding.state, state, finding.detail)
      assert.match(finding.detail, /^[A-Z0-9].*\.$/)
      assert.notEqual(finding.refusesWrites, true)
    })
  }
})

const app = withApp()

interface Page {
  readonly status: number
  readonly checks: ReadonlyMap<string, { readonly state: string; readonly detail: string }>
}

async function read(path: string): Promise<Page> {
  const answer = await app.send('GET', path)
  const checks: { name: string; state: string; detail: string }[] = answer.json().checks
  return { status: answer.status, checks: new Map(checks.map((check) => [check.name, check])) }
}

test('with work that is late, readyz and readyz/write are 200 and tell workers, jobs, queues and disk', async () => {
  // Stopped at once: a run at the turn of a minute would do what is late.
  const jobs = await startJobs(app.services)
  await jobs.stop()
  await query(
    app.connection,
    `insert into pgboss.job (name, state, start_after, started_on, completed_on) values
       ('fetch-sources', 'failed', now() - interval '1 hour', now() - interval '1 hour', now() - interval '1 hour'),
       ('keep-playbooks', 'failed', now() - interval '3 hours', now() - interval '3 hours', now() - interval '3 hours'),
       ('keep-playbooks', 'completed', now() - interval '1 hour', now() - interval '1 hour', now() - interval '1 hour')`,
  )
  await query(
    app.connection,
    `insert into report (tenant_id, id, received_at, media_type, byte_length, sha256, state, reason, received_by)
     values ('default', gen_random_uuid(), now() - interval '20 minutes', 'text/plain', 1, sha256('x'), 'quarantined', 'The report has not been read yet.', 'test')`,
  )
  for (const path of ['/readyz', '/readyz/write']) {
    const { status, checks } = await read(path)
    assert.equal(status, 200)
    assert.match(checks.get('workers')?.detail ?? '', /^(No|A) worker .* \d+ s/)
    assert.deepEqual(
      [checks.get('jobs')?.state, checks.get('queues')?.state, checks.get('disk')?.state],
      ['degraded', 'degraded', 'ok'],
    )
    assert.match(checks.get('jobs')?.detail ?? '', /failed of: fetch-sources; /)
    assert.match(
      checks.get('queues')?.detail ?? '',
      /^0 single events and 0 events of bulk .*; 1 reports are unread, the oldest for 1[2-9]\d\d s\.$/,
    )
    assert.match(
      checks.get('disk')?.detail ?? '',
      /^The data folder has [\d.]+ GB free\. The database/,
    )
    assert.match(
      checks.get('playbook claims')?.detail ?? '',
      /last claimed playbook tokens \d+ s ago/,
    )
    assert.match(checks.get('tokens')?.detail ?? '', /\d+ s old/)
    assert.match(checks.get('intel')?.detail ?? '', /from serial \d+ .* \d+ s ago/)
  }
})

test('metrics tell the pool, the set of look-ups and what the guarded client refused', async () => {
  const { outbound } = app.services.casework
  await outbound.request({ method: 'GET', url: 'https://127.0.0.1/', purpose: 'test' })
  await outbound.probe({ host: '127.0.0.1', port: 443, timeoutMs: 1_000 })
  const { text } = await app.send('GET', '/metrics')
  const lines = text.split('\n')
  const find = (start: string): number =>
    Number(lines.find((line) => line.startsWith(`${start} `))?.slice(start.length))
  for (const state of ['used', 'idle', 'waiting']) {
    assert.ok(find(`casework_database_pool{state="${state}"}`) >= 0, state)
  }
  const { serial } = app.services.intel.index.state()
  assert.equal(find('casework_intel_serial'), serial)
  assert.ok(find('casework_intel_age_seconds') >= 0)
  assert.ok(find('casework_tokens_age_seconds') >= 0)
  for (const disk of ['data', 'database']) {
    assert.ok(find(`casework_disk_free_bytes{of="${disk}"}`) > 0, disk)
  }
  assert.equal(find('casework_outbound_refused_total{reason="address"}'), 2)
  assert.equal(find('casework_outbound_refused_total{reason="userinfo"}'), 0)
})

const until = (month: string) =>
  ({ kind: 'months', name: 'event_x', fromMs: null, untilMs: Date.parse(month) }) as const

test('months are degraded when the coming one has no partition a week before it, and say what is not divided yet', () => {
  const nowMs = Date.parse('2026-12-28T00:00:00Z')
  const event = { name: 'event', key: 'event_id' }
  const other = { kind: 'other', name: 'event_other' } as const
  const late = describeMonths([{ table: event, partitions: [other, until('2027-01-01')] }], nowMs)
  assert.equal(late.state, 'degraded')
  assert.match(late.detail, /event of 2027-01/)
  const made = describeMonths([{ table: event, partitions: [other, until('2027-02-01')] }], nowMs)
  assert.equal(made.state, 'ok')
  const whole = describeMonths([{ table: event, partitions: null }], nowMs)
  assert.deepEqual([whole.state, whole.detail.endsWith(' event.')], ['ok', true])
})

test('a new installation has the months that readyz and doctor ask for, also in the last week of a month', async (t) => {
  for (const day of ['2027-01-10', '2027-01-25']) {
    // oxlint-disable eslint/no-await-in-loop
    const connection = await createEmptyDatabase(t)
    // The clock of the migrations: this function comes before the one of the system.
    const options = `${ROWS_OF_ALL_TENANTS} -c search_path=public,pg_catalog`
    const pool = new Pool({ ...connection, options, max: 2 })
    const client = await pool.connect()
    try {
      await client.query(
        `create function public.now() returns timestamptz language sql stable as $$ select timestamptz '${day}T12:00:00Z' $$`,
      )
      await prepareLedger(client)
      await client.query('begin')
      await applyMigrations(client, readMigrations(MIGRATIONS_FOLDER))
      await client.query('commit')
      const months = await readMonths(pool, MONTHLY_TABLES)
      assert.equal(months.length, MONTHLY_TABLES.length)
      const { state, detail } = describeMonths(months, Date.parse(`${day}T12:00:00Z`))
      assert.deepEqual(
        [day, state, detail],
        [day, 'ok', 'The partition of the coming month is there.'],
      )
    } finally {
      client.release()
      await pool.end()
    }
    // oxlint-enable eslint/no-await-in-loop
  }
})
