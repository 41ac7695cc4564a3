// A person's address is looked for in the bytes of every table before and after it was erased, whatever the program says of itself.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestApp, type TestAnswer, type TestApp } from '../../../test/harness.ts'
import { readErasedAddress } from '../model/erased-address.ts'
import { recountCases } from '../store/recount-store.ts'
import { eraseAddress } from './erase-address.ts'

const CASEWORK = '/beta/casework'
const ANA = 'ana.beispiel@example.org'

let app: TestApp
before(async () => {
  app = await openTestApp()
})
after(() => app.close())

interface Tenant {
  readonly id: string
  readonly token: string
  readonly send: (method: string, path: string, json?: unknown) => Promise<TestAnswer>
}

async function openTenant(id: string): Promise<Tenant> {
  await app.createTenant(id)
  const token = await app.createToken({ tenantId: id })
  const send: Tenant['send'] = async (method, path, json) => {
    const answer = await app.send(method, `${CASEWORK}${path}`, {
      token,
      ...(json === undefined ? {} : { json }),
    })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    return answer
  }
  return { id, token, send }
}

async function sendMail({ token }: Tenant, lines: readonly string[]): Promise<string> {
  const body = ['Date: Wed, 01 Apr 2026 10:00:00 +0000', ...lines, ''].join('\r\n')
  const headers = { 'content-type': 'message/rfc822' }
  const answer = await app.send('POST', `${CASEWORK}/reports`, { token, body, headers })
  assert.equal(answer.status, 201, answer.text)
  return answer.json().report_id
}

const ABOUT = 'Your host 192.0.2.7 has tried to log in by SSH.'

/** Everything that may hold an address, with one in each; a report of its bytes in base64 among it. */
async function fill(tenant: Tenant): Promise<{ caseId: string; reports: readonly string[] }> {
  const event = { event_type: 'PortScan', event_date: '2026-04-01T00:00:00Z', ip: '192.0.2.1' }
  const pushed = await tenant.send('POST', '/events', [
    { ...event, sender_email: 'Ana.Beispiel@Example.org' },
    { ...event, sender_email: ANA, event_date: '2026-04-01T00:00:01Z' },
    { ...event, sender_email: ANA.toUpperCase(), event_date: '2026-04-01T00:00:02Z' },
    { ...event, sender_email: 'b@example.net', event_details: { note: `Told\nby ${ANA}.` } },
    { ...event, sender_email: 'c@example.net', event_details: { note: `line\n${ANA}` } },
    { ...event, sender_email: `di${ANA}`, event_details: { note: `${ANA}.uk` } },
  ])
  const caseId = pushed.json().items[0].case_id
  await tenant.send('POST', `/cases/${caseId}/comments`, { text: `Asked <${ANA}> again.` })
  const assign = { version: 1, assignee_user_id: ANA }
  await tenant.send('PATCH', `/cases/${caseId}`, assign)
  const change = { version: 2, severity: 'high', metadata: { by: ANA }, reason: `as ${ANA} says` }
  await tenant.send('PATCH', `/cases/${caseId}`, change)
  const contact = { email: ANA, purpose: 'abuse' }
  await tenant.send('POST', '/customers', {
    id: 'k-1',
    name: `Shop of ${ANA}`,
    contacts: [contact],
  })
  await tenant.send('POST', '/customers', { id: ANA })
  const account = { kind: 'account', value: ANA, customer_id: 'k-1' }
  await tenant.send('POST', '/resources', account)
  const packed = Buffer.from(`${ABOUT} Write to ${ANA}, please.`).toString('base64')
  const reports = [
    await sendMail(tenant, [`From: ${ANA}`, 'Subject: attack', '', ABOUT]),
    await sendMail(tenant, [
      'From: b@example.net',
      'Subject: attack',
      'MIME-Version: 1.0',
      'Content-Type: text/plain',
      'Content-Transfer-Encoding: base64',
      '',
      ...(packed.match(/.{1,40}/g) ?? []),
    ]),
    await sendMail(tenant, [
      'From: c@example.net',
      'Subject: attack',
      'MIME-Version: 1.0',
      'Content-Type: text/plain',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      `${ABOUT} Write to ana.beis=`,
      'piel=40example.org, please.',
    ]),
    await sendMail(tenant, ['From: d@example.net', 'Subject: attack', '', ABOUT]),
  ]
  return { caseId, reports }
}

