// The queue of mails to be read: slow DNS of one sender does not delay the others, within limits.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withApp } from '../../../../test/harness.ts'
import { buildMail, listReports, whenRead } from '../../../../test/mail-kit.ts'
import { query } from '../../../../test/playbook-fixtures.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { findKeptReport } from '../kept-report-store.ts'
import type { ReportDeps } from '../process-report.ts'
import { readUnreadReports } from '../read-unread-reports.ts'
import { openReportQueue, type QueuedReport } from '../report-queue.ts'
import { keepReport } from '../submit-report.ts'
import { createMailMetrics, type MailMetrics } from './mail-metrics.ts'
import { createReadingQueue } from './reading-queue.ts'

let metrics: MailMetrics
const app = withApp({}, async () => {
  metrics = createMailMetrics(app.services.foundation.metrics)
})

interface SlowDns {
  readonly deps: ReportDeps
  /** Mails that wait for DNS: now, and the maximum so far. */
  readonly count: { now: number; most: number }
  readonly answer: () => void
}

/** DNS does not answer for a mail that contains "dead" until `answer` is called. */
function openSlowDns(): SlowDns {
  const answered = Promise.withResolvers<null>()
  const count = { now: 0, most: 0 }
  const authenticate = async (bytes: Buffer): Promise<null> => {
    if (!bytes.includes('dead')) return null
    count.now += 1
    count.most = Math.max(count.most, count.now)
    await answered.promise
    count.now -= 1
    return null
  }
  const deps = { ...app.services.casework.reports, authenticate }
  return { deps, count, answer: () => answered.resolve(null) }
}

/** `byteLength` is the size that the queue counts. */
async function keep(id: string, byteLength = 1_000, tenantId = 'default'): Promise<QueuedReport> {
  const [kept] = await keepReport(app.services.casework.reports, [{ tenantId }], {
    bytes: Buffer.from(buildMail(id)),
    mediaType: 'message/rfc822',
    fallbackReporter: null,
    actor: { kind: 'system', id: 'smtp:192.0.2.1', name: 'smtp:192.0.2.1' },
    via: 'smtp',
    envelope: { from: null, to: [], remoteAddress: '192.0.2.1', helo: null },
  })
  assert.ok(kept !== undefined)
  return { tenantId: kept.tenantId, id: kept.id, byteLength, report: null }
}

test('a mail is read while 31 others wait for DNS; more than 32 do not wait at once, and all are read in the end', async () => {
  const { deps, count, answer } = openSlowDns()
  const queue = createReadingQueue(deps, metrics)
  const dead = await Promise.all(Array.from({ length: 40 }, (_, at) => keep(`dead-${at}`)))
  for (const one of dead.slice(0, 31)) queue.push(one)
  await waitUntil(async () => count.now === 31)
  queue.push(await keep('good'))
  await whenRead(app, app.token, 'good')
  assert.equal(count.now, 31)
  for (const one of dead.slice(31)) queue.push(one)
  await waitUntil(async () => count.now === 32)
  answer()
  await waitUntil(async () => {
    const reports = await listReports(app, app.token)
    return reports.every(({ state }) => state === 'accepted')
  })
  assert.equal(count.most, 32)
  await queue.close()
})

test('mails that wait for DNS take 64 MiB at most', async () => {
  const { deps, count, answer } = openSlowDns()
  const queue = createReadingQueue(deps, metrics)
  const ids = ['dead-large-0', 'dead-large-1', 'dead-large-2']
  const kept = await Promise.all(ids.map((id) => keep(id, 25 * 1024 * 1024)))
  for (const one of kept) queue.push(one)
  assert.equal((await metrics.waiting.get()).values[0]?.value, 1)
  await waitUntil(async () => count.now === 2)
  answer()
  await whenRead(app, app.token, 'dead-large-2')
  assert.equal(count.most, 2)
  await queue.close()
})

test('a mail at hand is not fetched again', async () => {
  const queue = createReadingQueue(app.services.casework.reports, metrics)
  const lined = await keep('at-hand')
  const report = await findKeptReport(database(), lined, lined.id)
  assert.ok(report !== null)
  await query(app, 'delete from report_raw where sha256 = sha256($1)', [report.bytes])
  queue.push({ ...lined, report })
  assert.equal((await whenRead(app, app.token, 'at-hand')).state, 'accepted')
  await queue.close()
})

test('a mail of one tenant has its turn before the many of another that came first', async () => {
  await app.createTenant('quiet')
  const gate = Promise.withResolvers<void>()
  const order: string[] = []
  const { readBytes } = app.services.casework.reports
  const deps: ReportDeps = {
    ...app.services.casework.reports,
    async readBytes(bytes, context, tenantId) {
      order.push(tenantId)
      await gate.promise
      return (await readBytes?.(bytes, context, tenantId)) ?? { kind: 'unreadable', reason: '' }
    },
  }
  const lines = openReportQueue(deps)
  const crowd = await Promise.all(Array.from({ length: 20 }, (_, at) => keep(`crowd-${at}`)))
  const quiet = await keep('alone', 1_000, 'quiet')
  const ends = [...crowd, quiet].map((one) => lines.push(one))
  // Four are being read, the others wait for it.
  await waitUntil(async () => order.length === 4 && lines.waitingCount() === 17)
  gate.resolve()
  await Promise.all(ends)
  assert(order.indexOf('quiet') <= 5, `it was the ${order.indexOf('quiet') + 1}th`)
  await lines.close()
})

test('what is behind a full line is left to the sweep, which reads it', async () => {
  const { deps, answer } = openSlowDns()
  const queue = createReadingQueue(deps, metrics, 1)
  const leftBefore = (await metrics.leftToSweep.get()).values[0]?.value ?? 0
  // 32 wait for DNS, and one waits in the queue.
  const kept = await Promise.all(Array.from({ length: 34 }, (_, at) => keep(`dead-line-${at}`)))
  for (const one of kept) queue.push(one)
  assert.equal((await metrics.leftToSweep.get()).values[0]?.value, leftBefore + 1)
  answer()
  await whenRead(app, app.token, 'dead-line-32')
  await queue.close()
  const later = { nowMs: () => Date.now() + 120_000 }
  assert.equal(await readUnreadReports({ ...deps, clock: later }), 1)
  assert.equal((await whenRead(app, app.token, 'dead-line-33')).state, 'accepted')
})

test('what waits at the end is left to the sweep, and what comes later too', async () => {
  const { deps, answer } = openSlowDns()
  const lines = openReportQueue(deps)
  const kept = await Promise.all(Array.from({ length: 33 }, (_, at) => keep(`dead-end-${at}`)))
  const ends = kept.map((one) => lines.push(one))
  const closed = lines.close()
  assert.deepEqual(await ends[32], { kind: 'closed' })
  answer()
  await closed
  assert.deepEqual(await lines.push(await keep('after-end')), { kind: 'closed' })
  // The DNS answers came after the close, so no report was read.
  assert.deepEqual(
    await Promise.all(ends),
    Array.from(ends, () => ({ kind: 'closed' })),
  )
})

function database() {
  return app.services.foundation.database.kysely
}
