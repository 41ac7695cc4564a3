// `casework migrate --distribute` on a Citus cluster: what it refuses, what it makes, that it can
// be interrupted, what later migrations do, and that rows of tenants stay apart on the workers.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, type TestContext, test } from 'node:test'
import { Client, Pool } from 'pg'
import { Registry } from 'prom-client'
import { readSerialsAndDue } from '../../src/app/followed-serial-store.ts'
import { checkCluster, shardNewTables } from '../../src/app/sharding/shard-database.ts'
import { SHARDED_TABLES } from '../../src/app/sharding/table-kinds.ts'
import { HAS_DUE_CHANGES } from '../../src/casework/changes/outbox-store.ts'
import { HAS_DUE_MITIGATIONS } from '../../src/casework/mitigations/mitigation-attempt-store.ts'
import { HAS_EXPIRED_MITIGATIONS } from '../../src/casework/mitigations/mitigation-store.ts'
import { HAS_DUE_NOTICES } from '../../src/casework/notices/notice-store.ts'
import { HAS_EXPIRED_ANSWERS } from '../../src/casework/owners/owner-answer-store.ts'
import { HAS_DUE_RETRIES } from '../../src/casework/owners/owner-resolver-store.ts'
import { HAS_DUE_STARTS } from '../../src/casework/playbooks/runs/pending-start-store.ts'
import { HAS_DUE_TIMERS } from '../../src/casework/playbooks/runs/timer-store.ts'
import { readErasedAddresses } from '../../src/casework/privacy/erasure/erased-address.ts'
import { openRawSearcher } from '../../src/casework/privacy/erasure/raw-searcher.ts'
import { analyzeTables } from '../../src/casework/privacy/erasure/renew-statistics.ts'
import { eraseAddresses } from '../../src/casework/privacy/erasure/run-erasure.ts'
import { HAS_DUE_DELIVERIES } from '../../src/casework/webhooks/delivery-store.ts'
import { createDatabase } from '../../src/kernel/db/database.ts'
import { inInstance } from '../../src/kernel/db/instance-acts.ts'
import { migrate, readMigrations } from '../../src/kernel/db/migrate.ts'
import { createMonthGauges, keepMonths } from '../../src/kernel/db/months/keep-months.ts'
import { startOfMonth } from '../../src/kernel/db/months/months.ts'
import { inTenant, outsideScopes } from '../../src/kernel/db/row-scope.ts'
import { buildUuidFloor, createIdSource } from '../../src/kernel/ids.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { PROGRAM_ROLE } from '../../src/kernel/postgres/program-role.ts'
import { findPackageRoot } from '../../src/values/resources.ts'
import { ROWS_OF_ALL_TENANTS, SUPERUSER } from '../harness.ts'
import { startProgram } from '../startup/program.ts'
import { waitUntil } from '../wait.ts'
import { bringBackWorker, killWorker, NOT_OURS, onEachNode } from './cluster.ts'
import { asAdministrator, createClusterDatabase, readCluster } from './cluster-database.ts'

const cluster = readCluster()
const EVENTS = { name: 'event', key: 'event_id' }
const connection = {
  ...cluster.coordinator,
  user: PROGRAM_ROLE,
  database: `shard_${randomBytes(4).toString('hex')}`,
}
const url = `postgres://${PROGRAM_ROLE}@${connection.host}:${connection.port}/${connection.database}`
const migrations = readMigrations(`${findPackageRoot()}/migrations`)

before(() => createClusterDatabase(cluster, connection))
after(() =>
  onEachNode(cluster, 'postgres', [`drop database if exists ${connection.database} with (force)`]),
)

async function migrateWith(more: readonly { name: string; sql: string }[] = []): Promise<void> {
  const pool = new Pool({ ...connection, options: ROWS_OF_ALL_TENANTS, max: 1 })
  const later = more.map(({ name, sql }, at) => ({
    version: 9_000 + at,
    name,
    sql,
    checksum: name,
  }))
  await migrate(pool, [...migrations, ...later])
  await pool.end()
}

async function readNames(text: string): Promise<readonly string[]> {
  return await asAdministrator(connection, async (client) => {
    const { rows } = await client.query<{ name: string }>(text)
    return rows.map(({ name }) => name)
  })
}