/** Tables in whose rows of the tenant the address stands, as text or as bytes. */
async function findTables({ id }: Tenant, address = ANA): Promise<readonly string[]> {
  const { pool } = app.services.foundation.database
  const tables = await pool.query(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
     where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace order by 1`,
  )
  assert.ok(tables.rows.length > 20)
  const found: string[] = []
  for (const { name } of tables.rows) {
    const rows = await pool.query(
      `select from ${name} as one where tenant_id = $1
       and (one::text ~* $2 or position($3 in one::text) > 0) limit 1`,
      [
        id,
        `(^|[^a-z0-9_.+-]|\\\\[nrtbf])${address.replaceAll('.', '\\.')}([^a-z0-9.-]|\\.[^a-z0-9]|$)`,
        Buffer.from(` ${address}`).toString('hex'),
      ],
    )
    if (rows.rows.length > 0) found.push(name)
  }
  return found
}

async function erase(tenant: Tenant, more: object = {}) {
  for (;;) {
    const answer = await tenant.send('POST', '/erasures', { address: ANA, ...more })
    if (answer.json().state === 'done') return answer.json()
  }
}

describe('an address that is erased', () => {
  test('stands nowhere afterwards but in ids, and every count stays true', async () => {
    const tenant = await openTenant('erased')
    const { caseId, reports } = await fill(tenant)
    assert.ok((await findTables(tenant)).length >= 7)
    const then = (await tenant.send('GET', `/cases/${caseId}`)).json()
    const erasure = await erase(tenant, { address: 'ANA.Beispiel@example.org' })
    // The id of a customer is the operator's.
    assert.deepEqual(await findTables(tenant), ['customer'])
    assert.deepEqual(erasure.kept, { 'customer.id': 1 })
    const now = (await tenant.send('GET', `/cases/${caseId}`)).json()
    assert.equal(now.event_count, then.event_count)
    assert.equal(then.event_reporters.length, now.event_reporters.length + 2)
    assert.equal(now.assignee_user_id, erasure.replaced_by)
    assert.ok(now.event_reporters.includes(erasure.replaced_by))
    assert.equal(now.metadata.by, erasure.replaced_by)
    const db = app.services.foundation.database.kysely
    assert.deepEqual((await recountCases(db, { tenantId: tenant.id })).differences, [])
    const raw = await Promise.all(
      reports.map((report) =>
        app.send('GET', `${CASEWORK}/reports/${report}/raw`, { token: tenant.token }),
      ),
    )
    assert.deepEqual(
      raw.map((answer) => answer.status),
      [410, 410, 410, 200],
    )
    // Longer addresses are somebody else's.
    assert.deepEqual(await findTables(tenant, `di${ANA}`), ['abuse_case', 'event'])
    assert.deepEqual(await findTables(tenant, `${ANA}.uk`), ['event'])
    assert.deepEqual((await erase(tenant)).changed, {})
  })

  test('of another tenant stays, and its replacement tells nothing', async () => {
    const tenant = await openTenant('one')
    const other = await openTenant('other')
    await fill(tenant)
    await fill(other)
    const tables = await findTables(other)
    const erasure = await erase(tenant)
    assert.deepEqual(await findTables(other), tables)
    assert.match(erasure.replaced_by, /^erased-[0-9a-f]{24}@erased\.invalid$/)
    assert.notEqual((await erase(other)).replaced_by, erasure.replaced_by)
  })

  test('200 for a preview, which counts the same rows and changes none', async () => {
    const tenant = await openTenant('tried')
    await fill(tenant)
    const tables = await findTables(tenant)
    const tried = await erase(tenant, { preview: true })
    assert.deepEqual([tried.preview, tried.state], [true, 'done'])
    assert.deepEqual(await findTables(tenant), tables)
    const done = await erase(tenant)
    assert.deepEqual([done.changed, done.kept], [tried.changed, tried.kept])
  })

  test('goes on where it ended when it is asked for again, also twice at once', async () => {
    const tenant = await openTenant('slow')
    await fill(tenant)
    const address = readErasedAddress(ANA, tenant.id, Buffer.alloc(32))
    assert.ok(address !== null)
    const wish = { address, isPreview: false, requestedBy: 'test', budgetMs: 0 }
    const places = new Set<string>()
    const ids = new Set<string>()
    for (let isDone = false; !isDone; ) {
      const steps = await Promise.all([
        eraseAddress(app.services.foundation, { tenantId: tenant.id }, wish),
        eraseAddress(app.services.foundation, { tenantId: tenant.id }, wish),
      ])
      isDone = steps.some((step) => step.finishedAt !== null)
      for (const { id, place } of steps) {
        ids.add(id)
        places.add(JSON.stringify(place))
      }
    }
    assert.ok(places.size > 10)
    assert.deepEqual(await findTables(tenant), ['customer'])
    // The last step may find it finished, and then begins anew.
    assert.ok(ids.size <= 2)
  })

  test('is in no list of erasures; 403 without privacy:erase, 400 for what is no address', async () => {
    const tenant = await openTenant('listed')
    await fill(tenant)
    await erase(tenant)
    const list = await tenant.send('GET', '/erasures')
    assert.equal(list.json().items.length, 1)
    assert.equal(list.text.toLowerCase().includes(ANA), false)
    const stranger = await openTenant('stranger')
    assert.deepEqual((await stranger.send('GET', '/erasures')).json().items, [])
    const token = await app.createToken({ tenantId: tenant.id, scopes: ['tenant:admin'] })
    const json = { address: ANA }
    const refused = await app.send('POST', `${CASEWORK}/erasures`, { token, json })
    assert.equal(refused.status, 403)
    for (const address of ['example.org', '@example.org', 'a b@example.org', '%@example.org%']) {
      const answer = await app.send('POST', `${CASEWORK}/erasures`, {
        token: tenant.token,
        json: { address },
      })
      assert.deepEqual([answer.status, answer.json().code], [400, 'CASEWORK_ERASURE_NOT_VALID'])
    }
  })
})
