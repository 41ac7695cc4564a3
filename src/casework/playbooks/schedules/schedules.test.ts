// Runs by a schedule: once a tick and case, on open cases that meet the condition.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { withApp } from '../../../../test/harness.ts'
import {
  createActivePlaybook,
  createCases,
  type GraphNode,
  query,
  runDueSteps,
} from '../../../../test/playbook-fixtures.ts'
import { silentLog } from '../../../kernel/log.ts'
import { createGraphCache } from '../graph-cache.ts'
import { parsePlaybookGraph } from '../playbook-graph.ts'
import { findNextTime, parseCron } from './cron.ts'
import { runSchedules } from './run-schedules.ts'

const app = withApp()

function drawGraph(on: object): readonly GraphNode[] {
  return [
    { id: 'begin', kind: 'start', config: { on: [on] }, paths: { next: 'note' } },
    { id: 'note', kind: 'comment', config: { text: 'Seen by the schedule.' } },
  ]
}

async function tick(casesAtOnce?: number): Promise<number> {
  const { database, ids } = app.services.foundation
  const { conditions } = app.services.casework
  // A program that has read no version yet.
  const graphs = createGraphCache()
  const deps = { db: database.kysely, ids, log: silentLog, graphs, wakeWorkers: () => undefined }
  const { signal } = new AbortController()
  return await runSchedules({ ...deps, briefItem: conditions.briefItem }, signal, casesAtOnce)
}

async function makeDue(playbook: string, ago = '1 minute'): Promise<void> {
  await query(
    app,
    `update schedule_tick set due_at = now() - $2::interval where playbook_id = $1::uuid`,
    [playbook, ago],
  )
}

test('a tick begins one run on each open case that meets the condition, and missed ticks are one', async () => {
  const on = { event: 'schedule', every: 'PT1H', where: "case.severity == 'high'" }
  const playbook = await createActivePlaybook(app, app.token, drawGraph(on))
  const attached = await app.send('PATCH', '/beta/casework/case-groups/default', {
    token: app.token,
    json: { playbook_id: playbook },
  })
  assert.equal(attached.status, 200, attached.text)
  const idle = await createActivePlaybook(app, app.token, drawGraph({ event: 'case_created' }))
  const cases = await createCases(app, 'default', idle, 7)
  await runDueSteps(app)
  await query(app, `update abuse_case set severity = 'high' where id = any($1)`, [
    cases.slice(0, 6),
  ])
  await query(
    app,
    `update abuse_case set state = 'RESOLVED', ended_at = now(), resolved_at = now(), resolution = 'fixed' where id = $1`,
    [cases[0]],
  )

  assert.equal(await tick(), 0)
  const [armed] = await query<{ isLater: boolean }>(
    app,
    `select due_at > now() + interval '59 minutes' as "isLater" from schedule_tick`,
  )
  assert.equal(armed?.isLater, true)

  await makeDue(playbook, '10 hours')
  // Two processes share a tick of several batches.
  const [one, two] = await Promise.all([tick(2), tick(2)])
  assert.equal((one ?? 0) + (two ?? 0), 5)
  await runDueSteps(app)
  assert.equal(await tick(), 0)
  const runs = await query<{ case_id: string; count: number }>(
    app,
    `select case_id, count(*)::integer as count from run where playbook_id = $1::uuid and started_by = 'schedule' group by case_id`,
    [playbook],
  )
  assert.deepEqual(
    runs.map(({ case_id: id, count }) => `${id} ${count}`).toSorted((a, b) => (a < b ? -1 : 1)),
    cases
      .slice(1, 6)
      .map((id) => `${id} 1`)
      .toSorted((a, b) => (a < b ? -1 : 1)),
  )
  await makeDue(playbook)
  assert.equal(await tick(), 5)
  await runDueSteps(app)

  await app.send('POST', `/beta/casework/playbooks/${playbook}/retire`, { token: app.token })
  await makeDue(playbook)
  assert.equal(await tick(), 0)
  assert.deepEqual(await query(app, 'select from schedule_tick'), [])
})

test('a version that cannot be read is put off, and holds up no other schedule', async () => {
  const on = { event: 'schedule', every: 'PT1H' }
  const broken = await createActivePlaybook(app, app.token, drawGraph(on))
  const sound = await createActivePlaybook(app, app.token, drawGraph(on))
  await app.send('PATCH', '/beta/casework/case-groups/default', {
    token: app.token,
    json: { playbook_id: sound },
  })
  const idle = await createActivePlaybook(app, app.token, drawGraph({ event: 'case_created' }))
  await createCases(app, 'default', idle, 2)
  await runDueSteps(app)
  assert.equal(await tick(), 0)
  await query(app, `update playbook_version set graph = '{"nodes": 7}' where playbook_id = $1`, [
    broken,
  ])
  await makeDue(broken, '2 hours')
  await makeDue(sound)
  assert.ok((await tick()) > 0)
  const ticks = await query<{ isLater: boolean }>(
    app,
    `select due_at > now() + interval '9 minutes' as "isLater" from schedule_tick where playbook_id = $1`,
    [broken],
  )
  assert.deepEqual(ticks, [{ isLater: true }])
  // A new version that cannot be read when it is armed.
  await query(app, 'delete from schedule_tick where playbook_id = $1', [broken])
  assert.equal(await tick(), 0)
  await runDueSteps(app)
  for (const id of [broken, sound]) {
    await app.send('POST', `/beta/casework/playbooks/${id}/retire`, { token: app.token })
  }
})

