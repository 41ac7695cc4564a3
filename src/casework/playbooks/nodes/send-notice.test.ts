// The nodes that send mail, over a real mail server on loopback: what goes out, what a run does
// when it does not, and that no step makes a mail twice.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  feedChanges,
  type NoticeApp,
  openNoticeApp,
  runWithMail,
  sendNotices,
} from '../../../../test/notice-kit.ts'
import {
  createActivePlaybook,
  type GraphNode,
  query,
  runDueSteps,
  workerDeps,
} from '../../../../test/playbook-fixtures.ts'
import { inTransaction } from '../../../kernel/db/database.ts'
import { addHistory } from '../../cases/case-history-store.ts'
import { parsePlaybookGraph } from '../playbook-graph.ts'
import { acceptAnswer } from '../runs/accept-answer.ts'
import { moveDueTokens } from '../runs/worker.ts'

let app: NoticeApp

before(async () => {
  app = await openNoticeApp()
})
after(() => app.close())

async function send(method: string, path: string, json?: unknown) {
  const body = json === undefined ? {} : { json }
  return await app.send(method, `/beta/casework${path}`, { token: app.token, ...body })
}

const ENDS = { sent: 'ok', error: 'sorry' }

/** start → node `mail` → end. */
function graphOf(kind: string, config: object, paths: Record<string, string> = ENDS) {
  const nodes: GraphNode[] = [
    { id: 'begin', kind: 'start', paths: { next: 'mail' } },
    { id: 'mail', kind, config: { ...config }, paths },
  ]
  return [...nodes, ...Object.values(paths).map((id) => ({ id, kind: 'end' }))]
}

let made = 0

interface Given {
  readonly contacts?: readonly object[]
  readonly reporters?: readonly string[]
}

/** A new case with a run of the graph, which has not moved yet. */
async function openCase(
  nodes: readonly GraphNode[],
  { contacts, reporters = ['ann@reporter.example'] }: Given = {},
): Promise<string> {
  const playbook = await createActivePlaybook(app, app.token, nodes)
  await send('PATCH', '/case-groups/default', { playbook_id: playbook })
  made += 1
  // An address of its own: the limit of a day counts by recipient.
  const own = { email: `abuse@customer-${made}.example`, purpose: 'abuse' }
  const customer = { id: `m-${made}`, name: `Customer ${made}`, contacts: contacts ?? [own] }
  await send('POST', '/customers', customer)
  let caseId = ''
  for (const [at, sender] of reporters.entries()) {
    const pushed = await send('POST', '/events', {
      event_date: '2026-11-20T10:00:00Z',
      event_type: 'Phishing',
      domain: `shop-${made}.example`,
      sender_email: sender,
      customer_id: `m-${made}`,
      report_id: `m-${made}-${at}`,
    })
    assert.equal(pushed.status, 201, pushed.text)
    caseId = pushed.json().case_id
  }
  app.sink.mails.length = 0
  return caseId
}

interface Output extends Record<string, unknown> {
  readonly notice_id?: string
}

/** How the node `mail` was left; null while the token is there. */
async function readVisit(caseId: string) {
  const [visit] = await query<{ path: string | null; output: Output }>(
    app,
    `select path, output from visit where case_id = $1 and node = 'mail'`,
    [caseId],
  )
  return visit ?? null
}

async function readOutcome(caseId: string): Promise<readonly unknown[]> {
  const visit = await readVisit(caseId)
  return [visit?.path, visit?.output['failure'] ?? visit?.output['state']]
}

async function readToken(caseId: string) {
  const [token] = await query<{
    state: string
    watches_case: boolean
    waits_for: string | null
    timer_at: Date | null
  }>(app, 'select state, watches_case, waits_for, timer_at from run_token where case_id = $1', [
    caseId,
  ])
  assert.ok(token)
  return token
}

async function listNotices(caseId: string) {
  return (await send('GET', `/cases/${caseId}/notices`)).json().items
}

