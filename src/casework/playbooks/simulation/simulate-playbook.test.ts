// A playbook on past cases: the real engine works them, and nothing of it stays.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestAnswer } from '../../../../test/harness.ts'
import { type NoticeApp, openNoticeApp } from '../../../../test/notice-kit.ts'
import {
  APPROVAL,
  createActivePlaybook,
  createCases,
  type GraphNode,
  query,
  runDueSteps,
  trigger,
  workerDeps,
} from '../../../../test/playbook-fixtures.ts'
import type { FieldProblem } from '../../../values/field-problem.ts'
import { parseNewGraph } from '../new-graph.ts'
import { parsePlaybookGraph } from '../playbook-graph.ts'
import { simulateCase } from './simulate-case.ts'

let token: string
let app: NoticeApp
/** The time that stands still; null while it runs. */
let heldMs: number | null = null
before(async () => {
  app = await openNoticeApp({ clock: { nowMs: () => heldMs ?? Date.now() } })
  token = app.token
})
after(() => app.close())

const PATH = '/beta/casework/playbooks/simulate'

async function simulate(json: object, path = PATH, as = token): Promise<TestAnswer> {
  return await app.send('POST', path, { token: as, json })
}

/** The answer, and a check that every table is as it was before. */
async function simulateTraceless(json: object, path = PATH) {
  const rows = await countRows()
  let wakeUps = 0
  const stop = app.services.casework.workerWakeUp.listen(() => {
    wakeUps += 1
  })
  const answer = await simulate(json, path)
  stop()
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(await countRows(), rows)
  assert.equal(wakeUps, 0)
  return answer.json()
}

/** Rows and a sum over the contents of every table. */
async function countRows(): Promise<readonly object[]> {
  const tables = await query<{ name: string }>(
    app,
    `select relname::text as name from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  )
  assert.ok(tables.length > 50)
  const union = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*) as rows, sum(hashtext(one::text)::bigint)::text as sum from ${name} as one`,
  )
  return await query(app, `${union.join(' union all ')} order by name`)
}

let sent = 0
async function openCase(more: object = {}): Promise<string> {
  sent += 1
  const answer = await app.send('POST', '/beta/casework/events', {
    token,
    json: {
      event_date: '2026-11-20T10:00:00Z',
      event_type: 'Spam',
      ip: '192.0.2.7',
      customer_id: `customer-${sent}`,
      report_id: `report-${sent}`,
      sender_email: 'ann@reporter.example',
      ...more,
    },
  })
  assert.ok(answer.status < 300, answer.text)
  return answer.json().case_id
}

async function change(caseId: string, json: object): Promise<void> {
  const path = `/beta/casework/cases/${caseId}`
  const answer = await app.send('PATCH', path, { token, json, headers: { 'if-match': '*' } })
  assert.equal(answer.status, 200, answer.text)
}

interface SeenVisit {
  readonly node: string
  readonly path?: string
  readonly output?: Record<string, unknown>
  readonly entered_at: string
  readonly left_at: string
  readonly token: number
  readonly playbook_id?: string
}

const walk = ({ visits }: { readonly visits: readonly SeenVisit[] }) =>
  visits.map(({ node, path = '-' }) => `${node} ${path}`)

function describeEnd(one: {
  readonly case_id: string
  readonly outcome: string
  readonly reason?: string
}) {
  return [one.case_id, one.outcome, one.reason]
}

function hoursAfter(start: string, time: string): number {
  return (Date.parse(time) - Date.parse(start)) / 3_600_000
}

const START = (next: string): GraphNode => ({ id: 'begin', kind: 'start', paths: { next } })

