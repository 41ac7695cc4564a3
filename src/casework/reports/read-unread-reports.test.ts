// Reports that were kept but could not be read or stored at once: none stays unread for ever.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openTestApp, type TestAnswer, type TestApp } from '../../../test/harness.ts'
import { buildMail } from '../../../test/mail-kit.ts'
import { query } from '../../../test/playbook-fixtures.ts'
import { databaseBusy } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { readReportBytes } from '../../reader/read-report.ts'
import { findPackageRoot } from '../../values/resources.ts'
import { readersBusy } from '../cases/errors.ts'
import type { AuthenticateMail, ReportDeps } from './process-report.ts'
import {
  createSweepPosition,
  REPORTS_PER_PASS_MAX,
  readUnreadReports,
} from './read-unread-reports.ts'
import { keepReport, submitReport } from './submit-report.ts'

const PATH = '/beta/casework/reports'
const MINUTE_MS = 60_000
const START_MS = Date.parse('2026-04-01T00:00:00Z')

let nowMs = START_MS
let app: TestApp
let token: string
before(async () => {
  app = await openTestApp({ clock: { nowMs: () => nowMs } })
  token = await app.createToken()
  await query(
    app,
    `create function refuse_for_test() returns trigger language plpgsql as
     $$ begin raise exception 'the disk is full' using errcode = '53100'; end $$`,
  )
})
after(() => app.close())

function deps(): ReportDeps {
  const { foundation, casework } = app.services
  return {
    ...foundation,
    db: foundation.database.kysely,
    wakeWorkers: casework.wakeWorkers,
    ...casework.conditions,
  }
}

/** A report that is kept while its events cannot be stored. */
async function pushInTrouble(reportId: string): Promise<TestAnswer> {
  await startTrouble()
  try {
    return await push(reportId)
  } finally {
    await endTrouble()
  }
}

async function startTrouble(): Promise<void> {
  await query(
    app,
    'create trigger refuse_for_test before insert on event execute function refuse_for_test()',
  )
}

async function endTrouble(): Promise<void> {
  await query(app, 'drop trigger refuse_for_test on event')
}

function buildReport(reportId: string): Buffer {
  const path = join(findPackageRoot(), 'examples', 'xarf', 'connection-login_attack.json')
  const report = JSON.parse(readFileSync(path, 'utf8'))
  return Buffer.from(JSON.stringify({ ...report, report_id: reportId }))
}

function push(reportId: string): Promise<TestAnswer> {
  const headers = { 'content-type': 'application/json' }
  return app.send('POST', PATH, { token, body: buildReport(reportId), headers })
}

async function readNewest() {
  const [newest] = (await app.send('GET', `${PATH}?limit=1`, { token })).json().items
  return newest
}

test('a report whose events could not be stored is read a minute later, once', async () => {
  const answer = await pushInTrouble('0b8f7a0e-4a0f-4f43-8a39-000000000001')
  assert.ok(answer.status >= 500)
  assert.equal((await readNewest()).reason, 'The report has not been read yet.')
  nowMs += MINUTE_MS - 1
  assert.equal(await readUnreadReports(deps()), 0)
  nowMs += 2
  const passes = await Promise.all([readUnreadReports(deps()), readUnreadReports(deps())])
  assert.equal(passes[0] + passes[1], 1)
  const report = await readNewest()
  assert.deepEqual([report.state, report.reason, report.event_count], ['accepted', undefined, 1])
  const events = await query(
    app,
    'select case_id is not null as has_case from event where report_id = $1',
    [report.report_id],
  )
  assert.deepEqual(events, [{ has_case: true }])
  assert.equal(await readUnreadReports(deps()), 0)
})

test('a report that can never be stored is tried for an hour, then quarantined with the reason, and holds up no other', async () => {
  await pushInTrouble('0b8f7a0e-4a0f-4f43-8a39-000000000002')
  nowMs += 2 * MINUTE_MS
  await startTrouble()
  assert.equal(await readUnreadReports(deps()), 0)
  assert.equal((await readNewest()).reason, 'The report has not been read yet.')
  nowMs += 60 * MINUTE_MS
  assert.equal(await readUnreadReports(deps()), 1)
  await endTrouble()
  const report = await readNewest()
  assert.equal(report.state, 'quarantined')
  assert.match(report.reason, /could not be stored as events/)
})

test('an old report that finds the readers busy stays unread, and is read by a later pass', async () => {
  await keep('{"old":true}')
  nowMs += 120 * MINUTE_MS
  const busy: ReportDeps = {
    ...deps(),
    readBytes: () => {
      throw readersBusy()
    },
  }
  assert.equal(await readUnreadReports(busy), 0)
  assert.equal((await readNewest()).reason, 'The report has not been read yet.')
  assert.equal(await readUnreadReports(deps()), 1)
})

