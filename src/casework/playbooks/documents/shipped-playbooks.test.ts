// The playbooks that ship, each imported, activated and walked with real mail on loopback.

import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, test } from 'node:test'
import type { AnswerFields } from '../../../../test/answer-fields.ts'
import { type NoticeApp, openNoticeApp, runWithMail } from '../../../../test/notice-kit.ts'
import { type LoopbackServer, startLoopback } from '../../../../test/outbound-kit.ts'
import { query } from '../../../../test/playbook-fixtures.ts'
import { isJsonObject } from '../../../values/json-value.ts'
import { listChoices, listDemands, parsePlaybookGraph } from '../playbook-graph.ts'
import { listShippedPlaybooks } from './shipped-playbooks.ts'

let app: NoticeApp
let page: LoopbackServer
let pageStatus = 200
const cleanups: (() => Promise<void>)[] = []

before(async () => {
  page = await startLoopback({ after: (work) => cleanups.push(work) }, answerPage)
  app = await openNoticeApp({ environment: { CASEWORK_OUTBOUND_ALLOW: page.socket } })
})
after(async () => {
  await app.close()
  for (const work of cleanups) await work()
})

function answerPage(_: unknown, response: ServerResponse): void {
  response.statusCode = pageStatus
  response.end('Sign in')
}