// Facts, an assignee, a call, a wait of two days, a trigger with reminders, a move.
const ESCALATION: readonly GraphNode[] = [
  START('look'),
  {
    id: 'look',
    kind: 'true_false',
    config: {
      condition:
        "case.state == 'NEW' && case.assignee_user_id == '' && size(case.tags) == 0 && now == case.created_at",
    },
    paths: { true: 'assign', false: 'end' },
  },
  { id: 'assign', kind: 'assign', config: { assignee_user_id: 'ben' }, paths: { next: 'call' } },
  {
    id: 'call',
    kind: 'api_caller',
    config: {
      method: 'POST',
      url: 'https://ticket.example/new',
      headers: { authorization: { secret: 'desk', prefix: 'Bearer ' } },
      body: { a: 1 },
    },
    paths: { success: 'wait', error: 'end' },
  },
  { id: 'wait', kind: 'delay', config: { duration: 'P2D' }, paths: { next: 'ask' } },
  {
    id: 'ask',
    kind: 'trigger',
    config: { paths: ['fixed'], timeout: 'PT12H', waiting_on: 'customer' },
    paths: { fixed: 'known', timeout: 'note' },
  },
  { id: 'note', kind: 'comment', config: { text: 'No answer yet.' }, paths: { next: 'ask' } },
  {
    id: 'known',
    kind: 'true_false',
    config: { condition: "vars.call.ticket == 'T-1'" },
    paths: { true: 'done', false: 'end' },
  },
  { id: 'done', kind: 'resolve', config: { resolution: 'fixed' } },
  { id: 'end', kind: 'end' },
]

test('200: a closed case is worked as when it was new, by a clock of its own, and nothing is left of it', async () => {
  const caseId = await openCase()
  await change(caseId, {
    severity: 'high',
    assignee_user_id: 'ann',
    tags: ['seen'],
    metadata: { a: 1 },
    deadline_at: '2026-12-24T00:00:00Z',
  })
  await change(caseId, { state: 'RESOLVED', resolution: 'fixed' })
  await change(caseId, { state: 'CLOSED', close_reason: 'duplicate' })
  const answer = await simulateTraceless({
    nodes: ESCALATION,
    case_ids: [caseId.toLowerCase()],
    assume: {
      call: { path: 'success', vars: { call: { status: 201, ticket: 'T-1' } } },
      ask: ['timeout', 'timeout', 'fixed'],
    },
  })
  const [one] = answer.cases
  assert.deepEqual(walk(one), [
    'begin next',
    'look true',
    'assign next',
    'call success',
    'wait next',
    'ask timeout',
    'note next',
    'ask timeout',
    'note next',
    'ask fixed',
    'known true',
    'done -',
  ])
  assert.deepEqual(
    [one.case_id, one.outcome, one.reason, one.waits, one.problems],
    [caseId, 'ended', undefined, [], []],
  )
  const [row] = await query<{ created_at: Date }>(
    app,
    'select created_at from abuse_case where id = $1',
    [caseId],
  )
  assert.equal(one.started_at, row?.created_at.toISOString())
  const times = one.visits.map((visit: SeenVisit) => [
    hoursAfter(one.started_at, visit.entered_at),
    hoursAfter(one.started_at, visit.left_at),
  ])
  assert.deepEqual(times.slice(3), [
    [0, 0],
    [0, 48],
    [48, 60],
    [60, 60],
    [60, 72],
    [72, 72],
    [72, 72],
    [72, 72],
    [72, 72],
  ])
  assert.deepEqual(one.visits[3].output, {
    assumed: 'success',
    request: {
      method: 'POST',
      url: 'https://ticket.example/new',
      headers: {
        authorization: 'Bearer [secret desk]',
        'idempotency-key': one.visits[3].output.request.headers['idempotency-key'],
      },
      body: { a: 1 },
    },
  })
  const effects: readonly { kind: string; node: string; text?: string }[] = one.effects
  assert.deepEqual(
    effects
      .filter(({ node }) => !['ask', 'wait'].includes(node))
      .map(({ kind, node, text }) => [kind, node, text]),
    [
      ['change', 'assign', undefined],
      ['comment', 'note', 'No answer yet.'],
      ['comment', 'note', 'No answer yet.'],
      ['move', 'done', undefined],
    ],
  )
  const move = one.effects.at(-1)
  assert.deepEqual(
    [move.from_state, move.to_state, move.changes, hoursAfter(one.started_at, move.at)],
    ['NEW', 'RESOLVED', { resolution: 'fixed' }, 72],
  )
  assert.deepEqual(one.changes, {
    state: { from: 'NEW', to: 'RESOLVED' },
    assignee_user_id: { from: null, to: 'ben' },
  })
  const { summary } = answer
  assert.deepEqual(summary.outcomes, [{ outcome: 'ended', cases: 1 }])
  assert.deepEqual(
    summary.paths.filter(({ node }: SeenVisit) => node === 'ask'),
    [
      { node: 'ask', kind: 'trigger', path: 'timeout', visits: 2, cases: 1 },
      { node: 'ask', kind: 'trigger', path: 'fixed', visits: 1, cases: 1 },
    ],
  )
  assert.deepEqual(summary.effects.at(-1), { node: 'done', kind: 'move', count: 1, cases: 1 })
})

