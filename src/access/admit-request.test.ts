// Proves who gets in: the table of RFC 6750 section 3.1, keys, two credentials, wrong credentials
// and rate limits.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  assertEnvelope,
  exchangeRaw,
  KIT_TOKEN,
  NEW_TOKEN,
  openKit,
  VIEWER_TOKEN,
} from '../../test/http-kit.ts'

const kit = openKit()
after(() => kit.close())
const closed = openKit({ intelAccess: 'token' })
after(() => closed.close())

const CASES = '/beta/casework/cases'
const REALM = 'Bearer realm="casework"'

test('401 with a bare challenge without a credential (RFC 6750 section 3.1)', async () => {
  const answer = await kit.send('GET', CASES)
  assert.equal(answer.status, 401)
  assert.equal(answer.headers['www-authenticate'], REALM)
})

for (const authorization of ['Basic dXNlcjpwYXNz', 'Digest x', 'bearerx', 'token x']) {
  test(`401 with a bare challenge for the foreign scheme of "${authorization}"`, async () => {
    const answer = await kit.send('GET', CASES, { headers: { authorization } })
    assert.equal(answer.status, 401)
    assert.equal(answer.headers['www-authenticate'], REALM)
  })
}

for (const token of ['cw_api_unknown', 'x', `${KIT_TOKEN}x`, KIT_TOKEN.toUpperCase()]) {
  test(`401 invalid_token for the unknown token ${token.slice(0, 12)}`, async () => {
    const answer = await kit.send('GET', CASES, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(answer.status, 401)
    assert.match(String(answer.headers['www-authenticate']), /error="invalid_token"/)
  })
}

for (const authorization of [
  'Bearer',
  'Bearer ',
  'Bearer a b',
  'Bearer "x"',
  'Bearer a,b',
  'bearer ü',
]) {
  test(`400 invalid_request for the broken header "${authorization}"`, async () => {
    const answer = await kit.send('GET', CASES, { headers: { authorization } })
    assert.equal(answer.status, 400)
    assert.match(String(answer.headers['www-authenticate']), /error="invalid_request"/)
  })
}

test('403 insufficient_scope names the scope', async () => {
  const answer = await kit.send('POST', `${CASES}/C-1/trigger-playbook`, {
    headers: { authorization: `Bearer ${VIEWER_TOKEN}` },
  })
  assert.equal(answer.status, 403)
  const challenge = String(answer.headers['www-authenticate'])
  assert.match(challenge, /error="insufficient_scope", scope="playbooks:trigger"/)
})

test('200 for a token in any spelling of the scheme', async () => {
  for (const authorization of [
    `Bearer ${KIT_TOKEN}`,
    `bearer ${KIT_TOKEN}`,
    `BEARER   ${KIT_TOKEN}`,
  ]) {
    assert.equal((await kit.send('GET', CASES, { headers: { authorization } })).status, 200)
  }
})

test('400 for two Authorization headers, also when both are the same', async () => {
  const line = `Authorization: Bearer ${KIT_TOKEN}\r\n`
  const answer = await exchangeRaw(
    await kit.listen(),
    `GET ${CASES} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n${line}${line}\r\n`,
  )
  assert.match(answer, /^HTTP\/1.1 400 /)
})

test('a token in the query or in a cookie is no credential', async () => {
  const answer = await kit.send('GET', `${CASES}?access_token=${KIT_TOKEN}`, {
    headers: { cookie: `access_token=${KIT_TOKEN}` },
  })
  assert.equal(answer.status, 401)
})

test('x-api-key is a credential in the intel group only', async () => {
  const headers = { 'x-api-key': KIT_TOKEN }
  assert.equal((await closed.send('GET', '/beta/tags', { headers })).status, 200)
  assert.equal((await closed.send('GET', CASES, { headers })).status, 401)
  assert.equal((await closed.send('GET', '/beta/whoami', { headers })).status, 401)
})

test('400 for a key and a bearer token at once, and for two keys', async () => {
  const both = { 'x-api-key': KIT_TOKEN, authorization: `Bearer ${KIT_TOKEN}` }
  assert.equal((await kit.send('GET', '/beta/tags', { headers: both })).status, 400)
  const twice = { 'x-api-key': `${KIT_TOKEN}, ${KIT_TOKEN}` }
  assert.equal((await kit.send('GET', '/beta/tags', { headers: twice })).status, 400)
})

test('lookups are open to all unless closed, and a credential is checked even where none is needed', async () => {
  assert.equal((await kit.send('GET', '/beta/tags')).status, 200)
  assert.equal((await closed.send('GET', '/beta/tags')).status, 401)
  const headers = { authorization: 'Bearer wrong' }
  const answer = await kit.send('GET', '/beta/tags', { headers })
  assert.equal(answer.status, 401)
  assertEnvelope(401, answer.text)
})

test('a route that declares no access does not start', () => {
  assert.throws(
    () =>
      openKit({
        // The compiler refuses this too; a plain JavaScript extension would not be asked.
        routes: [{ method: 'GET', path: '/x', group: 'system' } as never],
      }),
    /declares no access/,
  )
})

test('429 with Retry-After after 30 wrong credentials a minute, while a valid token is never refused', async () => {
  let nowMs = 1_000_000
  const limited = openKit({ clock: { nowMs: () => nowMs } })
  const sendWrong = () => limited.send('GET', CASES, { headers: { authorization: 'Bearer wrong' } })
  for (let i = 0; i < 30; i += 1) assert.equal((await sendWrong()).status, 401)
  const refused = await sendWrong()
  assert.equal(refused.status, 429)
  assert.equal(refused.headers['retry-after'], '60')
  const valid = { headers: { authorization: `Bearer ${KIT_TOKEN}` } }
  assert.equal((await limited.send('GET', CASES, valid)).status, 200)
  // A missing credential is no attempt at one.
  assert.equal((await limited.send('GET', CASES)).status, 401)
  nowMs += 60_000
  assert.equal((await sendWrong()).status, 401)
  await limited.close()
})

test('wrong credentials of one IPv6 /64 count together, whatever the address in it', async () => {
  const limited = openKit()
  const sendWrong = (remoteAddress: string) =>
    limited.app.inject({
      method: 'GET',
      url: CASES,
      headers: { authorization: 'Bearer wrong' },
      remoteAddress,
    })
  for (let i = 0; i < 30; i += 1) {
    assert.equal((await sendWrong(`2001:db8:0:1::${i.toString(16)}`)).statusCode, 401)
  }
  assert.equal((await sendWrong('2001:db8:0:1:ffff::1')).statusCode, 429)
  assert.equal((await sendWrong('2001:db8:0:2::1')).statusCode, 401)
  await limited.close()
})

test('200 for a token that was made a moment ago, with and without a body, and it counts as no wrong credential', async () => {
  const fresh = openKit()
  const headers = { authorization: `Bearer ${NEW_TOKEN}` }
  for (let i = 0; i < 40; i += 1) {
    assert.equal((await fresh.send('GET', CASES, { headers })).status, 200)
  }
  const checked = await fresh.send('POST', '/beta/quick-check', {
    headers: { ...headers, 'content-type': 'application/json' },
    payload: '["192.0.2.1"]',
  })
  assert.equal(checked.status, 200)
  const beyond = await fresh.send('POST', `${CASES}/C-1/trigger-playbook`, { headers })
  assert.equal(beyond.status, 403)
  const malformed = await fresh.send('GET', `${CASES}?limit=x`, { headers })
  assert.equal(malformed.status, 400)
  const wrong = { headers: { authorization: 'Bearer wrong' } }
  assert.equal((await fresh.send('GET', CASES, wrong)).status, 401)
  await fresh.close()
})

test('429 in the envelope with Retry-After when lookups are limited, and never for an administrator', async () => {
  const limited = openKit({ lookupLimit: 2 })
  const statuses = []
  for (let i = 0; i < 3; i += 1) statuses.push((await limited.send('GET', '/beta/tags')).status)
  assert.deepEqual(statuses, [200, 200, 429])
  const refused = await limited.send('GET', '/beta/query/a')
  assertEnvelope(429, refused.text)
  assert.match(String(refused.headers['retry-after']), /^\d+$/)
  const headers = { authorization: `Bearer ${KIT_TOKEN}` }
  assert.equal((await limited.send('GET', '/beta/tags', { headers })).status, 200)
  assert.equal((await limited.send('GET', '/livez')).status, 200)
  await limited.close()
})

test('429 without a body when a token without instance:admin is over its limit', async () => {
  const limited = openKit({ tokenLimit: 1 })
  const viewer = { headers: { authorization: `Bearer ${VIEWER_TOKEN}` } }
  assert.equal((await limited.send('GET', CASES, viewer)).status, 200)
  const refused = await limited.send('GET', CASES, viewer)
  assert.deepEqual([refused.status, refused.text], [429, ''])
  const administrator = { headers: { authorization: `Bearer ${KIT_TOKEN}` } }
  for (let i = 0; i < 3; i += 1) {
    assert.equal((await limited.send('GET', CASES, administrator)).status, 200)
  }
  await limited.close()
})

function readFields({ headers }: { headers: Record<string, unknown> }) {
  return [headers['ratelimit-policy'], headers['ratelimit']]
}

test('RateLimit and RateLimit-Policy tell what is left, on answers, refusals and hot routes', async () => {
  let nowMs = 1_000_000
  const limited = openKit({ tokenLimit: 3, lookupLimit: 5, clock: { nowMs: () => nowMs } })
  const viewer = { headers: { authorization: `Bearer ${VIEWER_TOKEN}` } }
  const first = await limited.send('GET', CASES, viewer)
  assert.deepEqual(readFields(first), ['"token";q=3;w=60', '"token";r=2;t=60'])
  nowMs += 20_000
  const hot = await limited.send('GET', '/beta/query/a', viewer)
  assert.deepEqual(readFields(hot), [
    '"lookup";q=5;w=60, "token";q=3;w=60',
    '"lookup";r=4;t=60, "token";r=1;t=40',
  ])
  await limited.send('GET', `${CASES}?limit=x`, viewer)
  const refused = await limited.send('GET', CASES, viewer)
  assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '40'])
  assert.deepEqual(readFields(refused), ['"token";q=3;w=60', '"token";r=0;t=40'])
  const administrator = { headers: { authorization: `Bearer ${KIT_TOKEN}` } }
  assert.deepEqual(readFields(await limited.send('GET', CASES, administrator)), [
    undefined,
    undefined,
  ])
  assert.deepEqual(readFields(await limited.send('GET', '/livez')), [undefined, undefined])
  nowMs += 40_000
  assert.deepEqual(readFields(await limited.send('GET', CASES, viewer)), [
    '"token";q=3;w=60',
    '"token";r=2;t=60',
  ])
  await limited.close()
})

test('behind a trusted proxy each client has limits of its own, and cannot choose its address', async () => {
  const limited = openKit({ lookupLimit: 1, proxies: ['10.0.0.0/8'] })
  const look = async (remoteAddress: string, forwarded: string): Promise<number> => {
    const answer = await limited.app.inject({
      method: 'GET',
      url: '/beta/tags',
      remoteAddress,
      headers: { 'x-forwarded-for': forwarded },
    })
    return answer.statusCode
  }
  assert.equal(await look('10.0.0.1', '192.0.2.1'), 200)
  assert.equal(await look('10.0.0.1', '192.0.2.2'), 200)
  assert.equal(await look('10.0.0.2', '192.0.2.1'), 429)
  assert.equal(await look('10.0.0.1', '203.0.113.5, 192.0.2.1'), 429)
  // A client that is no proxy may write what it wants.
  assert.equal(await look('198.51.100.1', '192.0.2.77'), 200)
  assert.equal(await look('198.51.100.1', '192.0.2.78'), 429)
  await limited.close()
})

test('no limit is set when none is asked for', async () => {
  for (let i = 0; i < 100; i += 1) assert.equal((await kit.send('GET', '/beta/tags')).status, 200)
})
