// The rules of statements, each with one that breaks it.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findPackageRoot } from '../src/values/resources.ts'
import { checkStatement } from './statement-watch.ts'
import { STATEMENTS_OF_ALL_TENANTS } from './statements-of-all-tenants.ts'

const STORE = 'src/casework/cases/case-store.ts'

const REFUSED: readonly (readonly [string, RegExp])[] = [
  ['select ctid from run where tenant_id = $1', /ctid/],
  ['select * from run tablesample system (1) where tenant_id = $1', /tablesample/],
  ['create temporary table staged (id text)', /temporary/],
  ['CREATE TEMP TABLE staged (id text)', /temporary/],
  ['update run set ended_at = coalesce(ended_at, now()) where tenant_id = $1', /volatile/],
  [
    `update run set state = case when (a = (b)) then case b when 1 then 2 end else random() end
     where tenant_id = $1`,
    /volatile/,
  ],
  [
    `insert into run (tenant_id, id) values ($1, $2) on conflict (tenant_id, id)
     do update set tenant_id = excluded.tenant_id`,
    /upsert/,
  ],
  [
    `with gone as (delete from run where tenant_id = $1 returning id)
     update run set state = 'ended' where tenant_id = $1 and parent_run_id in (select id from gone)`,
    /changed twice/,
  ],
  [
    `update run_token set attempts = 1 from (
       select tenant_id, id from run_token order by wake_at limit 1 for update skip locked
     ) as due where run_token.tenant_id = due.tenant_id and run_token.id = due.id`,
    /lock of rows of more than one tenant/,
  ],
  ['select * from "run" where "id" = $1', /names no tenant/],
  ['insert into run (id, tenant_id) select $1, $2', /names no tenant/],
  ["delete from run where state = 'tenant_id = 1' -- tenant_id = $1", /names no tenant/],
]

for (const [statement, rule] of REFUSED) {
  test(`refused: ${statement.replaceAll(/\s+/g, ' ')}`, () => {
    assert.match(checkStatement(statement, STORE) ?? 'nothing is wrong', rule)
  })
}

const ALLOWED: readonly string[] = [
  `select 'ctid' from run where tenant_id = $1`,
  'select "run"."id" from "run" where "run"."tenant_id" = $1 for update',
  'select coalesce(ended_at, now()) from run where tenant_id = $1',
  `update run set ended_at = coalesce(ended_at, clock.at), state = case when a then 'b' end, paused_at = now()
   from (select now() as at) as clock where tenant_id = $1`,
  `insert into run (tenant_id, id) values ($1, $2) on conflict (tenant_id, id)
   do update set state = excluded.state where run.tenant_id = $1 returning tenant_id`,
  `with a as (update run set state = 'ended' where tenant_id = $1 returning id)
   insert into change (tenant_id, id) select $1, id from a`,
  'select id from user_account where email = $1 for update',
  'create index run_of_case on run (case_id)',
]

for (const statement of ALLOWED) {
  test(`allowed: ${statement.replaceAll(/\s+/g, ' ')}`, () => {
    assert.equal(checkStatement(statement, STORE), null)
  })
}

test('a statement over all tenants is allowed in a listed file, but may not lock there', () => {
  const listed = 'src/kernel/db/due-tenants.ts'
  const statement = 'select tenant_id from run group by tenant_id'
  assert.equal(checkStatement(statement, listed), null)
  assert.match(checkStatement('select id from run for update', listed) ?? '', /lock/)
  const events = 'src/casework/events/event-list-store.ts'
  assert.match(checkStatement('select * from event where event_id = $1', events) ?? '', /names no/)
})

test('every listed file is there', () => {
  const gone = STATEMENTS_OF_ALL_TENANTS.filter(
    ({ file }) => !existsSync(join(findPackageRoot(), file)),
  )
  assert.deepEqual(gone, [])
})
