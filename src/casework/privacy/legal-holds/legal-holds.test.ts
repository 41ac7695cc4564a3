// What is held stays as it is, whatever is past its time and whoever is erased; all else goes as
// ever.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Counter } from 'prom-client'
import { type TestAnswer, withApp } from '../../../../test/harness.ts'
import { recountCases } from '../../cases/recount/recount-cases.ts'
import { runRetention } from '../retention/run-retention.ts'

const CASEWORK = '/beta/casework'
const ANA = 'ana.beispiel@example.org'
const clock = { ahead: 0, nowMs: () => Date.now() + clock.ahead }

const app = withApp({ clock })

interface Tenant {
  readonly id: string
  readonly token: string
  readonly send: (method: string, path: string, json?: unknown) => Promise<TestAnswer>
}

async function openTenant(id: string): Promise<Tenant> {
  await app.createTenant(id)
  const token = await app.createToken({ tenantId: id })
  const send: Tenant['send'] = (method, path, json) =>
    app.send(method, `${CASEWORK}${path}`, { token, ...(json === undefined ? {} : { json }) })
  const retention = { raw_report_days: 1, event_days: 1, case_days: 1 }
  const settings = { settings: { retention } }
  await app.send('PATCH', `/beta/admin/tenants/${id}`, { token, json: settings })
  return { id, token, send }
}

/** A case of one reported and one pushed event. */
async function openCase({ token, send }: Tenant, host: string) {
  const body = [
    `From: Ana <${ANA}>`,
    `Subject: attack from ${host}`,
    'Date: Wed, 01 Apr 2026 10:00:00 +0000',
    '',
    `Your host ${host} has tried to log in by SSH.`,
    '',
  ].join('\r\n')
  const headers = { 'content-type': 'message/rfc822' }
  const report = await app.send('POST', `${CASEWORK}/reports`, { token, body, headers })
  assert.equal(report.status, 201, report.text)
  const reportId: string = report.json().report_id
  const pushed = await send('POST', '/events', {
    event_type: 'LoginAttack',
    event_date: '2026-04-01T11:00:00Z',
    ip: host,
    sender_email: ANA,
  })
  assert.equal(pushed.status, 201, pushed.text)
  const { case_id: caseId, event_id: eventId } = pushed.json()
  await send('POST', `/cases/${caseId}/comments`, { text: `Asked ${ANA}.` })
  return { caseId, eventId, reportId }
}

async function end({ send }: Tenant, caseId: string): Promise<void> {
  const { version } = (await send('GET', `/cases/${caseId}`)).json()
  const change = { state: 'CLOSED', close_reason: 'expired', version }
  assert.equal((await send('PATCH', `/cases/${caseId}`, change)).status, 200)
}

const hold = ({ send }: Tenant, caseId: string) =>
  send('POST', `/cases/${caseId}/hold`, { reason: 'Asked for by a court.' })
const lift = ({ send }: Tenant, caseId: string) =>
  send('POST', `/cases/${caseId}/hold/lift`, { reason: 'The court is done.' })

/** Two days go by, and what is past its time goes. */
async function passTime(tenant: Tenant): Promise<void> {
  clock.ahead += 2 * 24 * 60 * 60 * 1_000
  const { foundation } = app.services
  const { pool } = foundation.database
  await pool.query(`update tenant set retention_at = now() + interval '1 day'`)
  await pool.query('update tenant set retention_at = now() where id = $1', [tenant.id])
  const removed = new Counter({ name: 'x', help: 'x', labelNames: ['kind'], registers: [] })
  const db = foundation.database.kysely
  await runRetention({ ...foundation, db, removed }, new AbortController().signal)
}

async function erase({ send }: Tenant, json: object = { address: ANA }) {
  for (;;) {
    const answer = await send('POST', '/erasures', json)
    assert.equal(answer.status, 200, answer.text)
    if (answer.json().state === 'done') return answer.json()
  }
}

async function look({ send }: Tenant, { caseId, reportId }: { caseId: string; reportId: string }) {
  const found = await send('GET', `/cases/${caseId}`)
  const comments = await send('GET', `/cases/${caseId}/comments`)
  return {
    case: found.status,
    events: found.status === 200 ? found.json().event_count : 0,
    reporters: found.status === 200 ? found.json().event_reporters : [],
    comment: comments.status === 200 ? comments.json().items[0].text : null,
    report: (await send('GET', `/reports/${reportId}`)).status,
    raw: (await send('GET', `/reports/${reportId}/raw`)).status,
  }
}