async function putTemplate(name: string, json: object): Promise<void> {
  const put = await send('PUT', `/templates/${name}/en`, { purpose: 'notice', ...json })
  assert.ok(put.status === 200 || put.status === 201, put.text)
}

const TO_CUSTOMER = { to: 'customer', template: 'notice' }

test('email waits for the relay, and goes on by sent; a repeated step makes no second mail', async () => {
  await putTemplate('ticket', {
    subject: 'Ticket {{ vars.ticket }}',
    body: '{{ vars.count }}x. {{ text }}',
  })
  const caseId = await openCase(
    graphOf('email', {
      to: { cel: "customer.contacts[0].purpose == 'abuse' ? 'customer' : 'reporter'" },
      template: 'ticket',
      text: { cel: '"Group " + case.case_group' },
      vars: { ticket: { cel: 'case.id' }, count: 3 },
      evidence: true,
    }),
  )
  await feedChanges(app)
  await runDueSteps(app)
  // That the own notice waits is no reason to look at it again.
  await feedChanges(app)
  const waiting = await readToken(caseId)
  assert.deepEqual(
    [waiting.state, waiting.watches_case, waiting.waits_for],
    ['waiting', true, null],
  )
  assert.equal(await readVisit(caseId), null)
  const ordered = await query(app, 'select evidence_profile from notice where case_id = $1', [
    caseId,
  ])
  assert.deepEqual(ordered, [{ evidence_profile: 'customer' }])
  // As after a crash of the worker, or another change of the case.
  for (let again = 0; again < 2; again += 1) {
    await query(app, "update run_token set state = 'ready' where case_id = $1", [caseId])
    await runDueSteps(app)
  }
  await sendNotices(app)
  assert.equal((await readToken(caseId)).state, 'waiting')
  await feedChanges(app)
  await runDueSteps(app)
  const visit = await readVisit(caseId)
  const [notice, second] = await listNotices(caseId)
  assert.equal(second, undefined)
  assert.deepEqual([visit?.path, visit?.output], ['sent', { notice_id: notice.id, state: 'sent' }])
  assert.equal(app.sink.mails.length, 1)
  const [mail] = app.sink.mails
  assert.deepEqual(mail?.to, [`abuse@customer-${made}.example`])
  assert.match(mail?.text ?? '', /3x\. Group default/)
  assert.match(notice.subject, new RegExp(`Ticket ${caseId}`))
  const key = (
    await query<{ effect_key: string }>(app, 'select effect_key from notice where id = $1', [
      notice.id,
    ])
  )[0]
  const [run] = (await send('GET', `/cases/${caseId}/runs`)).json().items
  assert.equal(key?.effect_key, `${run.run_id}:1:2`)
  assert.equal(notice.created_by, `${run.run_id}:mail`)
})

test('a mail that the relay refuses for good takes the path error, and one that it may take later waits', async () => {
  const caseId = await openCase(graphOf('email', TO_CUSTOMER))
  app.sink.refuse = () => ({ code: 451, text: 'later' })
  await runDueSteps(app)
  await sendNotices(app)
  await feedChanges(app)
  await runDueSteps(app)
  assert.equal(await readVisit(caseId), null)
  app.sink.refuse = () => ({ code: 550, text: 'no such user' })
  await runWithMail(app)
  app.sink.refuse = null
  assert.deepEqual(await readOutcome(caseId), ['error', 'refused_by_relay'])
})

