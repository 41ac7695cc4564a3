// What manual nodes ask of people: a role, a form, a second person; and what is kept of it.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { type TestAnswer, withApp } from '../../../../test/harness.ts'
import {
  createActivePlaybook,
  createCases,
  type GraphNode,
  query,
  runDueSteps,
} from '../../../../test/playbook-fixtures.ts'
import { silentLog } from '../../../kernel/log.ts'
import { ROLE_SCOPES } from '../../../vocabulary/scopes.ts'
import { checkForm, type FormField } from '../choice-form.ts'
import { ringTimers } from './timer-store.ts'

const CASES = '/beta/casework/cases'
const PROBLEM = { accept: 'application/problem+json' }
const CONFIG = {
  question: 'Take the page down?',
  paths: ['take-down', 'leave'],
  titles: { 'take-down': 'Take it down' },
  role: 'lead',
  deadline: 'PT8H',
  timeout: 'P1D',
  form: [
    { name: 'reason', type: 'text', label: 'Why', required: ['leave'] },
    { name: 'until', type: 'date' },
    {
      name: 'parts',
      type: 'choices',
      options: [{ value: 'web', label: 'Web' }, { value: 'mail' }],
    },
  ],
}

function drawGraph(config: Record<string, unknown>): readonly GraphNode[] {
  return [
    { id: 'begin', kind: 'start', paths: { next: 'ask' } },
    {
      id: 'ask',
      kind: 'manual',
      config,
      paths: { 'take-down': 'note', leave: 'note', timeout: 'late' },
    },
    {
      id: 'note',
      kind: 'set_field',
      config: { metadata: { why: { cel: 'string(vars.ask.reason)' } } },
    },
    { id: 'late', kind: 'end' },
  ]
}

let lead: string
let second: string
let agent: string
const app = withApp({}, async (opened) => {
  lead = await opened.createToken({ scopes: ROLE_SCOPES.lead })
  second = await opened.createToken({ scopes: ROLE_SCOPES.lead })
  agent = await opened.createToken({ scopes: ROLE_SCOPES.agent })
})

async function createWaitingCase(config: Record<string, unknown>): Promise<string> {
  const playbook = await createActivePlaybook(app, app.token, drawGraph(config))
  const [caseId = ''] = await createCases(app, 'default', playbook, 1)
  await runDueSteps(app)
  return caseId
}

function decide(
  caseId: string,
  json: unknown,
  token = lead,
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  const path = `${CASES}/${caseId}/decisions`
  return app.send('POST', path, { token, json, headers: { ...PROBLEM, ...headers } })
}

async function listTriggers(caseId: string) {
  const answer = await app.send('GET', `${CASES}/${caseId}/triggers`, { token: agent })
  return answer.json().items
}

async function readCase(caseId: string) {
  return (await app.send('GET', `${CASES}/${caseId}`, { token: agent })).json()
}

async function listDecisions(caseId: string) {
  const path = `${CASES}/${caseId}/history?order=asc`
  const { items } = (await app.send('GET', path, { token: agent })).json()
  return items.filter(({ kind }) => kind === 'trigger').map(({ changes }) => changes)
}

test('a manual node shows what it asks, and its form goes into vars, history and the run', async () => {
  const caseId = await createWaitingCase(CONFIG)
  assert.equal((await readCase(caseId)).waiting_on, 'agent')
  const [shown] = await listTriggers(caseId)
  const sinceMs = Date.parse(shown.since)
  assert.equal(Date.parse(shown.deadline_at) - sinceMs, 8 * 3_600_000)
  assert.equal(Date.parse(shown.timeout_at) - sinceMs, 24 * 3_600_000)
  assert.deepEqual(
    [shown.question, shown.titles, shown.role, shown.four_eyes, shown.first_decision],
    ['Take the page down?', { 'take-down': 'Take it down' }, 'lead', undefined, undefined],
  )
  assert.deepEqual(shown.form, [
    { name: 'reason', type: 'text', label: 'Why', required_for: ['leave'] },
    { name: 'until', type: 'date', label: 'until', required_for: [] },
    {
      name: 'parts',
      type: 'choices',
      label: 'parts',
      required_for: [],
      options: [
        { value: 'web', label: 'Web' },
        { value: 'mail', label: 'mail' },
      ],
    },
  ])

  const bare = await app.send('POST', `${CASES}/${caseId}/trigger-playbook`, {
    token: lead,
    json: { node: 'ask', path: 'leave' },
    headers: PROBLEM,
  })
  assert.deepEqual(
    [bare.status, bare.json().code, bare.json().errors],
    [400, 'CASEWORK_DECISION_FORM_NOT_VALID', [{ path: '/form/reason', reason: 'is missing' }]],
  )
  const form = { reason: 7, until: '2027-02-30', parts: ['web', 'ftp'], other: 1 }
  const wrong = await decide(caseId, { node: 'ask', path: 'leave', form })
  assert.equal(wrong.status, 400)
  assert.deepEqual(
    wrong.json().errors.map(({ path }: { path: string }) => path),
    ['/form/other', '/form/reason', '/form/until', '/form/parts'],
  )
  assert.equal((await listTriggers(caseId)).length, 1)

  const given = { reason: 'Not “ours”', until: '2027-02-28', parts: ['mail'] }
  const choice = { node: 'ask', path: 'leave', form: given }
  const key = { 'idempotency-key': 'decision-1' }
  const taken = await decide(caseId, choice, lead, key)
  assert.equal(taken.status, 202, taken.text)
  assert.equal(taken.json().decided, true)
  assert.deepEqual((await decide(caseId, choice, lead, key)).json(), taken.json())
  const other = { ...choice, form: { ...given, reason: 'Another' } }
  assert.equal((await decide(caseId, other, lead, key)).status, 422)
  await runDueSteps(app)
  const after = await readCase(caseId)
  assert.deepEqual([after.metadata, after.waiting_on], [{ why: 'Not “ours”' }, 'none'])
  assert.deepEqual(await listDecisions(caseId), [{ node: 'ask', path: 'leave', form: given }])
  const run = (await app.send('GET', String(taken.headers['location']), { token: agent })).json()
  assert.deepEqual(run.visits[1].output, { form: given })
})