describe('a legal hold', () => {
  test('keeps a case with its events, reports, bytes and comments past their time, and others go', async () => {
    const tenant = await openTenant('kept')
    const [held, other] = [await openCase(tenant, '192.0.2.1'), await openCase(tenant, '192.0.2.2')]
    for (const { caseId } of [held, other]) await end(tenant, caseId)
    assert.equal((await hold(tenant, held.caseId)).status, 201)
    const first = await look(tenant, held)
    clock.ahead += 2 * 24 * 60 * 60 * 1_000
    const { due, held_cases: heldCases } = (await tenant.send('GET', '/retention')).json()
    assert.equal(heldCases, 1)
    assert.deepEqual([due.cases, due.events, due.raw_reports, due.reports], [1, 2, 1, 1])
    await passTime(tenant)
    assert.deepEqual(await look(tenant, held), first)
    assert.deepEqual([first.case, first.events, first.report, first.raw], [200, 2, 200, 200])
    assert.equal((await look(tenant, other)).case, 404)
    assert.equal((await look(tenant, other)).report, 404)
    assert.equal((await lift(tenant, held.caseId)).status, 200)
    await passTime(tenant)
    const gone = await look(tenant, held)
    assert.deepEqual([gone.case, gone.report, gone.raw], [404, 404, 404])
  })

  test('keeps an erasure out, which tells what it left and is repeated without the address after the hold', async () => {
    const tenant = await openTenant('unerased')
    const [held, other] = [await openCase(tenant, '192.0.2.1'), await openCase(tenant, '192.0.2.2')]
    await hold(tenant, held.caseId)
    const first = await look(tenant, held)
    const tried = await erase(tenant, { address: ANA, preview: true })
    const done = await erase(tenant)
    assert.deepEqual([done.changed, done.held], [tried.changed, tried.held])
    assert.deepEqual(done.held, {
      abuse_case: 1,
      case_comment: 1,
      event: 2,
      report_raw: 1,
    })
    assert.deepEqual(await look(tenant, held), first)
    const erased = await look(tenant, other)
    assert.deepEqual([erased.reporters, erased.raw], [[done.replaced_by], 410])
    await lift(tenant, held.caseId)
    const again = await erase(tenant, { repeats: done.id })
    assert.deepEqual(again.repeats, [done.id])
    assert.deepEqual(again.held, {})
    const now = await look(tenant, held)
    assert.deepEqual([now.reporters, now.raw], [[done.replaced_by], 410])
    assert.equal(now.comment, `Asked ${done.replaced_by}.`)
    const { kysely } = app.services.foundation.database
    assert.deepEqual((await recountCases(kysely, { tenantId: tenant.id })).differences, [])
  })

  test('covers what the case was merged with, and goes along with events that leave it', async () => {
    const tenant = await openTenant('merged')
    const [target, source, third] = [
      await openCase(tenant, '192.0.2.1'),
      await openCase(tenant, '192.0.2.2'),
      await openCase(tenant, '192.0.2.3'),
    ]
    const merge = (verb: string) =>
      tenant.send('POST', `/cases/${target.caseId}/${verb}`, { from: [source.caseId] })
    assert.equal((await merge('merge')).status, 200)
    const refused = await hold(tenant, source.caseId)
    assert.deepEqual([refused.status, refused.json().code], [409, 'CASEWORK_CASE_IS_MERGED'])
    await hold(tenant, target.caseId)
    const isHeld = async (caseId: string) =>
      (await tenant.send('GET', `/cases/${caseId}`)).json().legal_hold
    assert.deepEqual(
      [await isHeld(target.caseId), await isHeld(source.caseId), await isHeld(third.caseId)],
      [true, true, false],
    )
    assert.equal((await merge('unmerge')).status, 200)
    const event = (await tenant.send('GET', `/cases/${target.caseId}`)).json()
    assert.equal(event.event_count, 2)
    const split = await tenant.send('POST', `/cases/${target.caseId}/split`, {
      event_ids: [target.eventId],
    })
    assert.equal(split.status, 201, split.text)
    assert.equal(split.json().legal_hold, true)
    const reassign = { customer_id: 'k-1' }
    const stays = await tenant.send('POST', `/events/${source.eventId}/reassign`, reassign)
    assert.deepEqual([stays.status, stays.json().code], [409, 'CASEWORK_EVENT_IS_HELD'])
    const holds = (await tenant.send('GET', '/legal-holds?in_force=true')).json().items
    assert.deepEqual(
      new Set(holds.map((one: { case_id: string }) => one.case_id)),
      new Set([target.caseId, source.caseId, split.json().id]),
    )
    // Only the first was placed by somebody.
    assert.equal(holds.filter((one: { extends?: string }) => one.extends === undefined).length, 1)
    const done = await erase(tenant)
    assert.equal(done.held.event, 4)
    assert.equal(done.changed.event, 2)
  })

  test('201, listed, told by the history of the case; 409 for a second one and for none', async () => {
    const tenant = await openTenant('listed')
    const { caseId } = await openCase(tenant, '192.0.2.1')
    const none = await lift(tenant, caseId)
    assert.deepEqual([none.status, none.json().code], [409, 'CASEWORK_CASE_IS_NOT_HELD'])
    const { version } = (await tenant.send('GET', `/cases/${caseId}`)).json()
    const placed = await hold(tenant, caseId)
    assert.equal(placed.status, 201)
    assert.equal((await tenant.send('GET', `/cases/${caseId}`)).json().version, version + 1)
    const second = await hold(tenant, caseId)
    assert.deepEqual([second.status, second.json().code], [409, 'CASEWORK_CASE_IS_HELD'])
    const listed = (await tenant.send('GET', `/legal-holds?case_id=${caseId}`)).json().items
    assert.deepEqual(listed, [placed.json()])
    assert.equal((await lift(tenant, caseId)).json().lift_reason, 'The court is done.')
    assert.deepEqual((await tenant.send('GET', '/legal-holds?in_force=true')).json().items, [])
    const [one] = (await tenant.send('GET', '/legal-holds')).json().items
    assert.deepEqual([one.in_force, one.reason], [false, 'Asked for by a court.'])
    const history = (await tenant.send('GET', `/cases/${caseId}/history`)).json().items
    assert.deepEqual(
      history.slice(0, 2).map((row: { kind: string; reason: string }) => [row.kind, row.reason]),
      [
        ['lift_hold', 'The court is done.'],
        ['hold', 'Asked for by a court.'],
      ],
    )
    assert.equal((await hold(tenant, caseId)).status, 201)
  })

  test('404 for a case of another tenant, 403 without privacy:hold, 400 without a reason', async () => {
    const tenant = await openTenant('own')
    const stranger = await openTenant('strange')
    const { caseId } = await openCase(tenant, '192.0.2.1')
    for (const id of [caseId, 'C-1', 'C-00000000-0000-7000-8000-000000000000']) {
      assert.equal((await hold(stranger, id)).status, 404)
      assert.equal((await lift(stranger, id)).status, 404)
    }
    assert.deepEqual((await stranger.send('GET', '/legal-holds')).json().items, [])
    const token = await app.createToken({ tenantId: tenant.id, scopes: ['cases:write'] })
    const json = { reason: 'x' }
    const path = `${CASEWORK}/cases/${caseId}/hold`
    assert.equal((await app.send('POST', path, { token, json })).status, 403)
    assert.equal((await app.send('GET', `${CASEWORK}/legal-holds`, { token })).status, 403)
    assert.equal((await tenant.send('POST', `/cases/${caseId}/hold`, { reason: ' ' })).status, 400)
  })

  test('is placed either before or after a removal, whoever comes first', async () => {
    const tenant = await openTenant('raced')
    const cases = await Promise.all(
      [1, 2, 3, 4].map((number) => openCase(tenant, `192.0.2.${number}`)),
    )
    for (const { caseId } of cases) await end(tenant, caseId)
    clock.ahead += 2 * 24 * 60 * 60 * 1_000
    const [answers] = await Promise.all([
      Promise.all(cases.map(({ caseId }) => hold(tenant, caseId))),
      passTime(tenant),
    ])
    const first = await Promise.all(cases.map((one) => look(tenant, one)))
    for (const [index, { status }] of answers.entries()) {
      const found = first[index]
      // Bytes that had gone before the hold are gone; the case is whole or gone.
      assert.deepEqual(
        [status, found?.case, found?.events],
        status === 201 ? [201, 200, 2] : [404, 404, 0],
      )
    }
    await passTime(tenant)
    assert.deepEqual(await Promise.all(cases.map((one) => look(tenant, one))), first)
  })
})
