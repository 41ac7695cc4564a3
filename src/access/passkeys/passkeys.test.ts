// Passkeys, with an authenticator in software: registered, used alone and as the second factor, and
// what is refused.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type TestAnswer, withApp } from '../../../test/harness.ts'
import {
  type Browser,
  createPerson,
  openBrowser,
  readSetCookies,
  signIn,
} from '../../../test/people-kit.ts'
import { type Lies, SoftwareAuthenticator } from '../../../test/software-authenticator.ts'
import { findPasskeyLocation } from './passkey-location.ts'

let nowMs = Date.parse('2026-06-01T09:00:00Z')
const app = withApp({ clock: { nowMs: () => nowMs } })

const HOST = 'localhost:8080'
const ORIGIN = `http://${HOST}`
const FACTORS = '/beta/session/factors'
const refusal = (answer: TestAnswer) => [answer.status, answer.json().code]
const REFUSED = [401, 'APP_PASSKEY_REFUSED']

/** A request of a page at that host, with the cookies of an earlier answer. */
const send = (path: string, json?: object, before?: TestAnswer) => {
  const cookie = before === undefined ? {} : { cookie: readSetCookies(before) }
  return app.send('POST', path, { json, headers: { host: HOST, ...cookie } })
}

async function begin(browser: Browser) {
  const headers = { host: HOST }
  return await browser.send('POST', `${FACTORS}/passkeys/options`, { headers })
}

async function add(
  browser: Browser,
  begun: TestAnswer,
  credential: object,
  name = 'laptop',
): Promise<TestAnswer> {
  const cookie = `${browser.cookie}; ${readSetCookies(begun)}`
  const json = { name, credential }
  return await browser.send('POST', `${FACTORS}/passkeys`, {
    json,
    headers: { host: HOST, cookie },
  })
}

async function newPerson() {
  const person = await createPerson(app, app.token)
  const device = new SoftwareAuthenticator(ORIGIN)
  const begun = await begin(person.browser)
  const made = await add(person.browser, begun, device.create(begun.json().options))
  assert.equal(made.status, 200, made.text)
  return { ...person, device, made }
}

const beginSignIn = () => send('/beta/session/passkeys/options')

async function signInBy(device: SoftwareAuthenticator, lies: Lies = {}): Promise<TestAnswer> {
  const begun = await beginSignIn()
  const credential = device.get(begun.json().options, lies)
  return await send('/beta/session/passkeys', { credential }, begun)
}

describe('a passkey', () => {
  test('signs in by itself, without address, password and second factor', async () => {
    const { device, id, made } = await newPerson()
    assert.equal(made.json().recovery_codes.length, 10)
    const browser = openBrowser(app, await signInBy(device))
    assert.equal(browser.session.user.id, id)
    const { items } = (await browser.send('GET', '/beta/sessions')).json()
    const current = items.find((one: { is_current: boolean }) => one.is_current)
    assert.deepEqual(current.methods, ['passkey'])
    const [passkey] = (await browser.send('GET', FACTORS)).json().passkeys
    assert.deepEqual(
      [passkey.name, passkey.last_used_at],
      ['laptop', new Date(nowMs).toISOString()],
    )
  })

  test('is a second factor after the right password, of its person alone', async () => {
    const { device, email } = await newPerson()
    const stranger = await newPerson()
    const first = await signIn(app, email)
    assert.deepEqual([first.status, first.json().ways], [202, ['passkey', 'recovery_code']])
    const ask = async () =>
      (await send('/beta/session/second-factor/options', undefined, first)).json().options
    const use = (passkey: object) => send('/beta/session/second-factor', { passkey }, first)
    const options = await ask()
    assert.equal(options.allowCredentials.length, 1)
    const foreign = stranger.device.get({ ...options, allowCredentials: [] })
    assert.deepEqual(refusal(await use(foreign)), REFUSED)
    assert.deepEqual(refusal(await use(device.get(options))), REFUSED, 'the challenge was used')
    assert.equal((await use(device.get(await ask()))).status, 201)
  })

  test('401 for a replayed answer, another browser, an old or an invented challenge', async () => {
    const { device } = await newPerson()
    const begun = await beginSignIn()
    const credential = device.get(begun.json().options)
    const other = await beginSignIn()
    assert.deepEqual(refusal(await send('/beta/session/passkeys', { credential }, other)), REFUSED)
    assert.deepEqual(refusal(await send('/beta/session/passkeys', { credential })), REFUSED)
    assert.equal((await send('/beta/session/passkeys', { credential }, begun)).status, 201)
    assert.deepEqual(refusal(await send('/beta/session/passkeys', { credential }, begun)), REFUSED)
    assert.deepEqual(refusal(await signInBy(device, { challenge: 'aW52ZW50ZWQ' })), REFUSED)
    const late = await beginSignIn()
    const answer = device.get(late.json().options)
    nowMs += 300_000
    const tooLate = await send('/beta/session/passkeys', { credential: answer }, late)
    assert.deepEqual(refusal(tooLate), REFUSED)
  })

  test('401 for a wrong origin, a wrong host name, no verification, and a foreign person', async () => {
    const { device } = await newPerson()
    const other = await newPerson()
    const userHandle = Buffer.from(other.id).toString('base64url')
    for (const lies of [
      { origin: 'https://evil.example' },
      { origin: 'http://localhost:3000' },
      { rpId: 'evil.example' },
      { isVerified: false },
      { userHandle },
    ]) {
      assert.deepEqual(refusal(await signInBy(device, lies)), REFUSED, JSON.stringify(lies))
    }
    assert.equal((await signInBy(device)).status, 201)
  })

  test('401 for a count that does not grow, which shows a copy of the device', async () => {
    const { device } = await newPerson()
    assert.equal((await signInBy(device, { count: 7 })).status, 201)
    assert.deepEqual(refusal(await signInBy(device, { count: 7 })), REFUSED)
    assert.deepEqual(refusal(await signInBy(device, { count: 3 })), REFUSED)
    assert.equal((await signInBy(device, { count: 8 })).status, 201)
    const uncounted = await newPerson()
    for (const _ of [1, 2]) {
      assert.equal((await signInBy(uncounted.device, { count: 0 })).status, 201)
    }
  })

  test('401 for a disabled person', async () => {
    const { device, id } = await newPerson()
    const json = { disabled: true }
    await app.send('PATCH', `/beta/admin/users/${id}`, { token: app.token, json })
    assert.equal((await signInBy(device)).status, 401)
  })

  test('429 after many that one address has begun and not ended', async () => {
    let last = await beginSignIn()
    for (let count = 0; count < 60 && last.status === 200; count += 1) last = await beginSignIn()
    assert.deepEqual(refusal(last), [429, 'APP_CHALLENGES_TOO_MANY'])
    nowMs += 300_000
    assert.equal((await beginSignIn()).status, 200)
  })
})

