// Cases that are merged and given back while events of both keys arrive in bulk: a key goes on with
// the case that has its slot at that moment.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withApp } from '../../../../test/harness.ts'
import { query } from '../../../../test/playbook-fixtures.ts'
import { countLockWaits } from '../../../../test/query.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { inTransaction } from '../../../kernel/db/database.ts'
import { lockRows } from '../case-locks.ts'
import { recountCases } from '../recount/recount-cases.ts'

const CASES = '/beta/casework/cases'
const EVENTS = '/beta/casework/events'

const app = withApp()

/** One of each customer. */
function buildEvents(customers: readonly string[], at: number): readonly object[] {
  return customers.map((customer) => ({
    event_date: new Date(Date.UTC(2026, 0, 1) + at * 1_000).toISOString(),
    event_type: 'PortScan',
    customer_id: customer,
    sender_email: `${customer}@example.org`,
  }))
}

const WRITERS = 4
const BATCHES = 25
const ROUNDS = 15

test('a case takes in another and gives it back while events of both arrive: nothing is lost, and each key has one open case', async () => {
  const customers = ['taker', 'taken', 'neighbour']
  const json = buildEvents(customers, 0)
  const pushed = (await app.send('POST', EVENTS, { token: app.token, json })).json().items
  const [taker, taken] = pushed.map((entry: { case_id: string }) => entry.case_id)
  const writing = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let batch = 0; batch < BATCHES; batch += 1) {
      const at = 1 + writer * BATCHES + batch
      const answer = await app.send('POST', EVENTS, {
        token: app.token,
        json: buildEvents(customers, at),
      })
      assert.equal(answer.status, 200, answer.text)
    }
  })
  const merging = (async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const act of ['merge', 'unmerge']) {
        const answer = await app.send('POST', `${CASES}/${taker}/${act}`, {
          token: app.token,
          json: { from: [taken] },
        })
        assert.equal(answer.status, 200, answer.text)
      }
    }
  })()
  await Promise.all([...writing, merging])
  const last = (
    await app.send('POST', EVENTS, { token: app.token, json: buildEvents(customers, 999) })
  ).json().items
  assert.deepEqual(
    last.map((entry: { case_id: string }) => entry.case_id),
    pushed.map((entry: { case_id: string }) => entry.case_id),
  )
  const [row] = await query<{ events: number; cases: number }>(
    app,
    'select (select count(*) from event) as events, (select count(*) from abuse_case) as cases',
  )
  const events = customers.length * (2 + WRITERS * BATCHES)
  assert.deepEqual(row, { events, cases: customers.length })
  const { kysely } = app.services.foundation.database
  assert.deepEqual((await recountCases(kysely, { tenantId: 'default' })).differences, [])
})

test('an event of a key that is being given back goes to the case that gets it', async () => {
  const customers = ['lender', 'borrowed']
  const json = buildEvents(customers, 0)
  const pushed = (await app.send('POST', EVENTS, { token: app.token, json })).json().items
  const [lender, borrowed] = pushed.map((entry: { case_id: string }) => entry.case_id)
  const change = { token: app.token, json: { from: [borrowed] } }
  assert.equal((await app.send('POST', `${CASES}/${lender}/merge`, change)).status, 200)
  const waitFor = (count: number): Promise<void> =>
    waitUntil(
      async () => (await countLockWaits(app.connection)) === count,
      `${count} that wait for a lock`,
    )
  const { kysely } = app.services.foundation.database
  const { unmerging, pushing } = await inTransaction(kysely, async (tx) => {
    await lockRows(tx, { tenantId: 'default' }, [lender])
    const back = app.send('POST', `${CASES}/${lender}/unmerge`, change)
    await waitFor(1)
    // It sees that the key is the lender's.
    const answer = app.send('POST', EVENTS, {
      token: app.token,
      json: buildEvents(['borrowed'], 1),
    })
    await waitFor(2)
    return { unmerging: back, pushing: answer }
  })
  assert.equal((await unmerging).status, 200)
  assert.equal((await pushing).json().items[0].case_id, borrowed)
  assert.deepEqual((await recountCases(kysely, { tenantId: 'default' })).differences, [])
})