const FOREIGN_KEYS = `select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as name
  from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace
    and conrelid::regclass::text !~ '_[0-9]+$' order by 1`
const SHARDED = `select table_name::text as name from citus_tables join pg_class on oid = table_name
  where citus_table_type = 'distributed' and not relispartition order by 1`

// One row of each table that is divided by months, for each tenant.
const ID = '01990000-0000-7000-8000-000000000001'
const INSERTS_OF_MONTHS = [
  `insert into event (tenant_id, event_id, create_date, event_date, event_type, sender_email, event_subtypes, tags)
   select id, '${ID}', now(), now(), 'Spam', 'ann@example.com', '{}', '{}'`,
  `insert into case_history (tenant_id, case_id, id, at, kind, actor_kind, actor)
   select id, 'C-1', '${ID}', now(), 'opened', 'system', 'test'`,
  `insert into visit (tenant_id, run_id, token_id, visit, case_id, node, kind, entered_at, left_at)
   select id, '${ID}', 0, 1, 'C-1', 'begin', 'start', now(), now()`,
]

describe('refusals, before anything is changed', () => {
  test('APP_CLUSTER_NOT_USABLE without a coordinator that knows itself, and for the database of a worker', async () => {
    const [worker] = cluster.workers
    await assert.rejects(checkCluster({ ...connection, ...worker }, 'it'), {
      code: 'APP_CLUSTER_NOT_USABLE',
      message: /this node is not its coordinator/,
    })
  })

  test('APP_NODES_RUNNING while a node of the program is connected', async () => {
    const node = createDatabase({ connection, poolMax: 1, log: silentLog })
    try {
      await node.pool.query('select 1')
      await assert.rejects(checkCluster(connection, 'it'), {
        code: 'APP_NODES_RUNNING',
        message: /1 connection\); stop all of them/,
      })
    } finally {
      await node.close()
    }
  })

  test('APP_MIGRATION_UNDER_WAY while another one has the lock', async () => {
    await migrateWith()
    const other = new Client(connection)
    await other.connect()
    await other.query('begin')
    await other.query('select 1 from schema_lock where id = 1 for update')
    await assert.rejects(checkCluster(connection, 'it'), { code: 'APP_MIGRATION_UNDER_WAY' })
    await other.end()
    assert.deepEqual(await readNames(SHARDED), [])
  })
})

describe('casework migrate --distribute', () => {
  test('is killed in the midst, and the next run completes it; the one after it has nothing to do', async (t) => {
    await asAdministrator(connection, async (client) => {
      await client.query(
        `insert into tenant (id, name) values ('a', 'a'), ('b', 'b'), ('c', 'c'), ('d', 'd')`,
      )
      await client.query(`insert into customer (tenant_id, id) values ('a', 'c'), ('b', 'c')`)
      for (const insert of INSERTS_OF_MONTHS) {
        await client.query(`${insert} from (values ('c'), ('d')) as tenant (id)`)
      }
    })
    const keys = await readNames(FOREIGN_KEYS)
    assert.ok(keys.length > 60, String(keys.length))
    const environment = { DATABASE_URL: url, CASEWORK_LOG_LEVEL: 'error' }
    const first = startProgram(t, ['migrate', '--distribute'], { environment })
    await waitUntil(async () => (await readNames(SHARDED)).length >= 10)
    first.child.kill('SIGKILL')
    await first.whenExited
    assert.ok((await readNames(SHARDED)).length < SHARDED_TABLES.length)

    const second = startProgram(t, ['migrate', '--distribute'], { environment })
    assert.deepEqual(await second.whenExited, { code: 0, signal: null }, second.stderr())
    assert.match(second.stdout(), /tables were distributed, [1-9]\d* foreign keys added again/)
    assert.deepEqual(await readNames(SHARDED), SHARDED_TABLES.toSorted())
    assert.deepEqual(await readNames(FOREIGN_KEYS), keys)
    const groups = await readNames(
      `select distinct colocation_id::text as name from citus_tables where citus_table_type = 'distributed'`,
    )
    assert.equal(groups.length, 1)
    const customers = await readNames('select tenant_id as name from customer order by 1')
    assert.deepEqual(customers, ['a', 'b'])
    for (const table of ['event', 'case_history', 'visit']) {
      const rows = await readNames(`select tenant_id as name from ${table} order by 1`)
      assert.deepEqual(rows, ['c', 'd'], table)
    }
    // Citus has none to keep (migrations 0119, 0124, 0126, 0127).
    const kept = await readNames(
      `select proname as name from pg_proc where 'plan_cache_mode=force_generic_plan' = any(proconfig)`,
    )
    assert.deepEqual(kept, [])

    const third = startProgram(t, ['migrate', '--distribute'], { environment })
    await third.whenExited
    assert.match(third.stdout(), /All \d+ tables of tenants are sharded already/)
  })
})

