import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listBlamed, readMadeUp } from '../../../test/read-made-up.ts'
import type { ReportResult } from '../reading.ts'

const COMPLAINT = {
  from: 'lawyer@law.example',
  to: 'abuse@provider.example',
  text: 'The page https://news.customer.example/a on your server publishes data of my client. Please remove it.',
}

interface Cover {
  readonly headers: string
  readonly note: string
  readonly inner?: Partial<typeof COMPLAINT>
  readonly more?: string
  readonly name?: string
}

function read({ headers, note, inner = {}, more = '', name = 'mail.eml' }: Cover): ReportResult {
  const { from, to, text } = { ...COMPLAINT, ...inner }
  return readMadeUp(`${headers}
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain; charset=utf-8

${note}
${more}--b
Content-Type: message/rfc822; name="${name}"

Received: from pc (desk.law.example [198.51.100.120]) by mx.law.example with ESMTPSA id 1; Tue, 3 Nov 2026 08:59:00 +0000
From: <${from}>
To: ${to}
Subject: Removal request
Date: Tue, 03 Nov 2026 08:59:00 +0000

${text}
--b--
`)
}

function assertCarried(cover: Cover): void {
  const result = read(cover)
  assert.deepEqual(listBlamed(result), ['https://news.customer.example/a'])
  assert.ok(result.kind === 'report')
  assert.equal(result.events[0]?.event.senderEmail, cover.inner?.from ?? COMPLAINT.from)
}

/** The enclosed mail is what is complained about. */
function assertSample(cover: Cover): void {
  assert.deepEqual(listBlamed(read(cover)), ['198.51.100.120'])
}

const FORWARD = { headers: 'From: info@provider.example\nSubject: Fwd: Removal', note: 'For you.' }
const CARRIER = {
  headers: 'From: "On behalf of: lawyer@law.example" <post@certified.example>\nSubject: Certified',
  note: 'The message "Abuse" was sent by "Lawyer" to abuse@provider.example. It is enclosed.',
}

describe('a mail that only carries another one', () => {
  it('is a colleague’s forward of a complaint to the house, with a short note', () => {
    assertCarried(FORWARD)
    assertCarried({ ...FORWARD, headers: 'Subject: Fwd: Removal' })
  })

  it('is sent on behalf of the author, whom From names or Reply-To', () => {
    assertCarried(CARRIER)
    const headers =
      'From: Registered <post@certified.example>\nReply-To: lawyer@law.example\nSubject: Registered'
    assertCarried({ ...CARRIER, headers })
  })

  it('is certified mail: the part with that name, beside its certificate', () => {
    const more = '--b\nContent-Type: application/xml; name="daticert.xml"\n\n<postacert/>\n'
    const note = 'Abuse of a mailbox: the message is enclosed.'
    const headers = 'From: x@post.example\nSubject: POSTA CERTIFICATA'
    assertCarried({ headers, note, more, name: 'postacert.eml' })
    assertSample({ headers, note, more, name: 'other.eml' })
    assertSample({ headers, note, name: 'postacert.eml' })
  })
})

describe('an enclosed mail is what is complained about', () => {
  it('when the note complains, or says more than a note does', () => {
    assertSample({ ...FORWARD, note: 'This is spam.' })
    assertSample({ ...FORWARD, note: 'We look into this matter. '.repeat(10) })
  })

  it('when it was not sent to a mailbox of the same house for such mail', () => {
    assertSample({ ...FORWARD, inner: { to: 'jo@provider.example' } })
    assertSample({ ...FORWARD, inner: { to: 'abuse@other.example' } })
  })

  it('when its author is of the house, or it complains of nothing', () => {
    assertSample({ ...FORWARD, inner: { from: 'jo@provider.example' } })
    assertSample({ ...FORWARD, inner: { text: 'Cheap watches, only today.' } })
  })

  it('when it was sent to somebody else than the mail around it', () => {
    const note = 'This came tonight. '.repeat(12)
    assertSample({ ...CARRIER, note, inner: { to: 'ann@reporter.example' } })
  })

  it('when the author of both is the same, who complains anew', () => {
    const headers = 'From: lawyer@law.example\nReply-To: lawyer@law.example\nSubject: Again'
    const note = 'The host 192.0.2.9 attacks our server by SSH. I wrote to you before.'
    assert.deepEqual(listBlamed(read({ headers, note })), ['192.0.2.9'])
  })

  it('when it is one of several', () => {
    const more = '--b\nContent-Type: message/rfc822\n\nFrom: x@y.example\nSubject: hello\n\nhi\n'
    assertSample({ ...FORWARD, more })
  })

  it('when its author is the mailbox itself: the sender is forged', () => {
    const headers =
      'From: Jo <jo@reporter.example>\nReply-To: abuse@provider.example\nSubject: spam'
    const inner = { from: 'abuse@provider.example', text: 'I know your password.' }
    assertSample({ headers, note: 'Look at this.', inner })
  })
})
