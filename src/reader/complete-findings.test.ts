import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { finishDraft } from './event-draft.ts'
import type { Finding } from './reading.ts'

const FRAME = {
  senderEmail: 'desk@reporter.example',
  reportId: '<1@reporter.example>',
  reportedAtMs: Date.parse('2026-03-02T10:00:00Z'),
  dateText: 'Mon, 2 Mar 2026 11:00:00 +0100',
  receivedAtMs: Date.parse('2026-03-02T12:00:00Z'),
}
const LINK: Finding = {
  field: '/event_details/url',
  value: 'http://evil.example/x',
  part: 'text',
  line: 4,
  excerpt: 'hxxp://evil[.]example/x',
  role: 'reported url',
  rank: 1,
  reason: 'Defanged.',
}

function findingsOf(
  draft: Partial<Parameters<typeof finishDraft>[0]>,
  frame: Partial<Parameters<typeof finishDraft>[1]> = {},
): Readonly<Record<string, Finding>> {
  const whole = { eventType: 'Phishing', atMs: null, url: LINK.value, findings: [LINK], ...draft }
  const { findings } = finishDraft(whole, { ...FRAME, ...frame })
  return Object.fromEntries(findings.map((finding) => [finding.field, finding]))
}

describe('what no reader told', () => {
  it('the time is that of the Date header, as it stands there', () => {
    const { part, excerpt, value } = findingsOf({})['/event_date'] ?? LINK
    assert.deepEqual(
      [part, excerpt, value],
      ['header Date', FRAME.dateText, '2026-03-02T10:00:00.000Z'],
    )
  })

  it('without one it is the time of the arrival', () => {
    const { part, value } = findingsOf({}, { reportedAtMs: null })['/event_date'] ?? LINK
    assert.deepEqual([part, value], ['receipt', '2026-03-02T12:00:00.000Z'])
  })

  it('a time that cannot be true is found, and beside it the one that was taken', () => {
    const atMs = Date.parse('2027-01-01T00:00:00Z')
    const wrong = { ...LINK, field: '/event_date', value: new Date(atMs).toISOString() }
    const { findings } = finishDraft(
      { eventType: 'Phishing', atMs, url: LINK.value, findings: [LINK, wrong] },
      FRAME,
    )
    const dates = findings.filter(({ field }) => field === '/event_date')
    assert.deepEqual(
      dates.map(({ value }) => value),
      [wrong.value, '2026-03-02T10:00:00.000Z'],
    )
  })

  it('domain and address are the host of the link, in its line', () => {
    const { value, line, excerpt } = findingsOf({})['/domain'] ?? LINK
    assert.deepEqual([value, line, excerpt], ['evil.example', 4, LINK.excerpt])
    const { '/ip': ip } = findingsOf({ url: 'http://192.0.2.7/x' })
    assert.equal(ip?.value, '192.0.2.7')
  })

  it('sender, kind, subtypes, tags and details', () => {
    const found = findingsOf({
      eventSubtypes: ['ssh'],
      tags: ['a'],
      recipientEmail: 'abuse@provider.example',
      details: { port: 22, target: { ip: '192.0.2.9' } },
    })
    assert.equal(found['/sender_email']?.value, FRAME.senderEmail)
    assert.equal(found['/event_type']?.value, 'Phishing')
    assert.equal(found['/event_subtypes']?.value, 'ssh')
    assert.equal(found['/tags']?.value, 'a')
    assert.equal(found['/recipient_email']?.value, 'abuse@provider.example')
    assert.equal(found['/event_details']?.value, 'port, target')
  })

  it('nothing is added where all is told', () => {
    const fields = ['/event_date', '/domain', '/event_type', '/sender_email']
    const told = fields.map((field) => ({ ...LINK, field, value: '2026-03-02T10:00:00.000Z' }))
    const { findings } = finishDraft(
      { eventType: 'Phishing', atMs: null, url: LINK.value, findings: [LINK, ...told] },
      FRAME,
    )
    assert.equal(findings.length, 5)
  })
})
