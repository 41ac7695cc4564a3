import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type TestAnswer, withApp } from '../../../../test/harness.ts'
import {
  APPROVAL,
  createActivePlaybook,
  createCases,
  type GraphNode,
  query,
  runDueSteps,
  trigger,
} from '../../../../test/playbook-fixtures.ts'
import { inTransaction } from '../../../kernel/db/database.ts'
import { startRunsForNewCases } from './run-store.ts'

const CASES = '/beta/casework/cases'
const UNKNOWN = 'C-00000000-0000-7000-8000-000000000000'
const PROBLEM = { accept: 'application/problem+json' }

let token: string
let strangerToken: string
const app = withApp({}, async (opened) => {
  token = opened.token
  await opened.createTenant('other')
  strangerToken = await opened.createToken({ tenantId: 'other' })
})

function send(
  caseId: string,
  json: unknown,
  headers: Record<string, string> = {},
  as = token,
): Promise<TestAnswer> {
  return app.send('POST', `${CASES}/${caseId}/trigger-playbook`, { token: as, json, headers })
}

function get(path: string, as = token): Promise<TestAnswer> {
  return app.send('GET', path, { token: as })
}

async function createWaitingCase(nodes: readonly GraphNode[] = APPROVAL): Promise<string> {
  const playbook = await createActivePlaybook(app, token, nodes)
  const [caseId] = await createCases(app, 'default', playbook, 1)
  await runDueSteps(app)
  assert.ok(caseId)
  return caseId
}

async function countSignals(caseId: string): Promise<number> {
  const [row] = await query<{ count: number }>(
    app,
    'select count(*) from trigger_signal where case_id = $1',
    [caseId],
  )
  return row?.count ?? 0
}

async function readState(caseId: string): Promise<string> {
  return (await get(`${CASES}/${caseId}`)).json().state
}

test('a case goes from its event through the playbook of its group to RESOLVED', async () => {
  const playbook = await createActivePlaybook(app, token, APPROVAL)
  const attached = await app.send('PATCH', '/beta/casework/case-groups/default', {
    token,
    json: { playbook_id: playbook },
  })
  assert.equal(attached.status, 200, attached.text)
  const pushed = await app.send('POST', '/beta/casework/events', {
    token,
    json: {
      event_type: 'LoginAttack',
      ip: '192.0.2.1',
      event_date: '2026-01-31T00:00:00.000Z',
    },
  })
  assert.equal(pushed.status, 201, pushed.text)
  const caseId: string = pushed.json().case_id
  await runDueSteps(app)

  const waiting = (await get(`${CASES}/${caseId}`)).json()
  assert.equal(waiting.state, 'NEW')
  assert.equal(waiting.playbook_id, playbook)
  assert.equal(waiting.playbook_version, 1)
  assert.equal(waiting.playbook_step, 'ask')
  const triggers = await get(`${CASES}/${caseId}/triggers`)
  assert.equal(triggers.status, 200)
  const [item] = triggers.json().items
  const { run_id: runId, since, ...rest } = item
  assert.deepEqual(rest, {
    playbook_id: playbook,
    version: 1,
    node: 'ask',
    paths: ['approve', 'reject'],
  })
  assert.match(since, /^\d{4}-.*Z$/)
  assert.equal(triggers.json().next_cursor, '')

  const answer = await send(caseId, { node: 'ask', path: 'approve' })
  assert.equal(answer.status, 202)
  assert.equal(answer.text, '')
  assert.equal(answer.headers['location'], `${CASES}/${caseId}/runs/${runId}`)
  assert.equal(await readState(caseId), 'NEW')
  assert.deepEqual((await get(`${CASES}/${caseId}/triggers`)).json().items, [])

  await runDueSteps(app)
  const ended = (await get(`${CASES}/${caseId}`)).json()
  assert.equal(ended.state, 'RESOLVED')
  assert.deepEqual([ended.playbook_step, ended.playbook_state], ['done', 'ended'])
  const comments = (await get(`${CASES}/${caseId}/comments`)).json().items
  assert.deepEqual(
    comments.map((comment: { text: string }) => comment.text),
    ['Customer told.'],
  )
  const history = (await get(`${CASES}/${caseId}/history?order=asc`)).json().items
  assert.deepEqual(
    history.map((one: { kind: string; to_state?: string }) => `${one.kind} ${one.to_state ?? '-'}`),
    ['open NEW', 'trigger -', 'move IN_PROGRESS', 'comment -', 'move RESOLVED'],
  )
  const run = (await get(answer.headers['location'])).json()
  assert.equal(run.state, 'ended')
  assert.deepEqual(
    run.visits.map((visit: { node: string; path?: string }) => `${visit.node} ${visit.path}`),
    ['begin next', 'ask approve', 'work next', 'note next', 'done undefined'],
  )
  assert.match(run.visits[1].actor, /^token:tok_/)
  const runs = await get(`${CASES}/${caseId}/runs`)
  assert.equal(runs.status, 200)
  const { visits: _, attempts, tokens, case_group: group, case_id: id, ...summary } = run
  assert.deepEqual([attempts, tokens, group, id], [[], [], 'default', caseId])
  assert.deepEqual(runs.json(), { items: [summary], next_cursor: '' })
  await app.send('PATCH', '/beta/casework/case-groups/default', {
    token,
    json: { playbook_id: null },
  })
})

