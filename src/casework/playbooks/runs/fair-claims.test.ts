// The order in which workers take due tokens: no tenant waits for the end of another's.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withApp } from '../../../../test/harness.ts'
import { query } from '../../../../test/playbook-fixtures.ts'
import { silentLog } from '../../../kernel/log.ts'
import { claimDueTokens, releaseLeases, type TokenQueue } from './run-token-store.ts'
import { ringTimers } from './timer-store.ts'

const app = withApp()
const OWNER = '01900000-0000-7000-8000-00000000000a'

async function makeDue(tenantId: string, count: number, queue: TokenQueue): Promise<void> {
  await query(
    app,
    `insert into run_token (tenant_id, run_id, id, case_id, state, node, wake_at, calls)
     select $1, gen_random_uuid(), 1, 'C-' || nth, 'ready', 'x', now() - make_interval(secs => 10000 - nth), $3
     from generate_series(1, $2::integer) as nth on conflict do nothing`,
    [tenantId, count, queue === 'callers'],
  )
}

async function claim(limit: number, queue: TokenQueue): Promise<Readonly<Record<string, number>>> {
  const { kysely } = app.services.foundation.database
  const claimed = await claimDueTokens(kysely, OWNER, limit, queue)
  const byTenant = Map.groupBy(claimed, ({ tenantId }) => tenantId)
  return Object.fromEntries(
    [...byTenant].map(([tenantId, ofTenant]) => [tenantId, ofTenant.length]),
  )
}

for (const queue of ['movers', 'callers'] as const) {
  test(`one due token of a tenant is taken at once beside thousands of another, by ${queue}`, async () => {
    await query(app, 'delete from run_token')
    await makeDue('many', 3_000, queue)
    await query(
      app,
      `insert into run_token (tenant_id, run_id, id, case_id, state, node, calls)
       values ('later', gen_random_uuid(), 1, 'C-1', 'ready', 'x', $1), ('few', gen_random_uuid(), 1, 'C-2', 'ready', 'x', $1)`,
      [queue === 'callers'],
    )
    assert.deepEqual(await claim(64, queue), { many: 21, few: 1, later: 1 })
    // The tokens of the others are leased: the whole claim is of the one that has more.
    await query(app, "update run_token set state = 'done' where tenant_id in ('few', 'later')")
    assert.deepEqual(await claim(64, queue), { many: 64 })
  })
}

test('of more tenants than a claim has room for, those that are due longest come first; later ones do not count', async () => {
  await query(app, 'delete from run_token')
  for (const tenantId of ['e', 'd', 'c', 'b', 'a']) await makeDue(tenantId, 3, 'movers')
  await query(
    app,
    `update run_token set wake_at = (wake_at at time zone 'UTC' - make_interval(hours => ascii(tenant_id))) at time zone 'UTC' where tenant_id < 'e'`,
  )
  await query(app, "update run_token set wake_at = now() + interval '1 hour' where tenant_id = 'd'")
  assert.deepEqual(await claim(2, 'movers'), { c: 1, b: 1 })
  assert.deepEqual(await claim(8, 'movers'), { c: 2, b: 2, a: 2, e: 2 })
  const { kysely } = app.services.foundation.database
  const rows = await query<{ tenantId: string; runId: string; tokenId: number }>(
    app,
    `select tenant_id as "tenantId", run_id as "runId", id as "tokenId" from run_token where lease_owner is not null`,
  )
  await releaseLeases(kysely, OWNER, rows)
  assert.deepEqual(await claim(64, 'movers'), { c: 3, b: 3, a: 3, e: 3 })
})

test('timers of each tenant ring in turn, the longest due first, beside thousands of another', async () => {
  await query(app, 'delete from run_token')
  await query(
    app,
    `insert into run_token (tenant_id, run_id, id, case_id, state, node, timer_at)
     select tenant_id, gen_random_uuid(), 1, 'C-' || nth, 'waiting', 'x', now() - make_interval(secs => age - nth)
     from (values ('many', 3000, 9000), ('few', 1, 10), ('later', 2, 5), ('not-yet', 1, -3600)) as given (tenant_id, count, age)
     cross join lateral generate_series(1, count) as nth on conflict do nothing`,
  )
  const { kysely } = app.services.foundation.database
  const readRung = async () =>
    await query(
      app,
      `select tenant_id, count(*)::integer, max(substr(case_id, 3)::integer) as last from run_token
       where timer_rang group by tenant_id order by tenant_id`,
    )
  assert.equal(await ringTimers({ db: kysely, log: silentLog }, 64), 21 + 1 + 2)
  assert.deepEqual(await readRung(), [
    { tenant_id: 'few', count: 1, last: 1 },
    { tenant_id: 'later', count: 2, last: 2 },
    { tenant_id: 'many', count: 21, last: 21 },
  ])
  assert.equal(
    await ringTimers({ db: kysely, log: silentLog }, 64),
    64,
    'all of the one that has more',
  )
  const waiting = await query(app, `select count(*)::integer from run_token where not timer_rang`)
  assert.deepEqual(waiting, [{ count: 3_000 - 85 + 1 }])
})
