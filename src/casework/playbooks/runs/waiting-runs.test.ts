// Whom a case waits for while a playbook works it, where its run stopped, the list of runs over all
// cases, and their metrics.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { type TestAnswer, withApp } from '../../../../test/harness.ts'
import {
  createActivePlaybook,
  createCases,
  type GraphNode,
  query,
  runDueSteps,
  trigger,
  workerDeps,
} from '../../../../test/playbook-fixtures.ts'
import { createRunMetrics } from './run-metrics.ts'
import { moveDueTokens } from './worker.ts'

const CASES = '/beta/casework/cases'
const RUNS = '/beta/casework/runs'

const app = withApp()

function waitAt(kind: string, config: object = {}): readonly GraphNode[] {
  return [
    { id: 'begin', kind: 'start', paths: { next: 'ask' } },
    {
      id: 'ask',
      kind,
      config: { paths: ['go'], ...config },
      paths: { go: 'note' },
    },
    { id: 'note', kind: 'comment', config: { text: 'Gone.' }, paths: { next: 'done' } },
    { id: 'done', kind: 'end' },
  ]
}

async function openCase(nodes: readonly GraphNode[]): Promise<string> {
  const playbookId = await createActivePlaybook(app, app.token, nodes)
  const [caseId = ''] = await createCases(app, 'default', playbookId, 1)
  await runDueSteps(app)
  return caseId
}

async function read(caseId: string, path = ''): Promise<ReturnType<TestAnswer['json']>> {
  const answer = await app.send('GET', `${CASES}/${caseId}${path}`, { token: app.token })
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}

async function waitingOn(caseId: string): Promise<string> {
  return (await read(caseId)).waiting_on
}

async function change(caseId: string, json: object): Promise<void> {
  const headers = { 'if-match': '*' }
  const answer = await app.send('PATCH', `${CASES}/${caseId}`, { token: app.token, json, headers })
  assert.equal(answer.status, 200, answer.text)
}

async function go(caseId: string, node = 'ask'): Promise<void> {
  await trigger(app, app.token, caseId, { node, path: 'go' })
  await runDueSteps(app)
}

test('a case whose run waits at a manual node waits on an agent until the run goes on, with history', async () => {
  const caseId = await openCase(waitAt('manual'))
  assert.equal(await waitingOn(caseId), 'agent')
  const listed = await app.send('GET', `${CASES}?waiting_on=agent`, { token: app.token })
  assert.ok(listed.json().items.some((item: { id: string }) => item.id === caseId))
  await go(caseId)
  assert.equal(await waitingOn(caseId), 'none')
  const changes = (await read(caseId, '/history')).items.filter(
    (entry: { kind: string }) => entry.kind === 'change',
  )
  assert.deepEqual(
    changes.map((entry: { changes: object }) => entry.changes),
    [{ waiting_on: { from: 'agent', to: 'none' } }, { waiting_on: { from: 'none', to: 'agent' } }],
  )
  assert.equal(changes[0].actor_kind ?? changes[0].actor.kind, 'run')
})

test('a trigger node changes nothing unless it names whom it waits for, and a manual node may name another', async () => {
  assert.equal(await waitingOn(await openCase(waitAt('trigger'))), 'none')
  const named = await openCase(waitAt('trigger', { waiting_on: 'third_party' }))
  assert.equal(await waitingOn(named), 'third_party')
  const customer = await openCase(waitAt('manual', { waiting_on: 'customer' }))
  assert.equal(await waitingOn(customer), 'customer')
  for (const party of ['timer', 'none', 'nobody', null]) {
    const answer = await app.send('POST', '/beta/casework/playbooks', {
      token: app.token,
      json: { name: `Wrong ${party}`, nodes: waitAt('manual', { waiting_on: party }) },
    })
    assert.equal(answer.status, 400)
    assert.equal(answer.json().errors[0].path, '/nodes/1/config/waiting_on')
  }
})

