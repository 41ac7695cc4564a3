import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listDamagedMails, mutateMail, seedRandom } from '../../test/fixtures/damaged-mail.ts'
import { listReportCases } from '../../test/report-cases.ts'
import { readReportBytes } from './read-report.ts'
import type { ReportContext } from './reading.ts'

const CONTEXT: ReportContext = {
  receivedAtMs: Date.parse('2026-03-02T12:00:00Z'),
  mediaType: 'message/rfc822',
  fallbackReporter: null,
}
const SEED = 20_260_302
const MUTATIONS = 500

function read(name: string, bytes: Buffer): void {
  try {
    assert.ok(readReportBytes(bytes, CONTEXT).kind !== undefined)
  } catch (error) {
    assert.fail(`${name}: ${error instanceof Error ? error.stack : String(error)}`)
  }
}

test('no mail damaged by hand makes a reader throw', () => {
  const mails = listDamagedMails()
  assert.ok(mails.length >= 150)
  for (const { name, bytes } of mails) read(name, bytes)
})

test(`none of ${MUTATIONS} mails changed at random makes a reader throw (seed ${SEED})`, () => {
  const originals = listReportCases().filter(({ bytes }) => bytes.length < 100_000)
  const random = seedRandom(SEED)
  for (let count = 0; count < MUTATIONS; count += 1) {
    const one = originals[random(originals.length)]
    const other = originals[random(originals.length)]
    assert.ok(one !== undefined && other !== undefined)
    read(`${one.name}, change ${count}`, mutateMail(one.bytes, other.bytes, random))
  }
})