test('without a relay the path is error, and a run without that path fails and says so', async () => {
  const bare = { ...workerDeps(app), mail: null }
  const handled = await openCase(graphOf('email', TO_CUSTOMER))
  const failed = await openCase(graphOf('email', TO_CUSTOMER, { sent: 'ok' }))
  await moveDueTokens(bare)
  assert.deepEqual(await readOutcome(handled), ['error', 'no_relay'])
  const { items } = (await send('GET', '/runs?state=failed')).json()
  const run = items.find((one: { case_id: string }) => one.case_id === failed)
  assert.deepEqual([run.node, run.failure], ['mail', 'no_relay'])
  const detail = (await send('GET', `/cases/${failed}/runs/${run.run_id}`)).json()
  const { output } = detail.visits.find((one: { node: string }) => one.node === 'mail')
  const [notice] = await listNotices(failed)
  assert.deepEqual(output, {
    failure: 'no_relay',
    notice_id: notice.id,
    state: 'held',
    reason: 'no_relay',
  })
  await sendNotices(app)
  assert.equal(app.sink.mails.length, 0)
})

test('an address that gets no mail, a missing contact, and trouble with a template take the path error', async () => {
  await send('PUT', '/suppressed-addresses/stop@customer.example', {})
  await putTemplate('broken', { subject: 'x', body: '{{ vars.missing }}' })
  const listed = await openCase(graphOf('email', TO_CUSTOMER), {
    contacts: [{ email: 'stop@customer.example' }],
  })
  const none = await openCase(graphOf('email', TO_CUSTOMER), { contacts: [] })
  const broken = await openCase(graphOf('email', { to: 'customer', template: 'broken' }))
  const unknown = await openCase(graphOf('email', { to: 'customer', template: 'nope' }))
  const odd = await openCase(graphOf('email', { to: { cel: 'vars.gone' }, template: 'notice' }))
  const noAddress = await openCase(graphOf('email', { to: { cel: 'case.id' }, template: 'notice' }))
  // The address of a reporter, by a template that shows the customer.
  const reporter = await openCase(
    graphOf('email', { to: { cel: 'event.sender_email' }, template: 'notice' }),
  )
  // … and one more address of the same mailbox.
  const tagged = await openCase(
    graphOf('email', {
      to: 'Ann+desk@reporter.example',
      template: 'notice',
    }),
  )
  const large = await openCase(
    graphOf('email', {
      ...TO_CUSTOMER,
      vars: { list: { cel: "'x'.size() > 0 ? events.newest : []" } },
    }),
  )
  await runWithMail(app)
  assert.deepEqual(await readOutcome(listed), ['error', 'on_list'])
  assert.deepEqual(await readOutcome(none), ['error', 'no_recipient'])
  assert.deepEqual(await readOutcome(broken), ['error', 'template_failed'])
  assert.match(JSON.stringify((await readVisit(broken))?.output['problems']), /vars\.missing/)
  assert.deepEqual(await readOutcome(unknown), ['error', 'no_template'])
  assert.deepEqual(await readOutcome(odd), ['error', 'value_failed'])
  assert.deepEqual(await readOutcome(noAddress), ['error', 'no_recipient'])
  assert.deepEqual(await readOutcome(reporter), ['error', 'template_not_for_party'])
  assert.deepEqual(await readOutcome(tagged), ['error', 'template_not_for_party'])
  assert.deepEqual(await readOutcome(large), ['sent', 'sent'])
  assert.equal(app.sink.mails.length, 1)
})

async function bounce(caseId: string): Promise<void> {
  const { database, ids } = app.services.foundation
  const [notice] = await listNotices(caseId)
  await inTransaction(database.kysely, async (tx) => {
    await addHistory(tx, ids, { tenantId: 'default' }, [
      {
        caseId,
        kind: 'notice',
        actor: { kind: 'system', id: 'notices', name: 'notices' },
        at: new Date(),
        reason: null,
        causeId: null,
        changes: { notice_id: notice.id, state: 'bounced' },
      },
    ])
  })
  await query(app, "update notice set state = 'bounced', reason = 'hard_bounce' where id = $1", [
    notice.id,
  ])
  await feedChanges(app)
  await runDueSteps(app)
}