test('what a person sets while the run waits stays when the run goes on', async () => {
  const caseId = await openCase(waitAt('manual'))
  await change(caseId, { waiting_on: 'customer' })
  await go(caseId)
  assert.equal(await waitingOn(caseId), 'customer')
})

test('of two runs that wait on a case the one that stays says whom it waits for', async () => {
  const first = await createActivePlaybook(app, app.token, waitAt('manual'))
  const second = await createActivePlaybook(
    app,
    app.token,
    waitAt('trigger', { waiting_on: 'reporter' }),
  )
  const [caseId = ''] = await createCases(app, 'default', first, 1)
  await runDueSteps(app)
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
  assert.equal(await waitingOn(caseId), 'reporter')
  await go(caseId, `${second}/ask`)
  assert.equal(await waitingOn(caseId), 'agent')
  await go(caseId, `${first}/ask`)
  assert.equal(await waitingOn(caseId), 'none')
})

test('an ended case waits for nobody, and for the same again once it is reopened', async () => {
  const caseId = await openCase(waitAt('manual'))
  await change(caseId, { state: 'RESOLVED', resolution: 'fixed' })
  assert.equal(await waitingOn(caseId), 'none')
  await change(caseId, { state: 'IN_PROGRESS' })
  assert.equal(await waitingOn(caseId), 'agent')
  await change(caseId, { state: 'RESOLVED', resolution: 'fixed' })
  await go(caseId)
  await change(caseId, { state: 'IN_PROGRESS' })
  assert.equal(await waitingOn(caseId), 'none')
})

test('a merge ends what the runs of the source had set, and its undoing does not bring it back', async () => {
  const [target, source] = [await openCase(waitAt('manual')), await openCase(waitAt('manual'))]
  await query(app, `update abuse_case set key_hash = sha256(id::bytea) where id = any($1)`, [
    [target, source],
  ])
  const json = { from: [source] }
  const merged = await app.send('POST', `${CASES}/${target}/merge`, { token: app.token, json })
  assert.equal(merged.status, 200, merged.text)
  assert.deepEqual([await waitingOn(target), await waitingOn(source)], ['agent', 'none'])
  const undone = await app.send('POST', `${CASES}/${target}/unmerge`, { token: app.token, json })
  assert.equal(undone.status, 200, undone.text)
  assert.deepEqual([await waitingOn(target), await waitingOn(source)], ['agent', 'none'])
})

test('playbook, version and step stay on the case when its run has ended, with the state of the run', async () => {
  const caseId = await openCase(waitAt('manual'))
  const active = await read(caseId)
  assert.deepEqual([active.playbook_step, active.playbook_state], ['ask', 'active'])
  await go(caseId)
  const { playbook_id: id, playbook_version: version, ...ended } = await read(caseId)
  assert.deepEqual([id, version], [active.playbook_id, active.playbook_version])
  assert.deepEqual([ended.playbook_step, ended.playbook_state], ['done', 'ended'])
})

const BROKEN = [
  { id: 'begin', kind: 'start', paths: { next: 'work' } },
  { id: 'work', kind: 'set_state', config: { state: 'IN_PROGRESS' }, paths: { next: 'done' } },
  { id: 'done', kind: 'resolve' },
]

/** A case whose run fails: its token is at a node that the version does not have. */
async function failRun(): Promise<{ readonly caseId: string; readonly playbookId: string }> {
  const playbookId = await createActivePlaybook(app, app.token, BROKEN)
  const [caseId = ''] = await createCases(app, 'default', playbookId, 1)
  await query(app, `update run_token set node = 'gone' where case_id = $1`, [caseId])
  return { caseId, playbookId }
}

async function list(path: string, as = app.token): Promise<ReturnType<TestAnswer['json']>> {
  const answer = await app.send('GET', `${RUNS}${path}`, { token: as })
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}

