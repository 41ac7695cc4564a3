// Repeat counters of customers, by themselves and on their cases.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestAnswer, withApp } from '../../../test/harness.ts'
import { nameTables } from '../../../test/plan-kit.ts'
import { query } from '../../../test/playbook-fixtures.ts'
import { buildUuidFloor } from '../../kernel/ids.ts'
import { countOfCustomer } from '../cases/customer-counters-store.ts'

const CASEWORK = '/beta/casework'
const DAY_MS = 24 * 3_600_000

const app = withApp()

async function push(customer: string, daysAgo: number, as = app.token): Promise<string> {
  const json = {
    event_date: new Date(Date.now() - daysAgo * DAY_MS - 60_000).toISOString(),
    event_type: 'Spam',
    customer_id: customer,
  }
  const answer = await app.send('POST', `${CASEWORK}/events`, { token: as, json })
  assert.equal(answer.status, 201, answer.text)
  return answer.json().case_id
}

function getCounters(customer: string, as = app.token): Promise<TestAnswer> {
  const path = `${CASEWORK}/customers/${encodeURIComponent(customer)}/counters`
  return app.send('GET', path, { token: as })
}

function counted(...counts: readonly (readonly [number, number])[]): readonly object[] {
  const days = [30, 90, 365]
  return counts.map(([cases, events], at) => ({ days: days[at], cases, events, complete: true }))
}

test('cases and events of a customer are counted over 30, 90 and 365 days, on its case too', async () => {
  const customer = 'line 7/a'
  const ids: string[] = []
  for (const daysAgo of [0, 10, 40, 100, 400]) ids.push(await push(customer, daysAgo))
  const [caseId = ''] = ids
  const { json, status } = await getCounters(customer)
  assert.equal(status, 200)
  const expected = { customer_id: customer, counters: counted([1, 2], [1, 3], [1, 4]) }
  assert.deepEqual(json(), expected)
  // Three cases of other days, one of them merged into the first.
  for (const [daysAgo, reason] of [
    [29, null],
    [80, null],
    [20, 'merged'],
    [366, null],
  ]) {
    await query(
      app,
      `insert into abuse_case (tenant_id, id, case_group_id, key_hash, state, close_reason, created_at, updated_at, ended_at,
         customer_id, first_event_date, last_event_date, event_count, event_types, event_ips, event_reporters, event_tags)
       select tenant_id, 'C-' || upper(gen_random_uuid()::text), case_group_id, sha256(random()::text::bytea), 'CLOSED',
         coalesce($3, 'expired'), now() - $2 * interval '1 day', now(), now(), customer_id, first_event_date, last_event_date,
         1, '{}', '{}', '{}', '{}'
       from abuse_case where id = $1`,
      [caseId, daysAgo, reason],
    )
  }
  const counters = counted([2, 2], [3, 3], [3, 4])
  assert.deepEqual((await getCounters(customer)).json().counters, counters)
  const path = `${CASEWORK}/cases/${caseId}`
  const expanded = (await app.send('GET', `${path}?expand=customer`, { token: app.token })).json()
  const { customer: shown, ...rest } = expanded
  assert.deepEqual(shown, { customer_id: customer, counters })
  assert.deepEqual(rest, (await app.send('GET', path, { token: app.token })).json())
  const wrong = await app.send('GET', `${path}?expand=intel-of-all`, { token: app.token })
  assert.equal(wrong.status, 400)
})

test('404 for a customer of nothing, the same as for one of another tenant, and 403 without the scope', async () => {
  await app.createTenant('counted')
  const foreign = await app.createToken({ tenantId: 'counted' })
  await push('theirs', 1, foreign)
  const [missing, theirs] = [await getCounters('nobody'), await getCounters('theirs')]
  const [told, expected] = [theirs, missing].map(({ status, text }) => [
    status,
    text.replace(/"request_id":"[^"]*"/, ''),
  ])
  assert.equal(missing.status, 404)
  assert.deepEqual(told, expected)
  assert.equal((await getCounters('theirs', foreign)).json().counters[0].events, 1)
  const reader = await app.createToken({ scopes: ['cases:read'] })
  assert.equal((await getCounters('nobody', reader)).status, 403)
  const json = { id: 'quiet' }
  await app.send('POST', `${CASEWORK}/customers`, { token: app.token, json })
  assert.deepEqual((await getCounters('quiet')).json().counters, counted([0, 0], [0, 0], [0, 0]))
})

test('counts end at their limit and say so, and are read from the index of the customer', async () => {
  const caseId = await push('large', 1)
  await query(
    app,
    `insert into event (tenant_id, event_id, create_date, event_date, event_type, sender_email, customer_id, case_id,
       event_subtypes, tags)
     select 'default', ($2 || lpad(to_hex(number), 12, '0'))::uuid, now(), now() - interval '1 day',
       'Spam', 'a@example.com', 'large', $1, '{}', '{}'
     from generate_series(1, 3000) as number`,
    [caseId, buildUuidFloor(Date.now()).slice(0, 24)],
  )
  const { kysely } = app.services.foundation.database
  const limits = { at: new Date(), eventsMax: 2_000 }
  const [month] = await countOfCustomer(kysely, { tenantId: 'default' }, 'large', limits)
  assert.deepEqual(month, { days: 30, cases: 1, events: 2_000, isComplete: false })
  await query(app, 'analyze event')
  const plan = await query<Record<string, string>>(
    app,
    `explain select event_date from event
     where tenant_id = 'default' and customer_id = 'line 7/a' and event_date >= now() - interval '365 days' and event_date <= now()
     order by event_date desc limit 100001`,
  )
  assert.match(
    nameTables(plan.map((row) => row['QUERY PLAN']).join('\n')),
    /Index Only Scan[^\n]*event_by_customer/,
  )
})