test('email waits for a bounce as long as it is told, and takes the path bounced', async () => {
  const config = { ...TO_CUSTOMER, bounce_within: 'PT6H' }
  const all = { sent: 'ok', bounced: 'call', error: 'sorry' }
  const back = await openCase(graphOf('email', config, all))
  const kept = await openCase(graphOf('email', config, all))
  const careless = await openCase(graphOf('email', config))
  await runWithMail(app)
  assert.equal(app.sink.mails.length, 3)
  const waiting = await readToken(back)
  const [notice] = await listNotices(back)
  assert.deepEqual([waiting.state, waiting.waits_for], ['waiting', 'timer'])
  assert.equal(Number(waiting.timer_at) - Date.parse(notice.sent_at), 6 * 3_600_000)
  assert.equal((await send('GET', `/cases/${back}`)).json().waiting_on, 'timer')
  await bounce(back)
  assert.deepEqual((await readVisit(back))?.path, 'bounced')
  assert.equal((await readVisit(back))?.output['reason'], 'hard_bounce')
  await query(app, 'update run_token set timer_at = now() where case_id = $1', [kept])
  await runDueSteps(app)
  assert.deepEqual(await readOutcome(kept), ['sent', 'sent'])
  assert.deepEqual(await readOutcome(careless), ['sent', 'sent'])
})

const WAITS = {
  kind: 'trigger',
  config: {
    paths: ['fixed', 'disputed'],
    waiting_on: 'customer',
    answer: { from: 'customer', path: 'fixed' },
    timeout: 'P1D',
  },
  paths: { fixed: 'mended', disputed: 'sorry', timeout: 'sorry' },
}

/** start → mail, whose bounce is awaited → wait. */
function graphOfBounce(wait: Omit<GraphNode, 'id'> = WAITS): readonly GraphNode[] {
  const [begin, mail] = graphOf('email', { ...TO_CUSTOMER, bounce_within: 'PT30M' })
  assert.ok(begin && mail)
  const ends = ['mended', 'sorry', 'call'].map((id) => ({ id, kind: 'end' }))
  const paths = { sent: 'wait', bounced: 'call', error: 'sorry' }
  return [begin, { ...mail, paths }, { id: 'wait', ...wait }, ...ends]
}

/** As the mail of a customer does. */
async function answerByMail(caseId: string) {
  const { database, ids, clock } = app.services.foundation
  const { graphs } = app.services.casework
  const actor = { kind: 'system', id: 'mail', name: 'mail' } as const
  return await inTransaction(database.kysely, (tx) =>
    acceptAnswer(
      tx,
      { ids, clock, graphs },
      { tenantId: 'default' },
      { caseId, party: 'customer', noticeCreatedBy: '', actor, causeId: 'mail' },
    ),
  )
}

async function listPath(caseId: string): Promise<readonly string[]> {
  const visits = await query<{ node: string; path: string | null }>(
    app,
    'select node, path from visit where case_id = $1 order by token_id, visit',
    [caseId],
  )
  return visits.map(({ node, path }) => `${node} ${path ?? ''}`.trim())
}

async function waitingOn(caseId: string): Promise<string> {
  return (await send('GET', `/cases/${caseId}`)).json().waiting_on
}

async function fire(caseId: string, path: string): Promise<number> {
  return (await send('POST', `/cases/${caseId}/trigger-playbook`, { node: 'wait', path })).status
}

