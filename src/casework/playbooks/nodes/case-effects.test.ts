// The nodes that change the case in the transaction of their step, and those that only look.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withApp } from '../../../../test/harness.ts'
import { createPerson } from '../../../../test/people-kit.ts'
import {
  createActivePlaybook,
  createCases,
  type GraphNode,
  query,
  runDueSteps,
} from '../../../../test/playbook-fixtures.ts'
import { parsePlaybookGraph } from '../playbook-graph.ts'

const app = withApp()
const CASES = '/beta/casework/cases'

/** start → node `act` → end, with the paths `next` and `error` where the kind has them. */
function graphOf(kind: string, config: object, paths: object = {}): readonly GraphNode[] {
  const ends = [...new Set(Object.values(paths).map(String))]
  return [
    { id: 'begin', kind: 'start', paths: { next: 'act' } },
    { id: 'act', kind, config: { ...config }, paths: { ...paths } },
    ...ends.map((id) => ({ id, kind: 'end' })),
  ]
}

const BOTH = { next: 'ok', error: 'sorry' }

async function open(nodes: readonly GraphNode[]): Promise<string> {
  const playbook = await createActivePlaybook(app, app.token, nodes)
  const [caseId = ''] = await createCases(app, 'default', playbook, 1)
  return caseId
}

async function run(nodes: readonly GraphNode[]): Promise<string> {
  const caseId = await open(nodes)
  await runDueSteps(app)
  return caseId
}

async function read(caseId: string, path = '') {
  const answer = await app.send('GET', `${CASES}/${caseId}${path}`, { token: app.token })
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}

async function change(caseId: string, json: object): Promise<void> {
  const headers = { 'if-match': '*' }
  const answer = await app.send('PATCH', `${CASES}/${caseId}`, { token: app.token, json, headers })
  assert.equal(answer.status, 200, answer.text)
}

/** The path that the node `act` took, and its output. */
async function readVisit(caseId: string) {
  const [visit] = await query<{ path: string | null; output: Record<string, unknown> | null }>(
    app,
    `select path, output from visit where case_id = $1 and node = 'act'`,
    [caseId],
  )
  assert.ok(visit, 'the node was visited')
  return visit
}

function listProblems(kind: string, config: object): readonly string[] {
  const result = parsePlaybookGraph({ nodes: graphOf(kind, config) })
  return result.kind === 'valid'
    ? []
    : result.problems.map(({ path, reason }) => `${path.replace('/nodes/1/config/', '')} ${reason}`)
}

test('close closes the case with its reason and ends the run; an ended case ends the run too', async () => {
  const nodes = graphOf('close', { close_reason: 'not_ours' })
  const caseId = await run(nodes)
  const { state, close_reason: reason, playbook_state: runState } = await read(caseId)
  assert.deepEqual([state, reason, runState], ['CLOSED', 'not_ours', 'ended'])
  const [entry] = (await read(caseId, '/history')).items
  assert.deepEqual([entry.kind, entry.actor_kind], ['move', 'run'])
  const [visited] = await query<{ key: string }>(
    app,
    `select run_id || ':' || token_id || ':' || visit as key from visit where case_id = $1 and node = 'act'`,
    [caseId],
  )
  assert.equal(entry.cause_id, visited?.key)
  const resolved = await open(nodes)
  await change(resolved, { state: 'CLOSED', close_reason: 'duplicate' })
  await runDueSteps(app)
  assert.equal((await read(resolved)).close_reason, 'duplicate')
  assert.deepEqual(listProblems('close', {}).length, 1)
  assert.match(listProblems('close', { close_reason: 'merged' }).join(), /^close_reason /)
})

