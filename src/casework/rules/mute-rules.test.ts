// Mute rules: what they keep out of cases, until when, and what they say about it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestAnswer, withApp } from '../../../test/harness.ts'

const RULES = '/beta/casework/mute-rules'
const EVENTS = '/beta/casework/events'

let nowMs = Date.UTC(2026, 10, 22)
let token: string
const app = withApp({ clock: { nowMs: () => nowMs } }, async (opened) => {
  token = opened.token
})

function send(method: string, path: string, json?: unknown, as = token): Promise<TestAnswer> {
  return app.send(method, path, { token: as, ...(json === undefined ? {} : { json }) })
}

function after1h(): string {
  return new Date(nowMs + 3_600_000).toISOString()
}

async function mute(json: object, as = token): Promise<string> {
  const answer = await send('POST', RULES, { reason: 'Known.', until: after1h(), ...json }, as)
  assert.equal(answer.status, 201, answer.text)
  assert.equal(answer.headers['location'], `${RULES}/${answer.json().id}`)
  return answer.json().id
}

let reports = 0
// oxlint-disable-next-line typescript/no-explicit-any -- a test reads what came
async function push(members: object, as = token): Promise<any> {
  reports += 1
  const json = {
    event_date: new Date(nowMs).toISOString(),
    event_type: 'Spam',
    report_id: `report-${reports}`,
    ...members,
  }
  const answer = await send('POST', EVENTS, json, as)
  assert.equal(answer.status, 201, answer.text)
  return answer.json()
}

test('a muted event is kept, marked and counted, and goes into no case, not even an open one, until the rule ends', async () => {
  const ip = '192.0.2.1'
  const open = await push({ ip })
  const rule = await mute({ key: { ip } })
  const muted = await push({ ip })
  assert.equal(muted.outcome, 'muted')
  assert.equal('case_id' in muted, false)
  const record = (await send('GET', `${EVENTS}/${muted.event_id}`)).json()
  assert.deepEqual([record.tags, record.customer_id], [['muted'], ip])
  assert.equal((await push({ ip: '192.0.2.2' })).outcome, 'created')
  const still = (await send('POST', `${EVENTS}/${muted.event_id}/reassign`, {})).json()
  assert.deepEqual([still.outcome, still.case_id], ['unchanged', undefined])
  const told = (await send('GET', `${RULES}/${rule}`)).json()
  assert.deepEqual([told.in_force, told.muted, told.key], [true, 1, { ip }])
  const ended = await send('POST', `${RULES}/${rule}/end`)
  assert.deepEqual([ended.status, ended.json().in_force], [200, false])
  assert.equal((await push({ ip })).case_id, open.case_id)
  // Once more changes nothing.
  assert.deepEqual((await send('POST', `${RULES}/${rule}/end`)).json(), ended.json())
  const back = (await send('POST', `${EVENTS}/${muted.event_id}/reassign`, {})).json()
  assert.deepEqual([back.outcome, back.case_id], ['reassigned', open.case_id])
  const joined = (await send('GET', `${EVENTS}/${muted.event_id}`)).json()
  assert.deepEqual(joined.tags ?? [], [])
  const history = (await send('GET', `${RULES}/${rule}/history`)).json().items
  assert.deepEqual(
    history.map((entry: { kind: string }) => entry.kind),
    ['end', 'create'],
  )
  assert.deepEqual(history[1].changes.reason, { from: null, to: 'Known.' })
  assert.match((await app.send('GET', '/metrics')).text, /casework_events_muted_total 1\b/)
})

test('a rule ends by itself when its time has run out', async () => {
  const ip = '192.0.2.20'
  const rule = await mute({ key: { ip } })
  assert.equal((await push({ ip })).outcome, 'muted')
  nowMs += 3_600_000
  assert.equal((await push({ ip })).outcome, 'created')
  assert.equal((await send('GET', `${RULES}/${rule}`)).json().in_force, false)
  const { items } = (await send('GET', `${RULES}?in_force=true`)).json()
  assert.equal(
    items.some((one: { id: string }) => one.id === rule),
    false,
  )
})

test('a rule mutes by a condition, and by all the values of its key in any spelling', async () => {
  const condition = 'event.event_type == "PortScan" && event.ip.inCidr("198.51.100.0/24")'
  const rules = [
    await mute({ condition }),
    await mute({ key: { sender_email: 'Loud@Example.org', registrable_domain: 'EXAMPLE.com' } }),
  ]
  const [scan, loud] = [
    { ip: '198.51.100.9', event_type: 'PortScan' },
    { domain: 'www.example.com', sender_email: 'loud@example.org' },
  ]
  assert.equal((await push(scan)).outcome, 'muted')
  assert.equal((await push({ ...scan, event_type: 'Spam' })).outcome, 'created')
  assert.equal((await push(loud)).outcome, 'muted')
  assert.equal((await push({ ...loud, sender_email: 'quiet@example.org' })).outcome, 'created')
  const listed = (await send('GET', `${RULES}?order=asc&in_force=true`)).json().items
  assert.deepEqual(
    listed.map((rule: { id: string; muted: number }) => [rule.id, rule.muted]),
    rules.map((id) => [id, 1]),
  )
  for (const id of rules) await send('POST', `${RULES}/${id}/end`)
})

