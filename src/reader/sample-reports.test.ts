import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertReading, listReportCases } from '../../test/report-cases.ts'
import { readReportBytes } from './read-report.ts'
import type { ReadEvent } from './reading.ts'

describe('the reports of test/testdata/reports', () => {
  const cases = listReportCases()
  for (const each of cases) {
    it(`${each.name}: ${each.expected.about}`, () => {
      const result = readReportBytes(each.bytes, each.context)
      assertReading(each, result)
      if (result.kind === 'report') result.events.forEach(assertFindings)
    })
  }
})

/** Everything an event says has a finding of its own, or of the member it is in. */
function assertFindings({ event, findings }: ReadEvent): void {
  const { eventDate, eventType, senderEmail, ip, domain, eventSubtypes, tags, details } = event
  const told = new Set(findings.map(({ field }) => field))
  const values = {
    '/ip': ip,
    '/domain': domain,
    '/event_type': eventType,
    '/sender_email': senderEmail,
    '/event_details/url': details?.['url'],
    '/event_subtypes': eventSubtypes[0],
    '/tags': tags[0],
  }
  for (const [field, value] of Object.entries(values)) {
    if (value !== null && value !== undefined) assert.ok(told.has(field), `a finding for ${field}`)
  }
  const dates = findings.filter(({ field }) => field === '/event_date')
  assert.ok(
    dates.some(({ value }) => value === eventDate),
    `a finding for the time ${eventDate}`,
  )
  for (const name of Object.keys(details ?? {})) {
    const field = `/event_details/${name}`
    const isTold =
      told.has('/event_details') || [...told].some((each) => `${each}/`.startsWith(`${field}/`))
    assert.ok(isTold, `a finding for ${field}`)
  }
  for (const { part, reason } of findings) assert.ok(part !== '' && reason !== '')
}