test('200: without assumptions a run waits at a trigger, and with as_new false the case is as it is', async () => {
  const caseId = await openCase()
  await change(caseId, { state: 'IN_PROGRESS', tags: ['seen'] })
  const nodes = [
    START('look'),
    {
      id: 'look',
      kind: 'true_false',
      config: { condition: "case.state == 'IN_PROGRESS' && case.tags == ['seen']" },
      paths: { true: 'ask', false: 'end' },
    },
    { id: 'ask', kind: 'manual', config: { paths: ['a', 'b'] }, paths: { a: 'end', b: 'end' } },
    { id: 'end', kind: 'end' },
  ]
  const now = await simulateTraceless({ nodes, case_ids: [caseId], as_new: false })
  assert.deepEqual(walk(now.cases[0]), ['begin next', 'look true'])
  assert.equal(now.cases[0].outcome, 'waiting')
  const wait = { node: 'ask', kind: 'manual', waiting_on: 'agent', paths: ['a', 'b'] }
  assert.deepEqual(now.cases[0].waits, [wait])
  assert.deepEqual(now.summary.waits, [{ node: 'ask', cases: 1 }])
  assert.deepEqual(now.cases[0].changes, { waiting_on: { from: 'none', to: 'agent' } })
  const asNew = await simulateTraceless({ nodes, case_ids: [caseId] })
  assert.deepEqual(walk(asNew.cases[0]), ['begin next', 'look false', 'end -'])
})

test('200: a version is simulated while runs of it wait on the cases, and they are left as they are', async () => {
  const playbook = await createActivePlaybook(app, token, APPROVAL)
  const [first, second] = await createCases(app, 'default', playbook, 2)
  assert.ok(first && second)
  await runDueSteps(app)
  await trigger(app, token, second, { node: 'ask', path: 'approve' })
  await runDueSteps(app)
  const path = `/beta/casework/playbooks/${playbook}/versions/1/simulate`
  const answer = await simulateTraceless(
    { case_ids: [first, second], assume: { ask: 'reject' } },
    path,
  )
  for (const one of answer.cases) {
    assert.deepEqual(walk(one), ['begin next', 'ask reject', 'drop -'])
    assert.deepEqual(one.changes, {})
  }
  // The waiting run goes on as if nothing had been.
  await trigger(app, token, first, { node: 'ask', path: 'approve' })
  await runDueSteps(app)
  const [run] = await query<{ state: string }>(app, 'select state from run where case_id = $1', [
    first,
  ])
  assert.equal(run?.state, 'ended')
})