test('a run stays on its version while another one is activated', async () => {
  const playbook = await createActivePlaybook(app, token, APPROVAL)
  const [old] = await createCases(app, 'default', playbook, 1)
  await runDueSteps(app)
  const renamed = APPROVAL.map((node) => ({
    ...node,
    ...(node.id === 'ask' ? { config: { paths: ['yes'] }, paths: { yes: 'drop' } } : {}),
  })).filter((node) => ['begin', 'ask', 'drop'].includes(node.id))
  const path = `/beta/casework/playbooks/${playbook}/versions`
  const added = await app.send('POST', path, { token, json: { nodes: renamed } })
  assert.equal(added.status, 201, added.text)
  assert.equal((await app.send('POST', `${path}/2/activate`, { token })).status, 200)
  const [fresh] = await createCases(app, 'default', playbook, 1)
  assert.ok(old !== undefined && fresh !== undefined)
  await runDueSteps(app)
  assert.equal((await send(fresh, { node: 'ask', path: 'approve' })).status, 400)
  assert.equal((await send(old, { node: 'ask', path: 'yes' })).status, 400)
  await trigger(app, token, fresh, { node: 'ask', path: 'yes' })
  await trigger(app, token, old, { node: 'ask', path: 'approve' })
  await runDueSteps(app)
  assert.equal(await readState(old), 'RESOLVED')
  assert.equal(await readState(fresh), 'NEW')
})

describe('202', () => {
  test('again for a retry, before and after the worker has moved, with one effect', async () => {
    const caseId = await createWaitingCase()
    const first = await send(caseId, { node: 'ask', path: 'approve' })
    const early = await send(caseId, { node: 'ask', path: 'approve' })
    await runDueSteps(app)
    const late = await send(caseId, { node: 'ask', path: 'approve' })
    for (const answer of [first, early, late]) {
      assert.equal(answer.status, 202)
      assert.equal(answer.headers['location'], first.headers['location'])
    }
    assert.equal(await countSignals(caseId), 1)
    const comments = (await get(`${CASES}/${caseId}/comments`)).json().items
    assert.equal(comments.length, 1)
  })

  test('for each of twenty equal calls at once, with one effect', async () => {
    const caseId = await createWaitingCase()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        send(
          caseId,
          { node: 'ask', path: 'approve' },
          at % 2 === 0 ? {} : { 'idempotency-key': 'same' },
        ),
      ),
    )
    assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([202]))
    assert.equal(await countSignals(caseId), 1)
    await runDueSteps(app)
    assert.equal(await readState(caseId), 'RESOLVED')
  })

  test('for a repeated Idempotency-Key even when the case waits at that node again, with one effect', async () => {
    const caseId = await createWaitingCase([
      { id: 'begin', kind: 'start', paths: { next: 'ask' } },
      { id: 'ask', kind: 'manual', config: { paths: ['again'] }, paths: { again: 'ask' } },
    ])
    const key = { 'idempotency-key': 'round 1' }
    for (let call = 0; call < 3; call += 1) {
      assert.equal((await send(caseId, { node: 'ask', path: 'again' }, key)).status, 202)
      await runDueSteps(app)
    }
    assert.equal(await countSignals(caseId), 1)
    // Without the key the case waits at a new visit, and this is a new trigger.
    assert.equal((await send(caseId, { node: 'ask', path: 'again' })).status, 202)
    assert.equal(await countSignals(caseId), 2)
    // After 24 hours the key is free again.
    await query(app, `update trigger_key set created_at = now() - interval '24 hours'`)
    await runDueSteps(app)
    assert.equal((await send(caseId, { node: 'ask', path: 'again' }, key)).status, 202)
    assert.equal(await countSignals(caseId), 3)
  })

  test('for a case id in lower case and members beside the two', async () => {
    const caseId = await createWaitingCase()
    const body = { node: 'ask', path: 'approve', note: 'ignored' }
    assert.equal((await send(caseId.toLowerCase(), body)).status, 202)
  })

  test('for a node that names its playbook', async () => {
    const caseId = await createWaitingCase()
    const [item] = (await get(`${CASES}/${caseId}/triggers`)).json().items
    const node = `${item.playbook_id}/ask`
    assert.equal((await send(caseId, { node, path: 'approve' })).status, 202)
  })
})