test('a trigger or an answer for the node behind ends the wait for a bounce, once, and is taken there', async () => {
  const triggered = await openCase(graphOfBounce())
  const answered = await openCase(graphOfBounce())
  const returned = await openCase(graphOfBounce())
  const rung = await openCase(graphOfBounce())
  const all = [triggered, answered, returned, rung]
  assert.equal(await fire(triggered, 'fixed'), 409)
  await runWithMail(app)
  for (const caseId of all) {
    assert.equal((await readToken(caseId)).state, 'waiting')
    assert.equal(await waitingOn(caseId), 'customer')
    const { items } = (await send('GET', `/cases/${caseId}/triggers`)).json()
    assert.deepEqual(
      items.map((one: { node: string; paths: string[] }) => [one.node, one.paths]),
      [['wait', ['fixed', 'disputed']]],
    )
  }
  assert.equal(await fire(triggered, 'nowhere'), 400)
  assert.equal(await readVisit(triggered), null)
  const both = await Promise.all([fire(triggered, 'disputed'), fire(triggered, 'disputed')])
  assert.deepEqual(both, [202, 202])
  assert.equal(await fire(triggered, 'fixed'), 409)
  assert.equal((await answerByMail(answered)).kind, 'accepted')
  assert.equal((await answerByMail(answered)).kind, 'none')
  await query(app, "update run_token set state = 'ready', timer_rang = true where case_id = $1", [
    rung,
  ])
  assert.equal(await fire(rung, 'fixed'), 202)
  await bounce(returned)
  assert.equal(await fire(returned, 'fixed'), 409)
  await runDueSteps(app)
  assert.deepEqual(await listPath(triggered), ['begin next', 'mail sent', 'wait disputed', 'sorry'])
  assert.deepEqual(await listPath(answered), ['begin next', 'mail sent', 'wait fixed', 'mended'])
  assert.deepEqual(await listPath(rung), ['begin next', 'mail sent', 'wait fixed', 'mended'])
  assert.deepEqual(await listPath(returned), ['begin next', 'mail bounced', 'call'])
  assert.deepEqual(await readOutcome(answered), ['sent', 'sent'])
  for (const caseId of all) assert.equal(await waitingOn(caseId), 'none')
  const runs = await query<{ state: string; visits: number }>(
    app,
    'select state, visits from run where case_id = any($1)',
    [[triggered, answered, rung]],
  )
  assert.deepEqual(
    runs,
    Array.from({ length: 3 }, () => ({ state: 'ended', visits: 4 })),
  )
})

test('the wait for a bounce keeps whom a person has set, and takes the first of two decisions', async () => {
  const read = await openCase(graphOfBounce())
  const { answer: _, timeout: __, ...config } = WAITS.config
  const four = {
    kind: 'manual',
    config: { ...config, four_eyes: true },
    paths: { fixed: 'mended' },
  }
  const asked = await openCase(graphOfBounce(four))
  await runWithMail(app)
  // An answer without a path is read by an agent, also after the wait.
  const { version } = (await send('GET', `/cases/${read}`)).json()
  const patched = await send('PATCH', `/cases/${read}`, { version, waiting_on: 'agent' })
  assert.equal(patched.status, 200, patched.text)
  await query(app, 'update run_token set timer_at = now() where case_id = $1', [read])
  await runDueSteps(app)
  assert.deepEqual(await listPath(read), ['begin next', 'mail sent'])
  assert.equal(await waitingOn(read), 'agent')
  assert.equal(await fire(asked, 'fixed'), 202)
  await runDueSteps(app)
  assert.deepEqual(await listPath(asked), ['begin next', 'mail sent'])
  const { items } = (await send('GET', `/cases/${asked}/triggers`)).json()
  assert.equal(items[0].first_decision.path, 'fixed')
  const second = await app.createToken()
  const json = { node: 'wait', path: 'fixed' }
  const path = `/beta/casework/cases/${asked}/trigger-playbook`
  assert.equal((await app.send('POST', path, { token: second, json })).status, 202)
  await runDueSteps(app)
  assert.deepEqual(await listPath(asked), ['begin next', 'mail sent', 'wait fixed', 'mended'])
})