test('a rule mutes by a prefix and by subtypes in any spelling', async () => {
  const rules = [
    await mute({ key: { ip_prefix: '2001:DB8:0:1::5/64' } }),
    await mute({ key: { ip_prefix: '203.0.113.7/24' } }),
    await mute({ key: { subtype: 'phishing-kit,fake-shop' } }),
  ]
  assert.equal((await push({ ip: '2001:db8:0:1::9' })).outcome, 'muted')
  assert.equal((await push({ ip: '2001:db8:0:2::9' })).outcome, 'created')
  assert.equal((await push({ ip: '203.0.113.200' })).outcome, 'muted')
  const event_subtypes = ['fake-shop', 'phishing-kit']
  assert.equal((await push({ ip: '192.0.2.30', event_subtypes })).outcome, 'muted')
  for (const id of rules) await send('POST', `${RULES}/${id}/end`)
})

test('an event that finds its owner later is muted then', async () => {
  const rule = await mute({ key: { customer_id: 'found' } })
  const lost = await push({ event_details: { account: 'a-1' } })
  assert.equal(lost.outcome, 'unassigned')
  const path = `${EVENTS}/${lost.event_id}/reassign`
  const moved = await send('POST', path, { customer_id: 'found' })
  assert.deepEqual([moved.json().outcome, moved.json().case_id], ['reassigned', undefined])
  assert.deepEqual((await send('GET', `${EVENTS}/${lost.event_id}`)).json().tags, ['muted'])
  await send('POST', `${RULES}/${rule}/end`)
  assert.equal((await send('POST', path, { customer_id: 'other' })).json().outcome, 'reassigned')
  const { tags, case_id: caseId } = (await send('GET', `${EVENTS}/${lost.event_id}`)).json()
  assert.deepEqual([tags, typeof caseId], [[], 'string'])
  assert.equal((await send('GET', `${RULES}/${rule}`)).json().muted, 0)
})

test('400 CASEWORK_MUTE_RULE_NOT_VALID with the place, 404 CASEWORK_MUTE_RULE_NOT_FOUND, and nothing for another tenant', async () => {
  const day = 24 * 3_600_000
  const wrong: [object, string][] = [
    [{}, '/'],
    [{ condition: 'true', key: { ip: '192.0.2.1' } }, '/'],
    [{ condition: 'event.ip' }, '/condition'],
    [{ key: { ip: 'nowhere' } }, '/key/ip'],
    [{ key: { ip_prefix: '192.0.2.0/25' } }, '/key/ip_prefix'],
    [{ key: { ip_prefix: '192.0.2.0' } }, '/key/ip_prefix'],
    [{ key: { ip: '192.0.2.1' }, until: new Date(nowMs).toISOString() }, '/until'],
    [{ key: { ip: '192.0.2.1' }, until: new Date(nowMs + 400 * day).toISOString() }, '/until'],
  ]
  for (const [json, path] of wrong) {
    const answer = await send('POST', RULES, { reason: 'x', until: after1h(), ...json })
    assert.equal(answer.status, 400, answer.text)
    assert.equal(answer.json().code, 'CASEWORK_MUTE_RULE_NOT_VALID')
    assert.equal(answer.json().errors[0].path, path)
  }
  assert.equal((await send('POST', RULES, { key: { ip: '192.0.2.1' }, reason: 'x' })).status, 400)
  const rule = await mute({ key: { ip: '192.0.2.77' } })
  await app.createTenant('hears')
  const as = await app.createToken({ tenantId: 'hears' })
  assert.equal((await push({ ip: '192.0.2.77' }, as)).outcome, 'created')
  for (const [method, path] of [
    ['GET', `/${rule}`],
    ['POST', `/${rule}/end`],
    ['GET', `/${rule}/history`],
    ['GET', '/none'],
    ['POST', '/none/end'],
  ] as const) {
    const answer = await send(method, `${RULES}${path}`, undefined, as)
    assert.equal(answer.status, 404, path)
    assert.equal(answer.json().code, 'CASEWORK_MUTE_RULE_NOT_FOUND')
  }
  assert.deepEqual((await send('GET', RULES, undefined, as)).json().items, [])
  const agent = await app.createToken({ scopes: ['cases:read', 'cases:write', 'cases:transition'] })
  const json = { key: { ip: '192.0.2.1' }, reason: 'x', until: after1h() }
  assert.equal((await send('POST', RULES, json, agent)).status, 403)
  assert.equal((await send('POST', `${RULES}/${rule}/end`, undefined, agent)).status, 403)
  await send('POST', `${RULES}/${rule}/end`)
})

test('409 beyond a hundred rules in force; those that have ended do not count', async () => {
  await app.createTenant('full')
  const as = await app.createToken({ tenantId: 'full' })
  const key = { ip: '192.0.2.1' }
  const first = await mute({ key }, as)
  // One after the other: a hundred at once would wait for connections, and on a slow machine in
  // vain.
  for (let count = 2; count <= 100; count += 1) await mute({ key }, as)
  const json = { key, reason: 'x', until: after1h() }
  assert.equal((await send('POST', RULES, json, as)).status, 409)
  await send('POST', `${RULES}/${first}/end`, undefined, as)
  await mute({ key }, as)
  nowMs += 3_600_000
  await mute({ key }, as)
})
