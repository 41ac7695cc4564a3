// Merging, unmerging and splitting cases over HTTP: where events go, now and later, and that
// undoing is exact.

import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { type TestAnswer, withApp } from '../../../../test/harness.ts'
import { APPROVAL, createActivePlaybook, runDueSteps } from '../../../../test/playbook-fixtures.ts'
import { recountCases } from '../recount/recount-cases.ts'

const CASES = '/beta/casework/cases'

const app = withApp()
afterEach(async () => {
  const { kysely } = app.services.foundation.database
  const { differences } = await recountCases(kysely, { tenantId: 'default' })
  assert.deepEqual(differences, [], 'everything kept twice is the same')
})

let events = 0
async function push(customer: string, members: object = {}, as = app.token): Promise<string> {
  events += 1
  const json = {
    event_date: new Date(Date.UTC(2026, 0, 1, 0, 0, events)).toISOString(),
    event_type: 'Spam',
    customer_id: customer,
    report_id: `report-${events}`,
    ...members,
  }
  const answer = await app.send('POST', '/beta/casework/events', { token: as, json })
  assert.equal(answer.status, 201, answer.text)
  return answer.json().case_id
}

function act(caseId: string, word: string, json: object, as = app.token): Promise<TestAnswer> {
  return app.send('POST', `${CASES}/${caseId}/${word}`, { token: as, json })
}

async function read(caseId: string, path = ''): Promise<ReturnType<TestAnswer['json']>> {
  return (await app.send('GET', `${CASES}/${caseId}${path}`, { token: app.token })).json()
}

async function move(caseId: string, json: object): Promise<void> {
  const headers = { 'if-match': '*' }
  const answer = await app.send('PATCH', `${CASES}/${caseId}`, { token: app.token, json, headers })
  assert.equal(answer.status, 200, answer.text)
}

async function listEventIds(caseId: string): Promise<string[]> {
  const path = `/beta/casework/events?case_id=${caseId}`
  const { items } = (await app.send('GET', path, { token: app.token })).json()
  return items.map((item: { event_id: string }) => item.event_id).toSorted()
}

/** All that a merge and its undoing must leave as it was. */
async function readWhole(caseId: string): Promise<object> {
  const { version: _version, updated_at: _at, ...rest } = await read(caseId)
  return { ...rest, events: await listEventIds(caseId) }
}

const FIXED = { state: 'RESOLVED', resolution: 'fixed' }
let pairs = 0
function nameCustomers(): readonly [string, string, string] {
  pairs += 1
  return [`one-${pairs}`, `two-${pairs}`, `three-${pairs}`]
}