describe('row level security on the workers', () => {
  const database = createDatabase({ connection, poolMax: 2, log: silentLog })
  after(() => database.close())
  const read = async (): Promise<readonly string[]> => {
    const { rows } = await database.pool.query<{ tenant_id: string }>(
      'select tenant_id from customer order by 1',
    )
    return rows.map((row) => row.tenant_id)
  }

  const findMonths = (tenantId: string) =>
    inTenant({ tenantId }, async () => {
      const months = `select low, find_newest_event($1, null) as newest from find_months_of_events($1, 'ip', '{192.0.2.1}')`
      return (await database.pool.query(months, [tenantId])).rows
    })

  test('a statement that has forgotten its tenant sees the rows of its scope, and none without one', async () => {
    assert.deepEqual(await outsideScopes(read), [])
    assert.deepEqual(await inTenant({ tenantId: 'a' }, read), ['a'])
    assert.deepEqual(await inInstance('measure', read), ['a', 'b'])
    const transaction = database.kysely.transaction()
    const seen = await inTenant({ tenantId: 'b' }, () =>
      transaction.execute(async (tx) => {
        const { sql } = await import('kysely')
        return (await sql<{ tenant_id: string }>`select tenant_id from customer`.execute(tx)).rows
      }),
    )
    assert.deepEqual(seen, [{ tenant_id: 'b' }])
  })

  test('the months of events are looked up on the worker of the tenant', async () => {
    const id = '01990000-0000-7000-8000-000000000001'
    const addEvent = (tenantId: string) =>
      inTenant({ tenantId }, () =>
        database.pool.query(
          `insert into event (tenant_id, event_id, create_date, event_date, event_type, sender_email, ip, event_subtypes, tags)
           values ($1, $2, now(), now(), 'Spam', 'a@reporter.example', '192.0.2.1', '{}', '{}')`,
          [tenantId, id],
        ),
      )
    await addEvent('a')
    assert.deepEqual(await findMonths('a'), [{ low: id, newest: id }])
    assert.deepEqual(await findMonths('b'), [])
  })

  test('a month of which the partition for all other ids has rows is not made, and the log says why', async () => {
    const atMs = Date.UTC(2031, 4, 1)
    const add = (later: number) =>
      inTenant({ tenantId: 'a' }, () =>
        database.pool.query(
          `insert into event (tenant_id, event_id, create_date, event_date, event_type, sender_email, event_subtypes, tags)
           values ('a', $1, now(), now(), 'Spam', 'a@reporter.example', '{}', '{}')`,
          [buildUuidFloor(startOfMonth(atMs, later))],
        ),
      )
    await add(0)
    const lines: string[] = []
    const log = {
      ...silentLog,
      info: (text: string, fields: object = {}) => {
        lines.push(`${JSON.stringify(fields)} ${text}`)
      },
    }
    const gauges = createMonthGauges(new Registry())
    const clock = { nowMs: () => atMs + 20 * 86_400_000 }
    const deps = { pool: database.pool, clock, log, gauges, tables: [EVENTS] }
    await keepMonths(deps, new AbortController().signal)
    assert.equal(lines.length, 2)
    assert.match(
      lines[0] ?? '',
      /"2031-05"} A partition for a month cannot be made: rows of the month/,
    )
    assert.match(lines[1] ?? '', /"2031-06"} A partition for a month was made/)
  })

  test('after an erasure the statistics of the shard of its tenant are renewed, and of no other', async (t) => {
    const own = { database: connection.database, options: '-c citus.override_table_visibility=off' }
    const pools = cluster.workers.map((node) => new Pool({ ...own, ...node, user: SUPERUSER }))
    t.after(() => Promise.all(pools.map((pool) => pool.end())))
    const countAnalyzed = async (): Promise<Record<string, number>> => {
      const found = await Promise.all(
        pools.map((pool) =>
          pool.query<{ name: string; count: string }>(
            `select relname as name, analyze_count as count from pg_stat_user_tables where relname ~ '^event_other_[0-9]+$'`,
          ),
        ),
      )
      const rows = found.flatMap((one) => one.rows)
      return Object.fromEntries(rows.map(({ name, count }) => [name, Number(count)]))
    }
    const first = await countAnalyzed()
    assert.equal(Object.keys(first).length, 4)
    await inTenant({ tenantId: 'a' }, () =>
      analyzeTables(database.kysely, { tenantId: 'a' }, ['event', 'tenant', 'source_history']),
    )
    const counts = Object.entries(await countAnalyzed())
    const analyzed = counts.map(([name, count]) => count - (first[name] ?? 0))
    assert.deepEqual(
      analyzed.toSorted((a, b) => a - b),
      [0, 0, 0, 1],
    )
  })

  test('a row of another tenant is not written', async () => {
    const writing = inTenant({ tenantId: 'a' }, () =>
      database.pool.query('insert into customer (tenant_id, id) values ($1, $2)', ['b', 'd']),
    )
    await assert.rejects(writing, /row-level security policy/)
    assert.deepEqual(await inTenant({ tenantId: 'a' }, read), ['a'])
  })

  test('every table and every shard with rows of tenants has the policy, on every node, which binds its owner', async () => {
    for (const node of [cluster.coordinator, ...cluster.workers]) {
      const bare = await asAdministrator({ ...connection, ...node }, (client) =>
        client.query<{ name: string }>(
          `select relname::text as name from pg_class c where relkind = 'r'
             and exists (select from pg_attribute where attrelid = c.oid and attname = 'tenant_id')
             and c.relnamespace = 'public'::regnamespace and not (relrowsecurity and relforcerowsecurity
               and relowner = '${PROGRAM_ROLE}'::regrole
               and exists (select from pg_policy where polrelid = c.oid and polname = 'rows_of_tenants'))`,
        ),
      )
      assert.deepEqual(bare.rows, [])
    }
  })
})

