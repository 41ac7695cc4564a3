import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { Registry } from 'prom-client'
import { waitUntil } from '../../../../test/wait.ts'
import { silentLog } from '../../../kernel/log.ts'
import { readReportBytes } from '../../../reader/read-report.ts'
import type { ReportContext } from '../../../reader/reading.ts'
import { readReport } from '../process-report.ts'
import { createReadingMetrics } from './reading-metrics.ts'
import { openReadingPool, type ReadingPool, type ReadingPoolOptions } from './reading-pool.ts'

const CONTEXT: ReportContext = {
  receivedAtMs: Date.parse('2026-03-02T12:00:00Z'),
  mediaType: 'message/rfc822',
  fallbackReporter: null,
}
const MAIL = Buffer.from(
  'From: desk@reporter.example\nTo: abuse@provider.example\nSubject: Brute force from 192.0.2.7\nDate: Mon, 2 Mar 2026 10:00:00 +0000\nMessage-ID: <1@reporter.example>\n\nThe address 192.0.2.7 attacked our SSH server at 2026-03-02 09:00:00 UTC.\n',
)
// Far more than any machine needs, for tests that are not about timeouts.
const PATIENT_MS = 60_000

const pools: ReadingPool[] = []
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

function open(options: Partial<ReadingPoolOptions> = {}): {
  readonly pool: ReadingPool
  readonly registry: Registry
} {
  const registry = new Registry()
  const pool = openReadingPool({
    size: 1,
    cpuLimitMs: PATIENT_MS,
    waitLimitMs: PATIENT_MS,
    log: silentLog,
    metrics: createReadingMetrics(registry),
    ...options,
  })
  pools.push(pool)
  return { pool, registry }
}

/** A reading thread that runs `program` for every report. */
function actAs(program: string): URL {
  const text = `
    import { parentPort } from 'node:worker_threads'
    parentPort.on('message', ({ id }) => { ${program} })
    const { user, system } = process.threadCpuUsage()
    parentPort.postMessage({ kind: 'ready', spentMs: (user + system) / 1_000 })`
  return new URL(`data:text/javascript,${encodeURIComponent(text)}`)
}

describe('a pool of reading threads', () => {
  test('reads as the reader itself does, and leaves the bytes with the caller', async () => {
    const { pool, registry } = open()
    assert.equal(pool.threadCount(), 0)
    const bytes = Buffer.from(MAIL)
    assert.deepEqual(await pool.read(bytes, CONTEXT), readReportBytes(MAIL, CONTEXT))
    assert.deepEqual(bytes, MAIL)
    assert.equal(pool.threadCount(), 1)
    assert.match(await registry.metrics(), /casework_report_readings_total\{outcome="read"\} 1/)
  })

  test('reads many at once, with no more threads than it may have', async () => {
    const { pool } = open({ size: 2 })
    const results = await Promise.all(Array.from({ length: 40 }, () => pool.read(MAIL, CONTEXT)))
    assert.equal(results.length, 40)
    assert.ok(pool.threadCount() <= 2)
  })

  test('reads small plain XARF without a thread', async () => {
    const { pool } = open()
    const result = await pool.read(Buffer.from('{"xarf_version":"4.2.0"}'), CONTEXT)
    assert.equal(result.kind, 'invalid')
    assert.equal(pool.threadCount(), 0)
  })

  test('gives up a report that fills the memory, with the reason, and reads the next', async () => {
    const { pool, registry } = open({ memoryMb: 64 })
    // A million objects of some 60 bytes each.
    const greedy = Buffer.from(`[${'{"a":[1]},'.repeat(1_000_000)}0]`)
    const result = await pool.read(greedy, CONTEXT)
    assert.equal(result.kind, 'unreadable')
    assert.match(result.kind === 'unreadable' ? result.reason : '', /memory/)
    assert.equal((await pool.read(MAIL, CONTEXT)).kind, 'report')
    assert.match(await registry.metrics(), /outcome="too_large"\} 1/)
  })

  test('kills a reading that takes too much processor time, with the reason, and reads the next', async () => {
    const { pool, registry } = open({ cpuLimitMs: 200, threadUrl: actAs('for (;;);') })
    const result = await pool.read(MAIL, CONTEXT)
    assert.ok(result.kind === 'unreadable')
    assert.match(result.reason, /more than 0.2 seconds of processor time/)
    assert.match(await registry.metrics(), /outcome="too_slow"\} 1/)
    assert.equal((await pool.read(MAIL, CONTEXT)).kind, 'unreadable')
  })

  test('kills a reading that never answers, however little it computes, with the reason', async () => {
    const { pool, registry } = open({ waitLimitMs: 200, threadUrl: actAs('') })
    const result = await pool.read(MAIL, CONTEXT)
    assert.ok(result.kind === 'unreadable')
    assert.match(result.reason, /longer than 0.2 seconds/)
    assert.match(await registry.metrics(), /outcome="timed_out"\} 1/)
  })

  test('lets a report take longer by the clock than it may take of the processor', async () => {
    // Waits as a thread does on a busy machine; each wait is longer than the limit of processor
    // time.
    const busy = actAs(
      `setTimeout(() => parentPort.postMessage({ kind: 'reply', id, reply: 'done', spentMs: 100_000 }), 400)`,
    )
    const { pool } = open({ cpuLimitMs: 200, threadUrl: busy })
    assert.equal(await pool.read(MAIL, CONTEXT), 'done')
    // Time that the thread spent before, which each reply includes, does not count.
    assert.equal(await pool.read(MAIL, CONTEXT), 'done')
    assert.equal(pool.threadCount(), 1)
  })

  test('ends threads that have nothing to do and starts others when there is', async () => {
    const { pool } = open({ lingerMs: 1 })
    await pool.read(MAIL, CONTEXT)
    await waitUntil(() => pool.threadCount() === 0)
    await pool.read(MAIL, CONTEXT)
  })

  test('refuses what would wait behind too many, and what comes after its end', async () => {
    const { pool } = open({ queueMax: 1 })
    const first = pool.read(MAIL, CONTEXT)
    const second = pool.read(MAIL, CONTEXT)
    await assert.rejects(pool.read(MAIL, CONTEXT), { code: 'CASEWORK_READERS_BUSY' })
    await Promise.all([first, second])
    await pool.close()
    await assert.rejects(pool.read(MAIL, CONTEXT), { code: 'CASEWORK_READERS_BUSY' })
    // The report is not at fault, so it is not quarantined.
    const deps = { log: silentLog, readBytes: pool.read }
    await assert.rejects(readReport(deps, MAIL, CONTEXT, 'default'), {
      code: 'CASEWORK_READERS_BUSY',
    })
  })

  test('refuses what would wait behind too many bytes, and takes it when they are read', async () => {
    const { pool } = open({ queueBytesMax: MAIL.length })
    const first = pool.read(MAIL, CONTEXT)
    const second = pool.read(MAIL, CONTEXT)
    await assert.rejects(pool.read(MAIL, CONTEXT), { code: 'CASEWORK_READERS_BUSY' })
    await Promise.all([first, second])
    assert.equal((await pool.read(MAIL, CONTEXT)).kind, 'report')
  })

  test('its end breaks off what is under way, which stays unread', async () => {
    const { pool } = open()
    const readings = Promise.allSettled([pool.read(MAIL, CONTEXT), pool.read(MAIL, CONTEXT)])
    await pool.close()
    for (const reading of await readings) {
      assert.ok(reading.status === 'rejected')
      assert.equal((reading.reason as { code?: string }).code, 'CASEWORK_READERS_BUSY')
    }
  })
})
