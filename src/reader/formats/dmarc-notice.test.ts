import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listReasons, readMadeUp } from '../../../test/read-made-up.ts'
import type { NewEvent } from '../../vocabulary/event.ts'
import type { ReportResult } from '../reading.ts'

const FIELDS = {
  'Sender Domain': 'spoofed.example',
  'Sender IP Address': '192.0.2.30',
  'Received Date': 'Tue, 03 Nov 2026 08:15:00 +0000',
  'SPF Alignment': 'no',
  'DMARC Results': 'Reject',
}

function read(changes: Partial<Record<keyof typeof FIELDS, string | null>> = {}): ReportResult {
  const lines = Object.entries({ ...FIELDS, ...changes })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${value}`)
  return readMadeUp(
    `Subject: DMARC Forensic Report\nAuto-Submitted: auto-replied\n\nA message was received:\n\n${lines.join('\n')}\n`,
  )
}

function eventOf(result: ReportResult): NewEvent {
  assert.ok(result.kind === 'report', JSON.stringify(result))
  assert.equal(result.events.length, 1)
  const [first] = result.events
  return first?.event ?? assert.fail()
}

describe('the notice of a mail server on one mail that failed DMARC', () => {
  it('blames the source of the mail, though servers mark it as an automatic reply', () => {
    const result = read()
    assert.ok(result.kind === 'report' && result.format === 'dmarc')
    const { ip, eventType, eventSubtypes, details } = eventOf(result)
    assert.deepEqual(
      [ip, eventType, eventSubtypes],
      ['192.0.2.30', 'AuthFailure', ['dmarc-failure']],
    )
    assert.deepEqual(details, {
      report_kind: 'dmarc_notice',
      header_from: 'spoofed.example',
      dmarc_result: 'Reject',
    })
  })

  it('blames nobody for the domain that was spoofed', () => {
    assert.equal(eventOf(read()).domain, null)
  })

  it('has the time when the mail was received, and tells where each value stands', () => {
    const result = read()
    assert.ok(listReasons(result, '/event_date').includes('The notice names it.'))
    const finding = result.kind === 'report' && result.events[0]?.findings[0]
    assert.ok(finding !== false && finding !== undefined)
    assert.deepEqual([finding.field, finding.line], ['/ip', 4])
  })

  it('takes an address in brackets', () => {
    assert.equal(eventOf(read({ 'Sender IP Address': '[2001:db8::30]' })).ip, '2001:db8::30')
  })

  it('blames nobody when the source belongs to nobody on the Internet', () => {
    for (const ip of ['10.0.0.1', 'unknown']) {
      const result = read({ 'Sender IP Address': ip })
      assert.ok(result.kind === 'no_report', ip)
      assert.match(result.reason, /names no source/)
    }
  })

  it('blames nobody for a mail that passed', () => {
    for (const verdict of ['Pass', 'accept (policy none)', 'Accepted']) {
      const result = read({ 'DMARC Results': verdict })
      assert.ok(result.kind === 'no_report', verdict)
      assert.match(result.reason, /passed DMARC/)
    }
    assert.equal(read({ 'DMARC Results': 'Quarantine' }).kind, 'report')
  })

  it('is none without the address or the result', () => {
    for (const name of ['Sender IP Address', 'DMARC Results'] as const) {
      const result = read({ [name]: null })
      assert.ok(result.kind !== 'report' || result.format !== 'dmarc', name)
    }
  })
})
