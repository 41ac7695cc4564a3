// The line of mails to be read: slow DNS of one sender holds up nobody else, within bounds.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness.ts'
import { buildMail, listReports, until, whenRead } from '../../../test/mail-kit.ts'
import type { ReportDeps } from '../settle-report.ts'
import { type KeptFor, keepReport } from '../take-in-report.ts'
import { createMailMetrics, type MailMetrics } from './mail-metrics.ts'
import { createReadingQueue } from './reading-queue.ts'

let app: TestApp
let token: string
let metrics: MailMetrics
before(async () => {
  app = await openTestApp()
  token = await app.createToken()
  metrics = createMailMetrics(app.services.foundation.metrics)
})
after(() => app.close())

interface SlowDns {
  readonly deps: ReportDeps
  /** Mails that are being asked for now, and the most there ever were. */
  readonly count: { now: number; most: number }
  readonly answer: () => void
}

/** Nothing is answered for a mail with "dead" in it until `answer` is called. */
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

async function keep(id: string): Promise<KeptFor> {
  const [kept] = await keepReport(app.services.casework.reports, [{ tenantId: 'default' }], {
    bytes: Buffer.from(buildMail(id)),
    mediaType: 'message/rfc822',
    fallbackReporter: null,
    actor: { kind: 'system', id: 'smtp:192.0.2.1', name: 'smtp:192.0.2.1' },
    via: 'smtp',
    envelope: { from: null, to: [], remoteAddress: '192.0.2.1', helo: null },
  })
  assert.ok(kept !== undefined)
  return kept
}

test('a mail is read while 31 others wait for DNS; more than 32 do not wait at once, and all are read in the end', async () => {
  const { deps, count, answer } = openSlowDns()
  const queue = createReadingQueue(deps, metrics)
  const dead = await Promise.all(Array.from({ length: 40 }, (_, at) => keep(`dead-${at}`)))
  for (const one of dead.slice(0, 31)) queue.push(one, 1_000)
  await until(async () => (count.now === 31 ? true : null))
  queue.push(await keep('good'), 1_000)
  await whenRead(app, token, 'good')
  assert.equal(count.now, 31)
  for (const one of dead.slice(31)) queue.push(one, 1_000)
  await until(async () => (count.now === 32 ? true : null))
  answer()
  await until(async () => {
    const reports = await listReports(app, token)
    return reports.every(({ state }) => state === 'accepted') ? true : null
  })
  assert.equal(count.most, 32)
  await queue.close()
})

test('mails that wait for DNS take 64 MiB at most', async () => {
  const { deps, count, answer } = openSlowDns()
  const queue = createReadingQueue(deps, metrics)
  const ids = ['dead-large-0', 'dead-large-1', 'dead-large-2']
  const kept = await Promise.all(ids.map(keep))
  for (const one of kept) queue.push(one, 25 * 1024 * 1024)
  assert.equal((await metrics.waiting.get()).values[0]?.value, 1)
  await until(async () => (count.now === 2 ? true : null))
  answer()
  await whenRead(app, token, 'dead-large-2')
  assert.equal(count.most, 2)
  await queue.close()
})