test('assign assigns a case by constant or expression, once in the history, and refuses what is no text', async () => {
  const caseId = await run(graphOf('assign', { assignee_user_id: 'team-1' }, BOTH))
  assert.equal((await read(caseId)).assignee_user_id, 'team-1')
  const [entry] = (await read(caseId, '/history')).items
  assert.deepEqual(
    [entry.kind, entry.actor_kind, entry.changes],
    ['change', 'run', { assignee_user_id: { from: null, to: 'team-1' } }],
  )
  const cel = "case.severity == 'high' ? 'team-high' : 'team-' + case.case_group"
  const chosen = await run(graphOf('assign', { assignee_user_id: { cel } }, BOTH))
  assert.equal((await read(chosen)).assignee_user_id, 'team-default')
  const wrong = await run(
    graphOf('assign', { assignee_user_id: { cel: 'case.event_count' } }, BOTH),
  )
  const visit = await readVisit(wrong)
  assert.deepEqual([visit.path, visit.output?.['failure']], ['error', 'value_failed'])
  assert.equal((await read(wrong)).assignee_user_id, undefined)
  const cut = listProblems('assign', { assignee_user_id: { cel: 'case.nothing +' } })
  assert.match(cut.join(), /^assignee_user_id\/cel /)
  assert.match(listProblems('assign', { assignee_user_id: '' }).join(), /^assignee_user_id /)
})

test('assign names a user or a group of the tenant: asked at the activation, and again when the node runs', async () => {
  await app.createTenant('staffed')
  const token = await app.createToken({ tenantId: 'staffed' })
  const assign = graphOf('assign', { assignee_user_id: 'team-1' }, BOTH)
  let made = 0
  const make = async (nodes: readonly GraphNode[]) => {
    made += 1
    const json = { name: `Staffed ${made}`, nodes }
    return (await app.send('POST', '/beta/casework/playbooks', { token, json })).json()
  }
  const activate = ({ id }: { id: string }, version = 1) =>
    app.send('POST', `/beta/casework/playbooks/${id}/versions/${version}/activate`, { token })
  // While the tenant has no users, any text is an assignee.
  const before = await make(assign)
  assert.equal((await activate(before)).status, 200)
  const person = await createPerson(app, token, { roles: ['agent'], tenantId: 'staffed' })
  const refused = await activate(await make(assign))
  assert.equal(refused.status, 400, refused.text)
  const [problem] = refused.json().errors
  assert.deepEqual(
    [problem.path, problem.node, problem.field, problem.reason],
    [
      '/nodes/1/config/assignee_user_id',
      'act',
      'config/assignee_user_id',
      'names team-1, which is no user and no group of this tenant; see GET /beta/casework/assignees',
    ],
  )
  const good = await make(graphOf('assign', { assignee_user_id: person.id }, BOTH))
  assert.equal((await activate(good)).status, 200)
  const foreign = await createPerson(app, app.token, { roles: ['agent'] })
  const other = await make(graphOf('assign', { assignee_user_id: foreign.id }, BOTH))
  assert.equal((await activate(other)).status, 400, 'a user of another tenant')
  // The version that was active before stays so, and its run says why it cannot go on.
  const [caught = ''] = await createCases(app, 'staffed', before.id, 1)
  const [taken = ''] = await createCases(app, 'staffed', good.id, 1)
  await runDueSteps(app)
  assert.deepEqual(await readVisit(caught), {
    path: 'error',
    output: {
      failure: 'assignee_unknown',
      explanation: 'team-1 is no user and no group of this tenant',
    },
  })
  const shown = await app.send('GET', `${CASES}/${taken}`, { token })
  assert.equal(shown.json().assignee_user_id, person.id)
})

test('tag adds and removes tags of the case, and takes the path error beyond a hundred', async () => {
  const nodes = graphOf('tag', { add: ['b', 'c'], remove: ['a'] }, BOTH)
  const caseId = await open(nodes)
  await change(caseId, { tags: ['a', 'z'] })
  await runDueSteps(app)
  assert.deepEqual((await read(caseId)).tags, ['z', 'b', 'c'])
  const full = await open(nodes)
  await change(full, { tags: Array.from({ length: 100 }, (_, at) => `t${at}`) })
  await runDueSteps(app)
  const { path, output } = await readVisit(full)
  assert.deepEqual([path, output?.['failure']], ['error', 'too_many_tags'])
  assert.match(listProblems('tag', {}).join(), /is missing/)
  assert.match(listProblems('tag', { add: ['a'], remove: ['a'] }).join(), /^remove has a/)
  assert.match(listProblems('tag', { add: ['two words'] }).join(), /^add\/0 /)
})

