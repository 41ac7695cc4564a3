// The second wall between tenants: row level security holds a statement that has forgotten its
// tenant, in every table with rows of tenants.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool } from 'pg'
import { SUPERUSER, withApp } from '../../test/harness.ts'
import { createEmptyDatabase } from '../../test/query.ts'
import { findCase } from '../casework/cases/case-store.ts'
import type { Db } from '../kernel/db/database.ts'
import { checkRole, INDEXED_FUNCTIONS } from '../kernel/db/database-role.ts'
import { inInstance } from '../kernel/db/instance-acts.ts'
import { inTenant, outsideScopes } from '../kernel/db/row-scope.ts'
import { findPackageRoot } from '../values/resources.ts'

const app = withApp({}, async (opened) => {
  for (const tenantId of ['other', 'third']) await opened.createTenant(tenantId)
  for (const tenantId of ['default', 'other']) {
    const token = await opened.createToken({ tenantId })
    for (const ip of ['192.0.2.1', '192.0.2.2']) {
      const json = { event_type: 'LoginAttack', event_date: '2026-01-01T00:00:00Z', ip }
      const answer = await opened.send('POST', '/beta/casework/events', { token, json })
      assert.equal(answer.status, 201, answer.text)
    }
  }
})

const OTHER = { tenantId: 'other' }

/** Tables with a tenant_id that have no policy, each with its reason. None so far. */
const EXCEPTIONS: Readonly<Record<string, string>> = {}

/** What PostgreSQL says of the policy. That of events reads the setting once for a statement. */
function describePolicy(table: string): string {
  const whose = `WHEN tenant_id THEN 1 WHEN '*'::text THEN 1 ELSE NULL::integer END IS NOT NULL)`
  const setting = `current_setting('casework.tenant_id'::text, true)`
  const seen = table === 'event' ? `( SELECT ${setting} AS current_setting)` : setting
  return `rows_of_tenants * t seen ( CASE ${seen} ${whose} written ( CASE ${setting} ${whose}`
}

function kysely(): Db {
  return app.services.foundation.database.kysely
}

async function countEvents(db: Db): Promise<readonly string[]> {
  // The condition on the tenant is what this statement has forgotten.
  const { rows } = await sql<{ tenant_id: string }>`select tenant_id from event order by 1`.execute(
    db,
  )
  return rows.map((row) => row.tenant_id)
}

test('every table with a tenant_id has the policy, for its owner as well, or is an exception with its reason', async () => {
  const found = await sql<{ name: string; is_on: boolean; is_forced: boolean; policies: string[] }>`
    select c.relname::text as name, c.relrowsecurity as is_on, c.relforcerowsecurity as is_forced,
      array(select format('%s %s %s seen %s written %s', pol.polname, pol.polcmd, pol.polpermissive,
          pg_get_expr(pol.polqual, c.oid), pg_get_expr(pol.polwithcheck, c.oid))
        from pg_policy pol where pol.polrelid = c.oid) as policies
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace order by 1`.execute(
    kysely(),
  )
  assert.ok(found.rows.length > 60, `only ${found.rows.length} tables were seen`)
  const open = found.rows.filter(
    ({ name, is_on: isOn, is_forced: isForced, policies }) =>
      !isOn || !isForced || policies.join().replaceAll(/\s+/g, ' ') !== describePolicy(name),
  )
  assert.deepEqual(
    open.map(({ name }) => name),
    Object.keys(EXCEPTIONS),
  )
})

test('a statement that looks through many events reads the setting once', async () => {
  const explained = await inTenant(OTHER, () =>
    sql<{
      'QUERY PLAN': string
    }>`explain select event_id from event where tenant_id = 'other'`.execute(kysely()),
  )
  const plan = explained.rows.map((row) => row['QUERY PLAN'])
  assert.ok(
    plan.some((line) => /^\s*InitPlan/.test(line)),
    plan.join('\n'),
  )
  assert.deepEqual(
    plan.filter((line) => line.includes('current_setting')),
    [],
  )
})

test('the program works as a role that row security binds', async () => {
  const { rows } = await sql<object>`
    select rolsuper, rolbypassrls, rolcreaterole from pg_roles where rolname = current_user`.execute(
    kysely(),
  )
  assert.deepEqual(rows, [{ rolsuper: false, rolbypassrls: false, rolcreaterole: false }])
})

test('a statement that has forgotten its tenant sees the rows of its own, and none without a scope', async () => {
  assert.deepEqual(await inTenant(OTHER, () => countEvents(kysely())), ['other', 'other'])
  assert.deepEqual(await inTenant({ tenantId: 'third' }, () => countEvents(kysely())), [])
  assert.deepEqual(await outsideScopes(() => countEvents(kysely())), [])
  const all = await inInstance('measure', () => countEvents(kysely()))
  assert.deepEqual(all, ['default', 'default', 'other', 'other'])
})