test('200: forks, loops over lists and children work as in a run, and calls and watched cases too', async () => {
  const child = await createActivePlaybook(app, token, [
    START('pick'),
    {
      id: 'pick',
      kind: 'manual',
      config: { paths: ['go', 'no'] },
      paths: { go: 'tag', no: 'end' },
    },
    { id: 'tag', kind: 'tag', config: { add: ['child'] }, paths: { next: 'end' } },
    { id: 'end', kind: 'end' },
  ])
  const nodes: readonly GraphNode[] = [
    START('split'),
    { id: 'split', kind: 'fork', config: { paths: ['a', 'b'] }, paths: { a: 'sub', b: 'until' } },
    {
      id: 'sub',
      kind: 'sub_playbook',
      config: { playbook: child },
      paths: { next: 'loop', error: 'end' },
    },
    {
      id: 'until',
      kind: 'wait_until',
      config: { condition: "'child' in case.tags", timeout: 'P9D' },
      paths: { met: 'meet', timeout: 'end', error: 'end' },
    },
    {
      id: 'loop',
      kind: 'for_each',
      config: { list: '[1, 2]' },
      paths: { each: 'check', next: 'late', error: 'end' },
    },
    {
      id: 'check',
      kind: 'verify',
      config: { check: 'url', target: { cel: "'https://' + event.ip" } },
      paths: { clean: 'loop', still_abusive: 'loop', unknown: 'loop' },
    },
    { id: 'late', kind: 'delay', config: { duration: 'PT1H' }, paths: { next: 'meet' } },
    { id: 'meet', kind: 'join', config: { mode: 'all' }, paths: { next: 'after' } },
    { id: 'after', kind: 'delay', config: { duration: 'PT1H' }, paths: { next: 'hook' } },
    {
      id: 'hook',
      kind: 'webhook',
      config: {
        url: 'https://hooks.example/x',
        secret: 'hook',
        data: { n: { cel: 'size(case.tags)' } },
      },
      paths: { next: 'end', error: 'end' },
    },
    { id: 'end', kind: 'end' },
  ]
  const caseId = await openCase()
  const answer = await simulateTraceless({
    nodes,
    case_ids: [caseId],
    assume: { [`${child}/pick`]: 'go', check: ['still_abusive'], hook: 'error' },
  })
  const [one] = answer.cases
  assert.deepEqual(one.waits, [], JSON.stringify(one))
  assert.equal(one.outcome, 'ended')
  const taken = walk(one)
  for (const step of [
    'pick go',
    'tag next',
    'sub next',
    'until met',
    'check still_abusive',
    'check clean',
    'meet next',
  ]) {
    assert.ok(taken.includes(step), `${step}: ${taken.join(', ')}`)
  }
  assert.deepEqual(taken.slice(-3), ['after next', 'hook error', 'end -'])
  assert.equal(hoursAfter(one.started_at, one.ended_at), 2)
  const ofChild = one.visits.filter((visit: SeenVisit) => visit.playbook_id === child)
  assert.deepEqual(walk({ visits: ofChild }), ['begin next', 'pick go', 'tag next', 'end -'])
  assert.equal(ofChild[0].entered_at, one.started_at)
  const check = one.visits.find(({ node }: SeenVisit) => node === 'check')
  assert.deepEqual(check.output.request, { check: 'url', target: 'https://192.0.2.7' })
  const hook = one.visits.find(({ node }: SeenVisit) => node === 'hook')
  const { request } = hook.output
  assert.deepEqual(
    [request.url, request.signed_with, request.body.data.values, request.body.timestamp],
    ['https://hooks.example/x', '[secret hook]', { n: 1 }, hook.left_at],
  )
  assert.deepEqual(one.problems, [{ node: 'hook', reason: 'assumed' }])
  assert.deepEqual(answer.summary.problems, [{ node: 'hook', reason: 'assumed', cases: 1 }])
})

test('200: mails are shown as they would be sent, and none is', async () => {
  const customer = {
    id: 'mailed',
    name: 'Mailed',
    contacts: [{ email: 'abuse@customer.example', purpose: 'abuse' }],
  }
  await app.send('POST', '/beta/casework/customers', { token, json: customer })
  const caseId = await openCase({ customer_id: 'mailed' })
  const paths = { sent: 'again', bounced: 'end', error: 'end' }
  const nodes = [
    START('mail'),
    {
      id: 'mail',
      kind: 'email',
      config: { to: 'customer', template: 'notice', bounce_within: 'PT2H' },
      paths,
    },
    {
      id: 'again',
      kind: 'email',
      config: { to: 'customer', template: 'reminder' },
      paths: { sent: 'done', error: 'end' },
    },
    { id: 'done', kind: 'close', config: { close_reason: 'expired' } },
    { id: 'end', kind: 'end' },
  ]
  const answer = await simulateTraceless({ nodes, case_ids: [caseId] })
  const [one] = answer.cases
  assert.deepEqual(
    walk(one),
    ['begin next', 'mail sent', 'again sent', 'done -'],
    JSON.stringify(one),
  )
  assert.equal(hoursAfter(one.started_at, one.visits[1].left_at), 2)
  const [first, second] = one.effects.flatMap((effect: { notice?: object }) => effect.notice ?? [])
  assert.deepEqual(
    [first.party, first.recipient, first.purpose, first.state],
    ['customer', 'abuse@customer.example', 'notice', 'sent'],
  )
  assert.ok(first.subject.includes(caseId) && first.text.includes('192.0.2.7'), first.text)
  assert.equal(second.purpose, 'reminder')
  const bounced = await simulateTraceless({
    nodes,
    case_ids: [caseId],
    assume: { mail: 'bounced' },
  })
  assert.deepEqual(walk(bounced.cases[0]), ['begin next', 'mail bounced', 'end -'])
  assert.deepEqual(app.sink.mails, [])
})

