// Case groups as records, and what their policies do to events that come over HTTP.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestAnswer, withApp } from '../../../test/harness.ts'
import { recountCases } from '../cases/recount/recount-cases.ts'

const GROUPS = '/beta/casework/case-groups'
const EVENTS = '/beta/casework/events'
const CASES = '/beta/casework/cases'

const app = withApp()

let tenants = 0
/** A token of a tenant of its own, so that no test sees another's groups. */
async function enterTenant(): Promise<string> {
  tenants += 1
  const tenantId = `grouping-${tenants}`
  await app.createTenant(tenantId)
  return await app.createToken({ tenantId })
}

function send(token: string, method: string, path: string, json?: unknown): Promise<TestAnswer> {
  return app.send(method, path, { token, ...(json === undefined ? {} : { json }) })
}

async function createGroup(token: string, json: object): Promise<TestAnswer> {
  const answer = await send(token, 'POST', GROUPS, { name: 'Made up', ...json })
  assert.equal(answer.status, 201, answer.text)
  return answer
}

let reports = 0
const START = Date.UTC(2026, 0, 1)
/** One event of the customer, so many hours after the first of January. */
function buildEvent(hours: number, members: object = {}): Record<string, unknown> {
  reports += 1
  return {
    event_date: new Date(START + hours * 3_600_000).toISOString(),
    event_type: 'Spam',
    ip: '192.0.2.7',
    customer_id: 'made-up',
    report_id: `report-${reports}`,
    ...members,
  }
}

const from = (name: string) => ({ sender_email: `${name}@example.org` })
const named = (name: string) => ({ customer_id: name })

// oxlint-disable-next-line typescript/no-explicit-any -- a test reads what came
async function push(token: string, hours: number, members: object = {}): Promise<any> {
  const answer = await send(token, 'POST', EVENTS, buildEvent(hours, members))
  assert.equal(answer.status, 201, answer.text)
  return answer.json()
}

// oxlint-disable-next-line typescript/no-explicit-any -- a test reads what came
async function readCase(token: string, caseId: string, more = ''): Promise<any> {
  return (await send(token, 'GET', `${CASES}/${caseId}${more}`)).json()
}

async function listOrder(token: string): Promise<readonly string[]> {
  const { items } = (await send(token, 'GET', GROUPS)).json()
  const orders = items.map((group: { order: number }) => group.order)
  assert.deepEqual(
    orders,
    orders.toSorted((a: number, b: number) => a - b),
  )
  return items.map((group: { id: string }) => group.id)
}

test('201 for a new group at its place; the others move on, and the one that takes everything stays last', async () => {
  const token = await enterTenant()
  const created = await createGroup(token, { id: 'first', order: 1 })
  assert.equal(created.headers['location'], `${GROUPS}/first`)
  await createGroup(token, { id: 'last' })
  await createGroup(token, { id: 'third', order: 3 })
  const shipped = ['block', 'take-down', 'clean-up', 'harden']
  const [block = '', ...others] = shipped
  assert.deepEqual(await listOrder(token), ['first', block, 'third', ...others, 'last', 'default'])
  const moved = await send(token, 'PATCH', `${GROUPS}/last`, { order: 2 })
  assert.equal(moved.json().order, 2)
  assert.deepEqual(await listOrder(token), ['first', 'last', block, 'third', ...others, 'default'])
  const nameless = (await createGroup(token, {})).json()
  assert.match(nameless.id, /^g-[0-9a-f-]{36}$/)
})