test('a mail that was not sent within three days is given up, and never goes out', async () => {
  const caseId = await openCase(graphOf('email', TO_CUSTOMER))
  await runDueSteps(app)
  const [notice] = await listNotices(caseId)
  const hour = 3_600_000
  assert.ok(Number((await readToken(caseId)).timer_at) - Date.now() > 71 * hour)
  await query(app, 'update run_token set timer_at = now() where case_id = $1', [caseId])
  await query(app, "update notice set lease_until = now() + interval '1 minute' where id = $1", [
    notice.id,
  ])
  await runDueSteps(app)
  // An attempt is under way, so its end is waited for.
  assert.equal(await readVisit(caseId), null)
  assert.ok(Number((await readToken(caseId)).timer_at) - Date.now() < hour)
  await query(app, 'update notice set lease_until = null where id = $1', [notice.id])
  await query(app, 'update run_token set timer_at = now() where case_id = $1', [caseId])
  await runDueSteps(app)
  assert.deepEqual(await readOutcome(caseId), ['error', 'not_sent_in_time'])
  await sendNotices(app)
  assert.equal(app.sink.mails.length, 0)
  const { items } = (await send('GET', `/cases/${caseId}/history?order=asc`)).json()
  const told = items.filter((one: { kind: string }) => one.kind === 'notice')
  assert.deepEqual(
    told.map((one: { changes: { state: string } }) => one.changes.state),
    ['waiting', 'failed'],
  )
})

async function listRuns(caseId: string): Promise<readonly string[]> {
  const runs = await query<{ id: string }>(
    app,
    'select id from run where case_id = $1 order by depth',
    [caseId],
  )
  return runs.map(({ id }) => id)
}

test('a mail that waits for the relay does not go out when its run is cancelled or a join ends its token', async () => {
  const cancelled = await openCase(graphOf('email', TO_CUSTOMER))
  const withRelay = await openCase(graphOf('email', TO_CUSTOMER))
  const child = await createActivePlaybook(app, app.token, graphOf('email', TO_CUSTOMER))
  const parent = await openCase([
    { id: 'begin', kind: 'start', paths: { next: 'below' } },
    { id: 'below', kind: 'sub_playbook', config: { playbook: child }, paths: { next: 'ok' } },
    { id: 'ok', kind: 'end' },
  ])
  const joined = await openCase([
    { id: 'begin', kind: 'start', paths: { next: 'both' } },
    { id: 'both', kind: 'fork', config: { paths: ['a', 'b'] }, paths: { a: 'mail', b: 'ask' } },
    { id: 'mail', kind: 'email', config: TO_CUSTOMER, paths: { sent: 'meet', error: 'meet' } },
    { id: 'ask', kind: 'trigger', config: { paths: ['go'] }, paths: { go: 'meet' } },
    { id: 'meet', kind: 'join', config: { mode: 'any' }, paths: { next: 'wait' } },
    { id: 'wait', kind: 'trigger', config: { paths: ['go'] }, paths: { go: 'ok' } },
    { id: 'ok', kind: 'end' },
  ])
  const stopped = [cancelled, parent, joined]
  await runDueSteps(app)
  for (const caseId of [...stopped, withRelay]) {
    assert.equal((await listNotices(caseId))[0]?.state, 'waiting', caseId)
  }
  await query(
    app,
    "update notice set lease_until = now() + interval '1 minute' where case_id = $1",
    [withRelay],
  )
  for (const caseId of [cancelled, parent, withRelay]) {
    const [runId = ''] = await listRuns(caseId)
    assert.equal((await send('POST', `/runs/${runId}/cancel`, {})).status, 200)
  }
  const go = { node: 'ask', path: 'go' }
  assert.equal((await send('POST', `/cases/${joined}/trigger-playbook`, go)).status, 202)
  await runDueSteps(app)
  for (const caseId of stopped) {
    const [notice] = await listNotices(caseId)
    assert.deepEqual([notice.state, notice.reason], ['suppressed', 'cancelled'], caseId)
    const { items } = (await send('GET', `/cases/${caseId}/history?order=asc`)).json()
    const told = items.filter((one: { kind: string }) => one.kind === 'notice')
    assert.deepEqual(
      told.map((one: { changes: { state: string } }) => one.changes.state),
      ['waiting', 'suppressed'],
    )
  }
  // The relay may have taken it already.
  await query(app, 'update notice set lease_until = null where case_id = $1', [withRelay])
  await sendNotices(app)
  assert.equal(app.sink.mails.length, 1)
})

