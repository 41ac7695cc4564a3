// A drafted rule on the newest events over HTTP: what it would have done, beside what happened.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestAnswer, withApp } from '../../../../test/harness.ts'
import { query } from '../../../../test/query.ts'

const PATH = '/beta/casework/case-groups/try'
const app = withApp()

let tenants = 0
async function enterTenant(): Promise<string> {
  tenants += 1
  const tenantId = `trial-${tenants}`
  await app.createTenant(tenantId)
  return await app.createToken({ tenantId })
}

function send(token: string, method: string, path: string, json?: unknown): Promise<TestAnswer> {
  return app.send(method, path, { token, ...(json === undefined ? {} : { json }) })
}

let reports = 0
async function push(
  token: string,
  members: object = {},
): Promise<{ readonly event_id: string; readonly case_id?: string }> {
  reports += 1
  const answer = await send(token, 'POST', '/beta/casework/events', {
    event_date: new Date(Date.UTC(2026, 0, 1) + reports * 60_000).toISOString(),
    event_type: 'Spam',
    ip: '192.0.2.7',
    customer_id: 'made-up',
    report_id: `report-${reports}`,
    ...members,
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.json()
}

// oxlint-disable-next-line typescript/no-explicit-any -- a test reads what came
async function tryOut(token: string, json: object): Promise<any> {
  const answer = await send(token, 'POST', PATH, json)
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}

const SPAM = 'event.event_type == "Spam"'

test('a drafted group is tried on the newest events: matches, cases that open, and what is different', async () => {
  const token = await enterTenant()
  const [one, other, scan] = [
    await push(token),
    await push(token, { ip: '192.0.2.8' }),
    await push(token, { event_type: 'PortScan' }),
  ]
  const draft = { condition: SPAM, key_fields: ['ip'] }
  const { counts, items } = await tryOut(token, { case_group: draft })
  assert.deepEqual(counts, {
    events: 3,
    matched: 2,
    opened: 3,
    joined: 0,
    held: 0,
    muted: 0,
    unassigned: 0,
    different: 2,
    failed: 0,
    exceeded: 0,
  })
  assert.deepEqual(
    items.map((item: { event_id: string }) => item.event_id),
    [other.event_id, one.event_id],
  )
  assert.deepEqual(items[1], {
    event_id: one.event_id,
    event_date: items[1].event_date,
    event_type: 'Spam',
    matched: true,
    different: true,
    today: { outcome: 'case', case_group: 'default', case_id: one.case_id },
    trial: { outcome: 'case', case_group: 'draft', new_case: 1 },
  })
  assert.equal(items[0].trial.new_case, 2)
  assert.equal(scan.case_id, one.case_id)
})

test('a trial of the rules as they are is different in nothing, whatever people did to the cases', async () => {
  const token = await enterTenant()
  const { case_id: first } = await push(token)
  const json = { state: 'CLOSED', close_reason: 'expired', version: 1 }
  assert.equal((await send(token, 'PATCH', `/beta/casework/cases/${first}`, json)).status, 200)
  const { case_id: second } = await push(token)
  assert.notEqual(first, second)
  const { counts, items } = await tryOut(token, { case_group: { id: 'default' } })
  assert.deepEqual([counts.matched, counts.opened, counts.joined, counts.different], [2, 1, 1, 0])
  assert.equal(items[0].today.case_id, second)
  assert.deepEqual(items[0].trial, items[1].trial)
})

test('a trial of the newest events only lets them join the cases that were there before', async () => {
  const token = await enterTenant()
  const { case_id: caseId } = await push(token)
  await push(token)
  const { counts, items } = await tryOut(token, { case_group: { id: 'default' }, limit: 1 })
  assert.deepEqual([counts.events, counts.opened, counts.joined], [1, 0, 1])
  assert.deepEqual(items[0].trial, { outcome: 'case', case_group: 'default', case_id: caseId })
})

test('a drafted threshold holds events back until there are enough, with those from before', async () => {
  const token = await enterTenant()
  for (let at = 0; at < 3; at += 1) await push(token)
  const threshold = { id: 'default', threshold: { events: 3 } }
  const { counts } = await tryOut(token, { case_group: threshold })
  assert.deepEqual([counts.opened, counts.joined, counts.held, counts.different], [1, 2, 0, 0])
  const four = await tryOut(token, { case_group: { ...threshold, threshold: { events: 4 } } })
  assert.deepEqual([four.counts.held, four.counts.different], [3, 3])
  assert.deepEqual(four.items[0].trial, { outcome: 'held', case_group: 'default' })
  await send(token, 'PATCH', '/beta/casework/case-groups/default', { threshold: { events: 5 } })
  const held = [
    await push(token, { customer_id: 'late' }),
    await push(token, { customer_id: 'late' }),
  ]
  assert.deepEqual(
    held.map((event) => event.case_id),
    [undefined, undefined],
  )
  const two = { case_group: { id: 'default', threshold: { events: 2 } }, limit: 1 }
  const { counts: one, items } = await tryOut(token, two)
  assert.deepEqual([one.opened, one.held], [1, 0])
  assert.deepEqual(items[0].today, { outcome: 'held' })
})

test('a drafted mute rule is tried behind those in force; what is muted today says so', async () => {
  const token = await enterTenant()
  const until = new Date(Date.now() + 3_600_000).toISOString()
  const rule = { key: { ip: '192.0.2.9' }, reason: 'x', until }
  const { id: ruleId } = (await send(token, 'POST', '/beta/casework/mute-rules', rule)).json()
  await push(token, { ip: '192.0.2.9' })
  const { event_id: eventId } = await push(token)
  await push(token, { event_type: 'PortScan' })
  const { counts, items } = await tryOut(token, { mute_rule: { condition: SPAM } })
  assert.deepEqual([counts.matched, counts.muted, counts.different], [1, 2, 1])
  assert.equal(items.length, 1)
  assert.equal(items[0].event_id, eventId)
  assert.deepEqual(items[0].trial, { outcome: 'muted', mute_rule: 'draft' })
  const other = await tryOut(token, { mute_rule: { key: { event_type: 'PortScan' } } })
  assert.deepEqual([other.counts.matched, other.counts.muted], [1, 2])
  const all = await tryOut(token, { case_group: { order: 1 } })
  assert.equal(all.counts.muted, 1)
  assert.ok(!JSON.stringify(all.items).includes(ruleId), 'a muted event is neither')
})

const TABLES = ['event', 'abuse_case', 'case_history', 'case_slot', 'held_event', 'case_group']

async function readTables(): Promise<readonly unknown[]> {
  return await Promise.all(
    TABLES.map((table) =>
      query(app.connection, `select to_jsonb(t)::text as row from ${table} t order by 1`),
    ),
  )
}

test('a trial stores nothing', async () => {
  const token = await enterTenant()
  await push(token)
  await tryOut(token, { case_group: { id: 'default' } })
  const before = await readTables()
  await tryOut(token, { case_group: { condition: SPAM, threshold: { events: 2 } } })
  await tryOut(token, { mute_rule: { condition: SPAM } })
  assert.deepEqual(await readTables(), before)
})

test('a condition that fails for an event is counted in a trial, and does not match', async () => {
  const token = await enterTenant()
  await push(token)
  const { counts } = await tryOut(token, { case_group: { condition: 'event.details.port == 22' } })
  assert.deepEqual([counts.matched, counts.failed, counts.exceeded], [0, 1, 0])
})

test('400 for a drafted rule that is not valid, and for two or none', async () => {
  const token = await enterTenant()
  const wrong: [object, string][] = [
    [{}, '/case_group'],
    [{ case_group: {}, mute_rule: { condition: SPAM } }, '/case_group'],
    [{ case_group: { condition: 'event.' } }, '/case_group/condition'],
    [{ case_group: { id: 'default', condition: SPAM } }, '/case_group/condition'],
    [{ case_group: { key_fields: ['colour'] } }, '/case_group/key_fields/0'],
    [{ mute_rule: {} }, '/mute_rule'],
    [{ mute_rule: { key: { ip: 'x' } } }, '/mute_rule/key/ip'],
    [{ mute_rule: { condition: SPAM, until: '2020-01-01T00:00:00Z' } }, '/mute_rule/until'],
    [{ case_group: {}, limit: 1_001 }, '/limit'],
  ]
  for (const [json, path] of wrong) {
    const answer = await send(token, 'POST', PATH, json)
    assert.equal(answer.status, 400, JSON.stringify(json))
    const paths = answer.json().errors.map((problem: { path: string }) => problem.path)
    assert.ok(paths.includes(path), `${path} in ${paths}`)
  }
})

test('403 for a trial without the scope to read events, which it lists', async () => {
  const reader = await app.createToken({ scopes: ['cases:read'] })
  assert.equal((await send(reader, 'POST', PATH, { case_group: {} })).status, 403)
})