test('200 with all that was said of a group, and a null takes a value away; its history tells each change', async () => {
  const token = await enterTenant()
  const json = {
    id: 'whole',
    description: 'Made up.',
    condition: 'event.event_type == "Spam"',
    xarf_classes: ['messaging'],
    key_fields: ['ip', 'customer_id'],
    threshold: { events: 3, reporters: 2, window_seconds: 60 },
    max_age_seconds: 86_400,
    max_gap_seconds: 3_600,
    relapse: 'reopen',
    relapse_window_seconds: 600,
    late_event: 'open_case',
    severity: 'high',
  }
  await createGroup(token, json)
  const { order, enabled, name, ...rest } = (await send(token, 'GET', `${GROUPS}/whole`)).json()
  assert.deepEqual(rest, { ...json, key_fields: ['customer_id', 'ip'] })
  assert.deepEqual([enabled, name, typeof order], [true, 'Made up', 'number'])
  const patch = { condition: null, threshold: null, max_age_seconds: null, severity: null }
  const changed = (await send(token, 'PATCH', `${GROUPS}/whole`, patch)).json()
  for (const member of Object.keys(patch)) assert.equal(member in changed, false, member)
  const history = (await send(token, 'GET', `${GROUPS}/whole/history`)).json().items
  assert.deepEqual(
    history.map((entry: { kind: string }) => entry.kind),
    ['change', 'create'],
  )
  assert.deepEqual(history[0].changes.severity, { from: 'high', to: null })
  assert.equal((await send(token, 'DELETE', `${GROUPS}/whole`)).status, 204)
  assert.equal((await send(token, 'GET', `${GROUPS}/whole`)).status, 404)
  assert.equal((await send(token, 'GET', `${GROUPS}/whole/history`)).json().items[0].kind, 'delete')
})

test('400 CASEWORK_CASE_GROUP_NOT_VALID, 404 and 409 for groups that cannot be', async () => {
  const token = await enterTenant()
  const wrong: [object, string][] = [
    [{ condition: 'event.ip.matches("a+")' }, '/condition'],
    [{ condition: 'event.nothing == 1' }, '/condition'],
    [{ condition: 'event.tags.exists(t, event.tags.exists(u, t == u))' }, '/condition'],
    [{ condition: '"a" + event.ip == "a"' }, '/condition'],
    [{ condition: 'event.ip' }, '/condition'],
    [{ playbook_id: 'none' }, '/playbook_id'],
  ]
  for (const [json, path] of wrong) {
    const answer = await send(token, 'POST', GROUPS, { name: 'Made up', ...json })
    assert.equal(answer.status, 400, answer.text)
    const problem = answer.json()
    assert.equal(problem.code, 'CASEWORK_CASE_GROUP_NOT_VALID')
    assert.equal(problem.errors[0].path, path)
  }
  for (const json of [
    { name: '' },
    { name: 'x', relapse: 'never' },
    { name: 'x', key_fields: [] },
    { name: 'x', threshold: { events: 0 } },
    { name: 'x', id: 'Not A Slug' },
    {},
  ]) {
    assert.equal((await send(token, 'POST', GROUPS, json)).status, 400, JSON.stringify(json))
  }
  await createGroup(token, { id: 'twice' })
  const again = await send(token, 'POST', GROUPS, { name: 'x', id: 'twice' })
  assert.equal(again.json().code, 'CASEWORK_CASE_GROUP_TAKEN')
  for (const json of [{ condition: 'true' }, { xarf_classes: ['content'] }, { order: 1 }]) {
    assert.equal((await send(token, 'PATCH', `${GROUPS}/default`, json)).status, 400)
  }
  const shipped = await send(token, 'DELETE', `${GROUPS}/default`)
  assert.equal(shipped.json().code, 'CASEWORK_CASE_GROUP_IN_USE')
  assert.doesNotMatch(shipped.json().detail, /turn the group off/i)
  await createGroup(token, { id: 'used', order: 1 })
  await push(token, 0)
  const used = await send(token, 'DELETE', `${GROUPS}/used`)
  assert.equal(used.status, 409, used.text)
  assert.match(used.json().detail, /turn the group off/)
  for (const method of ['GET', 'DELETE']) {
    assert.equal((await send(token, method, `${GROUPS}/nothing`)).status, 404)
  }
  assert.equal((await send(token, 'GET', `${GROUPS}/nothing/history`)).status, 404)
})

test('409 CASEWORK_TOO_MANY_RULES beyond a hundred groups', async () => {
  const token = await enterTenant()
  for (let count = 5; count < 100; count += 1) await createGroup(token, {})
  const answer = await send(token, 'POST', GROUPS, { name: 'x' })
  assert.equal(answer.status, 409)
  assert.equal(answer.json().code, 'CASEWORK_TOO_MANY_RULES')
})