test('set_field sets severity, parties and single members of the metadata, from constants and expressions', async () => {
  const nodes = graphOf(
    'set_field',
    {
      severity: { cel: "case.event_count >= 1 ? 'critical' : 'low'" },
      waiting_on: 'customer',
      customer_status: 'notified',
      metadata: { ticket: 'T-1', count: { cel: 'case.event_count + 1' }, old: null },
    },
    BOTH,
  )
  const caseId = await open(nodes)
  await change(caseId, { metadata: { own: true, old: 1 } })
  await runDueSteps(app)
  const found = await read(caseId)
  assert.deepEqual(
    [found.severity, found.waiting_on, found.customer_status, found.metadata],
    ['critical', 'customer', 'notified', { own: true, ticket: 'T-1', count: 2 }],
  )
})

test('set_field refuses values that a case does not take: at the graph, by the path error, or by the end of the run', async () => {
  assert.match(listProblems('set_field', {}).join(), /^severity is missing/)
  assert.match(listProblems('set_field', { severity: 'huge' }).join(), /^severity /)
  assert.match(listProblems('set_field', { state: 'CLOSED' }).join(), /^state /)
  const big = { metadata: { text: 'x'.repeat(5_000) } }
  assert.match(listProblems('set_field', big).join(), /^metadata /)
  const wrong = await run(graphOf('set_field', { severity: { cel: "'huge'" } }, BOTH))
  assert.deepEqual((await readVisit(wrong)).output, {
    failure: 'value_failed',
    explanation: 'the expression gives none of low, medium, high, critical',
  })
  const failed = await run(graphOf('set_field', { customer_status: { cel: 'vars.none' } }))
  assert.equal((await read(failed)).playbook_state, 'failed')
  const notified = await open(graphOf('set_field', { customer_status: 'unnotified' }, BOTH))
  await change(notified, { customer_status: 'seen' })
  const full = await open(graphOf('set_field', { metadata: { more: 'x'.repeat(4_000) } }, BOTH))
  const many = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [at, 'y'.repeat(4_000)]))
  await change(full, { metadata: many })
  const ended = await open(graphOf('set_field', { waiting_on: 'customer' }, BOTH))
  await change(ended, { state: 'RESOLVED', resolution: 'fixed' })
  await runDueSteps(app)
  assert.equal((await readVisit(notified)).output?.['failure'], 'customer_was_notified')
  assert.equal((await readVisit(full)).output?.['failure'], 'metadata_too_large')
  assert.deepEqual((await readVisit(ended)).output, { ended: 'case_has_ended' })
})

test('set_deadline sets, moves and removes the agreed deadline of the case', async () => {
  const caseId = await run(graphOf('set_deadline', { until: '2027-01-31T08:00:00Z' }, BOTH))
  const found = await read(caseId)
  assert.equal(found.deadline_at, '2027-01-31T08:00:00.000Z')
  assert.deepEqual(
    found.deadlines.map(({ kind }: { kind: string }) => kind),
    ['agreed'],
  )
  const cel = "case.created_at + duration('48h')"
  const later = await run(graphOf('set_deadline', { until: { cel } }, BOTH))
  const { deadline_at: deadline, created_at: created } = await read(later)
  assert.equal(Date.parse(deadline) - Date.parse(created), 172_800_000)
  const soon = await run(graphOf('set_deadline', { duration: 'P2D' }, BOTH))
  const [entry] = (await read(soon, '/history')).items
  const due = Date.parse((await read(soon)).deadline_at)
  assert.equal(due - Date.parse(entry.at), 172_800_000)
  const removed = await open(graphOf('set_deadline', { until: null }, BOTH))
  await change(removed, { deadline_at: '2027-01-31T08:00:00Z' })
  await runDueSteps(app)
  assert.equal((await read(removed)).deadline_at, undefined)
  assert.match(listProblems('set_deadline', {}).join(), /^duration is missing/)
  assert.match(listProblems('set_deadline', { until: 'soon' }).join(), /^until /)
  const both = { duration: 'P1D', until: '2027-01-31T08:00:00Z' }
  assert.match(listProblems('set_deadline', both).join(), /^until cannot stand/)
  const wrong = await run(graphOf('set_deadline', { until: { cel: "'soon'" } }, BOTH))
  assert.equal((await readVisit(wrong)).path, 'error')
})

