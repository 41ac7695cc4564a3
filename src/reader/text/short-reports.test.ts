// What a few lines of a report give, many forms and languages at a time:
// test/testdata/short-reports.json holds them. Adding one needs no code. Whole mails are in
// test/testdata/reports.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { findPackageRoot } from '../../values/resources.ts'
import { extractFromText } from './text-format.ts'

interface ShortReport {
  readonly about: string
  readonly subject: string
  readonly body: readonly string[]
  /** `ip link` of each event, in order; either may be missing. */
  readonly events: readonly string[]
}

const FILE = join(findPackageRoot(), 'test', 'testdata', 'short-reports.json')
const RECEIVED_AT = Date.parse('2026-03-02T12:00:00Z')

function read({ subject, body }: ShortReport): readonly string[] {
  const result = extractFromText({
    mail: {
      headers: [],
      subject,
      messageId: null,
      dateMs: RECEIVED_AT,
      from: [{ displayName: '', address: 'soc@reporter.example' }],
      replyTo: [],
      to: [{ displayName: '', address: 'abuse@hoster.example' }],
      parts: [],
      defects: [],
    },
    context: { receivedAtMs: RECEIVED_AT, mediaType: 'message/rfc822', fallbackReporter: null },
    reporter: { org: '', contact: 'soc@reporter.example', domain: 'reporter.example' },
    reportId: '1',
    texts: [
      { part: 'subject', kind: 'subject', lines: [subject] },
      { part: 'text', kind: 'body', lines: body },
    ],
  })
  if (result.kind !== 'report') return [result.kind]
  return result.events.map(({ event }) => {
    const url = event.details?.['url']
    const link = typeof url === 'string' ? url : event.domain
    return [event.ip, link].filter((text) => text !== null).join(' ')
  })
}

describe('a short report', () => {
  const reports = JSON.parse(readFileSync(FILE, 'utf8')) as readonly ShortReport[]
  assert.ok(reports.length > 150)
  for (const report of reports) {
    test(`${report.about} names ${report.events.length}`, () => {
      assert.deepEqual(read(report), report.events)
    })
  }
})