test('404 and nothing else for groups of another tenant, which see none of its events', async () => {
  const [token, other] = [await enterTenant(), await enterTenant()]
  await createGroup(token, { id: 'mine', order: 1, condition: 'true' })
  for (const [method, path] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['GET', '/history'],
  ] as const) {
    const json = method === 'PATCH' ? { enabled: false } : undefined
    const answer = await send(other, method, `${GROUPS}/mine${path}`, json)
    assert.equal(answer.status, 404, `${method} ${path}`)
  }
  const { case_id: caseId } = await push(other, 0)
  assert.equal((await readCase(other, caseId)).case_group, 'default')
})

test('the first group whose condition matches takes the event; one that fails for it does not match', async () => {
  const token = await enterTenant()
  await createGroup(token, { id: 'ssh', order: 1, condition: 'event.details.port == 22' })
  const net = 'event.ip.inCidr("198.51.100.0/24") || event.domain.isUnder("example.com")'
  await createGroup(token, { id: 'net', order: 2, condition: net })
  const cases: [object, string][] = [
    [{ event_details: { port: 22 } }, 'ssh'],
    [{ event_details: { port: 22 }, ip: '198.51.100.4' }, 'ssh'],
    [{ ip: '198.51.100.4' }, 'net'],
    [{ domain: 'www.example.com' }, 'net'],
    [{ domain: 'notexample.com' }, 'default'],
    [{ ip: '2001:db8::1' }, 'default'],
  ]
  for (const [members, group] of cases) {
    const { case_id: caseId } = await push(token, 0, members)
    assert.equal((await readCase(token, caseId)).case_group, group, JSON.stringify(members))
  }
  const metrics = (await app.send('GET', '/metrics')).text
  assert.match(metrics, /casework_condition_failures_total\{rule="case_group"\} [1-9]/)
})

test('a dry run tells which group takes an event, with which key, and why; nothing is stored', async () => {
  const token = await enterTenant()
  const condition = 'event.details.port == 22'
  await createGroup(token, { id: 'ssh', order: 1, condition, key_fields: ['ip', 'event_type'] })
  await send(token, 'PATCH', `${GROUPS}/block`, { enabled: false })
  const told = (await send(token, 'POST', `${GROUPS}/test`, buildEvent(0))).json()
  assert.deepEqual(told.case_groups.slice(0, 2), [
    { id: 'ssh', answer: 'failed', reason: 'No such key: port' },
    { id: 'block', answer: 'disabled' },
  ])
  assert.equal(told.case_group, 'default')
  assert.deepEqual(told.key, [{ field: 'customer_id', value: 'made-up' }])
  assert.equal('open_case_id' in told, false)
  const event = { event_details: { port: 22 } }
  const { case_id: caseId } = await push(token, 0, event)
  const second = await send(token, 'POST', `${GROUPS}/test`, buildEvent(1, event))
  assert.equal(second.status, 200)
  assert.equal(second.json().open_case_id, caseId)
  assert.deepEqual(second.json().key, [
    { field: 'ip', value: '192.0.2.7' },
    { field: 'event_type', value: 'Spam' },
  ])
  const nobody = { event_date: '2026-01-01T00:00:00Z', event_type: 'Spam' }
  const unowned = (await send(token, 'POST', `${GROUPS}/test`, nobody)).json()
  assert.deepEqual(
    [unowned.outcome, unowned.owner],
    ['unassigned', { unassigned_cause: 'no_target' }],
  )
  assert.equal((await send(token, 'POST', `${GROUPS}/test`, {})).status, 400)
  assert.equal((await readCase(token, caseId)).event_count, 1)
})