test('a report that another node has read meanwhile keeps its verdict', async () => {
  const reportId = '0b8f7a0e-4a0f-4f43-8a39-000000000005'
  await pushInTrouble(reportId)
  nowMs += 120 * MINUTE_MS
  const failing: ReportDeps = {
    ...deps(),
    prepareOwners: async () => {
      assert.equal(await readUnreadReports(deps()), 1)
      throw new Error('the database is away')
    },
  }
  await readUnreadReports(failing)
  const report = await readNewest()
  assert.deepEqual([report.state, report.event_count], ['accepted', 1])
})

test('a report whose reader fails is quarantined with a reason and its bytes', async () => {
  const bytes = buildReport('0b8f7a0e-4a0f-4f43-8a39-000000000003')
  const failing: ReportDeps = {
    ...deps(),
    readBytes: () => {
      throw new RangeError('out of range')
    },
  }
  const taken = await submitReport(
    failing,
    { tenantId: 'default' },
    {
      bytes,
      mediaType: 'application/json',
      fallbackReporter: null,
      actor: { kind: 'token', id: 'tok_x', name: 'x' },
      via: 'api',
    },
  )
  assert.equal(taken.state, 'quarantined')
  assert.match(taken.reason ?? '', /its reader failed on it/)
  const report = await readNewest()
  assert.equal(report.report_id, taken.reportId)
  assert.equal(report.reason, taken.reason)
  const raw = await app.send('GET', `${PATH}/${taken.reportId}/raw`, { token })
  assert.equal(raw.text, bytes.toString())
})

test('what the database refuses for its content is quarantined by the first pass', async () => {
  await pushInTrouble('0b8f7a0e-4a0f-4f43-8a39-000000000004')
  nowMs += 2 * MINUTE_MS
  await query(
    app,
    `create function refuse_content_for_test() returns trigger language plpgsql as
     $$ begin raise exception 'untranslatable character' using errcode = '22P05'; end $$`,
  )
  await query(
    app,
    'create trigger refuse_content_for_test before insert on event execute function refuse_content_for_test()',
  )
  const settled = await readUnreadReports(deps())
  await query(app, 'drop trigger refuse_content_for_test on event')
  assert.equal(settled, 1)
  assert.equal((await readNewest()).state, 'quarantined')
})

test('a full pass of reports that fail each time keeps no later one waiting, nor fills the log', async () => {
  for (let count = 0; count <= REPORTS_PER_PASS_MAX; count += 1) {
    await keep(count < REPORTS_PER_PASS_MAX ? `{"stuck":${count}}` : '{"good":true}')
    nowMs += 1
  }
  nowMs += 2 * MINUTE_MS
  const lines: string[] = []
  const note = (message: string): void => {
    lines.push(message)
  }
  const log: Log = { ...app.services.foundation.log, error: note }
  const stuck: ReportDeps = {
    ...deps(),
    log,
    readBytes: (bytes, context) => {
      if (Buffer.from(bytes).includes('stuck')) throw databaseBusy(new Error('for test'))
      return readReportBytes(bytes, context)
    },
  }
  const place = createSweepPosition()
  assert.equal(await readUnreadReports(stuck, place), 0)
  assert.deepEqual(lines, [
    ...Array<string>(3).fill('A report could not be read later either'),
    'Reports could not be read later either',
  ])
  assert.equal(await readUnreadReports(stuck, place), 1)
  assert.notEqual((await readNewest()).reason, 'The report has not been read yet.')
  // The pass behind the newest begins with the oldest again, and all of them are read once they can
  // be.
  assert.equal(await readUnreadReports(deps(), place), REPORTS_PER_PASS_MAX)
})

test('DNS is asked about the mails of a pass at once, and outside of any transaction', async () => {
  await readUnreadReports(deps())
  for (let count = 0; count < 5; count += 1) await keep(buildMail(`sweep-${count}`), 'smtp')
  nowMs += 2 * MINUTE_MS
  const allAsked = Promise.withResolvers<void>()
  let asked = 0
  let openTransactions = 0
  const passed = { result: 'pass' }
  const authenticate: AuthenticateMail = async () => {
    const rows = await query(
      app,
      `select pid from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
    )
    openTransactions += rows.length
    asked += 1
    if (asked === 5) allAsked.resolve()
    await allAsked.promise
    return { spf: passed, dkim: passed, dmarc: passed, arc: passed }
  }
  // Read by nobody before all of them were asked about.
  const readBytes: ReportDeps['readBytes'] = async (bytes, context) => {
    assert.equal(asked, 5)
    return readReportBytes(bytes, context)
  }
  assert.equal(await readUnreadReports({ ...deps(), authenticate, readBytes }), 5)
  assert.equal(openTransactions, 0)
  const newest = await readNewest()
  const report = await app.send('GET', `${PATH}/${newest.report_id}`, { token })
  assert.equal(report.json().authentication.spf.result, 'pass')
})

async function keep(text: string, via: 'api' | 'smtp' = 'api'): Promise<void> {
  await keepReport(deps(), [{ tenantId: 'default' }], {
    bytes: Buffer.from(text),
    mediaType: via === 'api' ? 'application/json' : 'message/rfc822',
    fallbackReporter: null,
    actor: { kind: 'token', id: 'tok_x', name: 'x' },
    via,
  })
}
