// How far a reporter is trusted: nobody sets a verdict by mail alone.

import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { createTransport } from 'nodemailer'
import { type DnsReply, type DnsServer, openDnsServer } from '../../../test/fixtures/dns-server.ts'
import { openTestApp, type TestApp } from '../../../test/harness.ts'
import { type MailApp, openClient, openMail, whenRead } from '../../../test/mail-kit.ts'
import { query } from '../../../test/query.ts'
import { collectAll, explain, listTags, pushEvent, writeMail } from '../../../test/sighting-kit.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const KEY = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
const DKIM = `v=DKIM1; k=rsa; p=${KEY}`

function answer(name: string, type: string): DnsReply {
  if (type === 'TXT' && name.startsWith('mail._domainkey.')) {
    return { kind: 'records', records: [{ type: 'TXT', value: DKIM }] }
  }
  return { kind: 'code', code: 'nxdomain' }
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

let mails = 0

interface SentMail {
  readonly from: string
  readonly ip: string
  /** The host that delivers it. */
  readonly host: string
  /** The domain that signs it; null for none. */
  readonly signedBy?: string
}

async function send({ from, ip, host, signedBy }: SentMail): Promise<void> {
  mails += 1
  const id = `mail-${mails}`
  const raw = writeMail(from, ip, id)
  const bytes = signedBy === undefined ? raw : await sign(raw, signedBy)
  const client = openClient(connect(mail.port, '127.0.0.1'))
  client.socket.write(`PROXY TCP4 ${host} 198.51.100.1 40000 25\r\n`)
  await client.hear()
  await client.say('EHLO mail.sender.example')
  assert.match(await client.sendMail(bytes.replace(/\r\n$/, '')), /^250 /)
  client.close()
  const report = await whenRead(app, token, id)
  assert.equal(report.state, 'accepted', report.reason ?? '')
}

async function sign(raw: string, domainName: string): Promise<string> {
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' })
  const transport = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    dkim: { domainName, keySelector: 'mail', privateKey: key },
  })
  const envelope = { from: `bounce@${domainName}`, to: 'abuse@example.org' }
  const sent = await transport.sendMail({ envelope, raw })
  assert.ok(Buffer.isBuffer(sent.message))
  return sent.message.toString('latin1')
}

/** As many events of this sender as the text of one mail may hold, later than all others. */
async function tellOften(ip: string, sender: string): Promise<void> {
  await query(
    app.connection,
    `insert into event select (jsonb_populate_record(told, jsonb_build_object(
      'event_id', gen_random_uuid(), 'event_date', now() + number * interval '1 second'))).*
    from event as told, generate_series(1, 5001) as number
    where ip = $1 and sender_email = $2`,
    [ip, sender],
  )
}