test('below the threshold events are held; the case opens with all that happened within the window', async () => {
  const token = await enterTenant()
  const threshold = { events: 3, reporters: 2, window_seconds: 7_200 }
  await createGroup(token, { id: 'many', order: 1, threshold, severity: 'high' })
  const old = await push(token, 0, from('a'))
  assert.equal(old.outcome, 'held')
  assert.equal('case_id' in old, false)
  assert.equal((await push(token, 3, from('a'))).outcome, 'held')
  assert.equal((await push(token, 4, from('a'))).outcome, 'held')
  // Three within the window, all of one reporter.
  const held = await push(token, 4, from('a'))
  assert.equal(held.outcome, 'held')
  const heldRecord = (await send(token, 'GET', `${EVENTS}/${held.event_id}`)).json()
  assert.deepEqual(heldRecord.tags, ['below-threshold'])
  const opened = await push(token, 4.5, from('b'))
  assert.equal(opened.outcome, 'created')
  const row = await readCase(token, opened.case_id)
  assert.deepEqual([row.event_count, row.severity, row.event_tags], [4, 'high', []])
  assert.equal(row.first_event_date, '2026-01-01T03:00:00.000Z')
  assert.deepEqual(row.event_reporters, ['a@example.org', 'b@example.org'])
  const joined = (await send(token, 'GET', `${EVENTS}/${held.event_id}`)).json()
  assert.deepEqual([joined.case_id, joined.tags], [opened.case_id, []])
  // What had fallen out of the window stays outside.
  assert.equal('case_id' in (await send(token, 'GET', `${EVENTS}/${old.event_id}`)).json(), false)
  assert.equal((await push(token, 9, from('c'))).case_id, opened.case_id)
})

test('a held event that is given to another owner counts for that one, and no longer for the first', async () => {
  const token = await enterTenant()
  await createGroup(token, { id: 'pairs', order: 1, threshold: { events: 2 } })
  const moved = await push(token, 0, named('one'))
  const path = `${EVENTS}/${moved.event_id}/reassign`
  const answer = (await send(token, 'POST', path, { customer_id: 'two' })).json()
  assert.deepEqual([answer.outcome, answer.case_id], ['reassigned', undefined])
  assert.equal((await push(token, 1, named('one'))).outcome, 'held')
  const opened = await push(token, 1, named('two'))
  assert.equal((await readCase(token, opened.case_id)).event_count, 2)
  const record = (await send(token, 'GET', `${EVENTS}/${moved.event_id}`)).json()
  assert.deepEqual([record.case_id, record.tags], [opened.case_id, []])
})

test('an event after the greatest age or gap opens the next case, which names the one before; that stays open and can be worked', async () => {
  const token = await enterTenant()
  const limits = { max_age_seconds: 24 * 3_600, max_gap_seconds: 6 * 3_600 }
  await createGroup(token, { id: 'short', order: 1, ...limits })
  const first = await push(token, 0)
  assert.equal((await push(token, 5)).case_id, first.case_id)
  const quiet = await push(token, 12)
  assert.notEqual(quiet.case_id, first.case_id)
  assert.equal((await readCase(token, quiet.case_id)).linked_case_id, first.case_id)
  const sealed = await readCase(token, first.case_id)
  assert.equal(sealed.state, 'NEW')
  assert.equal(typeof sealed.sealed_at, 'string')
  for (const hours of [18, 24, 30, 36]) {
    assert.equal((await push(token, hours)).case_id, quiet.case_id, String(hours))
  }
  const old = await push(token, 37)
  assert.notEqual(old.case_id, quiet.case_id)
  const [entry] = (await readCase(token, quiet.case_id, '/history')).items
  assert.deepEqual([entry.kind, entry.changes], ['seal', { next_case_id: old.case_id }])
  const path = `${CASES}/${first.case_id}`
  for (const json of [{ state: 'IN_PROGRESS' }, { state: 'RESOLVED', resolution: 'fixed' }]) {
    const headers = { 'if-match': '*' }
    assert.equal((await app.send('PATCH', path, { token, json, headers })).status, 200)
  }
  // Only one of a key takes events, so the first one cannot be opened again meanwhile.
  const headers = { 'if-match': '*' }
  const json = { state: 'IN_PROGRESS' }
  assert.equal((await app.send('PATCH', path, { token, json, headers })).status, 409)
  assert.equal((await push(token, 38)).case_id, old.case_id)
})

async function resolve(token: string, caseId: string): Promise<void> {
  const json = { state: 'RESOLVED', resolution: 'fixed' }
  const headers = { 'if-match': '*' }
  const answer = await app.send('PATCH', `${CASES}/${caseId}`, { token, json, headers })
  assert.equal(answer.status, 200, answer.text)
}

/**
 * Hours after the first of January at which the event happens just now, and one that is still to
 * come.
 */
function hoursFromNow(hours: number): number {
  return (Date.now() - START) / 3_600_000 + hours
}