describe('registering a passkey', () => {
  test('401 for a wrong origin, host name or challenge, and for one that is not verified', async () => {
    const { browser } = await createPerson(app, app.token)
    const device = new SoftwareAuthenticator(ORIGIN)
    for (const lies of [
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { challenge: 'aW52ZW50ZWQ' },
      { isVerified: false },
    ]) {
      const begun = await begin(browser)
      const made = await add(browser, begun, device.create(begun.json().options, lies))
      assert.deepEqual(refusal(made), REFUSED, JSON.stringify(lies))
    }
    const begun = await begin(browser)
    const other = await createPerson(app, app.token)
    const credential = device.create(begun.json().options)
    assert.deepEqual(refusal(await add(other.browser, begun, credential)), REFUSED, 'of another')
  })

  test('409 for one that is registered already', async () => {
    const { browser } = await createPerson(app, app.token)
    const device = new SoftwareAuthenticator(ORIGIN)
    const first = await begin(browser)
    const credential = device.create(first.json().options)
    assert.equal((await add(browser, first, credential)).status, 200)
    const { pool } = app.services.foundation.database
    const again = await begin(browser)
    assert.equal(again.json().options.excludeCredentials[0].id, credential.id)
    const second = device.create(again.json().options)
    await pool.query('update user_passkey set credential_id = $1 where credential_id = $2', [
      second.id,
      credential.id,
    ])
    assert.deepEqual(refusal(await add(browser, again, second)), [409, 'APP_PASSKEY_NOT_TAKEN'])
  })

  test('403 when the last proof is older than ten minutes; renaming needs none', async () => {
    const { browser, made } = await newPerson()
    const [{ id }] = made.json().passkeys
    const path = `${FACTORS}/passkeys/${id}`
    nowMs += 600_000
    assert.deepEqual(refusal(await begin(browser)), [403, 'APP_PROOF_NEEDED'])
    assert.deepEqual(refusal(await browser.send('DELETE', path)), [403, 'APP_PROOF_NEEDED'])
    const renamed = await browser.send('PATCH', path, { json: { name: 'old laptop' } })
    assert.equal(renamed.json().passkeys[0].name, 'old laptop')
  })

  test('is undone by its person alone, and the recovery codes go with the last factor', async () => {
    const { browser, device, made } = await newPerson()
    const [{ id }] = made.json().passkeys
    const path = `${FACTORS}/passkeys/${id}`
    const other = await createPerson(app, app.token)
    for (const answer of [
      await other.browser.send('DELETE', path),
      await other.browser.send('PATCH', path, { json: { name: 'mine' } }),
    ]) {
      assert.deepEqual(refusal(answer), [404, 'APP_PASSKEY_NOT_FOUND'])
    }
    assert.equal((await browser.send('DELETE', path)).status, 204)
    assert.equal((await browser.send('GET', FACTORS)).json().recovery_codes_left, 0)
    assert.deepEqual(refusal(await signInBy(device)), REFUSED)
  })
})

describe('where passkeys work', () => {
  test('at a name over https and at localhost, and elsewhere the reason is said', () => {
    const kinds = [
      ['https://casework.example.org', undefined, 'works'],
      ['http://localhost:9000', undefined, 'works'],
      [null, 'localhost:8080', 'works'],
      [null, 'desk.localhost:8080', 'works'],
      ['https://192.0.2.7', undefined, 'none'],
      ['https://[2001:db8::7]', undefined, 'none'],
      ['http://casework.example.org', undefined, 'none'],
      [null, '127.0.0.1:8080', 'none'],
      [null, '[::1]:8080', 'none'],
      [null, 'casework.example:8080', 'none'],
      [null, undefined, 'none'],
    ] as const
    for (const [publicUrl, host, kind] of kinds) {
      assert.equal(findPasskeyLocation(publicUrl, host).kind, kind, `${publicUrl} ${host}`)
    }
  })

  test('409 at an IP address, with the reason', async () => {
    const headers = { host: '127.0.0.1:8080' }
    const answer = await app.send('POST', '/beta/session/passkeys/options', { headers })
    assert.deepEqual(refusal(answer), [409, 'APP_PASSKEYS_NOT_HERE'])
    assert.match(answer.json().detail, /host name/)
  })
})