test('a change that has forgotten its tenant changes the rows of its own, and writes none of another', async () => {
  const db = kysely()
  await inTenant(OTHER, async () => {
    const changed = await sql`update event set tags = '{seen}'`.execute(db)
    assert.equal(changed.numAffectedRows, 2n)
    await assert.rejects(
      sql`update event set tenant_id = 'third'`.execute(db),
      /violates row-level security policy/,
    )
    await assert.rejects(
      sql`insert into customer (tenant_id, id) values ('default', 'customer')`.execute(db),
      /violates row-level security policy/,
    )
  })
  await outsideScopes(async () => {
    assert.equal((await sql`delete from event`.execute(db)).numAffectedRows, 0n)
  })
  const { rows } = await inInstance('measure', () =>
    sql<object>`
    select tenant_id, count(*) filter (where tags = '{seen}') as seen from event group by 1 order by 1`.execute(
      db,
    ),
  )
  assert.deepEqual(rows, [
    { tenant_id: 'default', seen: 0 },
    { tenant_id: 'other', seen: 2 },
  ])
})

test('a store function without its condition finds a foreign record in no tenant but its own', async () => {
  const found = await inInstance('measure', () =>
    sql<{ id: string }>`select id from abuse_case where tenant_id = 'default' limit 1`.execute(
      kysely(),
    ),
  )
  const id = found.rows[0]?.id ?? assert.fail('the default tenant has a case')
  const forgetful = openForgetful()
  const find = (): Promise<unknown> => findCase(forgetful, OTHER, id)
  assert.notEqual(await inInstance('measure', find), null)
  assert.equal(await inTenant(OTHER, find), null)
  assert.notEqual(await inTenant({ tenantId: 'default' }, find), null)
})

/** The database of the program, but statements have lost their condition on the tenant. */
function openForgetful(): Db {
  const { pool } = app.services.foundation.database
  const connect = async () => {
    const client = await pool.connect()
    return {
      query: (text: string, values: unknown[]) => client.query(forget(text), values),
      release: () => client.release(),
    }
  }
  // What Kysely needs of a pool.
  const dialect = new PostgresDialect({ pool: { connect, end: async () => undefined } as never })
  return new Kysely<object>({ dialect })
}

function forget(text: string): string {
  assert.match(text, CONDITION)
  return text.replace(CONDITION, '$1::text is not null')
}

const CONDITION = /"?tenant_id"? = \$1/

test('a foreign case is answered like one that does not exist', async () => {
  const token = await app.createToken({ tenantId: 'other' })
  const { rows } = await inInstance('measure', () =>
    sql<{ id: string }>`select id from abuse_case where tenant_id = 'default' limit 1`.execute(
      kysely(),
    ),
  )
  const foreign = rows[0]?.id ?? assert.fail('the default tenant has a case')
  const missing = 'C-01900000-0000-7000-8000-000000000000'
  const answers = []
  for (const id of [foreign, missing]) {
    const answer = await app.send('GET', `/beta/casework/cases/${id}`, { token })
    const { request_id: _, ...body } = answer.json()
    answers.push([answer.status, body])
  }
  assert.deepEqual(answers[0], answers[1])
  assert.equal(answers[0]?.[0], 404)
})

test('a superuser is told of, a role that row security binds is fine', async () => {
  const { pool } = app.services.foundation.database
  assert.deepEqual(await checkRole(pool), {
    state: 'ok',
    detail: 'Row level security binds the role casework_program.',
  })
  const admin = new Pool({ ...app.connection, user: SUPERUSER, max: 1 })
  try {
    const { state, detail } = await checkRole(admin)
    assert.equal(state, 'degraded')
    assert.match(detail, /superuser or has BYPASSRLS.*operate\.md/)
  } finally {
    await admin.end()
  }
})

test('a database whose functions nobody has marked works, and says that searches read more', async (t) => {
  const pool = new Pool({ ...(await createEmptyDatabase(t)), max: 1 })
  try {
    const { state, detail } = await checkRole(pool)
    assert.equal(state, 'ok')
    assert.match(detail, /19 functions are not marked as leakproof/)
  } finally {
    await pool.end()
  }
})

test('the guide names every function that is to be marked', () => {
  const guide = readFileSync(join(findPackageRoot(), 'docs/guides/operate.md'), 'utf8')
  // A name that is a word of SQL stands in quotes there.
  const named = [...guide.matchAll(/^alter function (.*) leakproof;$/gm)].map(([, name = '']) =>
    name.replaceAll('"', ''),
  )
  assert.deepEqual(named, [...INDEXED_FUNCTIONS])
})