for (const relapse of ['reopen', 'link', 'new'] as const) {
  test(`after its case was resolved, an event with the policy ${relapse} has the case that it says, and a late one never reopens`, async () => {
    const token = await enterTenant()
    const policy = { relapse, relapse_window_seconds: 6 * 3_600 }
    await createGroup(token, { id: 'again', order: 1, ...policy })
    const first = await push(token, 0)
    await resolve(token, first.case_id)
    const late = await push(token, 1)
    assert.equal(late.case_id, first.case_id)
    assert.equal((await readCase(token, first.case_id)).state, 'RESOLVED')
    const second = await push(token, hoursFromNow(1))
    if (relapse === 'reopen') {
      assert.equal(second.case_id, first.case_id)
      const row = await readCase(token, first.case_id)
      assert.deepEqual([row.state, row.reopen_count, row.event_count], ['IN_PROGRESS', 1, 3])
      const [entry] = (await readCase(token, first.case_id, '/history')).items
      assert.deepEqual(
        [entry.kind, entry.reason, entry.to_state],
        ['move', 'relapse', 'IN_PROGRESS'],
      )
      await resolve(token, first.case_id)
    } else {
      assert.notEqual(second.case_id, first.case_id)
      const { linked_case_id: linked } = await readCase(token, second.case_id)
      assert.equal(linked, relapse === 'link' ? first.case_id : undefined)
      await resolve(token, second.case_id)
    }
    // Beyond the window nothing has come back.
    const third = await push(token, hoursFromNow(12))
    assert.equal([first.case_id, second.case_id].includes(third.case_id), false)
    assert.equal('linked_case_id' in (await readCase(token, third.case_id)), false)
  })
}

test('a case that takes no more events takes no slot when somebody works on it, so that the one after it can come back', async () => {
  const token = await enterTenant()
  await createGroup(token, { id: 'short', order: 1, max_gap_seconds: 3_600, relapse: 'reopen' })
  const [first, second] = [await push(token, 0), await push(token, 5)]
  await resolve(token, second.case_id)
  const headers = { 'if-match': '*' }
  const json = { state: 'IN_PROGRESS' }
  const answer = await app.send('PATCH', `${CASES}/${first.case_id}`, { token, json, headers })
  assert.equal(answer.status, 200)
  assert.equal((await push(token, hoursFromNow(1))).case_id, second.case_id)
})

test('late events open a case of their own where the group wants that', async () => {
  const token = await enterTenant()
  await createGroup(token, { id: 'open', order: 1, late_event: 'open_case', relapse: 'reopen' })
  const first = await push(token, 0)
  await resolve(token, first.case_id)
  const late = await push(token, 1)
  assert.notEqual(late.case_id, first.case_id)
  assert.equal((await readCase(token, first.case_id)).state, 'RESOLVED')
})

test('a case that took in others comes back with them, whichever key has the relapse', async () => {
  const token = await enterTenant()
  await createGroup(token, { id: 'again', order: 1, relapse: 'reopen' })
  const [one, two, three] = [
    await push(token, 0, named('one')),
    await push(token, 0, named('two')),
    await push(token, 0, named('three')),
  ]
  const sources = [two.case_id, three.case_id]
  assert.equal(
    (await send(token, 'POST', `${CASES}/${one.case_id}/merge`, { from: sources })).status,
    200,
  )
  await resolve(token, one.case_id)
  const back = await push(token, hoursFromNow(1), named('two'))
  assert.equal(back.case_id, one.case_id)
  assert.equal((await readCase(token, one.case_id)).state, 'IN_PROGRESS')
  for (const name of ['one', 'two', 'three']) {
    assert.equal((await push(token, hoursFromNow(2), named(name))).case_id, one.case_id, name)
  }
  const scope = { tenantId: (await readCase(token, one.case_id)).tenant_id }
  const { kysely } = app.services.foundation.database
  assert.deepEqual((await recountCases(kysely, scope)).differences, [])
})

