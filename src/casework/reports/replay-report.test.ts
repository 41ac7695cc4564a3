// Reading a kept report again, with its reader mended or broken in between.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openTestApp, type TestAnswer, type TestApp } from '../../../test/harness.ts'
import { query } from '../../../test/playbook-fixtures.ts'
import { readXarfV4 } from '../../reader/formats/xarf-v4.ts'
import type { ReportResult } from '../../reader/reading.ts'
import { findPackageRoot } from '../../values/resources.ts'
import { replayReport } from './process-report.ts'
import { submitReport } from './submit-report.ts'

const PATH = '/beta/casework/reports'
const ACTOR = { kind: 'token', id: 'tok_test', name: 'test' } as const
const SCOPE = { tenantId: 'default' }

let app: TestApp
let token: string
before(async () => {
  app = await openTestApp()
  token = await app.createToken()
})
after(() => app.close())

function readExample(name: string): Buffer {
  return readFileSync(join(findPackageRoot(), 'examples', 'xarf', name))
}

async function keep(body: Buffer): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  return (await app.send('POST', PATH, { token, body, headers })).json().report_id
}

function replay(reportId: string, as = token): Promise<TestAnswer> {
  return app.send('POST', `${PATH}/${reportId}/replay`, { token: as })
}

async function readState(reportId: string): Promise<unknown> {
  const { state, event_count: count } = (
    await app.send('GET', `${PATH}/${reportId}`, { token })
  ).json()
  return [state, count]
}

test('200, and the events that are known are repeats', async () => {
  const reportId = await keep(readExample('connection-login_attack.json'))
  const answer = await replay(reportId.toUpperCase())
  assert.equal(answer.status, 200)
  const { report_id: id, state, events } = answer.json()
  assert.deepEqual([id, state], [reportId, 'accepted'])
  assert.deepEqual(
    events.map((event: { outcome: string }) => event.outcome),
    ['duplicate'],
  )
  assert.deepEqual(await query(app, 'select count(*) from event'), [{ count: 1 }])
})

test('what could not be read is read by a reader that can, with the time it came', async () => {
  const unable = {
    ...app.services.casework.reports,
    readBytes: async (): Promise<ReportResult> => ({ kind: 'unreadable', reason: 'No.' }),
  }
  const { reportId } = await submitReport(unable, SCOPE, {
    bytes: Buffer.from('of a format that is to come'),
    mediaType: 'text/plain',
    fallbackReporter: null,
    actor: ACTOR,
    via: 'api',
  })
  assert.deepEqual(await readState(reportId), ['quarantined', 0])
  const times: number[] = []
  const mended = {
    ...app.services.casework.reports,
    readBytes: async (_: Uint8Array, { receivedAtMs }: { receivedAtMs: number }) => {
      times.push(receivedAtMs)
      return readXarfV4(readExample('content-phishing.json'), receivedAtMs)
    },
  }
  const taken = await replayReport(mended, SCOPE, reportId, ACTOR)
  assert.deepEqual([taken?.state, taken?.events[0]?.outcome], ['accepted', 'created'])
  assert.deepEqual(await readState(reportId), ['accepted', 1])
  const report = (await app.send('GET', `${PATH}/${reportId}`, { token })).json()
  assert.deepEqual(times, [Date.parse(report.received_at)])
})

test('an accepted report stays accepted when it can no longer be read, and the answer tells the refusal', async () => {
  const reportId = await keep(readExample('messaging-spam.json'))
  const broken = {
    ...app.services.casework.reports,
    readBytes: async (): Promise<ReportResult> => ({ kind: 'unreadable', reason: 'No.' }),
  }
  const taken = await replayReport(broken, SCOPE, reportId, ACTOR)
  assert.deepEqual([taken?.state, taken?.reason, taken?.events], ['quarantined', 'No.', []])
  assert.deepEqual(await readState(reportId), ['accepted', 1])
})

test('404 for a report of another tenant and for what is no id; 403 without the scope', async () => {
  const reportId = await keep(readExample('messaging-spam.json'))
  await app.createTenant('other')
  const stranger = await app.createToken({ tenantId: 'other' })
  assert.equal((await replay(reportId, stranger)).status, 404)
  assert.equal((await replay('nonsense')).status, 404)
  assert.equal(
    (await replay(reportId, await app.createToken({ scopes: ['events:read'] }))).status,
    403,
  )
})