async function send(method: string, path: string, json?: unknown): Promise<AnswerFields> {
  const body = json === undefined ? {} : { json }
  const headers = method === 'PATCH' ? { 'if-match': '*' } : {}
  const answer = await app.send(method, `/beta/casework${path}`, {
    token: app.token,
    headers,
    ...body,
  })
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`)
  // Some acts answer without a body.
  return JSON.parse(answer.text === '' ? '{}' : answer.text)
}

interface Reasoned {
  readonly reason: string
}

/** Imports and activates the playbook, and makes it the one of new cases. */
async function install(name: string): Promise<void> {
  const { id, version, warnings } = await send('POST', '/playbooks/import', { template: name })
  const others = warnings.filter(({ reason }: Reasoned) => !/verify_targets/.test(reason))
  assert.deepEqual(others, [])
  await send('POST', `/playbooks/${id}/versions/${version}/activate`)
  await send('PATCH', '/case-groups/default', { playbook_id: id })
}

let made = 0

/** A case of a new customer, as far as its playbook goes by itself. */
async function openCase(event: object = {}, contact: object | null = {}): Promise<string> {
  made += 1
  const contacts = contact === null ? [] : [{ email: `desk@customer-${made}.example`, ...contact }]
  await send('POST', '/customers', { id: `s-${made}`, name: `Customer ${made}`, contacts })
  const { case_id: caseId } = await send('POST', '/events', {
    event_date: '2026-11-20T10:00:00Z',
    event_type: 'Phishing',
    domain: `shop-${made}.example`,
    sender_email: `ann@reporter-${made}.example`,
    customer_id: `s-${made}`,
    report_id: `s-${made}`,
    ...event,
  })
  app.sink.mails.length = 0
  await runWithMail(app)
  return caseId
}

/** The recipients of the mails since the last look, and what they say in their subjects. */
function takeMails(): readonly string[] {
  const taken = app.sink.mails.map(({ to, text }) => {
    const subject = /^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(text)?.[1] ?? ''
    const words = subject.replace(/\r\n\s+/g, ' ').replace(/\[[^\]]*\] /, '')
    return `${to.join()}: ${words}`.replaceAll(/-\d+\.example/g, '.example')
  })
  app.sink.mails.length = 0
  return taken
}

async function findNode(caseId: string): Promise<string> {
  const [token] = await query<{ node: string }>(
    app,
    "select node from run_token where case_id = $1 and state in ('ready', 'waiting') order by id",
    [caseId],
  )
  return token?.node ?? 'none'
}

/** The time of the node is over. */
async function ring(caseId: string): Promise<void> {
  const times = `timer_at = now(),
    entered_at = (entered_at at time zone 'UTC' - (timer_at - now())) at time zone 'UTC'`
  await query(app, `update run_token set ${times} where case_id = $1`, [caseId])
  await runWithMail(app)
}

/** The deadline of the node, and then its timeout. */
async function ringAtPerson(caseId: string): Promise<void> {
  await ring(caseId)
  await ring(caseId)
}

async function choose(caseId: string, node: string, path: string, form?: object): Promise<void> {
  const route = form === undefined ? 'trigger-playbook' : 'decisions'
  const json = { node, path, ...(form === undefined ? {} : { form }) }
  await send('POST', `/cases/${caseId}/${route}`, json)
  await runWithMail(app)
}

async function read(caseId: string): Promise<readonly unknown[]> {
  const row = await send('GET', `/cases/${caseId}`)
  return [row.state, row.resolution ?? row.close_reason, row.playbook_state]
}

test('every way that a person may choose has a title, and every choice a question', () => {
  let choices = 0
  for (const { name, document } of listShippedPlaybooks()) {
    const result = parsePlaybookGraph({ nodes: document.nodes })
    assert.ok(result.kind === 'valid', name)
    for (const node of result.graph.nodes.values()) {
      const ways = listChoices(node)
      if (ways.length === 0) continue
      choices += 1
      const { question, titles } = listDemands(node)
      assert.notEqual(question, null, `${name}: ${node.id}`)
      assert.deepEqual(Object.keys(titles), [...ways], `${name}: ${node.id}`)
    }
  }
  assert.ok(choices > 10, `only ${choices} choices were seen`)
})

test('every node of the shipped playbooks has a place and a note, and no path ends in nothing', () => {
  for (const { name, document } of listShippedPlaybooks()) {
    const result = parsePlaybookGraph({ nodes: document.nodes })
    assert.ok(result.kind === 'valid', `${name}: ${JSON.stringify(result)}`)
    for (const { id, kind, paths } of result.graph.nodes.values()) {
      const waits = kind.kind === 'manual' || kind.kind === 'trigger' || kind.kind === 'wait_until'
      assert.ok(!waits || paths.has('timeout'), `${name}: ${id} may wait for ever`)
    }
    if (name === 'decide-by-hand') continue
    const places = document.nodes.map((node) => (isJsonObject(node) ? node['position'] : null))
    assert.equal(
      new Set(places.map((one) => JSON.stringify(one))).size,
      document.nodes.length,
      name,
    )
    for (const node of document.nodes) {
      const note: unknown = isJsonObject(node) ? node['note'] : null
      assert.ok(typeof note === 'string' && note.endsWith('.'), `${name}: ${JSON.stringify(node)}`)
    }
    for (const { id, paths } of result.graph.nodes.values()) {
      for (const [path, target] of paths) assert.ok(target !== null, `${name}: ${id} ${path}`)
    }
  }
})

test('notify-and-escalate tells, reminds and hands over, and the reporter hears the end', async () => {
  await install('notify-and-escalate')
  const caseId = await openCase()
  assert.deepEqual(takeMails(), ['desk@customer.example: Abuse reported: Phishing'])
  assert.equal(await findNode(caseId), 'tell')
  await ring(caseId)
  assert.equal(await findNode(caseId), 'wait')
  assert.equal((await send('GET', `/cases/${caseId}`)).waiting_on, 'customer')
  await query(
    app,
    `update notice set created_at = (created_at at time zone 'UTC' - interval '3 days') at time zone 'UTC'`,
  )
  await ring(caseId)
  assert.deepEqual(takeMails(), ['desk@customer.example: Reminder: Phishing is not yet resolved'])
  await ring(caseId)
  const row = await send('GET', `/cases/${caseId}`)
  assert.deepEqual(
    [await findNode(caseId), row.severity, row.waiting_on],
    ['review', 'high', 'agent'],
  )
  // Still open after a week: asked again.
  await ring(caseId)
  assert.equal(await findNode(caseId), 'review')
  await choose(caseId, 'review', 'stopped')
  assert.deepEqual(takeMails(), ['ann@reporter.example: Your report: the case is closed'])
  assert.deepEqual(await read(caseId), ['RESOLVED', 'mitigated', 'ended'])

  const unreachable = await openCase({}, null)
  assert.equal(await findNode(unreachable), 'reach')
  await choose(unreachable, 'reach', 'reached')
  await choose(unreachable, 'wait', 'disputed')
  await choose(unreachable, 'review', 'no_evidence')
  assert.deepEqual(takeMails(), ['ann@reporter.example: Your report: the case is closed'])
  assert.deepEqual(await read(unreachable), ['CLOSED', 'insufficient_evidence', 'ended'])

  const ended = await openCase()
  await ring(ended)
  await send('PATCH', `/cases/${ended}`, { state: 'RESOLVED', resolution: 'handled' })
  takeMails()
  await ring(ended)
  assert.deepEqual(takeMails(), [])
  assert.deepEqual(await read(ended), ['RESOLVED', 'handled', 'ended'])
})

test('verify-after-fixed looks itself, goes back to the customer, then resolves and tells the reporter', async () => {
  await install('verify-after-fixed')
  const settings = { settings: { verify_targets: true } }
  const path = '/beta/admin/tenants/default'
  await app.send('PATCH', path, { token: app.token, json: settings })
  const caseId = await openCase({ event_details: { url: `${page.origin}/login` } })
  assert.deepEqual(takeMails(), ['desk@customer.example: Abuse reported: Phishing'])
  await ring(caseId)
  await choose(caseId, 'wait', 'fixed')
  assert.equal(await findNode(caseId), 'wait_more')
  const [back, none] = takeMails()
  assert.match(back ?? '', /^desk@customer\.example: Your message about the case C-/)
  assert.equal(none, undefined)
  pageStatus = 410
  await choose(caseId, 'wait_more', 'fixed')
  assert.deepEqual(takeMails(), ['ann@reporter.example: Your report: the case is closed'])
  assert.deepEqual(await read(caseId), ['RESOLVED', 'fixed', 'ended'])
  assert.equal(page.requests.length, 2)

  await app.send('PATCH', path, { token: app.token, json: { settings: { verify_targets: null } } })
  const byHand = await openCase()
  await ring(byHand)
  await choose(byHand, 'wait', 'fixed')
  assert.equal(await findNode(byHand), 'look')
  await choose(byHand, 'look', 'gone')
  assert.deepEqual(await read(byHand), ['RESOLVED', 'fixed', 'ended'])
})

/** What a person does who acts on the pending mitigations of the case, or on their removal. */
async function actByHand(caseId: string): Promise<readonly string[]> {
  const { items } = await send('GET', `/cases/${caseId}/mitigations`)
  const open = items.filter(({ state }: { state: string }) => /pending|removing/.test(state))
  for (const { id } of open) await send('POST', `/mitigations/${id}/result`, { result: 'done' })
  await runWithMail(app)
  return open.map(({ kind, state }: { kind: string; state: string }) => `${kind} ${state}`)
}

const GROUND = { facts: 'A copy of a bank.', ground_kind: 'contractual', ground: 'Section 4.' }
const OUTCOME = 'ann@reporter.example: Your report: the case is closed'

async function readLastNotice(caseId: string): Promise<string> {
  const [{ id }] = (await send('GET', `/cases/${caseId}/notices?order=desc`)).items
  return (await send('GET', `/notices/${id}`)).text
}

test('take-content-down takes it down with a statement of reasons, and puts it back after an objection', async () => {
  await install('take-content-down')
  const caseId = await openCase({ event_details: { url: 'http://shop.example/login' } })
  assert.equal(await findNode(caseId), 'decide')
  await ringAtPerson(caseId)
  assert.equal((await send('GET', `/cases/${caseId}`)).severity, 'high')
  await choose(caseId, 'decide', 'take_down', GROUND)
  assert.equal(await findNode(caseId), 'remove_page')
  assert.deepEqual(await actByHand(caseId), ['takedown pending'])
  assert.deepEqual(takeMails(), [
    'desk@customer.example: Statement of reasons for the case ' + caseId,
    OUTCOME,
  ])
  assert.deepEqual(await read(caseId), ['RESOLVED', 'mitigated', 'active'])
  await choose(caseId, 'objection', 'contest')
  assert.equal((await send('GET', `/cases/${caseId}`)).state, 'IN_PROGRESS')
  await choose(caseId, 'judge', 'restore', { answer: 'You were right.' })
  assert.deepEqual(await actByHand(caseId), ['takedown removing'])
  assert.equal(takeMails().length, 1)
  assert.match(await readLastNotice(caseId), /You were right\./)
  assert.deepEqual(await read(caseId), ['CLOSED', 'false_positive', 'ended'])

  // A site without a page, nobody confirms, and the customer gets no mail.
  const hard = await openCase({}, null)
  await choose(hard, 'decide', 'take_down', GROUND)
  assert.equal(await findNode(hard), 'remove_site')
  await ring(hard)
  await choose(hard, 'remove_by_hand', 'removed')
  await choose(hard, 'serve', 'delivered')
  assert.deepEqual(takeMails(), [OUTCOME])
  await choose(hard, 'objection', 'contest')
  await choose(hard, 'judge', 'restore', { answer: 'You were right.' })
  await choose(hard, 'undo_by_hand', 'restored')
  await choose(hard, 'serve_restored', 'delivered')
  assert.deepEqual(await read(hard), ['CLOSED', 'false_positive', 'ended'])

  // A person ends a case for which the run waits for a person: the run ends, too.
  const ended = await openCase()
  await choose(ended, 'decide', 'take_down', GROUND)
  await ring(ended)
  await ringAtPerson(ended)
  assert.equal(await findNode(ended), 'remove_by_hand', 'still open, so it is asked again')
  await send('PATCH', `/cases/${ended}`, { state: 'CLOSED', close_reason: 'not_ours' })
  await ringAtPerson(ended)
  assert.deepEqual(await read(ended), ['CLOSED', 'not_ours', 'ended'])

  // The customer removes it: a person looks, because `verify_targets` is off.
  const asked = await openCase({ event_details: { url: 'http://shop.example/login' } })
  await choose(asked, 'decide', 'ask_customer', {})
  await ring(asked)
  await choose(asked, 'wait', 'fixed')
  await choose(asked, 'look', 'gone')
  assert.deepEqual(await read(asked), ['RESOLVED', 'fixed', 'ended'])
})

test('the registrar sends a receipt, holds the name with a statement, and keeps the hold', async () => {
  await install('registrar-receipt-and-statement')
  const caseId = await openCase()
  assert.deepEqual(takeMails(), ['ann@reporter.example: Your report about Phishing'])
  await choose(caseId, 'decide', 'hold', GROUND)
  assert.deepEqual(await actByHand(caseId), ['dns_hold pending'])
  assert.deepEqual(takeMails(), [
    'desk@customer.example: Statement of reasons for the case ' + caseId,
    OUTCOME,
  ])
  assert.deepEqual(await read(caseId), ['RESOLVED', 'suspended', 'active'])
  await choose(caseId, 'objection', 'contest')
  await choose(caseId, 'judge', 'keep', { answer: 'It stays.' })
  assert.match(await readLastNotice(caseId), /It stays\./)
  assert.deepEqual(await read(caseId), ['RESOLVED', 'suspended', 'ended'])

  const foreign = await openCase()
  takeMails()
  await choose(foreign, 'decide', 'not_ours', {})
  assert.deepEqual(takeMails(), [OUTCOME])
  assert.deepEqual(await read(foreign), ['CLOSED', 'not_ours', 'ended'])

  // Nobody answers, so the question comes back to the person.
  const silent = await openCase()
  await choose(silent, 'decide', 'ask_customer', {})
  await ring(silent)
  await ring(silent)
  assert.equal(await findNode(silent), 'decide')
})
