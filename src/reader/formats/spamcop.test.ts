import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMailReport } from '../../../test/mail-report.ts'
import type { ReportResult } from '../reading.ts'
import { SPAMCOP_FORMAT } from './spamcop.ts'

const RECEIVED_AT_MS = Date.parse('2026-03-02T12:00:00Z')

function read(subject: string, body: string): ReportResult | null {
  const text = `From: 1@reports.cop.example\nSubject: ${subject}\nDate: Mon, 2 Mar 2026 12:00:00 +0000\n\n${body}\n`
  return SPAMCOP_FORMAT.read(parseMailReport(text, RECEIVED_AT_MS))
}

function eventsOf(subject: string, body: string) {
  const result = read(subject, body)
  assert.ok(result?.kind === 'report', JSON.stringify(result))
  return result.events
}

const BANNER = '[ SpamCop V5.4.0 ]'

test('several advertised sites are an event each, with the address that belongs to each', () => {
  const events = eventsOf(
    'report',
    `${BANNER}
Spamvertised web site: http://a.example/
Spamvertised website: http://b.example/x
http://a.example/ is 192.0.2.1; Mon, 02 Mar 2026 11:00:00 GMT
http://b.example/x is 192.0.2.2; Mon, 02 Mar 2026 11:01:00 GMT`,
  )
  assert.deepEqual(
    events.map(({ event }) => [event.eventType, event.ip, event.domain, event.eventDate]),
    [
      ['Spamvertised', '192.0.2.1', 'a.example', '2026-03-02T11:00:00.000Z'],
      ['Spamvertised', '192.0.2.2', 'b.example', '2026-03-02T11:01:00.000Z'],
    ],
  )
})

test('what the offending mail says of itself is not believed', () => {
  const events = eventsOf(
    '[SpamCop (192.0.2.1) id:77]x',
    `${BANNER}
[ Offending message ]
Received: from x.example ([198.51.100.1]) by mx.example
Subject: x

Email from 198.51.100.2 / Mon, 2 Mar 2026 11:00:00 +0000
Spamvertised web site: http://innocent.example/`,
  )
  assert.deepEqual(
    events.map(({ event }) => [event.ip, event.domain]),
    [['192.0.2.1', null]],
  )
})

test('nor where the copy lost the mark above it', () => {
  const events = eventsOf(
    'report',
    `${BANNER}
Email from 192.0.2.1 / Mon, 2 Mar 2026 11:00:00 +0000

Return-Path: <x@bad.example>
Received: from x.example ([192.0.2.1]) by mx.example
Subject: x

Spamvertised web site: http://innocent.example/`,
  )
  assert.deepEqual(
    events.map(({ event }) => [event.eventType, event.ip, event.domain]),
    [['Spam', '192.0.2.1', null]],
  )
})

test('the time beside what is reported is the only one that is told', () => {
  const mail = `${BANNER}\nEmail from 192.0.2.1 / Mon, 2 Mar 2026 11:00:00 +0000`
  const row = '192.0.2.1 | Mar  2 11h/3 | 0 | 4 | 0 | 0 | x.example'
  for (const body of [mail, `[ SpamCop V5.4.0 Summary Report ]\n${row}`]) {
    const [only] = eventsOf('report', body)
    const dates = only?.findings.filter(({ field }) => field === '/event_date')
    assert.deepEqual(
      dates?.map(({ value }) => value),
      ['2026-03-02T11:00:00.000Z'],
    )
  }
})

test('two reports of one case, about the source and about a site, are told apart by their ids', () => {
  const source = read('[SpamCop (192.0.2.1) id:77]x', BANNER)
  const site = read('[SpamCop (http://a.example/) id:77]x', BANNER)
  assert.ok(source?.kind === 'report' && site?.kind === 'report')
  assert.notEqual(source.reportId, site.reportId)
})

test('a mail that only speaks of SpamCop is not one of its reports', () => {
  assert.equal(read('About SpamCop', 'We are listed at SpamCop with 192.0.2.1, please help.'), null)
})

test('a summary without a row is refused', () => {
  const result = read(
    'summary',
    '[ SpamCop V5.4.0 Summary Report ]\nSource IP | Start | Trap | User\nnothing | to | report | today',
  )
  assert.ok(result?.kind === 'no_report')
  assert.match(result.reason, /neither the source/)
})

function rowsOf(count: number): string {
  return Array.from(
    { length: count },
    (_, index) => `192.0.${index >> 8}.${index & 255} | Mar  2 10h/3 | 0 | 4 | 0 | 0 | x.example`,
  ).join('\n')
}

test('rows of a summary beyond those that are read are told', () => {
  const banner = '[ SpamCop V5.4.0 Summary Report ]'
  const cut = read('summary', `${banner}\n${rowsOf(5_001)}`)
  assert.ok(cut?.kind === 'report')
  assert.equal(cut.passedOver[0]?.line, 5_001)
  assert.match(cut.passedOver[0]?.reason ?? '', /the first 5000 were read/)
  const whole = read('summary', `${banner}\n${rowsOf(20)}`)
  assert.ok(whole?.kind === 'report')
  assert.deepEqual(whole.passedOver, [])
})

const HEAD = 'IP_Address Start/Length Trap User Mole Simp Comments RDNS'
const SUMMARIES: Readonly<Record<string, string>> = {
  'parted by blanks': `[ SpamCop V5.4.0 Summary Report ]
${HEAD}
192.0.2.1   Mar  1 10h/3   12  0  0  0           a.example
192.0.2.2   Feb 28 4h/0     0  3  0  0 blocked   b.example`,
  'quoted, parted by bars': `Please handle.
> [ SpamCop V5.4.0 Summary Report ]
> 192.0.2.1 | Mar  1 10h/3 | 12 | 0 | 0 | 0 | | a.example
> 192.0.2.2 | Feb 28 4h/0 | 0 | 3 | 0 | 0 | | b.example`,
  'without the banner in the ticket of a hoster': `Our relay is 198.51.100.1.

| ${HEAD}
| 192.0.2.1 Mar 1 10h/3 12 0 0 0 a.example
| 192.0.2.2 Feb 28 4h/0 0 3 0 0 b.example`,
}

for (const [layout, text] of Object.entries(SUMMARIES)) {
  test(`a summary ${layout} is an event for each row, by who reported it`, () => {
    assert.deepEqual(
      eventsOf('summary', text).map(({ event }) => [event.ip, event.eventType, event.eventDate]),
      [
        ['192.0.2.1', 'Trap', '2026-03-01T10:00:00.000Z'],
        ['192.0.2.2', 'Spam', '2026-02-28T04:00:00.000Z'],
      ],
    )
  })
}

test('a table of other columns is no summary', () => {
  assert.equal(read('report', 'IP_Address Count Comments\n192.0.2.1 12 none'), null)
})

test('a site that only the line of its address names is reported as well', () => {
  const events = eventsOf(
    'report',
    `${BANNER}
Spamvertised web site: http://a.example/1
http://a.example/12 is 192.0.2.2; Mon, 02 Mar 2026 11:01:00 GMT
http://a.example/1 is 192.0.2.1; Mon, 02 Mar 2026 11:00:00 GMT`,
  )
  assert.deepEqual(
    events.map(({ event }) => [event.ip, event.eventDate]),
    [
      ['192.0.2.1', '2026-03-02T11:00:00.000Z'],
      ['192.0.2.2', '2026-03-02T11:01:00.000Z'],
    ],
  )
})