test('403 with the role that a node asks for, for a token that lacks a scope of it', async () => {
  const caseId = await createWaitingCase(CONFIG)
  const choice = { node: 'ask', path: 'take-down' }
  const refused = await decide(caseId, choice, agent)
  assert.deepEqual(
    [refused.status, refused.json().code, refused.headers['casework-reason']],
    [403, 'CASEWORK_DECISION_ROLE_MISSING', 'role lead'],
  )
  const path = `${CASES}/${caseId}/trigger-playbook`
  const triggered = await app.send('POST', path, { token: agent, json: choice })
  assert.deepEqual([triggered.status, triggered.text], [403, ''])
  assert.match(String(triggered.headers['www-authenticate']), /insufficient_scope/)
  assert.deepEqual(await listDecisions(caseId), [])
  assert.equal((await decide(caseId, choice)).status, 202)
  // Nor does it get to know by a repetition that somebody else has decided so.
  assert.equal((await decide(caseId, choice, agent)).status, 403)
})

describe('four eyes', () => {
  const FOUR_EYES = { ...CONFIG, four_eyes: true }
  const choice = { node: 'ask', path: 'leave', form: { reason: 'Old' } }

  test('a node is left when a second caller chooses the same; the first is shown and recorded', async () => {
    const caseId = await createWaitingCase(FOUR_EYES)
    const first = await decide(caseId, choice)
    assert.deepEqual([first.status, first.json().decided], [202, false])
    assert.equal((await decide(caseId, choice)).json().decided, false)
    await runDueSteps(app)
    const [shown] = await listTriggers(caseId)
    assert.equal(shown.four_eyes, true)
    const { by, path, form } = shown.first_decision
    assert.match(by, /^token:tok_/)
    assert.deepEqual([path, form], ['leave', { reason: 'Old', until: null, parts: null }])
    assert.ok(shown.deadline_at)

    // Without a form the second agrees with that of the first.
    const agreed = await app.send('POST', `${CASES}/${caseId}/trigger-playbook`, {
      token: second,
      json: { node: 'ask', path: 'leave' },
    })
    assert.equal(agreed.status, 202, agreed.text)
    await runDueSteps(app)
    assert.deepEqual((await readCase(caseId)).metadata, { why: 'Old' })
    const [one, two] = await listDecisions(caseId)
    assert.deepEqual([one.second_needed, two.second_needed], [true, undefined])
    const run = (await app.send('GET', String(agreed.headers['location']), { token: agent })).json()
    assert.equal(run.visits[1].output.first_by, by)
    assert.notEqual(run.visits[1].actor, by)
  })

  test('another path or another form begins anew, whoever sends it', async () => {
    const caseId = await createWaitingCase(FOUR_EYES)
    await decide(caseId, choice)
    const changed = { ...choice, form: { reason: 'New' } }
    assert.equal((await decide(caseId, changed, second)).json().decided, false)
    const elsewhere = { node: 'ask', path: 'take-down' }
    assert.equal((await decide(caseId, elsewhere)).json().decided, false)
    const [shown] = await listTriggers(caseId)
    assert.equal(shown.first_decision.path, 'take-down')
    assert.equal((await decide(caseId, elsewhere, second)).json().decided, true)
    assert.equal((await listDecisions(caseId)).length, 4)
  })

  test('of two callers at once, one is the first and the other decides', async () => {
    const caseId = await createWaitingCase(FOUR_EYES)
    const answers = await Promise.all([decide(caseId, choice), decide(caseId, choice, second)])
    assert.deepEqual(
      answers.map((answer) => String(answer.json().decided)).toSorted((a, b) => (a < b ? -1 : 1)),
      ['false', 'true'],
    )
  })
})

