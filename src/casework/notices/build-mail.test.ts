// The mail of a notice, as bytes: no value can add a header, a recipient or a line to the envelope.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTransport } from 'nodemailer'
import { buildMail } from './build-mail.ts'

const BREAKS = ['\r\n', '\n', '\r', '\u2028', '\u0085', '\r\n\r\n', '\0', '\v'] as const
const NOTICE = {
  tenantId: 'default',
  id: '01890000-0000-7000-8000-000000000000',
  caseId: 'C-1',
  purpose: 'notice',
  party: 'customer',
  recipient: 'abuse@customer.example',
  subject: 'Spam',
  text: 'Hello.',
  messageId: '1@in.provider.example',
  thread: '0@in.provider.example',
  inReplyTo: '0@in.provider.example',
  replyKey: '0123456789abcdef0123456789abcdef',
  evidenceProfile: null,
  evidence: null,
  attempts: 1,
  createdAt: new Date(0),
} as const
const IDENTITY = {
  from: { name: 'Abuse Desk', address: 'abuse@provider.example' },
  domain: 'in.provider.example',
  takesAnswers: true,
}

test('a mail has the same headers whatever the subject, the names and the ids hold', async () => {
  const transport = createTransport({ streamTransport: true, buffer: true })
  const listNames = async (notice: object, name = 'Abuse Desk'): Promise<readonly string[]> => {
    const identity = { ...IDENTITY, from: { ...IDENTITY.from, name } }
    const { message, envelope } = await transport.sendMail(
      buildMail(identity, { ...NOTICE, ...notice }),
    )
    assert.deepEqual(envelope.to, ['abuse@customer.example'])
    assert.ok(Buffer.isBuffer(message))
    const head = message.toString('utf8').split(/\r?\n\r?\n/)[0] ?? ''
    return head
      .replaceAll(/\r?\n[ \t]+/g, ' ')
      .split(/\r\n|\r|\n/)
      .map((line) => line.replace(/:.*/s, '').toLowerCase())
  }
  const plain = new Set(await listNames({}))
  assert.ok(plain.has('auto-submitted') && !plain.has('bcc'))
  for (const between of BREAKS) {
    const evil = `x${between}Bcc: all@evil.example`
    for (const notice of [{ subject: evil }, { thread: evil }, { inReplyTo: evil }]) {
      assert.deepEqual(new Set(await listNames(notice)), plain, JSON.stringify(notice))
    }
    assert.deepEqual(new Set(await listNames({}, evil)), plain, JSON.stringify(evil))
  }
})