test('a group that only attaches puts relapses into the ended case, which stays ended; beyond the window a case opens', async () => {
  const token = await enterTenant()
  await createGroup(token, { relapse: 'attach_only', relapse_window_seconds: 3_600 })
  const first = await push(token, 0)
  await resolve(token, first.case_id)
  // The case ended now, and the events happened after that.
  const now = (Date.now() - START) / 3_600_000
  const soon = Array.from({ length: 12 }, () => buildEvent(now + 0.5))
  const [bulk, ...single] = await Promise.all([
    send(token, 'POST', EVENTS, soon),
    ...Array.from({ length: 12 }, () => push(token, now + 0.5)),
  ])
  const joined = [...bulk.json().items, ...single]
  assert.equal(joined.length, 24)
  for (const event of joined) assert.equal(event.case_id, first.case_id)
  const found = await readCase(token, first.case_id)
  assert.deepEqual([found.state, found.event_count, found.reopen_count ?? 0], ['RESOLVED', 25, 0])
  const path = `${EVENTS}/${joined[0].event_id}`
  const stored = (await send(token, 'GET', path)).json()
  assert.deepEqual([stored.tags, stored.resolved], [['relapse'], false])
  const beyond = await push(token, now + 2, named('made-up'))
  assert.notEqual(beyond.case_id, first.case_id)
  assert.equal((await readCase(token, beyond.case_id)).linked_case_id, undefined)
  const { items } = await readCase(token, first.case_id, '/history?limit=100')
  const kinds = items.map(({ kind }: { kind: string }) => kind)
  assert.equal(kinds.filter((kind: string) => kind === 'relapse_event').length, 24)
  const { kysely } = app.services.foundation.database
  const tenantId = `grouping-${tenants}`
  assert.deepEqual((await recountCases(kysely, { tenantId })).differences, [])
})

test('severity rules decide by the event that opens the case; without a match the severity of the group counts', async () => {
  const token = await enterTenant()
  const rules = [
    { condition: 'event.details.port == 22', severity: 'critical' },
    { condition: 'event.event_type == "Phishing"', severity: 'high' },
    { condition: 'intel.ip.listed', severity: 'medium' },
  ]
  const created = await createGroup(token, { id: 'rated', severity_rules: rules, severity: 'low' })
  assert.deepEqual(created.json().severity_rules, rules)
  const rate = async (name: string, members: object): Promise<string> => {
    const { case_id: caseId } = await push(token, 0, { ...named(name), ...members })
    return (await readCase(token, caseId)).severity
  }
  assert.equal(await rate('a', { event_details: { port: 22 } }), 'critical')
  assert.equal(await rate('b', { event_type: 'Phishing' }), 'high')
  assert.equal(await rate('c', {}), 'low')
  // A later event of the case changes nothing.
  assert.equal(await rate('c', { event_type: 'Phishing' }), 'low')

  const dry = await send(token, 'POST', `${GROUPS}/test`, buildEvent(0, { event_type: 'Phishing' }))
  const { severity, severity_rules: answers } = dry.json()
  assert.equal(severity, 'high')
  assert.deepEqual(
    answers.map(({ answer }: { answer: string }) => answer),
    ['failed', 'match'],
  )

  await send(token, 'PATCH', `${GROUPS}/rated`, { severity_rules: null })
  assert.equal((await send(token, 'GET', `${GROUPS}/rated`)).json().severity_rules, undefined)
  const { items } = (await send(token, 'GET', `${GROUPS}/rated/history`)).json()
  assert.deepEqual(items[0].changes, { severityRules: { from: rules, to: null } })
  assert.equal(await rate('d', { event_type: 'Phishing' }), 'low')
})

test('400 names the severity rule whose condition is wrong', async () => {
  const token = await enterTenant()
  const answer = await send(token, 'POST', GROUPS, {
    name: 'Wrong',
    severity_rules: [
      { condition: 'true', severity: 'low' },
      { condition: 'event.nothing', severity: 'high' },
    ],
  })
  assert.equal(answer.status, 400)
  assert.equal(answer.json().errors[0].path, '/severity_rules/1/condition')
  for (const wrong of [[], [{ condition: 'true' }], [{ condition: 'true', severity: 'dire' }]]) {
    const refused = await send(token, 'POST', GROUPS, { name: 'Wrong', severity_rules: wrong })
    assert.equal(refused.status, 400, JSON.stringify(wrong))
  }
})