describe('refusals', () => {
  test('404 comes before 400, and 400 before 409', async () => {
    assert.equal((await send(UNKNOWN, { node: 1 })).status, 404)
    const caseId = await createWaitingCase()
    await trigger(app, token, caseId, { node: 'ask', path: 'approve' })
    assert.equal((await send(caseId, { node: 'ask' })).status, 400)
    assert.equal((await send(caseId, { node: 'ask', path: 'nowhere' })).status, 400)
    assert.equal((await send(caseId, { node: 'ask', path: 'reject' })).status, 409)
  })

  test('400 for a field that is missing, no string, or names nothing of the version', async () => {
    const caseId = await createWaitingCase()
    const bodies = [
      {},
      [],
      null,
      'ask',
      { node: 'ask' },
      { path: 'approve' },
      { node: '', path: 'approve' },
      { node: 1, path: 'approve' },
      { node: 'ask', path: ['approve'] },
      { node: 'nowhere', path: 'approve' },
      { node: 'ask', path: 'next' },
      { node: 'ask\u0000', path: 'approve' },
      { node: 'ask', path: 'approve\ud800' },
      { node: 'a'.repeat(201), path: 'approve' },
      { node: 'constructor', path: 'toString' },
    ]
    for (const body of bodies) {
      const answer = await send(caseId, body)
      assert.equal(answer.status, 400, JSON.stringify(body))
      assert.equal(answer.text, '')
    }
    const told = await send(caseId, { node: 'ask', path: 1 }, PROBLEM)
    assert.deepEqual(told.json().errors, [
      { path: '/path', reason: 'must be a string that is not empty' },
    ])
    const named = await send(caseId, { node: 'ask', path: 'next' }, PROBLEM)
    assert.equal(named.json().code, 'CASEWORK_TRIGGER_NOT_KNOWN')
    assert.equal(await countSignals(caseId), 0)
  })

  test('400 for text that cannot be stored or is too long, also when no run is active', async () => {
    const caseId = await createWaitingCase()
    await trigger(app, token, caseId, { node: 'ask', path: 'reject' })
    await runDueSteps(app)
    for (const json of [
      { node: 'ask\u0000', path: 'reject' },
      { node: 'ask', path: 'reject\u0000' },
      { node: 'ask', path: '\udfff' },
      { node: `ask${'k'.repeat(198)}`, path: 'reject' },
      { node: 'ask', path: 'r'.repeat(201) },
    ]) {
      const answer = await send(caseId, json, { ...PROBLEM, 'idempotency-key': 'k' })
      assert.equal(answer.status, 400, JSON.stringify(json))
      assert.equal(answer.json().errors.length, 1)
    }
    assert.equal((await send(caseId, { node: 'ask', path: 'reject' })).status, 202)
  })

  test('409 for a playbook that is not there or did not accept it, after a run of another ended', async () => {
    const caseId = await createWaitingCase()
    const [item] = (await get(`${CASES}/${caseId}/triggers`)).json().items
    await trigger(app, token, caseId, { node: 'ask', path: 'reject' })
    for (const isSettled of [false, true]) {
      if (isSettled) await runDueSteps(app)
      for (const playbook of ['00000000-0000-7000-8000-00000000dead', 'nothing', '']) {
        const json = { node: `${playbook}/ask`, path: 'reject' }
        assert.equal((await send(caseId, json)).status, 409, playbook)
      }
      const named = { node: `${item.playbook_id}/ask`, path: 'reject' }
      assert.equal((await send(caseId, named)).status, 202)
    }
    assert.equal(await countSignals(caseId), 1)
  })

  test('400 for an Idempotency-Key that is empty, too long or not printable', async () => {
    const caseId = await createWaitingCase()
    for (const key of ['', 'k'.repeat(256), 'k\u00e9']) {
      const answer = await send(
        caseId,
        { node: 'ask', path: 'approve' },
        { ...PROBLEM, 'idempotency-key': key },
      )
      assert.equal(answer.status, 400, key)
      assert.equal(answer.json().code, 'CASEWORK_IDEMPOTENCY_KEY_NOT_VALID')
    }
  })

  test('401 without a token, 403 without the scope, both without a body', async () => {
    const caseId = await createWaitingCase()
    const path = `${CASES}/${caseId}/trigger-playbook`
    const missing = await app.send('POST', path, { json: { node: 'ask', path: 'approve' } })
    assert.equal(missing.status, 401)
    assert.equal(missing.text, '')
    const reader = await app.createToken({ scopes: ['cases:read', 'playbooks:read'] })
    const refused = await send(caseId, { node: 'ask', path: 'approve' }, {}, reader)
    assert.equal(refused.status, 403)
    assert.equal(refused.text, '')
  })

  test("404 for another tenant's case is byte for byte that of one that does not exist", async () => {
    const caseId = await createWaitingCase()
    const body = { node: 'ask', path: 'approve' }
    for (const headers of [{}, { ...PROBLEM, 'x-request-id': 'the-same-request' }]) {
      const foreign = await send(caseId, body, headers, strangerToken)
      const unknown = await send(UNKNOWN, body, headers, strangerToken)
      assert.equal(foreign.status, 404)
      assert.equal(foreign.text, unknown.text)
      assert.equal(unknown.status, 404)
    }
    assert.equal(await countSignals(caseId), 0)
    for (const path of ['triggers', 'runs']) {
      const foreign = await get(`${CASES}/${caseId}/${path}`, strangerToken)
      assert.equal(foreign.status, 404)
      assert.equal((await get(`${CASES}/${UNKNOWN}/${path}`, strangerToken)).status, 404)
    }
    assert.equal((await send('nothing', body)).status, 404)
  })

  test('409 with its reason in a header: no run, a node that nobody waits at, another path after the first', async () => {
    const [idle] = await createCases(app, 'default', '00000000-0000-7000-8000-000000000001', 1)
    assert.ok(idle)
    const none = await send(idle, { node: 'ask', path: 'approve' })
    assert.equal(none.status, 409)
    assert.equal(none.text, '')
    assert.equal(none.headers['casework-reason'], 'no_run')
    const caseId = await createWaitingCase()
    const early = await send(caseId, { node: 'work', path: 'next' })
    assert.equal(early.status, 409)
    assert.equal(early.headers['casework-reason'], 'not_waiting')
    await trigger(app, token, caseId, { node: 'ask', path: 'reject' })
    assert.equal((await send(caseId, { node: 'ask', path: 'approve' })).status, 409)
    await runDueSteps(app)
    const ended = await send(caseId, { node: 'ask', path: 'approve' }, PROBLEM)
    assert.equal(ended.status, 409)
    assert.equal(ended.json().code, 'CASEWORK_TRIGGER_NOT_EXPECTED')
    assert.equal(await readState(caseId), 'NEW')
  })

  test('409 for all but one of the calls that race with different paths', async () => {
    for (let round = 0; round < 5; round += 1) {
      const caseId = await createWaitingCase()
      const answers = await Promise.all(
        ['approve', 'reject', 'approve', 'reject'].map((path) =>
          send(caseId, { node: 'ask', path }),
        ),
      )
      const statuses = answers.map((answer) => answer.status)
      // The two calls of the path that won are repeats of each other.
      assert.deepEqual(
        statuses.toSorted((one, other) => one - other),
        [202, 202, 409, 409],
      )
      assert.equal(statuses[0], statuses[2])
      assert.equal(await countSignals(caseId), 1)
      await runDueSteps(app)
    }
  })

  test('409 where several playbooks wait at a node of one name, unless it is told which', async () => {
    const caseId = await createWaitingCase()
    const second = await createActivePlaybook(app, token, APPROVAL)
    await startRun(caseId, second)
    await runDueSteps(app)
    const answer = await send(caseId, { node: 'ask', path: 'approve' })
    assert.equal(answer.status, 409)
    assert.equal(answer.headers['casework-reason'], 'several_runs')
    assert.equal((await send(caseId, { node: `${second}/ask`, path: 'reject' })).status, 202)
    await runDueSteps(app)
    assert.equal((await send(caseId, { node: 'ask', path: 'approve' })).status, 202)
    await runDueSteps(app)
    assert.equal(await readState(caseId), 'RESOLVED')
  })

  test('422 for an Idempotency-Key that stands for another trigger, which is left as it was', async () => {
    const one = await createWaitingCase()
    const other = await createWaitingCase()
    const key = { 'idempotency-key': 'mine' }
    assert.equal((await send(one, { node: 'ask', path: 'approve' }, key)).status, 202)
    const path = await send(one, { node: 'ask', path: 'reject' }, key)
    assert.equal(path.status, 422)
    assert.equal(path.text, '')
    const body = { node: 'ask', path: 'approve' }
    const told = await send(other, body, { ...PROBLEM, ...key })
    assert.equal(told.status, 422)
    assert.equal(told.json().code, 'CASEWORK_IDEMPOTENCY_KEY_REUSED')
    assert.equal(await countSignals(other), 0)
    // A refused call keeps no key, and keys of different tokens do not meet.
    const fresh = { 'idempotency-key': 'fresh' }
    assert.equal((await send(other, { node: 'ask', path: 'nowhere' }, fresh)).status, 400)
    assert.equal((await send(other, { node: 'ask', path: 'approve' }, fresh)).status, 202)
    const colleague = await app.createToken()
    const third = await createWaitingCase()
    assert.equal((await send(third, { node: 'ask', path: 'reject' }, key, colleague)).status, 202)
  })
})