describe('mail that proves nothing', () => {
  test('of one host moves no verdict, under however many names', async () => {
    const ip = '203.0.113.10'
    for (const from of ['a@one.example', 'b@two.example', 'c@three.example', 'd@four.example']) {
      // oxlint-disable-next-line eslint/no-await-in-loop
      await send({ from, ip, host: '192.0.2.5' })
    }
    await collectAll(app)
    const found = await explain(app, ip)
    assert.deepEqual([found.intent.value, found.activity.value], ['unknown', false])
    assert.deepEqual([found.tags, found.entries], [[], []])
  })

  test('takes no verdict away, however many events it tells', async () => {
    const ip = '203.0.113.19'
    const trusted = '/beta/casework/trusted-reporters/cert.example'
    assert.equal((await app.send('PUT', trusted, { token, json: {} })).status, 200)
    await pushEvent(app, token, { ip })
    await send({ from: 'desk@cert.example', ip, host: '192.0.2.5', signedBy: 'cert.example' })
    await collectAll(app)
    const tags = await listTags(app, ip)
    assert.equal(tags.length, 2)
    await send({ from: 'a@one.example', ip, host: '192.0.2.5', signedBy: 'one.example' })
    await tellOften(ip, 'a@one.example')
    await collectAll(app)
    assert.deepEqual(await listTags(app, ip), tags)
    assert.equal((await app.send('DELETE', trusted, { token })).status, 204)
  })

  test('takes no word of others away, however many events one mail tells', async () => {
    const ip = '203.0.113.77'
    const hosts = ['192.0.2.5', '198.51.100.6', '203.0.113.200']
    for (const [index, host] of hosts.entries()) {
      // oxlint-disable-next-line eslint/no-await-in-loop
      await send({ from: `r${index}@net${index}.example`, ip, host })
    }
    await collectAll(app)
    const tags = await listTags(app, ip)
    assert.equal((await explain(app, ip)).intent.value, 'suspicious')
    await send({ from: 'flood@one.example', ip, host: '192.0.2.5' })
    await tellOften(ip, 'flood@one.example')
    await collectAll(app)
    assert.deepEqual(await listTags(app, ip), tags)
    assert.equal((await explain(app, ip)).intent.value, 'suspicious')
  })

  test('of three networks makes suspicious and never more, and explain tells it', async () => {
    const ip = '203.0.113.11'
    const [first, second, third] = ['192.0.2.5', '198.51.100.6', '203.0.113.200']
    await send({ from: 'a@one.example', ip, host: first })
    await send({ from: 'b@two.example', ip, host: second })
    await collectAll(app)
    assert.equal((await explain(app, ip)).intent.value, 'unknown')
    await send({ from: 'c@three.example', ip, host: third })
    await collectAll(app)
    const found = await explain(app, ip)
    assert.deepEqual([found.intent.value, found.activity.value], ['suspicious', true])
    assert.deepEqual(
      found.tags.map(({ name }) => name),
      ['reports:unverified'],
    )
    assert.match(
      found.tags[0]?.because[0] ?? '',
      /^Rule "report-unverified": .* met by 3 unverified reporters\.$/,
    )
    const check = await app.send('POST', '/beta/quick-check', { json: [ip] })
    assert.deepEqual(
      [check.json().result[0].intent, check.json().result[0].activity],
      ['suspicious', true],
    )
  })

  test('handed in over HTTP with a token is mail all the same', async () => {
    const ip = '203.0.113.12'
    const body = writeMail('a@one.example', ip, 'posted')
    const headers = { 'content-type': 'application/octet-stream' }
    const posted = await app.send('POST', '/beta/casework/reports', { token, body, headers })
    assert.equal(posted.json().state, 'accepted', posted.text)
    await collectAll(app)
    assert.equal((await explain(app, ip)).intent.value, 'unknown')
  })
})

test('two trusted reporters at once do not pass the bound', async () => {
  await query(
    app.connection,
    `insert into trusted_reporter (tenant_id, reporter, created_at, created_by)
     select 'default', 'full-' || nth || '.example', now(), 'test' from generate_series(1, 999) as nth`,
  )
  const puts = await Promise.all(
    ['one', 'two', 'three', 'four'].map((name) =>
      app.send('PUT', `/beta/casework/trusted-reporters/at-once-${name}.example`, {
        token,
        json: {},
      }),
    ),
  )
  const statuses = puts.map(({ status }) => status).toSorted((a, b) => a - b)
  assert.deepEqual(statuses, [200, 409, 409, 409])
  await query(
    app.connection,
    `delete from trusted_reporter where reporter like 'full-%' or reporter like 'at-once-%'`,
  )
})

