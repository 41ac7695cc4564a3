// A person's address is looked for in the bytes of every table before and after it was erased,
// whatever the program says of itself.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withApp } from '../../../../test/harness.ts'
import { createPerson, invite } from '../../../../test/people-kit.ts'
import {
  ANA,
  CASEWORK,
  erase,
  fillWithAddress,
  findTables,
  openTenant,
} from '../../../../test/privacy-kit.ts'
import { query } from '../../../../test/query.ts'
import { silentLog } from '../../../kernel/log.ts'
import { recountCases } from '../../cases/recount/recount-cases.ts'
import { readErasedAddresses } from './erased-address.ts'
import { renewDueStatistics } from './renew-statistics.ts'
import { eraseAddresses } from './run-erasure.ts'

const app = withApp()

describe('an address that is erased', () => {
  test('stands nowhere afterwards but in ids, and every count stays true', async () => {
    const tenant = await openTenant(app, 'erased')
    const { caseId, reports } = await fillWithAddress(tenant)
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
    assert.equal(now.metadata['by'], erasure.replaced_by)
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
    const tenant = await openTenant(app, 'one')
    const other = await openTenant(app, 'other')
    await fillWithAddress(tenant)
    await fillWithAddress(other)
    const tables = await findTables(other)
    const erasure = await erase(tenant)
    assert.deepEqual(await findTables(other), tables)
    assert.match(erasure.replaced_by, /^erased-[0-9a-f]{24}@erased\.invalid$/)
    assert.notEqual((await erase(other)).replaced_by, erasure.replaced_by)
  })

  test('200 for a preview, which counts the same rows and changes none', async () => {
    const tenant = await openTenant(app, 'tried')
    await fillWithAddress(tenant)
    const tables = await findTables(tenant)
    const tried = await erase(tenant, { preview: true })
    assert.deepEqual([tried.preview, tried.state], [true, 'done'])
    assert.deepEqual(await findTables(tenant), tables)
    const done = await erase(tenant)
    assert.deepEqual([done.changed, done.kept], [tried.changed, tried.kept])
  })

  test('goes on where it ended when it is asked for again, also twice at once', async () => {
    const tenant = await openTenant(app, 'slow')
    await fillWithAddress(tenant)
    const read = readErasedAddresses([ANA], tenant.id, Buffer.alloc(32))
    assert.ok(read !== null)
    const more = { replacedBy: 'one', repeats: [], isPreview: false, requestedBy: 'test' }
    const task = { ...read, ...more, budgetMs: 0 }
    const { database, ids: idSource } = app.services.foundation
    const { rawSearcher } = app.services.casework
    const deps = { db: database.kysely, log: silentLog, ids: idSource, rawSearcher }
    const positions = new Set<string>()
    const ids = new Set<string>()
    for (let isDone = false; !isDone; ) {
      const steps = await Promise.all([
        eraseAddresses(deps, { tenantId: tenant.id }, task),
        eraseAddresses(deps, { tenantId: tenant.id }, task),
      ])
      isDone = steps.some((step) => step.finishedAt !== null)
      for (const { id, position } of steps) {
        ids.add(id)
        positions.add(JSON.stringify(position))
      }
    }
    assert.ok(positions.size > 10)
    assert.deepEqual(await findTables(tenant), ['customer'])
    // The last step may find it finished, and then begins anew.
    assert.ok(ids.size <= 2)
  })

  test('200 also when the statistics of the database cannot be renewed; the job does that later', async () => {
    const tenant = await openTenant(app, 'no-statistics')
    await fillWithAddress(tenant)
    // ANALYZE computes the expressions of indexes.
    const statements = [
      `create function refuse_statistics(text) returns text immutable language plpgsql as $$
       begin
         if current_query() ilike '%analyze %' then raise exception 'refused by the test'; end if;
         return $1;
       end $$`,
      'create index refused on abuse_case (refuse_statistics(id))',
    ]
    for (const statement of statements) await query(app.connection, statement)
    await erase(tenant)
    assert.deepEqual(await findTables(tenant), ['customer'])
    const pass = { db: app.services.foundation.database.kysely, log: silentLog }
    const listDue = () =>
      query(app.connection, 'select tenant_id from erasure where statistics_due')
    const { signal } = new AbortController()
    await renewDueStatistics(pass, signal)
    assert.deepEqual(await listDue(), [{ tenant_id: tenant.id }])
    await query(app.connection, 'drop index refused')
    await renewDueStatistics(pass, signal)
    assert.deepEqual(await listDue(), [])
  })

  test('409 for the address of a user who works here, by itself, in a list and as a preview; after the user has left it is erased', async () => {
    const tenant = await openTenant(app, 'staffed')
    await openTenant(app, 'other-desk')
    const roles = { roles: ['agent'], tenantId: 'staffed' }
    const { id, email, browser } = await createPerson(app, tenant.token, roles)
    const invited = await invite(app, tenant.token, roles)
    const event = { event_type: 'PortScan', event_date: '2026-04-01T00:00:00Z', ip: '192.0.2.1' }
    const pushed = await tenant.send('POST', '/events', { ...event, sender_email: email })
    const ask = (json: object, token = tenant.token) =>
      app.send('POST', `${CASEWORK}/erasures`, { token, json })
    for (const [json, path] of [
      [{ address: email.toUpperCase() }, '/address'],
      [{ address: email, preview: true }, '/address'],
      [{ address: invited.email }, '/address'],
      [{ addresses: ['nobody@example.org', email] }, '/addresses/1'],
    ] as const) {
      const refused = await ask(json)
      assert.deepEqual(
        [refused.status, refused.json().code, refused.json().errors[0].path],
        [409, 'CASEWORK_ERASURE_OF_USER', path],
      )
    }
    assert.equal((await browser.send('GET', '/beta/session')).status, 200)
    // Elsewhere it is the address of a stranger, and nothing is told of who it is.
    const other = await app.createToken({ tenantId: 'other-desk' })
    assert.equal((await ask({ address: email }, other)).status, 200)
    assert.equal((await browser.send('GET', '/beta/session')).status, 200)
    await app.send('DELETE', `/beta/admin/users/${id}`, { token: tenant.token })
    const erasure = await erase(tenant, { address: email }, { address: email })
    const { case_id: caseId } = pushed.json()
    const { event_reporters: reporters } = (await tenant.send('GET', `/cases/${caseId}`)).json()
    assert.deepEqual(reporters, [erasure.replaced_by])
    assert.deepEqual(await findTables(tenant, email), [])
  })

  test('is in no list of erasures; 403 without privacy:erase, 400 for what is no address', async () => {
    const tenant = await openTenant(app, 'listed')
    await fillWithAddress(tenant)
    await erase(tenant)
    const list = await tenant.send('GET', '/erasures')
    assert.equal(list.json().items.length, 1)
    assert.equal(list.text.toLowerCase().includes(ANA), false)
    const stranger = await openTenant(app, 'stranger')
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
