// Proves that a token is good from its networks only, and that tokens it makes stay within them.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness.ts'
import { parseNetwork } from '../values/network.ts'
import { requireRange } from '../values/range.ts'
import { isInNetworks, isNetworkIn } from './token-networks.ts'

const TOKENS = '/beta/admin/tokens'

let app: TestApp
let operator: string
before(async () => {
  app = await openTestApp()
  operator = await app.createToken()
})
after(() => app.close())

async function create(json: object, token = operator) {
  const body = { name: 'x', scopes: ['tokens:manage', 'intel:read'], ...json }
  return await app.send('POST', TOKENS, { token, json: body })
}

async function ask(token: string, remoteAddress: string, path = '/beta/whoami') {
  return await app.app.inject({
    method: 'GET',
    url: path,
    remoteAddress,
    headers: { authorization: `Bearer ${token}` },
  })
}

test('200 from a network of the token, 403 from anywhere else, for look-ups as well', async () => {
  const networks = ['192.0.2.0/24', '198.51.100.7', '2001:db8:1::/48']
  const made = await create({ networks })
  assert.equal(made.status, 201, made.text)
  const { token } = made.json()
  assert.deepEqual(made.json().networks, ['192.0.2.0/24', '198.51.100.7/32', '2001:db8:1::/48'])
  for (const address of ['192.0.2.1', '::ffff:192.0.2.1', '198.51.100.7', '2001:db8:1:2::3']) {
    assert.equal((await ask(token, address)).statusCode, 200, address)
  }
  for (const address of ['192.0.3.1', '198.51.100.8', '2001:db8:2::1', '127.0.0.1']) {
    const answer = await ask(token, address)
    assert.deepEqual(
      [answer.statusCode, answer.json().code],
      [403, 'KERNEL_NETWORK_NOT_ALLOWED'],
      address,
    )
  }
  assert.equal((await ask(token, '192.0.2.1', '/beta/tags')).statusCode, 200)
  assert.equal((await ask(token, '192.0.3.1', '/beta/tags')).statusCode, 403)
  const shown = (await ask(token, '192.0.2.1')).json()
  assert.deepEqual(shown.networks, made.json().networks)
})

test('a token that is bound to networks makes tokens within them only', async () => {
  const { token } = (await create({ networks: ['127.0.0.0/24', '192.0.2.0/24'] })).json()
  const inherited = await create({}, token)
  assert.deepEqual(inherited.json().networks, ['127.0.0.0/24', '192.0.2.0/24'])
  const narrower = await create({ networks: ['192.0.2.128/25'] }, token)
  assert.deepEqual(narrower.json().networks, ['192.0.2.128/25'])
  for (const networks of [['192.0.0.0/16'], ['192.0.2.1', '203.0.113.1'], ['2001:db8::/32']]) {
    const answer = await create({ networks }, token)
    assert.deepEqual([answer.status, answer.json().code], [403, 'APP_GRANT_NOT_HELD'])
  }
})

for (const networks of [[], ['host.example'], ['192.0.2.1/24'], ['192.0.2.0/33'], [''], 'x']) {
  test(`400 for the networks ${JSON.stringify(networks)}`, async () => {
    const answer = await create({ networks })
    assert.equal(answer.status, 400)
    assert.match(answer.json().errors[0].path, /^\/networks/)
  })
}

test('what is a network, and what lies in one', () => {
  assert.equal(parseNetwork('::ffff:192.0.2.1')?.text, '192.0.2.1/32')
  assert.equal(parseNetwork('2001:DB8::1')?.text, '2001:db8::1/128')
  assert.equal(parseNetwork('192.0.2.1-192.0.2.9'), null)
  const outer = [requireRange('192.0.2.0/24'), requireRange('2001:db8::/32')]
  assert(isNetworkIn(requireRange('192.0.2.0/24'), outer))
  assert(isNetworkIn(requireRange('2001:db8:5::/48'), outer))
  assert(!isNetworkIn(requireRange('192.0.0.0/16'), outer))
  assert(!isNetworkIn(requireRange('::/0'), outer))
  assert(!isInNetworks('', outer))
  assert(!isInNetworks('unknown', outer))
})