test('changes of one case by two runs in one batch both count', async () => {
  const first = await createActivePlaybook(app, app.token, graphOf('tag', { add: ['one'] }, BOTH))
  const second = await createActivePlaybook(app, app.token, graphOf('tag', { add: ['two'] }, BOTH))
  const [caseId = ''] = await createCases(app, 'default', first, 1)
  await query(
    app,
    `with started as (
       insert into run (tenant_id, id, case_id, playbook_id, version, state)
       values ('default', gen_random_uuid(), $1, $2, 1, 'active') returning id
     )
     insert into run_token (tenant_id, run_id, id, case_id, state, node) select 'default', id, 1, $1, 'ready', 'begin' from started
     on conflict do nothing`,
    [caseId, second],
  )
  await runDueSteps(app)
  assert.deepEqual((await read(caseId)).tags.toSorted(), ['one', 'two'])
})

test('lookup keeps what intel knows of an item in the vars, and takes the path error for what is none', async () => {
  const caseId = await run([
    { id: 'begin', kind: 'start', paths: { next: 'act' } },
    { id: 'act', kind: 'lookup', config: { item: '192.0.2.77' }, paths: { next: 'ask' } },
    {
      id: 'ask',
      kind: 'true_false',
      config: { condition: "!vars.act.listed && vars.act.item == '192.0.2.77'" },
      paths: { true: 'ok' },
    },
    { id: 'ok', kind: 'resolve' },
  ])
  assert.equal((await read(caseId)).state, 'RESOLVED')
  const expected = {
    item: '192.0.2.77',
    listed: false,
    intent: 'unknown',
    tags: [],
    activity: false,
  }
  assert.deepEqual((await readVisit(caseId)).output, expected)
  const none = await run(graphOf('lookup', { item: { cel: 'event.ip' } }, BOTH))
  assert.deepEqual((await readVisit(none)).output, { failure: 'not_an_item' })
  assert.match(listProblems('lookup', { item: 'no item' }).join(), /^item is neither/)
  assert.match(listProblems('lookup', { item: { cel: 'event.nothing' } }).join(), /^item\/cel /)
})

function keeping(value: unknown, text: string): readonly GraphNode[] {
  return [
    { id: 'begin', kind: 'start', paths: { next: 'list' } },
    {
      id: 'list',
      kind: 'for_each',
      config: { list: JSON.stringify([value]), as: 'ticket' },
      paths: { each: 'act' },
    },
    { id: 'act', kind: 'comment', config: { text }, paths: { next: 'list' } },
  ]
}

async function textsOf(caseId: string) {
  const { items } = await read(caseId, '/comments')
  return items.map((one: { text: string }) => one.text)
}

function isTooMuch(one: string): boolean {
  const nodes = Array.from({ length: 21 }, (_, at) => {
    return { id: `n${at}`, kind: 'comment', config: { text: one.padEnd(9_990, 'x') } }
  })
  const result = parsePlaybookGraph({ nodes })
  assert.equal(result.kind, 'invalid')
  return result.problems.some(({ reason }) => /nodes that ask for facts/.test(reason))
}

test('comment fills its text with values of the case, and one that it cannot fill fails its run only', async () => {
  const text = 'Ticket {{ vars.ticket }} of {{ case.id }} opened'
  const long = '{% for one in (1..20) %}{{ vars.ticket }}{% endfor %}'
  const filled = await open(keeping('{{ T-1 }}', text))
  const plain = await open(graphOf('comment', { text: 'Plain } text' }))
  const missing = await open(graphOf('comment', { text: 'Ticket {{ vars.ticket }}' }))
  const blank = await open(keeping(' ', '{{ vars.ticket }}'))
  const tooLong = await open(keeping('x'.repeat(1_000), long))
  const cut = await open(keeping('😀', '{{ vars.ticket | split: "" | first }}'))
  await runDueSteps(app)
  assert.deepEqual(await textsOf(filled), [`Ticket {{ T-1 }} of ${filled} opened`])
  assert.deepEqual(await textsOf(plain), ['Plain } text'])
  for (const [caseId, explanation] of [
    [missing, /ticket/],
    [blank, /is blank/],
    [tooLong, /longer than 10000/],
    [cut, /lone surrogate/],
  ] as const) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    const { output } = await readVisit(caseId)
    assert.equal(output?.['failure'], 'value_failed', String(explanation))
    assert.match(String(output['explanation']), explanation)
    // oxlint-disable-next-line eslint/no-await-in-loop
    assert.deepEqual(await textsOf(caseId), [])
    // oxlint-disable-next-line eslint/no-await-in-loop
    assert.equal((await read(caseId)).playbook_state, 'failed')
  }
  assert.match(
    listProblems('comment', { text: '{{ case.nothing }}' }).join(),
    /^text .*case.nothing/,
  )
  assert.match(listProblems('comment', { text: 'Open {{ case.id' }).join(), /^text /)
  // Only those with templates count among the nodes that ask for facts.
  assert.deepEqual([isTooMuch('Plain'), isTooMuch('{{ case.id }}')], [false, true])
})