test('a mail that waits for the relay does not go out when its case is merged away or its run leaves the node', async () => {
  const merged = await openCase(graphOf('email', TO_CUSTOMER))
  const kept = await openCase(graphOf('email', TO_CUSTOMER))
  const migrated = await openCase(graphOf('email', TO_CUSTOMER))
  await runDueSteps(app)
  const done = await send('POST', `/cases/${kept}/merge`, { from: [merged] })
  assert.equal(done.status, 200, done.text)
  const [runId = ''] = await listRuns(migrated)
  const [run] = await query<{ playbook_id: string }>(
    app,
    'select playbook_id from run where id = $1',
    [runId],
  )
  const path = `/playbooks/${run?.playbook_id}/versions`
  const next = await send('POST', path, {
    nodes: [
      { id: 'begin', kind: 'start', paths: { next: 'ask' } },
      { id: 'ask', kind: 'trigger', config: { paths: ['go'] }, paths: { go: 'ok' } },
      { id: 'ok', kind: 'end' },
    ],
  })
  const { version } = next.json()
  assert.equal((await send('POST', `${path}/${version}/activate`, {})).status, 200)
  const moved = await send('POST', `/runs/${runId}/migrate`, { version, nodes: { mail: 'ask' } })
  assert.equal(moved.status, 200, moved.text)
  for (const caseId of [merged, migrated]) {
    const [notice] = await listNotices(caseId)
    assert.deepEqual([notice.state, notice.reason], ['suppressed', 'cancelled'], caseId)
  }
  await sendNotices(app)
  assert.equal(app.sink.mails.length, 1)
})

test('notify_reporter tells each reporter once, and is sent when one mail went out', async () => {
  await send('PUT', '/suppressed-addresses/quiet@reporter.example', {})
  const reporters = ['ann@reporter.example', 'quiet@reporter.example', 'bob@reporter.example']
  const config = { text: 'It is gone.' }
  const all = await openCase(graphOf('notify_reporter', config), { reporters })
  const newest = await openCase(
    graphOf('notify_reporter', { reporters: 'newest', template: 'receipt' }),
  )
  const none = await openCase(graphOf('notify_reporter', config), {
    reporters: ['quiet@reporter.example'],
  })
  await runDueSteps(app)
  await query(app, "update run_token set state = 'ready' where case_id = $1", [all])
  await runWithMail(app)
  const visit = await readVisit(all)
  assert.equal(visit?.path, 'sent')
  assert.equal(visit?.output['sent'], 2)
  const notices = visit?.output['notices'] as readonly { state: string; reason?: string }[]
  const states = notices.map(({ state, reason }) => `${state} ${reason ?? ''}`)
  assert.deepEqual(states, ['sent ', 'suppressed on_list', 'sent '])
  const to = app.sink.mails.flatMap((mail) => mail.to)
  assert.equal(to.filter((one) => one === 'ann@reporter.example').length, 2)
  assert.equal(to.filter((one) => one === 'bob@reporter.example').length, 1)
  assert.equal(to.length, 3)
  assert.ok(app.sink.mails.every(({ text }) => !text.includes('Customer')))
  assert.deepEqual(await readOutcome(newest), ['sent', 'sent'])
  assert.deepEqual(await readOutcome(none), ['error', 'on_list'])
})

const STATEMENT = {
  restriction: 'The page was taken down.',
  scope: 'everywhere',
  duration: { cel: '"30 days"' },
  facts: { cel: '"Reported as " + event.event_type' },
  based_on: 'report',
  automated_detection: { cel: "event.event_type == 'Phishing'" },
  automated_decision: false,
  ground_kind: 'contractual',
  ground: 'Section 4 of our terms forbids phishing.',
}