describe('the poll of an idle node', () => {
  const database = createDatabase({ connection, poolMax: 1, log: silentLog })
  after(() => database.close())

  test('asks the coordinator for its serials, and all workers for work, in one statement', async () => {
    const { sql } = await import('kysely')
    const questions = [
      HAS_DUE_CHANGES,
      HAS_DUE_STARTS,
      HAS_DUE_TIMERS,
      HAS_DUE_NOTICES,
      HAS_DUE_DELIVERIES,
      HAS_DUE_MITIGATIONS,
      HAS_EXPIRED_MITIGATIONS,
      HAS_DUE_RETRIES,
      HAS_EXPIRED_ANSWERS,
      sql<boolean>`exists (select 1 from customer where id = 'c')`,
    ]
    const read = await readSerialsAndDue(database.kysely, 0, questions)
    assert.equal(read.answer.intel.serial, 0)
    assert.equal(read.answer.behindMs, 0)
    assert.deepEqual(read.due, [...questions.slice(1).map(() => false), true])
  })
})

describe('an erasure', () => {
  const database = createDatabase({ connection, poolMax: 2, log: silentLog })
  const rawSearcher = openRawSearcher({ log: silentLog })
  after(async () => {
    await rawSearcher.close()
    await database.close()
  })

  test('walks every table of its tenant on the workers, and replaces the address there', async () => {
    const tenantId = 'a'
    const address = 'ana@example.org'
    await asAdministrator(connection, async (client) => {
      await client.query(
        `insert into customer (tenant_id, id, name) values ('a', 'd', $1), ('b', 'd', $1)`,
        [`Shop of ${address}`],
      )
    })
    const read = readErasedAddresses([address], tenantId, Buffer.alloc(32))
    assert.ok(read !== null)
    const more = { replacedBy: 'one', repeats: [], isPreview: false, requestedBy: 'test' }
    const deps = { db: database.kysely, log: silentLog, ids: createIdSource(), rawSearcher }
    const erasure = await inTenant({ tenantId }, () =>
      eraseAddresses(deps, { tenantId }, { ...read, ...more, budgetMs: 120_000 }),
    )
    assert.ok(erasure.finishedAt !== null)
    assert.deepEqual(erasure.changed, { customer: 1 })
    const names = await readNames(`select name from customer where id = 'd' order by tenant_id`)
    assert.deepEqual(names, [`Shop of ${read.subjects[0]}`, `Shop of ${address}`])
  })
})

