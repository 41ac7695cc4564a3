// The schedule itself is a matter of minutes, so these tests send the job that the schedule would
// send.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'
import { Registry } from 'prom-client'
import { createTestDatabase, SUPERUSER, type TestDatabase } from '../../test/harness.ts'
import { query } from '../../test/query.ts'
import { createDatabase, type Database } from './db/database.ts'
import { type ScheduledJob, type ScheduledJobs, startScheduledJobs } from './jobs.ts'
import { type Log, silentLog } from './log.ts'
import { OperatingError } from './operating-error.ts'
import { type EndedSpan, startTrace, type Tracer } from './tracing/span.ts'

describe('scheduled jobs', () => {
  let testDatabase: TestDatabase
  let database: Database
  before(async () => {
    testDatabase = await createTestDatabase()
    database = createDatabase({ connection: testDatabase.connection, poolMax: 8, log: silentLog })
  })
  after(async () => {
    await database.close()
    await testDatabase.drop()
  })

  function start(
    job: ScheduledJob,
    metrics = new Registry(),
    log: Log = silentLog,
  ): Promise<ScheduledJobs> {
    return startScheduledJobs({ database, log, metrics, jobs: [job], pollSeconds: 0.5 })
  }

  /** Sends the job now; false when one is waiting or under way. */
  async function send(name: string): Promise<boolean> {
    const boss = new PgBoss({
      backend: 'postgres',
      db: { executeSql: async (text, values) => await database.pool.query(text, values) },
      schedule: false,
      supervise: false,
    })
    await boss.start()
    const id = await boss.send(name)
    await boss.stop({ close: false })
    return id !== null
  }

  it('opens nothing, and makes no table, without jobs', async () => {
    const jobs = await startScheduledJobs({
      database,
      log: silentLog,
      metrics: new Registry(),
      jobs: [],
    })
    await jobs.stop()
    const { rows } = await database.pool.query(`select to_regnamespace('pgboss') as found`)
    assert.equal(rows[0].found, null)
  })

  it('refuses to start, and says what to do, for a database user who may not create the schema', async () => {
    const user = `limited_${randomBytes(4).toString('hex')}`
    const admin = { ...testDatabase.connection, user: SUPERUSER }
    await query(admin, `create role ${user} login`)
    const limited = createDatabase({
      connection: { ...testDatabase.connection, user },
      poolMax: 2,
      log: silentLog,
    })
    const begin = (): Promise<ScheduledJobs> =>
      startScheduledJobs({
        database: limited,
        log: silentLog,
        metrics: new Registry(),
        jobs: [
          { name: 'limited', cron: '0 0 1 1 *', runsOn: 'one-node', run: async () => undefined },
        ],
      })
    await assert.rejects(
      begin,
      (error) =>
        error instanceof OperatingError &&
        error.code === 'KERNEL_SETTINGS_NOT_USABLE' &&
        error.publicMessage.includes('create schema pgboss authorization'),
    )
    // As the sentence says.
    await query(admin, `create schema pgboss authorization ${user}`)
    await (await begin()).stop()
    await limited.close()
    await query(admin, `drop schema pgboss cascade; drop role ${user}`)
  })

  it('may be opened first by several nodes at once, with the profile of the server', async () => {
    await database.pool.query('drop schema if exists pgboss cascade')
    const statements: string[] = []
    const watched: Database = {
      ...database,
      pool: new Proxy(database.pool, {
        get: (pool, name) =>
          name === 'query'
            ? (text: string, values?: unknown[]) => {
                statements.push(text)
                return pool.query(text, values)
              }
            : Reflect.get(pool, name),
      }),
    }
    const open = (): Promise<ScheduledJobs> =>
      startScheduledJobs({
        database: watched,
        log: silentLog,
        metrics: new Registry(),
        jobs: [
          { name: 'first', cron: '0 0 1 1 *', runsOn: 'any-node', run: async () => undefined },
        ],
      })
    const nodes = await Promise.all([open(), open(), open()])
    await Promise.all(nodes.map((node) => node.stop()))
    assert.ok(statements.length > 10)
    // The profile of YugabyteDB has none.
    assert.ok(statements.some((text) => text.includes('advisory')))
  })

  it('goes on in a schema that a former version has made with the profile of YugabyteDB', async () => {
    await database.pool.query('drop schema if exists pgboss cascade')
    const former = new PgBoss({
      backend: 'yugabytedb',
      db: { executeSql: async (text, values) => await database.pool.query(text, values) },
      schedule: false,
      supervise: false,
    })
    await former.start()
    await former.createQueue('kept', { policy: 'exclusive' })
    await former.stop({ close: false })
    const ran = Promise.withResolvers<void>()
    const job = {
      name: 'kept',
      cron: '0 0 1 1 *',
      runsOn: 'one-node',
      run: async () => ran.resolve(),
    } as const
    const jobs = await start(job)
    assert.equal(await send('kept'), true)
    await ran.promise
    await jobs.stop()
  })

  it('makes each run a trace with its statements, and a failed one a failed trace', async () => {
    const spans: EndedSpan[] = []
    const take = (span: EndedSpan) => void spans.push(span)
    const tracer: Tracer = {
      begin: (begun) => startTrace(take, { parent: null, isSampled: true }, begun),
      close: async () => undefined,
    }
    const job: ScheduledJob = {
      name: 'traced',
      cron: '0 0 1 1 *',
      runsOn: 'one-node',
      async run() {
        await database.pool.query('select $1::text', ['a value'])
        throw new Error('no')
      },
    }
    const metrics = new Registry()
    const jobs = await startScheduledJobs({
      database,
      log: silentLog,
      metrics,
      jobs: [job],
      tracer,
      pollSeconds: 0.5,
    })
    assert.equal(await send('traced'), true)
    while (!spans.some(({ name }) => name === 'job traced')) await delay(20)
    await jobs.stop()
    const [root] = spans.filter(({ name }) => name === 'job traced')
    const [statement] = spans.filter(({ parentSpanId }) => parentSpanId === root?.spanId)
    assert.equal(root?.hasFailed, true)
    assert.deepEqual(
      [statement?.name, statement?.attributes['db.query.text']],
      ['SELECT', 'select $1::text'],
    )
  })

  it('lets another node join a run that takes long, where its job says so', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let runs = 0
    const job: ScheduledJob = {
      name: 'joined',
      cron: '0 0 1 1 *',
      runsOn: 'any-node',
      async run() {
        begun[runs]?.resolve()
        runs += 1
        await held
      },
    }
    const nodes = await Promise.all([start(job), start(job)])
    assert.equal(await send('joined'), true)
    await begun[0]?.promise
    assert.equal(await send('joined'), true)
    await begun[1]?.promise
    release()
    await Promise.all(nodes.map((node) => node.stop()))
    assert.equal(runs, 2)
  })

  it('runs a job, on its schedule in UTC, keeping it for a day, and counts it', async () => {
    const metrics = new Registry()
    const { promise: ran, resolve: noteRun } = Promise.withResolvers<void>()
    const jobs = await start(
      { name: 'count', cron: '* * * * *', runsOn: 'one-node', run: async () => noteRun() },
      metrics,
    )
    assert.equal(await send('count'), true)
    await ran
    await jobs.stop()
    const schedule = await database.pool.query(
      `select cron, timezone from pgboss.schedule where name = 'count'`,
    )
    assert.deepEqual(schedule.rows, [{ cron: '* * * * *', timezone: 'UTC' }])
    const queue = await database.pool.query(
      `select policy, retry_limit, deletion_seconds, retention_seconds from pgboss.queue where name = 'count'`,
    )
    assert.deepEqual(queue.rows, [
      { policy: 'exclusive', retry_limit: 0, deletion_seconds: 86_400, retention_seconds: 3_600 },
    ])
    assert.match(await metrics.metrics(), /job_runs_total\{job="count",outcome="done"\} 1\n/)
  })

  it('runs a job on one node only, and lets no second one wait behind it', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const { promise: begun, resolve: noteBegin } = Promise.withResolvers<void>()
    let runs = 0
    const job: ScheduledJob = {
      name: 'alone',
      cron: '0 0 1 1 *',
      runsOn: 'one-node',
      async run() {
        runs += 1
        noteBegin()
        await held
      },
    }
    const nodes = await Promise.all([start(job), start(job)])
    assert.equal(await send('alone'), true)
    await begun
    assert.equal(await send('alone'), false)
    release()
    await Promise.all(nodes.map((node) => node.stop()))
    assert.equal(runs, 1)
  })

  it('aborts the job under way when it is stopped, and waits for its end', async () => {
    const { promise: begun, resolve: noteBegin } = Promise.withResolvers<void>()
    let hasEnded = false
    const jobs = await start({
      name: 'long',
      cron: '0 0 1 1 *',
      runsOn: 'one-node',
      async run(signal) {
        noteBegin()
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
        hasEnded = true
      },
    })
    await send('long')
    await begun
    await jobs.stop()
    assert.equal(hasEnded, true)
  })

  it('tells trouble with the database once a minute, and stops without it', async () => {
    const other = createDatabase({
      connection: testDatabase.connection,
      poolMax: 2,
      log: silentLog,
    })
    const told: string[] = []
    const { promise: first, resolve: noteFirst } = Promise.withResolvers<void>()
    const jobs = await startScheduledJobs({
      database: other,
      metrics: new Registry(),
      log: {
        ...silentLog,
        warn(message, fields) {
          told.push(`${message} ${JSON.stringify(fields)}`)
          noteFirst()
        },
      },
      pollSeconds: 0.5,
      jobs: [{ name: 'away', cron: '0 0 1 1 *', runsOn: 'one-node', run: async () => undefined }],
    })
    // A pool that is closed refuses every statement, as a database that is away does.
    await other.close()
    await first
    await jobs.stop()
    assert.equal(told.length, 1)
    assert.match(told[0] ?? '', /trouble.*"error":"[a-zA-Z]/)
  })

  it('tells a job that failed, counts it, and runs the next one', async () => {
    const metrics = new Registry()
    const { promise: told, resolve: tell } = Promise.withResolvers<string>()
    const { promise: ran, resolve: noteRun } = Promise.withResolvers<void>()
    let runs = 0
    const job: ScheduledJob = {
      name: 'failing',
      cron: '0 0 1 1 *',
      runsOn: 'one-node',
      async run() {
        runs += 1
        if (runs === 1) throw new Error('no luck')
        noteRun()
      },
    }
    const log: Log = {
      ...silentLog,
      warn: (message, fields) => tell(`${message} ${JSON.stringify(fields)}`),
    }
    const jobs = await start(job, metrics, log)
    await send('failing')
    assert.match(await told, /failed.*no luck/)
    // The failed one is written down a moment after it was told.
    while (!(await send('failing'))) await database.pool.query('select pg_sleep(0.05)')
    await ran
    await jobs.stop()
    assert.match(await metrics.metrics(), /job_runs_total\{job="failing",outcome="failed"\} 1\n/)
  })
})