test('200: mitigations are shown as they would be asked for, and counted are cases and seconds', async () => {
  const caseId = await openCase()
  const nodes = [
    START('block'),
    {
      id: 'block',
      kind: 'mitigate',
      config: { kind: 'block_port', adapter: 'manual', port: 25, expires_in: 'P1D', note: 'Spam' },
      paths: { done: 'end', error: 'end' },
    },
    { id: 'end', kind: 'end' },
  ]
  const answer = await simulateTraceless({ nodes, case_ids: [caseId] })
  const [one] = answer.cases
  assert.deepEqual(walk(one), ['begin next', 'block done', 'end -'], JSON.stringify(one))
  const [effect] = one.effects.filter(({ kind }: { kind: string }) => kind === 'mitigation')
  assert.equal(effect.changes.mitigation_id, undefined)
  assert.deepEqual(effect.mitigation, {
    kind: 'block_port',
    target_type: 'ip',
    target: '192.0.2.7',
    port: 25,
    adapter: 'manual',
    duration_seconds: 86_400,
    parameters: {},
    note: 'Spam',
  })
  const metrics = await app.services.foundation.metrics.metrics()
  assert.match(metrics, /casework_simulated_cases_total\{outcome="ended"\} [1-9]/)
  assert.match(metrics, /casework_simulation_seconds_count [1-9]/)
})

test('200: a case that another transaction works at is skipped, and one of another tenant is unknown', async () => {
  const [held, free] = [await openCase(), await openCase()]
  const path = '/beta/admin/tenants'
  assert.equal(
    (await app.send('POST', path, { token, json: { id: 'other', name: 'Other' } })).status,
    201,
  )
  const other = await app.createToken({
    scopes: ['playbooks:simulate', 'cases:read'],
    tenantId: 'other',
  })
  const client = await app.services.foundation.database.pool.connect()
  try {
    await client.query('begin')
    await client.query(
      "select from abuse_case where tenant_id = 'default' and id = $1 for update",
      [held],
    )
    const json = { nodes: APPROVAL, case_ids: [held, free, 'C-none'] }
    const answer = await simulate(json)
    assert.deepEqual(answer.json().cases.map(describeEnd), [
      [held, 'skipped', 'locked'],
      [free, 'waiting', undefined],
      ['C-none', 'skipped', 'unknown_case'],
    ])
  } finally {
    await client.query('rollback')
    client.release()
  }
  const foreign = await simulate({ nodes: APPROVAL, case_ids: [free] }, PATH, other)
  assert.equal(foreign.json().cases[0].reason, 'unknown_case')
})

test('200: the newest cases of a group, with how many took each path', async () => {
  const made = await app.send('POST', '/beta/casework/case-groups', {
    token,
    json: {
      id: 'scans',
      name: 'Scans',
      order: 1,
      condition: "event.event_type == 'PortScan'",
      key_fields: ['customer_id'],
    },
  })
  assert.equal(made.status, 201, made.text)
  const cases: string[] = []
  for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
    cases.push(await openCase({ event_type: 'PortScan', ip }))
  }
  const nodes = [
    START('look'),
    {
      id: 'look',
      kind: 'true_false',
      config: { condition: "event.ip == '192.0.2.3' || events.last_day > 5" },
      paths: { true: 'fail', false: 'end' },
    },
    { id: 'fail', kind: 'lookup', config: { item: { cel: 'case.id' } }, paths: { next: 'end' } },
    { id: 'end', kind: 'end' },
  ]
  const answer = await simulateTraceless({ nodes, last: 2, case_group: 'scans' })
  assert.deepEqual(answer.cases.map(describeEnd), [
    [cases[2], 'failed', 'not_an_item'],
    [cases[1], 'ended', undefined],
  ])
  assert.deepEqual(answer.summary.cases, 2)
  assert.deepEqual(answer.summary.outcomes, [
    { outcome: 'failed', reason: 'not_an_item', cases: 1 },
    { outcome: 'ended', cases: 1 },
  ])
  assert.deepEqual(answer.summary.problems, [{ node: 'fail', reason: 'not_an_item', cases: 1 }])
})

test('a run that only waits for the same timer again is stopped after some of them', async () => {
  const ofOneDay = { kind: 'delay', config: { duration: 'P1D' } }
  const nodes = [
    START('first'),
    { id: 'first', ...ofOneDay, paths: { next: 'second' } },
    { id: 'second', ...ofOneDay, paths: { next: 'first' } },
  ]
  const caseId = await openCase()
  // On a busy machine the two seconds of a case would be over first.
  heldMs = Date.now()
  const answer = await simulate({ nodes, case_ids: [caseId], as_new: true })
  heldMs = null
  const [only] = answer.json().cases
  assert.deepEqual([only.outcome, only.reason], ['stopped', 'too_many_visits'])
  assert.ok(only.visits.length < 100, String(only.visits.length))
})