test('a failed run is listed with its case, node and reason, counted, and makes its case wait on an agent', async () => {
  const registry = new Registry()
  const metrics = createRunMetrics(registry)
  const { caseId, playbookId } = await failRun()
  await moveDueTokens({ ...workerDeps(app), countFailed: metrics.countFailed })
  const { playbook_step: step, playbook_state: state, waiting_on: party } = await read(caseId)
  assert.deepEqual([step, state, party], ['gone', 'failed', 'agent'])
  const { items } = await list('?state=failed')
  const {
    run_id: runId,
    started_at: _started,
    ended_at: ended,
    playbook_name: name,
    ...run
  } = items[0]
  assert.match(name, /^Playbook/)
  assert.deepEqual(run, {
    case_id: caseId,
    case_group: 'default',
    playbook_id: playbookId,
    since: ended,
    version: 1,
    state: 'failed',
    node: 'gone',
    failure: 'unknown_node',
  })
  assert.equal((await read(caseId, `/runs/${runId}`)).node, 'gone')
  await metrics.refresh(app.services.foundation.database.kysely)
  const text = await registry.metrics()
  assert.match(text, /^casework_runs_failed_total 1$/m)
  const [counts] = await query<Record<string, number>>(
    app,
    `select (select count(*) from run where state = 'failed') as failed, (select count(*) from run where state = 'active') as active,
       (select count(*) from run_token where state = 'waiting') as waiting`,
  )
  assert.match(text, new RegExp(`^casework_runs\\{state="failed"\\} ${counts?.['failed']}$`, 'm'))
  assert.match(text, new RegExp(`^casework_runs\\{state="active"\\} ${counts?.['active']}$`, 'm'))
  const waiting = `^casework_run_tokens\\{state="waiting"\\} ${counts?.['waiting']}$`
  assert.match(text, new RegExp(waiting, 'm'))
  assert.match(text, /^casework_run_tokens\{state="due"\} 0$/m)
  assert.match(text, /^casework_run_token_due_age_seconds 0$/m)
  assert.match(text, /^casework_runs\{state="paused"\} 0$/m)
  await query(
    app,
    "update run_token set state = 'ready', wake_at = now() - interval '2 hours' where (tenant_id, run_id, id) in (select tenant_id, run_id, id from run_token where state = 'waiting' limit 1)",
  )
  await metrics.refresh(app.services.foundation.database.kysely)
  const late = await registry.metrics()
  assert.match(late, /^casework_run_tokens\{state="due"\} 1$/m)
  assert.match(late, /^casework_run_token_due_age_seconds 72\d\d(\.\d+)?$/m)
})

test('runs are listed page by page, by state, playbook and case, of the caller’s tenant only', async () => {
  const playbookId = await createActivePlaybook(app, app.token, waitAt('trigger'))
  const caseIds = await createCases(app, 'default', playbookId, 5)
  await runDueSteps(app)
  await go(caseIds[0] ?? '')
  const found: string[] = []
  let cursor = ''
  do {
    const next = cursor === '' ? '' : `&cursor=${cursor}`
    const page = await list(`?playbook_id=${playbookId}&state=active&limit=2&order=asc${next}`)
    found.push(...page.items.map((item: { case_id: string }) => item.case_id))
    cursor = page.next_cursor
  } while (cursor !== '')
  assert.deepEqual(found.toSorted(), caseIds.slice(1).toSorted())
  const ended = await list(`?state=ended&case_id=${caseIds[0]}`)
  assert.equal(ended.items.length, 1)
  assert.equal(ended.items[0].node, undefined)
  await app.createTenant('runless')
  const foreign = await app.createToken({ tenantId: 'runless' })
  assert.deepEqual((await list(`?playbook_id=${playbookId}`, foreign)).items, [])
  assert.deepEqual((await list('', foreign)).items, [])
  for (const path of ['?state=broken', '?playbook_id=x', '?case_id=x', '?colour=red']) {
    const answer = await app.send('GET', `${RUNS}${path}`, { token: app.token })
    assert.equal(answer.status, 400, path)
  }
  const reader = await app.createToken({ scopes: ['events:read'] })
  assert.equal((await app.send('GET', RUNS, { token: reader })).status, 403)
})
