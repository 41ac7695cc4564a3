// SPF, DKIM, DMARC and ARC of mails, checked over a real DNS server and recorded.

import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createTransport } from 'nodemailer'
import {
  type DnsReply,
  type DnsServer,
  openDnsServer,
} from '../../../../test/fixtures/dns-server.ts'
import { openTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  buildMail,
  type MailApp,
  openClient,
  openMail,
  whenRead,
} from '../../../../test/mail-kit.ts'
import { waitFor } from '../../../../test/wait.ts'
import { systemClock } from '../../../kernel/clock.ts'
import { findPackageRoot } from '../../../values/resources.ts'
import { createMailAuthenticator, type MailAuthenticatorOptions } from './authenticate-mail.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const KEY = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')

const RECORDS: Readonly<Record<string, string>> = {
  'reporter.example TXT': 'v=spf1 ip4:192.0.2.0/28 -all',
  'mail._domainkey.reporter.example TXT': `v=DKIM1; k=rsa; p=${KEY}`,
  '_dmarc.reporter.example TXT': 'v=DMARC1; p=reject',
}

function answer(name: string, type: string): DnsReply {
  const value = RECORDS[`${name} ${type}`]
  if (value === undefined) return { kind: 'code', code: 'nxdomain' }
  return { kind: 'records', records: [{ type: 'TXT', value }] }
}

let dns: DnsServer
let app: TestApp
let mail: MailApp
let token: string
before(async () => {
  dns = await openDnsServer(({ name, type }) => answer(name, type))
  app = await openTestApp({
    environment: {
      CASEWORK_SMTP_PORT: '0',
      CASEWORK_LMTP_PORT: '0',
      CASEWORK_SMTP_PROXIES: '127.0.0.1',
      CASEWORK_DNS_SERVERS: dns.address,
    },
  })
  token = await app.createToken()
  mail = await openMail(app)
})
after(async () => {
  await mail.close()
  await app.close()
  await dns.close()
})

/** Signs a mail with DKIM, as the server of a reporter does. */
async function sign(raw: string): Promise<string> {
  const transport = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    dkim: {
      domainName: 'reporter.example',
      keySelector: 'mail',
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    },
  })
  const envelope = { from: 'bounce@reporter.example', to: 'abuse@example.org' }
  const sent = await transport.sendMail({ envelope, raw })
  assert.ok(Buffer.isBuffer(sent.message))
  return sent.message.toString('latin1')
}

/** Sends a mail whose PROXY header names this address as the sending host. */
async function send(bytes: string, address: string): Promise<void> {
  const client = openClient(connect(mail.port, '127.0.0.1'))
  client.socket.write(`PROXY TCP4 ${address} 198.51.100.1 40000 25\r\n`)
  await client.hear()
  await client.say('EHLO mail.reporter.example')
  assert.match(await client.sendMail(bytes.replace(/\r\n$/, '')), /^250 /)
  client.close()
}

test('all that passes is recorded on the report, whose policy it is as well', async () => {
  await send(await sign(buildMail('signed')), '192.0.2.5')
  const { authentication } = await whenRead(app, token, 'signed')
  assert.deepEqual(authentication, {
    spf: { result: 'pass', domain: 'reporter.example' },
    dkim: { result: 'pass', domain: 'reporter.example' },
    dmarc: { result: 'pass', domain: 'reporter.example', policy: 'reject' },
    arc: { result: 'none' },
  })
})

test('a changed mail from a foreign host fails everywhere and is read all the same', async () => {
  const bytes = (await sign(buildMail('changed'))).replace('Regards', 'Regrets')
  await send(bytes, '203.0.113.9')
  const { authentication } = await whenRead(app, token, 'changed')
  assert.deepEqual(
    [authentication?.['spf']?.result, authentication?.['dmarc']?.result],
    ['fail', 'fail'],
  )
  assert.ok(['fail', 'neutral'].includes(authentication?.['dkim']?.result ?? ''))
})

test('the four words stand with the events of the report', async () => {
  const path = join(findPackageRoot(), 'examples', 'xarf', 'connection-login_attack.json')
  const sample = readFileSync(path, 'latin1').trimEnd()
  // An address of its own: other mails of this file report the one of the sample.
  const ip = '203.0.113.77'
  const text = sample.replaceAll(JSON.parse(sample).source_identifier, ip)
  await send(text, '192.0.2.5')
  const [event] = await waitFor(async () => {
    const { items } = (await app.send('GET', `/beta/casework/events?ip=${ip}`, { token })).json()
    return items.length > 0 ? items : null
  })
  const found = await app.send('GET', `/beta/casework/events/${event.event_id}`, { token })
  const { event_details: details } = found.json()
  assert.deepEqual(details['authentication'], {
    spf: 'pass',
    dkim: 'none',
    dmarc: 'none',
    arc: 'none',
  })
})

