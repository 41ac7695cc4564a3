import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readReportBytes } from '../read-report.ts'
import type { ReportContext, ReportResult } from '../reading.ts'

const TEXT = '192.0.2.10 sends us spam.'

function read(headers: readonly string[], context: Partial<ReportContext> = {}): ReportResult {
  const head = ['From: Ann <ann@reporter.example>', 'Subject: Spam from 192.0.2.10', ...headers]
  return readReportBytes(Buffer.from(`${head.join('\r\n')}\r\n\r\n${TEXT}`), {
    receivedAtMs: Date.parse('2026-11-03T12:00:00Z'),
    mediaType: 'message/rfc822',
    fallbackReporter: null,
    ...context,
  })
}

function assertRecipient(
  recipient: string | null,
  headers: readonly string[],
  context: Partial<ReportContext> = {},
): void {
  const result = read(headers, context)
  assert.ok(result.kind === 'report')
  for (const { event } of result.events) assert.equal(event.recipientEmail, recipient)
}

describe('the mailbox that a report came to', () => {
  it('is the one of the envelope, whatever the headers say', () => {
    assertRecipient('desk@provider.example', ['To: abuse@provider.example'], {
      envelopeTo: ['desk@provider.example', 'noc@provider.example'],
    })
  })

  it('is the one that the delivering server names, the one before an alias first', () => {
    assertRecipient('abuse@provider.example', [
      'Delivered-To: store7@provider.example',
      'X-Original-To: abuse@provider.example',
      'To: all@lists.example',
    ])
    assertRecipient('de@provider.example', [
      'Delivered-To: de@provider.example',
      'To: all@lists.example',
    ])
  })

  it('is a mailbox of the tenant where the headers name one, also by its domain or in Cc', () => {
    const mailboxes = [
      { address: 'abuse@provider.example', isTrap: false },
      { address: '*@desk.example', isTrap: false },
    ]
    const headers = [
      'Delivered-To: store7@store.example',
      'To: x@other.example, Abuse@Provider.Example',
    ]
    assertRecipient('Abuse@Provider.Example', headers, { mailboxes })
    for (const cc of ['any@desk.example', 'Any <any@desk.example>, y@other.example']) {
      assertRecipient('any@desk.example', ['To: x@other.example', `Cc: ${cc}`], { mailboxes })
    }
  })

  it('is not the author, who sent himself a copy, unless nobody else is named', () => {
    assertRecipient('abuse@provider.example', ['To: ann@reporter.example, abuse@provider.example'])
    assertRecipient('ann@reporter.example', ['To: ann@reporter.example'])
  })

  it('is unknown where nothing names it', () => {
    assertRecipient(null, ['To: undisclosed-recipients:;'])
  })

  it('is explained', () => {
    const result = read(['To: abuse@provider.example'])
    assert.ok(result.kind === 'report')
    const finding = result.events[0]?.findings.find(({ field }) => field === '/recipient_email')
    assert.equal(finding?.part, 'header To')
  })
})

function sourceOf(headers: readonly string[], context: Partial<ReportContext>): string | null {
  const result = read(headers, context)
  assert.ok(result.kind === 'report', JSON.stringify(result))
  const [first, ...more] = result.events
  assert.equal(more.length, 0)
  assert.deepEqual([first?.event.eventType, first?.event.tags], ['Spam', ['trap']])
  assert.equal(first?.event.senderEmail, 'one@traps.example')
  return first?.event.ip ?? null
}

describe('a mail to a trap', () => {
  const mailboxes = [
    { address: '*@traps.example', isTrap: true },
    { address: 'abuse@traps.example', isTrap: false },
  ]
  const trapped = { mailboxes, envelopeTo: ['one@traps.example'] }
  const trace =
    'Received: from x ([203.0.113.5]) by mx.traps.example; Tue, 3 Nov 2026 09:00:00 +0000'

  it('is itself the complaint: its source is the last hop from outside, not what its text names', () => {
    assert.equal(sourceOf([trace, 'To: one@traps.example'], trapped), '203.0.113.5')
  })

  it('has the client of the listener as its source, unless that is a relay of our own', () => {
    const client = { ...trapped, clientAddress: '203.0.113.9' }
    assert.equal(sourceOf([trace], client), '203.0.113.9')
    assert.equal(sourceOf([trace], { ...client, ownNetworks: ['203.0.113.8/29'] }), '203.0.113.5')
    assert.equal(sourceOf([trace], { ...client, clientAddress: '10.0.0.1' }), '203.0.113.5')
    // A customer who writes to the trap himself.
    assert.equal(sourceOf([], { ...client, ownNetworks: ['203.0.113.8/29'] }), '203.0.113.9')
  })

  it('is spam as an answer, an automatic reply and a report as well', () => {
    for (const header of [
      'In-Reply-To: <x@traps.example>',
      'Auto-Submitted: auto-replied',
      'Content-Type: multipart/report; report-type=delivery-status; boundary=x',
    ]) {
      assert.equal(sourceOf([trace, header], trapped), '203.0.113.5')
    }
  })

  it('is quarantined when nothing tells where it came from', () => {
    assert.equal(read([], trapped).kind, 'unreadable')
  })

  it('is an ordinary report when it came to another mailbox too', () => {
    const result = read([trace], {
      mailboxes,
      envelopeTo: ['one@traps.example', 'abuse@traps.example'],
    })
    assert.ok(result.kind === 'report')
    assert.equal(result.events[0]?.event.ip, '192.0.2.10')
  })

  it('is known by its headers where no envelope is', () => {
    const headers = [trace, 'Delivered-To: one@traps.example', 'To: x@other.example']
    assert.equal(sourceOf(headers, { mailboxes }), '203.0.113.5')
  })
})
