// The rules of statements, each with one that breaks it.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findPackageRoot } from '../src/values/resources.ts'
import { checkStatement, MAKES_TEMPORARY_TABLE } from './statement-watch.ts'
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
    `insert into calendar (tenant_id, name) values ($1, $2) on conflict (tenant_id, name)
     do update set updated_at = now()`,
    /stable function in an upsert/,
  ],
  [
    `insert into simulation (tenant_id, owner) values ($1, $2) on conflict (tenant_id)
     do update set owner = excluded.owner where simulation.lease_until < now() returning 1`,
    /stable function in an upsert/,
  ],
  [
    `insert into pending_start (tenant_id, due_at) values ($1, $2) on conflict (tenant_id)
     do update set due_at = least(excluded.due_at, pending_start.noted_at + interval '1 day')`,
    /stable function in an upsert/,
  ],
  [
    `update event set case_id = given.case_id from (
       select * from unnest($1::uuid[], $2::text[]) as rows (event_id, case_id) limit (select 1000000)
     ) as given where event.tenant_id = $3 and event.event_id = given.event_id`,
    /sub-select in the limit/,
  ],
  [
    `update abuse_case set event_ips = (event_ips || array(select ip from unnest($1::text[]) as ip))[1:100]
     where tenant_id = $2`,
    /slice of a sub-select/,
  ],
  [
    `update run_token set state = case run_token.state when 'waiting' then 'ready' else state end
     where tenant_id = $1`,
    /case of a value/,
  ],
  [
    `insert into run_token (tenant_id, run_id, id) select tenant_id, run_id, $1 from run_token
     where tenant_id = $2 and run_id = $3 and id = $4 returning entered_at`,
    /selects from tables of tenants/,
  ],
  [
    'update user_account set disabled_at = case $1::boolean when true then $2 end where id = $3',
    /case of a value/,
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
  [
    `update mitigation set expires_at = coalesce(expires_at, clock.at + tries * interval '1 second')
     from (select now() as at) as clock where tenant_id = $1`,
    /stable function in case or coalesce/,
  ],
  [
    'update mitigation set tries = 1 where tenant_id = $1 returning now() - phase_at as waited',
    /volatile function in what a write returns/,
  ],
  ['select from tenant where id = $1 for share', /shared lock of a tenant/],
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
  'select from tenant where id = $1 for no key update',
  `select 'ctid' from run where tenant_id = $1`,
  'select "run"."id" from "run" where "run"."tenant_id" = $1 for update',
  'select coalesce(ended_at, now()) from run where tenant_id = $1',
  `update run set ended_at = coalesce(ended_at, clock.at), state = case when a then 'b' end, paused_at = now()
   from (select now() as at) as clock where tenant_id = $1`,
  `insert into run (tenant_id, id) values ($1, $2) on conflict (tenant_id, id)
   do update set state = excluded.state where run.tenant_id = $1 returning tenant_id`,
  `insert into pending_start (tenant_id, due_at) values ($1, now()) on conflict (tenant_id) do update
   set due_at = (pending_start.noted_at at time zone 'UTC' + interval '1 day') at time zone 'UTC'
   where (pending_start.noted_at at time zone 'UTC') < (excluded.due_at at time zone 'UTC') - $2 * interval '1 hour'
   returning due_at`,
  `update mitigation set expires_at = coalesce(expires_at, (clock.at at time zone 'UTC' + tries * interval '1 second') at time zone 'UTC')
   from (select now() as at) as clock where tenant_id = $1`,
  `with due as (select id, now() as at from mitigation where tenant_id = $1)
   update mitigation set tries = 1 from due where tenant_id = $1 and mitigation.id = due.id returning due.at`,
  // On the coordinator alone.
  `insert into mailbox_lease (name) values ($1) on conflict (name) do update set expires_at = now()`,
  'select case state when $1 then 1 end, (array(select 1))[1:2] from run where tenant_id = $1 limit (select 5)',
  'update abuse_case set event_ips = (event_ips || $1::text[])[1:100] where tenant_id = $2',
  `update abuse_case set event_ips = (select (event_ips || array_agg(ip))[1:100] from unnest($1::text[]) as ip)
   where tenant_id = $2`,
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
  const listed = STATEMENTS_OF_ALL_TENANTS.map(({ file }) => file)
  const gone = [...listed, ...MAKES_TEMPORARY_TABLE.keys()].filter(
    (file) => !existsSync(join(findPackageRoot(), file)),
  )
  assert.deepEqual(gone, [])
})