test('a merge takes events and later ones, and its undoing gives back exactly what came', async () => {
  const [one, two] = nameCustomers()
  const target = await push(one, { ip: '192.0.2.1', tags: ['a'] })
  const source = await push(two, { ip: '192.0.2.2', event_type: 'Phishing', tags: ['b'] })
  await push(two, { ip: '192.0.2.3' })
  await move(source, { waiting_on: 'customer' })
  const was = await readWhole(source)
  const merged = await act(target, 'merge', { from: [source.toLowerCase()], reason: 'same' })
  assert.equal(merged.status, 200, merged.text)
  const json = merged.json()
  assert.equal(json.event_count, 3)
  assert.deepEqual(json.event_types, ['Spam', 'Phishing'])
  assert.deepEqual(json.event_ips, ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
  assert.deepEqual(json.event_tags, ['a', 'b'])
  const gone = await read(source)
  assert.deepEqual(
    [gone.state, gone.close_reason, gone.merged_into, gone.event_count, gone.waiting_on],
    ['CLOSED', 'merged', target, 0, 'none'],
  )
  assert.equal(await push(two), target, 'what comes for it goes to the target')
  assert.equal(
    (await act(source, 'merge', { from: [target] })).json().code,
    'CASEWORK_CASE_IS_MERGED',
  )
  const back = await act(target, 'unmerge', { from: [source] })
  assert.equal(back.status, 200, back.text)
  assert.equal(back.json().event_count, 2, 'what arrived since stays')
  assert.deepEqual(await readWhole(source), was)
  assert.equal(await push(two), source)
  assert.equal(await push(one), target)
  const history = (await read(source, '/history')).items
  assert.deepEqual(
    history
      .slice(0, 2)
      .map((entry: Record<string, unknown>) => [
        entry['kind'],
        entry['from_state'],
        entry['to_state'],
        entry['reason'],
      ]),
    [
      ['unmerge', 'CLOSED', 'NEW', undefined],
      ['merge', 'NEW', 'CLOSED', 'same'],
    ],
  )
})

test('merges of merges are undone one by one, exactly', async () => {
  const [one, two, three] = nameCustomers()
  const [a, b, c] = [await push(one), await push(two), await push(three)]
  await push(two)
  const [wasB, wasC] = [await readWhole(b), await readWhole(c)]
  await act(b, 'merge', { from: [c] })
  const wasMergedB = await readWhole(b)
  await act(a, 'merge', { from: [b] })
  assert.equal((await read(a)).event_count, 4)
  assert.equal(await push(three), a, 'over two merges')
  assert.equal((await act(a, 'unmerge', { from: [c] })).json().code, 'CASEWORK_MERGE_NOT_ALLOWED')
  assert.equal((await act(b, 'unmerge', { from: [c] })).json().code, 'CASEWORK_CASE_IS_MERGED')
  await act(a, 'unmerge', { from: [b] })
  assert.deepEqual(await readWhole(b), wasMergedB)
  assert.equal(await push(three), b)
  await act(b, 'unmerge', { from: [c] })
  assert.deepEqual(await readWhole(c), wasC)
  const { event_count: count, ...rest } = (await readWhole(b)) as Record<string, unknown>
  const { event_count: earlier, ...then } = wasB as Record<string, unknown>
  assert.equal(count, Number(earlier) + 1, 'the event that came meanwhile')
  assert.equal(rest['state'], then['state'])
  assert.equal(await push(three), c)
})

test('a target that ends gives all slots back; late events of what it took in join it, and it takes them again when reopened', async () => {
  const [one, two] = nameCustomers()
  const [target, source] = [await push(one), await push(two)]
  await act(target, 'merge', { from: [source] })
  await move(target, FIXED)
  assert.equal(await push(two), target, 'late')
  assert.equal((await read(target)).state, 'RESOLVED')
  await move(target, { state: 'IN_PROGRESS' })
  assert.equal(await push(two), target)
  await move(target, FIXED)
  const relapsed = await push(two, { event_date: new Date(Date.now() + 3_600_000).toISOString() })
  assert.notEqual(relapsed, target)
  assert.equal((await read(relapsed)).linked_case_id, target)
  const refused = await act(target, 'unmerge', { from: [source] })
  assert.equal(refused.json().code, 'CASEWORK_SLOT_IS_TAKEN', 'its key has another open case')
  await move(relapsed, FIXED)
  assert.equal((await act(target, 'unmerge', { from: [source] })).status, 200)
  assert.equal((await read(source)).state, 'NEW')
  assert.equal(await push(two), source)
})

test('a split takes the chosen events, and later ones stay with the case', async () => {
  const [one] = nameCustomers()
  const source = await push(one, { ip: '192.0.2.1' })
  await push(one, { ip: '192.0.2.2', event_type: 'Phishing' })
  await push(one, { ip: '192.0.2.2' })
  const answer = await act(source, 'split', { filter: { ip: '192.0.2.2' } })
  assert.equal(answer.status, 201, answer.text)
  const created = answer.json()
  assert.equal(answer.headers['location'], `${CASES}/${created.id}`)
  assert.equal(created.event_count, 2)
  assert.deepEqual(created.event_types, ['Phishing', 'Spam'])
  assert.equal((await read(source)).event_count, 1)
  assert.equal(await push(one, { ip: '192.0.2.2' }), source)
  const [first = ''] = await listEventIds(created.id)
  const second = await act(created.id, 'split', { event_ids: [first] })
  assert.equal(second.json().event_count, 1)
  await act(source, 'merge', { from: [created.id, second.json().id] })
  assert.equal((await read(source)).event_count, 4)
})

test('the playbook runs of a merged case end, with a row in its history', async () => {
  const [one, two] = nameCustomers()
  const playbook = await createActivePlaybook(app, app.token, APPROVAL)
  const path = '/beta/casework/case-groups/default'
  await app.send('PATCH', path, { token: app.token, json: { playbook_id: playbook } })
  const [target, source] = [await push(one), await push(two)]
  await runDueSteps(app)
  await app.send('PATCH', path, { token: app.token, json: { playbook_id: null } })
  await act(target, 'merge', { from: [source] })
  const { items } = await read(source, '/runs')
  assert.equal(items[0].state, 'ended')
  assert.deepEqual((await read(source)).waiting, [])
  const history = (await read(source, '/history')).items
  const stop = history.find((entry: { kind: string }) => entry.kind === 'run_ended')
  assert.equal(stop.reason, 'case_merged')
  assert.equal((await read(target)).waiting.length, 1)
})

test('refusals of merges and splits: 400, 403, 404 and 409, and nothing changes', async () => {
  const [one, two, three] = nameCustomers()
  const [a, b, c] = [await push(one), await push(two), await push(three)]
  const nobody = 'C-00000000-0000-7000-8000-000000000000'
  await app.createTenant('foreign')
  const as = await app.createToken({ tenantId: 'foreign' })
  const foreign = await push(one, {}, as)
  const cases: [string, string, object, number][] = [
    [a, 'merge', { from: [] }, 400],
    [a, 'merge', { from: [a] }, 400],
    [a, 'merge', { from: [b, b.toLowerCase()] }, 400],
    [a, 'merge', { from: [b, nobody] }, 404],
    [a, 'merge', { from: ['x'] }, 404],
    [a, 'merge', { from: [foreign] }, 404],
    [foreign, 'merge', { from: [a] }, 404],
    [foreign, 'unmerge', { from: [a] }, 404],
    [a, 'unmerge', { from: [b] }, 409],
    [a, 'unmerge', { from: [foreign] }, 404],
    [foreign, 'split', { filter: { ip: '192.0.2.1' } }, 404],
    [a, 'split', {}, 400],
    [a, 'split', { filter: {} }, 400],
    [a, 'split', { filter: { ip: '192.0.2.9' } }, 400],
    [a, 'split', { event_ids: ['x'] }, 400],
    [a, 'split', { event_ids: await listEventIds(b) }, 400],
    [a, 'split', { filter: { event_type: 'Spam' } }, 409],
  ]
  await move(c, FIXED)
  cases.push([c, 'merge', { from: [a] }, 409])
  const was = [await readWhole(a), await readWhole(b), await readWhole(c)]
  for (const [caseId, word, json, status] of cases) {
    const answer = await act(caseId, word, json)
    assert.equal(answer.status, status, `${word} ${JSON.stringify(json)} ${answer.text}`)
  }
  const writer = await app.createToken({ scopes: ['cases:write', 'cases:transition'] })
  for (const word of ['merge', 'unmerge']) {
    assert.equal((await act(a, word, { from: [b] }, writer)).status, 403)
  }
  assert.equal((await act(a, 'split', { filter: { ip: '192.0.2.1' } }, writer)).status, 403)
  assert.deepEqual([await readWhole(a), await readWhole(b), await readWhole(c)], was)
})

test('events that arrive while cases are merged and unmerged are all counted, and no key has two open cases', async () => {
  const [one, two] = nameCustomers()
  const [a, b] = [await push(one), await push(two)]
  const pushing = Array.from({ length: 60 }, (_, at) => push(at % 2 === 0 ? one : two))
  for (let round = 0; round < 3; round += 1) {
    assert.equal((await act(a, 'merge', { from: [b] })).status, 200)
    assert.equal((await act(a, 'unmerge', { from: [b] })).status, 200)
  }
  await Promise.all(pushing)
  assert.equal((await read(a)).event_count + (await read(b)).event_count, 62)
})