test('a run without an end is stopped after a thousand visits, and one that takes too long after two seconds', async () => {
  const list = `[${Array.from({ length: 100 }, (_, at) => at).join(', ')}]`
  const nodes = [
    START('wait'),
    { id: 'wait', kind: 'delay', config: { duration: 'PT1M' }, paths: { next: 'loop' } },
    { id: 'loop', kind: 'for_each', config: { list }, paths: { each: 'loop', next: 'wait' } },
  ]
  const problems: FieldProblem[] = []
  const draft = parseNewGraph({ nodes }, problems)
  const parsed = parsePlaybookGraph({ nodes })
  assert.ok(draft !== null && parsed.kind === 'valid', JSON.stringify(problems))
  const { ids, database, log } = app.services.foundation
  const subject = { playbookId: ids.nextUuid(), version: 1, graph: parsed.graph, draft }
  const plan = { scope: { tenantId: 'default' }, subject, assumptions: new Map(), asNew: true }
  const caseId = await openCase()
  let nowMs = 0
  const simulateBy = async (stepMs: number) => {
    const clock = { ...app.services.foundation.clock, nowMs: () => (nowMs += stepMs) }
    const { graphs } = app.services.casework
    const deps = { db: database.kysely, clock, log, graphs, effects: workerDeps(app) }
    return await simulateCase(deps, plan, caseId)
  }
  const long = await simulateBy(0)
  assert.deepEqual(long.end, { kind: 'stopped', reason: 'too_many_visits' })
  assert.ok(long.visits.length >= 1_000 && long.visits.length < 1_100, String(long.visits.length))
  const slow = await simulateBy(1_500)
  assert.deepEqual(slow.end, { kind: 'stopped', reason: 'too_long' })
  assert.ok(slow.visits.length > 0 && slow.visits.length < 1_000, String(slow.visits.length))
})

test('400 with the problems of the graph, of assumptions, and of the choice of cases (CASEWORK_SIMULATION_NOT_VALID)', async () => {
  const broken = await simulate({
    nodes: [{ id: 'begin', kind: 'start', paths: { next: 'none' } }],
  })
  assert.deepEqual(
    [broken.status, broken.json().code, broken.json().errors[0].node],
    [400, 'CASEWORK_PLAYBOOK_NOT_VALID', 'begin'],
  )
  const refuse = async (json: object): Promise<readonly string[]> => {
    const answer = await simulate({ nodes: APPROVAL, ...json })
    assert.deepEqual([answer.status, answer.json().code], [400, 'CASEWORK_SIMULATION_NOT_VALID'])
    return answer
      .json()
      .errors.map(({ path, reason }: Record<string, string>) => `${path} ${reason}`)
  }
  assert.deepEqual(await refuse({ assume: { ask: 'perhaps', nowhere: 'x', drop: 'next' } }), [
    '/assume/ask names no path of the node: approve, reject',
    '/assume/nowhere names no node of the playbook',
    '/assume/drop is a node that ends the token',
  ])
  assert.deepEqual(await refuse({ case_ids: ['C-1', 'C-1'], last: 3, case_group: 'x' }), [
    '/last must not be there with case_ids',
    '/case_group must not be there with case_ids',
    '/case_ids names a case twice',
  ])
  assert.match((await refuse({ last: 101 })).join(), /^\/last /)
  assert.deepEqual(await refuse({ case_group: '\u0000' }), [
    '/case_group has U+0000 or a lone surrogate, or nests too deep',
  ])
  assert.match((await refuse({ what: 1 })).join(), /^\/what /)
})

test('409 while another simulation of the tenant is under way (CASEWORK_SIMULATION_RUNNING), until its lease ends', async () => {
  await query(
    app,
    `insert into simulation values ('default', gen_random_uuid(), now() + interval '1 hour')`,
  )
  const refused = await simulate({ nodes: APPROVAL, last: 1 })
  assert.deepEqual([refused.status, refused.json().code], [409, 'CASEWORK_SIMULATION_RUNNING'])
  await query(app, `update simulation set lease_until = now() - interval '1 second'`)
  assert.equal((await simulate({ nodes: APPROVAL, last: 1 })).status, 200)
  assert.deepEqual(await query(app, 'select from simulation'), [])
})