test('a form and its node are checked with the graph, by field', async () => {
  const config = {
    ...CONFIG,
    titles: { nowhere: 'x' },
    save_as: 'a-b',
    form: [{ name: 'Bad', type: 'text' }],
  }
  const validate = async (given: object) => {
    const answer = await app.send('POST', '/beta/casework/playbooks/validate', {
      token: app.token,
      json: { nodes: drawGraph({ ...CONFIG, ...given }) },
    })
    return answer.json().problems.map(({ field }: { field: string }) => field)
  }
  assert.deepEqual(await validate(config), ['config/form/0/name', 'config/titles/nowhere'])
  assert.deepEqual(await validate({ save_as: 'a-b' }), ['config/save_as'])
  assert.deepEqual(await validate({ form: [{ name: 'a', type: 'choice' }] }), [
    'config/form/0/options',
  ])
  assert.deepEqual(await validate({ form: [{ name: 'a', type: 'text', required: ['x'] }] }), [
    'config/form/0/required/0',
  ])
  assert.deepEqual(await validate({ deadline: 'soon', role: 'lead' }), ['config/deadline'])
})

test('a trigger says its question and its paths in words too', async () => {
  const config = { question: 'Is it gone?', paths: ['gone', 'no'], titles: { gone: 'It is gone' } }
  const draw = (given: object): readonly GraphNode[] => [
    { id: 'begin', kind: 'start', paths: { next: 'ask' } },
    { id: 'ask', kind: 'trigger', config: { ...config, ...given }, paths: { gone: 'done' } },
    { id: 'done', kind: 'end' },
  ]
  const playbook = await createActivePlaybook(app, app.token, draw({}))
  const [caseId = ''] = await createCases(app, 'default', playbook, 1)
  await runDueSteps(app)
  const { items } = (
    await app.send('GET', `${CASES}/${caseId}/triggers`, { token: app.token })
  ).json()
  const { question, titles } = items[0]
  assert.deepEqual([question, titles], [config.question, config.titles])
  const refused = await app.send('POST', '/beta/casework/playbooks/validate', {
    token: app.token,
    json: { nodes: draw({ titles: { away: 'Away' } }) },
  })
  assert.deepEqual(
    refused.json().problems.map((problem: { field: string }) => problem.field),
    ['config/titles/away'],
  )
})

const field = (name: string, type: FormField['type']): FormField => ({
  name,
  type,
  label: name,
  requiredFor: [],
  options: type === 'choice' || type === 'choices' ? [{ value: 'x', label: 'X' }] : [],
})
const ALL = (['text', 'number', 'boolean', 'date', 'choice', 'choices'] as const).map((type) =>
  field(type, type),
)

test('whatever is sent, a form has exactly its fields afterwards, or a problem with a place', () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom('x', ['x'], ['x', 'x'], '2027-01-31', ''))
  const names = fc.constantFrom(...ALL.map(({ name }) => name), 'other', '__proto__')
  fc.assert(
    fc.property(fc.dictionary(names, value), (given) => {
      const checked = checkForm(ALL, 'go', given)
      if (checked.kind === 'invalid') {
        assert.ok(checked.problems.every(({ path }) => path.startsWith('/form')))
        return
      }
      assert.deepEqual(
        Object.keys(checked.values),
        ALL.map(({ name }) => name),
      )
      // What is valid stays valid.
      assert.deepEqual(checkForm(ALL, 'go', checked.values), checked)
    }),
  )
})

async function listOverdue(caseId: string) {
  const { items } = (await app.send('GET', `${CASES}/${caseId}/history`, { token: lead })).json()
  return items.filter(({ kind }: { kind: string }) => kind === 'run_overdue')
}

async function makeTimerDue(caseId: string): Promise<void> {
  await query(app, 'update run_token set timer_at = now() where case_id = $1', [caseId])
}

test('a deadline that passes is in the history once, the node takes choices all the time, and its timeout still rings', async () => {
  const config = { paths: ['take-down', 'leave'], deadline: 'PT1H', timeout: 'P1D' }
  for (const end of ['choice', 'timeout', 'choice at once']) {
    const caseId = await createWaitingCase(config)
    await makeTimerDue(caseId)
    const { kysely } = app.services.foundation.database
    assert.equal(await ringTimers({ db: kysely, log: silentLog }, 10), 1)
    const [shown] = await listTriggers(caseId)
    assert.equal(Date.parse(shown.timeout_at) - Date.parse(shown.since), 24 * 3_600_000)
    if (end !== 'choice at once') {
      await runDueSteps(app)
      await runDueSteps(app)
      const [entry, ...others] = await listOverdue(caseId)
      assert.deepEqual([entry?.reason, others.length], ['deadline_passed', 0])
      assert.equal((await listTriggers(caseId))[0].timeout_at, shown.timeout_at)
      assert.equal((await readCase(caseId)).waiting_on, 'agent')
    }
    if (end === 'timeout') await makeTimerDue(caseId)
    else assert.equal((await decide(caseId, { node: 'ask', path: 'leave' })).status, 202)
    await runDueSteps(app)
    const [visit] = await query<{ path: string }>(
      app,
      "select path from visit where case_id = $1 and node = 'ask'",
      [caseId],
    )
    assert.equal(visit?.path, end === 'timeout' ? 'timeout' : 'leave')
    assert.equal((await listOverdue(caseId)).length, end === 'choice at once' ? 0 : 1)
  }
})