async function startRun(caseId: string, playbookId: string): Promise<void> {
  const { database, ids } = app.services.foundation
  await inTransaction(database.kysely, (tx) =>
    startRunsForNewCases(tx, ids, { tenantId: 'default' }, [{ caseId, playbookId }]),
  )
}

describe('GET /cases/{caseId}/runs/{runId}', () => {
  test('404 for a run of another case, and for what is no id', async () => {
    const one = await createWaitingCase()
    const other = await createWaitingCase()
    const [run] = (await get(`${CASES}/${one}/runs`)).json().items
    assert.equal((await get(`${CASES}/${one}/runs/${run.run_id}`)).status, 200)
    const unknown = await get(`${CASES}/${other}/runs/${run.run_id}`)
    assert.equal(unknown.status, 404)
    assert.equal(unknown.json().code, 'CASEWORK_RUN_NOT_FOUND')
    assert.equal((await get(`${CASES}/${one}/runs/nothing`)).status, 404)
    assert.equal((await get(`${CASES}/${one}/runs/${run.run_id}`, strangerToken)).status, 404)
  })

  test('200 says why a failed run needs a person, and so does the history of its case', async () => {
    const caseId = await createWaitingCase()
    await query(
      app,
      `update abuse_case set state = 'CLOSED', close_reason = 'merged', ended_at = now() where id = $1`,
      [caseId],
    )
    const location = await trigger(app, token, caseId, { node: 'ask', path: 'approve' })
    await runDueSteps(app)
    const run = (await get(location)).json()
    assert.equal(run.state, 'failed')
    assert.equal(run.failure, 'case_is_merged')
    assert.equal(run.node, 'work')
    const [newest] = (await get(`${CASES}/${caseId}/history`)).json().items
    assert.equal(newest.kind, 'run_failed')
    assert.equal(newest.reason, 'case_is_merged')
    assert.equal(newest.actor, `${run.run_id}:work`)
  })

  test('401 without a token and 403 without cases:read, for triggers and runs too', async () => {
    const caseId = await createWaitingCase()
    const [run] = (await get(`${CASES}/${caseId}/runs`)).json().items
    const writer = await app.createToken({ scopes: ['playbooks:trigger'] })
    for (const path of ['triggers', 'runs', `runs/${run.run_id}`]) {
      assert.equal((await app.send('GET', `${CASES}/${caseId}/${path}`)).status, 401)
      assert.equal((await get(`${CASES}/${caseId}/${path}`, writer)).status, 403)
    }
  })
})