test('delay waits until what an expression gives on arrival; a deadline that is moved later moves nothing', async () => {
  const readTimer = async (caseId: string) => {
    const [token] = await query<{ timer_at: Date | null; run_id: string }>(
      app,
      'select timer_at, run_id from run_token where case_id = $1',
      [caseId],
    )
    assert.ok(token)
    return { at: token.timer_at?.toISOString(), runId: token.run_id }
  }
  const until = { cel: 'case.deadline_at' }
  const caseId = await open(graphOf('delay', { until }, { next: 'ok' }))
  await change(caseId, { deadline_at: '2099-01-31T08:00:00Z' })
  await runDueSteps(app)
  const { at, runId } = await readTimer(caseId)
  assert.equal(at, '2099-01-31T08:00:00.000Z')
  await change(caseId, { deadline_at: '2098-01-31T08:00:00Z' })
  for (const step of ['pause', 'resume']) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    const answer = await app.send('POST', `/beta/casework/runs/${runId}/${step}`, {
      token: app.token,
      json: { reason: 'to look' },
    })
    assert.equal(answer.status, 200, answer.text)
    // oxlint-disable-next-line eslint/no-await-in-loop
    await runDueSteps(app)
  }
  assert.equal((await readTimer(caseId)).at, '2099-01-31T08:00:00.000Z')
  const past = await run(graphOf('delay', { until: { cel: 'case.created_at' } }, { next: 'ok' }))
  await runDueSteps(app)
  assert.equal((await readVisit(past)).path, 'next')
  const text = await run(graphOf('delay', { until: { cel: "'2099-02-01T00:00:00Z'" } }))
  assert.equal((await readTimer(text)).at, '2099-02-01T00:00:00.000Z')
  for (const cel of ['case.deadline_at', "'soon'", 'case.event_count', 'vars.none']) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    const wrong = await run(graphOf('delay', { until: { cel } }, { next: 'ok' }))
    // oxlint-disable-next-line eslint/no-await-in-loop
    assert.equal((await readVisit(wrong)).output?.['failure'], 'value_failed', cel)
  }
  assert.match(listProblems('delay', { until: { cel: 'case.nothing' } }).join(), /^until\/cel /)
  assert.match(listProblems('delay', { until, duration: 'P1D' }).join(), /^until cannot stand/)
  assert.match(listProblems('delay', { until, calendar: 'office' }).join(), /^calendar belongs/)
})

test('a divider stands in a graph unconnected, and no path may lead to it', async () => {
  const divider = { id: 'head', kind: 'divider', config: { text: 'Then' } }
  const caseId = await run([...graphOf('tag', { add: ['seen'] }, BOTH), divider])
  assert.deepEqual((await read(caseId)).tags, ['seen'])
  const led = parsePlaybookGraph({
    nodes: [{ id: 'begin', kind: 'start', paths: { next: 'head' } }, divider],
  })
  assert.deepEqual(led.kind === 'invalid' ? led.problems.map(({ reason }) => reason) : [], [
    'leads to a divider',
  ])
  const twice = parsePlaybookGraph({
    nodes: [...graphOf('end', {}), { ...divider, paths: { next: 'act' } }],
  })
  assert.equal(twice.kind, 'invalid')
})
