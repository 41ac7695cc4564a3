import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { Registry } from 'prom-client'
import { HOSTILE_MAILS } from '../../../../test/fixtures/hostile-mail.ts'
import { silentLog } from '../../../kernel/log.ts'
import type { ReportContext, ReportResult } from '../../../reader/reading.ts'
import { createReadingMetrics } from './reading-metrics.ts'
import { openReadingPool } from './reading-pool.ts'

const CONTEXT: ReportContext = {
  receivedAtMs: Date.parse('2026-03-02T12:00:00Z'),
  mediaType: 'message/rfc822',
  fallbackReporter: null,
}
const GOOD = Buffer.from(
  'From: desk@reporter.example\nTo: abuse@provider.example\nSubject: Brute force from 192.0.2.7\nDate: Mon, 2 Mar 2026 10:00:00 +0000\nMessage-ID: <1@reporter.example>\n\nThe address 192.0.2.7 attacked our SSH server at 2026-03-02 09:00:00 UTC.\n',
)

// These tests are about the limits of the readers, so the timeouts are long. Timeouts are tested in
// reading-pool.test.ts.
const PATIENT_MS = 120_000
const pool = openReadingPool({
  size: 1,
  cpuLimitMs: PATIENT_MS,
  waitLimitMs: PATIENT_MS,
  log: silentLog,
  metrics: createReadingMetrics(new Registry()),
})
after(() => pool.close())

function explain(result: ReportResult): string {
  if (result.kind === 'report') return `read as ${result.format}`
  return 'reason' in result ? result.reason : JSON.stringify(result.problems)
}

describe('every attack of design 5.1 is given up with a reason or read, and the pool reads on', () => {
  for (const { name, make, expects, reason = /./ } of HOSTILE_MAILS) {
    test(name, async () => {
      const result = await pool.read(make(), CONTEXT)
      if (expects === 'limit') assert.equal(result.kind, 'unreadable')
      assert.match(explain(result), reason)
      assert.equal((await pool.read(GOOD, CONTEXT)).kind, 'report')
    })
  }

  test('nothing was written by the name of an entry', () => {
    assert.equal(existsSync('/tmp/casework-escaped.csv'), false)
  })
})
