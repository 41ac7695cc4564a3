// The ways to sign in, as a page asks for them before anybody is signed in.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withApp } from '../../../test/harness.ts'

const app = withApp()

const ask = async (headers: Record<string, string> = {}) =>
  (await app.send('GET', '/beta/session/sign-in-ways', { headers })).json()

test('200 without a credential: which ways to sign in there are, and why the others are not', async () => {
  const ways = await ask({ host: 'localhost:8080' })
  assert.deepEqual(ways.password, { available: true, reason: null })
  assert.deepEqual(ways.passkeys, { available: true, reason: null })
  assert.deepEqual(ways.providers, [])
  assert.equal(ways.forgotten_password.available, false)
  assert.match(ways.forgotten_password.reason, /casework user reset/)
})

test('a password is not offered over plain HTTP to another name than localhost, with the way out', async () => {
  const ways = await ask({ host: '192.0.2.7:8080' })
  assert.equal(ways.password.available, false)
  assert.match(ways.password.reason, /reverse proxy.*CASEWORK_PUBLIC_URL/)
})

test('passkeys are not offered at an IP address nor over plain HTTP to a name, with the reason', async () => {
  const address = await ask({ host: '127.0.0.1:8080' })
  assert.equal(address.passkeys.available, false)
  assert.match(address.passkeys.reason, /host name.*http:\/\/localhost/)
  const six = await ask({ host: '[::1]:8080' })
  assert.equal(six.passkeys.available, false)
  const plain = await ask({ host: 'casework.example:8080' })
  assert.match(plain.passkeys.reason, /https only/)
})
