import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withApp } from '../../test/harness.ts'
import { openPlanReader } from '../../test/plan-kit.ts'
import { query } from '../../test/query.ts'
import { createAge } from './follow-database.ts'
import { readFollowedSerials } from './followed-serial-store.ts'

const app = withApp()

test('one statement has the serials of tokens, intel and contacts, and a primary is not behind', async () => {
  const { kysely: db } = app.services.foundation.database
  const { serial } = app.services.intel.index.state()
  const before = await readFollowedSerials(db, serial)
  assert.equal(before.intel.serial, serial)
  assert.equal(typeof before.intel.mark, 'string')
  assert.equal(before.behindMs, 0)
  await app.createToken()
  const rows = [{ item: '192.0.2.1', list: 'spam', source: 'desk' }]
  await app.send('POST', '/beta/listings', { token: app.token, json: rows })
  const contacts = [{ range: '192.0.2.0/24', email: 'abuse@example.org', source: 'desk' }]
  const put = await app.send('PUT', '/beta/contacts', { token: app.token, json: contacts })
  assert.ok(put.status < 300, put.text)
  const later = await readFollowedSerials(db, serial)
  assert.ok(later.tokenSerial > before.tokenSerial)
  assert.equal(later.intel.serial, serial + 1)
  assert.equal(later.contacts.serial, before.contacts.serial + 1)
})

test('a server without statistics compiles nothing for the statement that each node sends twice a second', async () => {
  const reader = openPlanReader(app.connection)
  try {
    await readFollowedSerials(reader.db, 0)
    const [plan = ''] = await reader.readPlans()
    const [row] = await query(app.connection, 'show jit_above_cost')
    const cost = Number(/^.*?cost=[\d.]+\.\.([\d.]+) /.exec(plan)?.[1])
    assert.ok(cost < Number(row?.['jit_above_cost']), plan)
  } finally {
    await reader.close()
  }
})

test('the age counts from the time when the standby last had everything', () => {
  const age = createAge()
  assert.equal(age.note(0, 1_000), 0)
  // The primary is gone. Its last commit is older than the last time without a gap.
  assert.equal(age.note(90_000, 3_000), 2_000)
  assert.equal(age.note(91_000, 61_000), 60_000)
  // It is back, and the standby has something to replay.
  assert.equal(age.note(400, 62_000), 400)
  assert.equal(age.note(0, 63_000), 0)
})

test('the age of a standby that begins without its primary is that of its last commit', () => {
  const age = createAge()
  assert.equal(age.note(90_000, 1_000), 90_000)
  assert.equal(createAge().note(null, 1_000), 0)
})
