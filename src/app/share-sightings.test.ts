// share_sightings: its default, who changes it, and what the change takes back.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness.ts'
import { query } from '../../test/query.ts'
import { collectAll, explain, pushEvent } from '../../test/sighting-kit.ts'
import { createSightingCollector } from '../casework/sightings/collect-sightings.ts'
import { createReadiness } from '../kernel/readiness.ts'
import { isIntelClosed, openSharing } from './share-sightings.ts'
import { startJobs } from './worker-jobs.ts'

const TENANT = '/beta/admin/tenants/default'

async function readSharing(app: TestApp): Promise<readonly unknown[]> {
  const token = await app.createToken()
  const { settings } = (await app.send('GET', TENANT, { token })).json()
  return [settings.share_sightings, settings.share_sightings_origin]
}

async function setSharing(app: TestApp, value: boolean | null): Promise<readonly unknown[]> {
  const token = await app.createToken()
  const json = { settings: { share_sightings: value } }
  const { settings } = (await app.send('PATCH', TENANT, { token, json })).json()
  return [settings.share_sightings, settings.share_sightings_origin]
}

interface LogLine {
  readonly level: string
  readonly message: string
}

/** A later start with these settings; what it logs, and what it says of itself. */
async function startAgain(
  app: TestApp,
  settings: { host?: string; intelAccess?: 'open' | 'token' },
) {
  const { foundation } = app.services
  const lines: LogLine[] = []
  const note = (level: string) => (message: string) => void lines.push({ level, message })
  const log = { ...foundation.log, warn: note('warn'), info: note('info') }
  const readiness = createReadiness()
  await openSharing({
    config: { ...foundation.config, ...settings },
    database: foundation.database,
    log,
    readiness,
  })
  const finding = await readiness.list()[0]?.check()
  return { lines, finding }
}

/** One pass of the worker; why it stopped to share, from its log. */
async function collectReasons(app: TestApp): Promise<readonly unknown[]> {
  const { database, clock, log, config } = app.services.foundation
  const reasons: unknown[] = []
  const warn = (_: string, fields?: object) =>
    void reasons.push(fields !== undefined && 'reason' in fields ? fields.reason : null)
  const deps = { database, clock, log: { ...log, warn }, lookBackDays: config.lookBackDays }
  await createSightingCollector(deps).collect()
  return reasons
}

function isClosed(host: string): boolean {
  return isIntelClosed({ host, intelAccess: 'open' })
}

async function withTestApp(
  environment: Record<string, string>,
  work: (app: TestApp) => Promise<void>,
): Promise<void> {
  const app = await openTestApp({ environment })
  try {
    await work(app)
  } finally {
    await app.close()
  }
}

describe('the default', () => {
  test('is on for the one tenant of an instance on loopback, and is written down', async () => {
    await withTestApp({}, async (app) => {
      assert.deepEqual(await readSharing(app), [true, 'default'])
      const rows = await query(
        app.connection,
        'select share_sightings, share_sightings_origin from tenant',
      )
      assert.deepEqual(rows, [{ share_sightings: true, share_sightings_origin: 'default' }])
    })
  })

  test('is on with look-ups that need a token, and off where strangers look up', async () => {
    await withTestApp({ CASEWORK_HOST: '0.0.0.0', CASEWORK_INTEL_ACCESS: 'token' }, async (app) => {
      assert.deepEqual(await readSharing(app), [true, 'default'])
    })
    await withTestApp({ CASEWORK_HOST: '0.0.0.0' }, async (app) => {
      assert.deepEqual(await readSharing(app), [false, 'default'])
      const token = await app.createToken()
      await pushEvent(app, token, { ip: '192.0.2.1' })
      assert.deepEqual(await query(app.connection, 'select from report_sighting_change'), [])
      await collectAll(app)
      assert.equal((await explain(app, '192.0.2.1')).intent.value, 'unknown')
      const { finding } = await startAgain(app, {})
      assert.deepEqual(
        [finding?.state, /open to everybody/.test(finding?.detail ?? '')],
        ['off', true],
      )
    })
  })

  test('knows a loopback address from another', () => {
    const closed = ['127.0.0.1', '127.9.9.9', '::1', 'localhost']
    const open = ['0.0.0.0', '::', '192.0.2.1', '10.0.0.1', 'desk.example']
    assert.deepEqual(
      [closed.map(isClosed), open.map(isClosed)],
      [
        [true, true, true, true],
        [false, false, false, false, false],
      ],
    )
  })
})