describe('mail that proves its domain', () => {
  test('of three domains that nobody listed makes suspicious and never more', async () => {
    const ip = '203.0.113.20'
    for (const domain of ['one.example', 'two.example', 'three.example']) {
      // oxlint-disable-next-line eslint/no-await-in-loop
      await send({ from: `a@${domain}`, ip, host: '192.0.2.5', signedBy: domain })
    }
    await collectAll(app)
    assert.deepEqual(await listTags(app, ip), ['reports:unverified'])
  })

  test('of one domain is one reporter, whoever signs below it', async () => {
    const ip = '203.0.113.21'
    for (const name of ['a', 'b', 'c']) {
      const signedBy = `${name}.sybil.example`
      // oxlint-disable-next-line eslint/no-await-in-loop
      await send({ from: `${name}@${signedBy}`, ip, host: '192.0.2.5', signedBy })
    }
    await collectAll(app)
    assert.equal((await explain(app, ip)).intent.value, 'unknown')
  })

  test('of a listed domain counts at once; off the list its reports are weighed again', async () => {
    const ip = '203.0.113.22'
    await send({ from: 'csirt@listed.example', ip, host: '192.0.2.5', signedBy: 'listed.example' })
    await collectAll(app)
    assert.equal((await explain(app, ip)).intent.value, 'unknown')
    const path = '/beta/casework/trusted-reporters/listed.example'
    const put = await app.send('PUT', path, { token, json: { note: 'CSIRT' } })
    assert.equal(put.status, 200, put.text)
    await collectAll(app)
    const found = await explain(app, ip)
    assert.equal(found.intent.value, 'malicious')
    assert.match(found.tags[0]?.because[0] ?? '', /met by 1 trusted reporter\.$/)
    assert.equal((await app.send('DELETE', path, { token })).status, 204)
    await collectAll(app)
    assert.equal((await explain(app, ip)).intent.value, 'unknown')
  })

  test('of somebody else in the name of a listed reporter does not count as that one', async () => {
    const ip = '203.0.113.23'
    for (const reporter of ['bank.example', 'csirt@post.example']) {
      const path = `/beta/casework/trusted-reporters/${reporter}`
      // oxlint-disable-next-line eslint/no-await-in-loop
      assert.equal((await app.send('PUT', path, { token, json: {} })).status, 200)
    }
    await send({ from: 'csirt@bank.example', ip, host: '192.0.2.5', signedBy: 'evil.example' })
    await send({ from: 'csirt@bank.example', ip, host: '198.51.100.6' })
    await send({ from: 'csirt@post.example', ip, host: '192.0.2.5', signedBy: 'evil.example' })
    await send({ from: 'other@post.example', ip, host: '192.0.2.5', signedBy: 'post.example' })
    await collectAll(app)
    assert.notEqual((await explain(app, ip)).intent.value, 'malicious')
    await send({ from: 'csirt@post.example', ip, host: '192.0.2.5', signedBy: 'post.example' })
    await collectAll(app)
    assert.equal((await explain(app, ip)).intent.value, 'malicious')
  })
})

describe('the list of trusted reporters', () => {
  const path = '/beta/casework/trusted-reporters'

  test('refuses what would trust everybody, and what is no reporter', async () => {
    for (const reporter of ['co.uk', 'example', 'nobody@', 'a b.example']) {
      const request = { token, json: {} }
      // oxlint-disable-next-line eslint/no-await-in-loop
      const done = await app.send('PUT', `${path}/${encodeURIComponent(reporter)}`, request)
      assert.equal(done.status, 400, reporter)
      assert.equal(done.json().code, 'CASEWORK_TRUSTED_REPORTER_NOT_VALID')
    }
    const gone = await app.send('DELETE', `${path}/absent.example`, { token })
    assert.deepEqual([gone.status, gone.json().code], [404, 'CASEWORK_TRUSTED_REPORTER_NOT_FOUND'])
  })

  test('is shown by page, of the own tenant only, to who administers it', async () => {
    await app.createTenant('other-desk')
    const other = await app.createToken({ tenantId: 'other-desk' })
    await app.send('PUT', `${path}/Their.Example`, { token: other, json: { note: 'ours' } })
    const page = (await app.send('GET', `${path}?limit=1`, { token: other })).json()
    assert.equal(page.items[0].reporter, 'their.example')
    assert.equal(page.items[0].note, 'ours')
    assert.equal(page.next_cursor, '')
    const mine = (await app.send('GET', path, { token })).json()
    assert.ok(!JSON.stringify(mine).includes('their.example'))
    const weak = await app.createToken({ scopes: ['cases:write', 'events:ingest'] })
    assert.equal((await app.send('GET', path, { token: weak })).status, 403)
    assert.equal(
      (await app.send('PUT', `${path}/x.example`, { token: weak, json: {} })).status,
      403,
    )
  })

  test('has an end', async () => {
    await app.createTenant('full-desk')
    const full = await app.createToken({ tenantId: 'full-desk' })
    await query(
      app.connection,
      `insert into trusted_reporter (tenant_id, reporter, created_at, created_by)
       select 'full-desk', 'r' || n || '.example', now(), 'test' from generate_series(1, 1000) as n`,
    )
    const done = await app.send('PUT', `${path}/one-more.example`, { token: full, json: {} })
    assert.deepEqual([done.status, done.json().code], [409, 'CASEWORK_TOO_MANY_TRUSTED_REPORTERS'])
    assert.equal(
      (await app.send('PUT', `${path}/r7.example`, { token: full, json: {} })).status,
      200,
    )
  })
})