test('SPF is skipped for a host of our own network; a mail without a signature has none', async () => {
  await send(buildMail('inside'), '10.1.2.3')
  const { authentication } = await whenRead(app, token, 'inside')
  assert.deepEqual(authentication?.['spf'], { result: 'skipped' })
  assert.deepEqual(authentication['dkim'], { result: 'none' })
})

test('nothing is asked for a report that was handed in over HTTP', async () => {
  const asked = dns.questions.length
  const headers = { 'content-type': 'message/rfc822' }
  const body = buildMail('posted')
  const answered = await app.send('POST', '/beta/casework/reports', { token, body, headers })
  assert.equal(answered.status, 201)
  const report = await whenRead(app, token, 'posted')
  assert.equal('authentication' in report || 'envelope' in report, false)
  assert.equal(dns.questions.length, asked)
})

const ENVELOPE = {
  from: 'bounce@reporter.example',
  to: [],
  remoteAddress: '192.0.2.5',
  helo: 'mail.reporter.example',
}

function authenticatorOf(options: Partial<MailAuthenticatorOptions>) {
  return createMailAuthenticator({
    mailAuthentication: 'auto',
    dnsServers: [dns.address],
    clock: systemClock,
    timeoutMs: 300,
    ...options,
  })
}

test('while no resolver answers: given up in time, not asked again for a minute with auto, always with on', async () => {
  const silent = await openDnsServer(() => ({ kind: 'silent' }))
  let nowMs = 0
  const options = { dnsServers: [silent.address], clock: { nowMs: () => nowMs } }
  const bytes = Buffer.from(buildMail('unanswered'))
  try {
    const auto = authenticatorOf(options)
    for (let mails = 1; mails <= 5; mails += 1) {
      // A few mails without an answer do not start the pause.
      assert.equal(auto.check().state, 'ok')
      // oxlint-disable-next-line eslint/no-await-in-loop
      assert.equal(await auto.authenticate(bytes, ENVELOPE), null)
    }
    assert.equal(auto.check().state, 'degraded')
    const asked = silent.questions.length
    assert.ok(asked > 0)
    assert.equal(await auto.authenticate(bytes, ENVELOPE), null)
    assert.equal(silent.questions.length, asked)
    nowMs = 60_001
    await auto.authenticate(bytes, ENVELOPE)
    assert.ok(silent.questions.length > asked)
    const on = authenticatorOf({ ...options, mailAuthentication: 'on' })
    const checks = await on.authenticate(bytes, ENVELOPE)
    assert.equal(checks?.spf.result, 'temperror')
  } finally {
    await silent.close()
  }
})

test('off asks nothing; a mail of very many signatures is not checked; bytes that are no mail do no harm', async () => {
  const asked = dns.questions.length
  const bytes = Buffer.from(buildMail('off'))
  assert.equal(
    await authenticatorOf({ mailAuthentication: 'off' }).authenticate(bytes, ENVELOPE),
    null,
  )
  const signature = 'DKIM-Signature: v=1; a=rsa-sha256; d=reporter.example; s=mail; b=x\r\n'
  const many = Buffer.from(signature.repeat(21) + buildMail('many'))
  const checks = await authenticatorOf({}).authenticate(many, ENVELOPE)
  assert.equal(checks?.dkim.result, 'skipped')
  assert.equal(dns.questions.length, asked)
  for (const junk of [
    '',
    '\0\0',
    'From: <',
    'From: a@reporter.example\r\nDKIM-Signature:\r\n\r\n',
  ]) {
    const junkChecks = await authenticatorOf({ timeoutMs: 5_000 }).authenticate(
      Buffer.from(junk),
      ENVELOPE,
    )
    assert.ok(junkChecks !== null, JSON.stringify(junk))
  }
})

test('a DNS server that is no address is refused by its setting', () => {
  assert.throws(() => authenticatorOf({ dnsServers: ['dns.example'] }), /CASEWORK_DNS_SERVERS/)
})
