import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { Registry } from 'prom-client'
import { HOSTILE_MAILS } from '../../../../test/fixtures/hostile-mail.ts'
import { silentLog } from '../../../kernel/log.ts'
import type { ReportContext, ReportResult } from '../../../reader/reading.ts'
import { createReadingMetrics } from './reading-metrics.ts'
import { openReadingPool, READING_LIMITS } from './reading-pool.ts'

const CONTEXT: ReportContext = {
  receivedAtMs: Date.parse('2026-03-02T12:00:00Z'),
  mediaType: 'message/rfc822',
  fallbackReporter: null,
}
const GOOD = Buffer.from(
  'From: desk@reporter.example\nTo: abuse@provider.example\nSubject: Brute force from 192.0.2.7\nDate: Mon, 2 Mar 2026 10:00:00 +0000\nMessage-ID: <1@reporter.example>\n\nThe address 192.0.2.7 attacked our SSH server at 2026-03-02 09:00:00 UTC.\n',
)

// With the limits of the product: a thread that passes them is killed, and the report ends with
// that as its reason, which is not the end that is expected here. The kill itself is tested in
// reading-pool.test.ts.
const pool = openReadingPool({
  size: 1,
  log: silentLog,
  metrics: createReadingMetrics(new Registry()),
})
after(() => pool.close())

function explain(result: ReportResult): string {
  if (result.kind === 'report') return `read as ${result.format}`
  return 'reason' in result ? result.reason : JSON.stringify(result.problems)
}

describe('every attack of design 5.1 ends as it must within the limits of the readers', () => {
  test('which are two seconds of processor time and 256 MB', () => {
    assert.deepEqual(READING_LIMITS, { cpuLimitMs: 2_000, waitLimitMs: 20_000, memoryMb: 256 })
  })

  for (const { name, make, ends } of HOSTILE_MAILS) {
    test(name, async () => {
      const result = await pool.read(make(), CONTEXT)
      if ('because' in ends) {
        assert.equal(result.kind, 'unreadable', explain(result))
        assert.match(explain(result), ends.because)
      } else {
        assert.equal(explain(result), `read as ${ends.readAs}`)
      }
      assert.equal((await pool.read(GOOD, CONTEXT)).kind, 'report')
    })
  }

  test('nothing was written by the name of an entry', () => {
    assert.equal(existsSync('/tmp/casework-escaped.csv'), false)
  })
})