test('readyz counts once in a while, however often it is asked', async () => {
  await withTestApp({}, async (app) => {
    const { database, ...foundation } = app.services.foundation
    let statements = 0
    const kysely = database.kysely.withPlugin({
      transformQuery({ node }) {
        statements += 1
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const readiness = createReadiness()
    await openSharing({ ...foundation, database: { ...database, kysely }, readiness })
    statements = 0
    const [sharing] = readiness.list()
    for (let asked = 0; asked < 20; asked += 1) {
      assert.equal((await sharing?.check())?.state, 'ok')
    }
    assert.equal(statements, 1)
  })
})

describe('what switches a default off', () => {
  test('an opened listener at a later start: with a line in the log, and the sightings go', async () => {
    await withTestApp({}, async (app) => {
      const token = await app.createToken()
      await pushEvent(app, token, { ip: '192.0.2.1' })
      await collectAll(app)
      assert.equal((await explain(app, '192.0.2.1')).intent.value, 'malicious')
      const { lines, finding } = await startAgain(app, { host: '0.0.0.0' })
      assert.equal(lines.length, 1)
      assert.match(lines[0]?.message ?? '', /share_sightings was on by default and is off now/)
      assert.equal(finding?.state, 'off')
      assert.deepEqual(await readSharing(app), [false, 'default'])
      assert.deepEqual(await collectReasons(app), [
        'share_sightings was on by default and is off now, since look-ups are open',
      ])
      await collectAll(app)
      const found = await explain(app, '192.0.2.1')
      assert.deepEqual([found.intent.value, found.entries], ['unknown', []])
      const sources = await query(app.connection, `select from intel_source where kind = 'report'`)
      assert.equal(sources.length, 0)
      // Bound to loopback again, it stays off until a person switches it on.
      await startAgain(app, {})
      assert.deepEqual(await readSharing(app), [false, 'default'])
      assert.deepEqual(await setSharing(app, null), [true, 'default'])
      await collectAll(app)
      assert.equal((await explain(app, '192.0.2.1')).intent.value, 'malicious')
    })
  })

  test('a second tenant, at once', async () => {
    await withTestApp({}, async (app) => {
      const token = await app.createToken()
      await pushEvent(app, token, { ip: '192.0.2.1' })
      await collectAll(app)
      const json = { id: 'second', name: 'Second' }
      assert.equal((await app.send('POST', '/beta/admin/tenants', { token, json })).status, 201)
      assert.deepEqual(await readSharing(app), [false, 'default'])
      assert.deepEqual(await collectReasons(app), [
        'share_sightings was on by default and is off now, since there are several tenants',
      ])
      await collectAll(app)
      assert.equal((await explain(app, '192.0.2.1')).intent.value, 'unknown')
      const { finding } = await startAgain(app, {})
      assert.match(finding?.detail ?? '', /there are several tenants/)
    })
  })
})

describe('a setting of a person', () => {
  test('stays, whatever is opened', async () => {
    await withTestApp({}, async (app) => {
      assert.deepEqual(await setSharing(app, true), [true, 'person'])
      const token = await app.createToken()
      await app.send('POST', '/beta/admin/tenants', { token, json: { id: 'second', name: 'B' } })
      const { lines, finding } = await startAgain(app, { host: '0.0.0.0' })
      assert.deepEqual([lines, finding?.state], [[], 'ok'])
      assert.deepEqual(await readSharing(app), [true, 'person'])
      assert.deepEqual(await setSharing(app, false), [false, 'person'])
      await startAgain(app, {})
      assert.deepEqual(await readSharing(app), [false, 'person'])
    })
  })

  test('to share none takes the sightings back; to share counts the events of the look-back', async () => {
    await withTestApp({}, async (app) => {
      const token = await app.createToken()
      await pushEvent(app, token, { ip: '192.0.2.1' })
      await collectAll(app)
      await setSharing(app, false)
      assert.deepEqual(await collectReasons(app), ['a person switched share_sightings off'])
      await collectAll(app)
      assert.equal((await explain(app, '192.0.2.1')).intent.value, 'unknown')
      await pushEvent(app, token, { ip: '192.0.2.2' })
      await setSharing(app, true)
      await collectAll(app)
      for (const item of ['192.0.2.1', '192.0.2.2']) {
        // oxlint-disable-next-line eslint/no-await-in-loop
        assert.equal((await explain(app, item)).intent.value, 'malicious')
      }
    })
  })

  test('of how many reporters it takes is refused below two', async () => {
    await withTestApp({}, async (app) => {
      const token = await app.createToken()
      const send = async (value: unknown) =>
        await app.send('PATCH', TENANT, {
          token,
          json: { settings: { unverified_reporters_min: value } },
        })
      assert.equal((await send(1)).status, 400)
      assert.equal((await send(17)).status, 400)
      const done = await send(4)
      assert.equal(done.json().settings.unverified_reporters_min, 4)
      assert.equal((await send(null)).json().settings.unverified_reporters_min, undefined)
    })
  })
})

test('an accepted event is seen by look-ups within five seconds, by the jobs of the service', async () => {
  await withTestApp({}, async (app) => {
    const jobs = await startJobs(app.services)
    try {
      const token = await app.createToken()
      await pushEvent(app, token, { ip: '192.0.2.77' })
      const startedMs = performance.now()
      for (;;) {
        // oxlint-disable-next-line eslint/no-await-in-loop
        if ((await explain(app, '192.0.2.77')).intent.value === 'malicious') break
        assert.ok(performance.now() - startedMs < 30_000, 'it never came')
        // oxlint-disable-next-line eslint/no-await-in-loop
        await new Promise((resolve) => {
          setTimeout(resolve, 50)
        })
      }
    } finally {
      await jobs.stop()
    }
  })
})