async function readMail(caseId: string): Promise<string> {
  const [{ id }] = await listNotices(caseId)
  return (await send('GET', `/notices/${id}`)).json().text
}

test('statement_of_reasons tells the customer all that the article asks for', async () => {
  const nodes = graphOf('statement_of_reasons', STATEMENT)
  const english = await openCase(nodes)
  const german = await openCase(nodes, {
    contacts: [{ email: 'recht@customer.example', language: 'de' }],
  })
  const wrong = await openCase(
    graphOf('statement_of_reasons', { ...STATEMENT, automated_decision: { cel: "'maybe'" } }),
  )
  const empty = await openCase(
    graphOf('statement_of_reasons', { ...STATEMENT, ground: { cel: "''" } }),
  )
  await runWithMail(app)
  assert.deepEqual(await readOutcome(english), ['sent', 'sent'])
  const text = await readMail(english)
  for (const line of [
    'we took this measure: The page was taken down.',
    'It holds for: everywhere',
    'It lasts: 30 days',
    'The decision follows a report.',
    'Facts and circumstances: Reported as Phishing',
    'Automated means were used to find the content: yes',
    'Automated means were used to decide: no',
    'Ground in our terms: Section 4 of our terms forbids phishing.',
    'You may answer this mail to contest the decision: A person examines your answer.',
  ]) {
    assert.ok(text.includes(line), `${line}\n\n${text}`)
  }
  assert.match(
    await readMail(german),
    /Automatisierte Mittel beim Auffinden: ja\n.*: nein\nGrundlage in unseren Bedingungen: /,
  )
  assert.deepEqual(await readOutcome(wrong), ['error', 'value_failed'])
  assert.deepEqual(await readOutcome(empty), ['error', 'value_failed'])
})

function problemsOf(
  kind: string,
  config: object,
  paths: Record<string, string> = {},
): readonly string[] {
  const result = parsePlaybookGraph({ nodes: graphOf(kind, config, paths) })
  return result.kind === 'valid'
    ? []
    : result.problems.map(({ field, reason }) => `${field} ${reason}`)
}

test('what the nodes cannot send is refused with the graph, by node and field', () => {
  assert.deepEqual(problemsOf('email', { ...TO_CUSTOMER, to: 'nobody' }), [
    'config/to must be customer, reporter, or an address',
  ])
  assert.deepEqual(problemsOf('email', TO_CUSTOMER, { bounced: 'ok' }), [
    'paths/bounced is no path of this node: there is sent, error',
  ])
  assert.match(
    problemsOf('email', { ...TO_CUSTOMER, bounce_within: 'soon' }).join(),
    /^config\/bounce_within must be seconds/,
  )
  assert.deepEqual(
    problemsOf('email', { to: 'reporter', template: 'outcome', contact_purpose: 'x' }),
    ['config/contact_purpose belongs to the customer'],
  )
  assert.match(
    problemsOf('email', { ...TO_CUSTOMER, vars: { a: { cel: 'case.' } } }).join(),
    /^config\/vars\/a\/cel /,
  )
  assert.match(
    problemsOf('email', { ...TO_CUSTOMER, text: { cel: '(' } }).join(),
    /^config\/text\/cel /,
  )
  assert.deepEqual(problemsOf('email', { ...TO_CUSTOMER, text: 'a\0b' }), [
    'config/text has U+0000 or a lone surrogate',
  ])
  assert.deepEqual(problemsOf('statement_of_reasons', { ...STATEMENT, to: 'reporter' }), [
    'config/to must be customer, or an address',
  ])
  const { ground_kind: _, ...groundless } = STATEMENT
  assert.match(problemsOf('statement_of_reasons', groundless).join(), /ground_kind/)
})