describe('casework doctor', () => {
  const environment = { DATABASE_URL: url, CASEWORK_PORT: '1' }

  async function diagnose(t: TestContext): Promise<{ state: string; detail: string } | undefined> {
    const doctor = startProgram(t, ['doctor', '--output', 'json'], { environment })
    await doctor.whenExited
    const { findings } = JSON.parse(doctor.stdout()) as {
      findings: { name: string; state: string; detail: string }[]
    }
    return findings.find(({ name }) => name === 'sharding')
  }

  test('says that all is well, and what is not, for people and for programs', async (t) => {
    const well = await diagnose(t)
    assert.equal(well?.state, 'ok', JSON.stringify(well))
    assert.match(well?.detail ?? '', /^Citus [0-9.-]+: [0-9]+ tables in 4 shards each on 2 workers/)
    const people = startProgram(t, ['doctor'], { environment })
    await people.whenExited
    assert.match(people.stdout(), /^ok +sharding +Citus/m)

    await asAdministrator(connection, async (client) => {
      await client.query(`select undistribute_table('stream_message')`)
      await client.query(
        `alter role ${PROGRAM_ROLE} in database ${connection.database} set citus.propagate_set_commands = 'none'`,
      )
    })
    const ill = await diagnose(t)
    assert.equal(ill?.state, 'failed')
    assert.match(
      ill?.detail ?? '',
      /^stream_message is not as sharding wants it.*propagate_set_commands is none/,
    )
    await asAdministrator(connection, async (client) => {
      await client.query(
        `alter role ${PROGRAM_ROLE} in database ${connection.database} reset citus.propagate_set_commands`,
      )
    })
    await shardNewTables(connection)
  })

  test('names a worker that does not answer', async (t) => {
    if (cluster.folder === null) return t.skip(NOT_OURS)
    killWorker(cluster, 2)
    const ill = await diagnose(t).finally(() => bringBackWorker(cluster, 2))
    assert.equal(ill?.state, 'failed')
    const sentence = `:${cluster.workers[1]?.port} cannot be reached`
    assert.ok((ill?.detail ?? '').includes(sentence), JSON.stringify(ill))
  })
})

describe('a migration of a later version', () => {
  test('shards its tables, with foreign keys and policies', async () => {
    await migrateWith([
      {
        name: '9000-later.sql',
        sql: `create table later_note (tenant_id text collate "C" not null, id text, run_id uuid,
            primary key (tenant_id, id));
          select shard_by_tenant('later_note');
          alter table later_note add foreign key (tenant_id) references tenant;
          alter table later_note add foreign key (tenant_id, run_id) references run (tenant_id, id);
          create table later_desk (tenant_id text collate "C" not null, id text primary key);
          select protect_rows_of_tenants();
          alter table later_desk add foreign key (tenant_id) references tenant;
          alter table customer add column later text;`,
      },
    ])
    assert.ok((await readNames(SHARDED)).includes('later_note'))
    const policies = await readNames(
      `select polrelid::regclass::text as name from pg_policy
       where polrelid = any (array['later_note', 'later_desk']::regclass[]) order by 1`,
    )
    assert.deepEqual(policies, ['later_desk', 'later_note'])
    const keys = await readNames(FOREIGN_KEYS)
    assert.equal(keys.filter((key) => key.startsWith('later_note ')).length, 2)
  })

  test('and one that forgets to is completed at the end of the upgrade', async () => {
    await asAdministrator(connection, async (client) => {
      await client.query(`select undistribute_table('stream_message')`)
    })
    const result = await shardNewTables(connection)
    assert.deepEqual(result?.tables, ['stream_message'])
    assert.equal(await shardNewTables(connection).then((again) => again?.tables.length), 0)
  })
})