test('a tick that fails is put off, and holds up no other schedule', async () => {
  const on = { event: 'schedule', every: 'PT1H' }
  const broken = await createActivePlaybook(app, app.token, drawGraph(on))
  const sound = await createActivePlaybook(app, app.token, drawGraph(on))
  const group = async (id: string): Promise<void> => {
    const json = { playbook_id: id }
    await app.send('PATCH', '/beta/casework/case-groups/default', { token: app.token, json })
  }
  const idle = await createActivePlaybook(app, app.token, drawGraph({ event: 'case_created' }))
  await createCases(app, 'default', idle, 2)
  await runDueSteps(app)
  await group(sound)
  assert.equal(await tick(), 0)
  await makeDue(broken, '2 hours')
  await makeDue(sound)
  // The end of its turn is refused, as by a defect in the data of one tenant.
  await query(
    app,
    `alter table schedule_tick add constraint refused check (
       playbook_id <> '${broken}' or last_case is not null or due_at < now() + interval '30 minutes')`,
  )
  assert.ok((await tick()) > 0)
  const ticks = await query<{ isLater: boolean }>(
    app,
    `select due_at > now() + interval '9 minutes' as "isLater" from schedule_tick where playbook_id = $1`,
    [broken],
  )
  assert.deepEqual(ticks, [{ isLater: true }])
  await query(app, 'alter table schedule_tick drop constraint refused')
  await runDueSteps(app)
  for (const id of [broken, sound]) {
    await app.send('POST', `/beta/casework/playbooks/${id}/retire`, { token: app.token })
  }
})

function listProblems(on: object): readonly string[] {
  const result = parsePlaybookGraph({ nodes: drawGraph(on) })
  return result.kind === 'valid' ? [] : result.problems.map(({ field }) => field ?? '')
}

test('a schedule is checked with its graph, by field', () => {
  const event = 'schedule'
  assert.deepEqual(listProblems({ event, cron: '0 8 * * 1-5', time_zone: 'Europe/Berlin' }), [])
  for (const [on, field] of [
    [{ event }, 'config/on/0/every'],
    [{ event, every: 60 }, 'config/on/0/every'],
    [{ event, every: 3_600, cron: '0 8 * * *' }, 'config/on/0/cron'],
    [{ event, cron: '* * * * *' }, 'config/on/0/cron'],
    [{ event, cron: '0 8 31 2 *' }, 'config/on/0/cron'],
    [{ event, cron: '0 24 * * *' }, 'config/on/0/cron'],
    [{ event, cron: '0 8 * *' }, 'config/on/0/cron'],
    [{ event, cron: '0 8 * * *', time_zone: 'Mars/Base' }, 'config/on/0/time_zone'],
    [{ event, every: 3_600, where: 'case.nothing' }, 'config/on/0/where'],
  ] as const) {
    assert.deepEqual(listProblems(on), [field], JSON.stringify(on))
  }
})

test('the next time of a crontab line shows its minute, hour and day on the wall, and is the first', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 59 }),
      fc.integer({ min: 4, max: 23 }),
      fc.integer({ min: 0, max: 6 }),
      fc.nat(20_000),
      (m, h, day, hours) => {
        const cron = parseCron(`${m} ${h} * * ${day}`)
        assert.ok(typeof cron !== 'string')
        const afterMs = Date.UTC(2026, 0, 1) + hours * 3_600_000
        const next = findNextTime(cron, 'Europe/Berlin', afterMs)
        assert.ok(next !== null && next > afterMs)
        assert.ok(next - afterMs <= 7 * 86_400_000 + 3_600_000)
        const shown = new Intl.DateTimeFormat('en-GB', {
          timeZone: 'Europe/Berlin',
          weekday: 'short',
          hour: '2-digit',
          minute: '2-digit',
        }).format(next)
        const names = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
        const time = [h, m].map((part) => String(part).padStart(2, '0')).join(':')
        assert.deepEqual(shown.replace(',', '').split(' '), [names[day], time])
      },
    ),
  )
  const either = parseCron('0 8 1 * 1')
  assert.ok(typeof either !== 'string')
  // The first of a month or a Monday; 2026-06-01 is both, 2026-06-08 is a Monday.
  const first = findNextTime(either, 'UTC', Date.UTC(2026, 5, 1, 8))
  assert.equal(first, Date.UTC(2026, 5, 8, 8))
})
