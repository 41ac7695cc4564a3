// Logins by code: a program gets a token of the person who approved its code, once, and nobody
// else does.

import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { openTestApp, type TestAnswer, withApp } from '../../../test/harness.ts'
import { type Browser, createPerson, PASSWORD } from '../../../test/people-kit.ts'

let nowMs = Date.now()
const app = withApp({ clock: { nowMs: () => nowMs } })

const TOKEN_PATH = '/beta/session/device/token'
const DECISION_PATH = '/beta/session/device/decision'
const LIFE_MS = 600_000

// The codes of one test do not count against the bound of the next.
beforeEach(() => {
  nowMs += LIFE_MS
})

const codeOf = (answer: TestAnswer): string => answer.json().code

async function begin(json: object = {}) {
  const body = { client_name: 'casework at desk-7', ...json }
  const answer = await app.send('POST', '/beta/session/device', { json: body })
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}

const poll = (deviceCode: string): Promise<TestAnswer> =>
  app.send('POST', TOKEN_PATH, { json: { device_code: deviceCode } })

const decide = (browser: Browser, userCode: string, approve = true): Promise<TestAnswer> =>
  browser.send('POST', DECISION_PATH, { json: { user_code: userCode, approve } })

describe('a login by code', () => {
  test('200 with a token of the person once it is approved, and only once', async () => {
    const { browser, id } = await createPerson(app, app.token, { roles: ['viewer'] })
    const codes = await begin()
    assert.match(codes.user_code, /^[BCDFGHJ-NP-TV-XZ]{4}-[BCDFGHJ-NP-TV-XZ]{4}$/)
    assert.equal(codes.verification_uri_complete, `${codes.verification_uri}#${codes.user_code}`)
    const waiting = await poll(codes.device_code)
    assert.deepEqual([waiting.status, codeOf(waiting)], [400, 'APP_DEVICE_PENDING'])
    assert.equal(waiting.headers['retry-after'], '5')
    const typed = codes.user_code.toLowerCase().replace('-', ' ')
    const looked = await browser.send('POST', '/beta/session/device/check', {
      json: { user_code: typed },
    })
    assert.equal(looked.json().client_name, 'casework at desk-7', looked.text)
    assert.deepEqual(looked.json().scopes, browser.session.scopes)
    assert.equal((await decide(browser, typed)).status, 204)
    nowMs += 5_000
    const given = await poll(codes.device_code)
    assert.equal(given.status, 200, given.text)
    assert.equal(given.json().token_type, 'Bearer')
    const token = given.json().access_token
    const me = (await app.send('GET', '/beta/whoami', { token })).json()
    assert.deepEqual(
      [me.credential, me.token_id, me.person.id, me.roles, me.session_id],
      ['token', given.json().token_id, id, ['viewer'], null],
    )
    assert.ok(Date.parse(me.expires_at) > nowMs + 29 * 86_400_000)
    assert.equal((await app.send('GET', '/beta/admin/tokens', { token })).status, 403)
    const again = await poll(codes.device_code)
    assert.deepEqual([again.status, codeOf(again)], [400, 'APP_DEVICE_CODE_ENDED'])
    assert.equal((await decide(browser, codes.user_code)).status, 404)
  })

  test('the stored rows have neither code in clear', async () => {
    const codes = await begin()
    const { pool } = app.services.foundation.database
    const { rows } = await pool.query('select c::text as text from device_code c')
    assert.ok(rows.length > 0)
    for (const { text } of rows) {
      assert.ok(!text.includes(codes.device_code) && !text.includes(codes.user_code))
    }
  })

  test('400 once it is denied, and for a code that nobody has', async () => {
    const { browser } = await createPerson(app, app.token)
    const codes = await begin()
    assert.equal((await decide(browser, codes.user_code, false)).status, 204)
    const denied = await poll(codes.device_code)
    assert.deepEqual([denied.status, codeOf(denied)], [400, 'APP_DEVICE_DENIED'])
    assert.equal(codeOf(await poll(codes.device_code)), 'APP_DEVICE_CODE_ENDED')
    assert.equal(codeOf(await poll('none')), 'APP_DEVICE_CODE_ENDED')
  })

  test('400 after ten minutes, approved or not', async () => {
    const { browser } = await createPerson(app, app.token)
    const codes = await begin()
    assert.equal((await decide(browser, codes.user_code)).status, 204)
    nowMs += LIFE_MS
    assert.equal(codeOf(await poll(codes.device_code)), 'APP_DEVICE_CODE_ENDED')
  })

  test('400 with five seconds more for each poll that comes too early', async () => {
    const codes = await begin()
    await poll(codes.device_code)
    const early = await poll(codes.device_code)
    assert.deepEqual([codeOf(early), early.headers['retry-after']], ['APP_DEVICE_TOO_FAST', '10'])
    nowMs += 5_000
    const still = await poll(codes.device_code)
    assert.deepEqual([codeOf(still), still.headers['retry-after']], ['APP_DEVICE_TOO_FAST', '15'])
    nowMs += 15_000
    assert.equal(codeOf(await poll(codes.device_code)), 'APP_DEVICE_PENDING')
  })

  test('of many polls at once one gets the token', async () => {
    const { browser } = await createPerson(app, app.token)
    const codes = await begin()
    await decide(browser, codes.user_code)
    const answers = await Promise.all(Array.from({ length: 8 }, () => poll(codes.device_code)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  })

  test('a token with fewer scopes when it asks for these, and 403 for more than the person has', async () => {
    const { browser } = await createPerson(app, app.token, { roles: ['viewer'] })
    const few = await begin({ scopes: ['cases:read'] })
    assert.equal((await decide(browser, few.user_code)).status, 204)
    const { access_token: token } = (await poll(few.device_code)).json()
    const me = (await app.send('GET', '/beta/whoami', { token })).json()
    assert.deepEqual(me.scopes, ['cases:read'])
    const more = await begin({ scopes: ['cases:write'] })
    const refused = await decide(browser, more.user_code)
    assert.deepEqual([refused.status, codeOf(refused)], [403, 'APP_GRANT_NOT_HELD'])
    const json = { client_name: 'x', scopes: ['none'] }
    assert.equal((await app.send('POST', '/beta/session/device', { json })).status, 400)
  })

  test('400 when the person was demoted, disabled or removed between approval and poll', async () => {
    for (const change of ['demote', 'disable', 'remove']) {
      const { browser, id } = await createPerson(app, app.token)
      const codes = await begin({ scopes: ['cases:write'] })
      await decide(browser, codes.user_code)
      const path = `/beta/admin/users/${id}`
      const json = change === 'demote' ? { roles: ['viewer'] } : { disabled: true }
      const request = change === 'remove' ? {} : { json }
      const method = change === 'remove' ? 'DELETE' : 'PATCH'
      const changed = await app.send(method, path, { token: app.token, ...request })
      assert.ok(changed.status < 300, changed.text)
      assert.equal(codeOf(await poll(codes.device_code)), 'APP_DEVICE_CODE_ENDED', change)
    }
  })
})

describe('who may approve', () => {
  test('404 for a token, 403 without the CSRF token and from another site, 401 without a session', async () => {
    const { browser } = await createPerson(app, app.token)
    const codes = await begin()
    const json = { user_code: codes.user_code, approve: true }
    const byToken = await app.send('POST', DECISION_PATH, { token: app.token, json })
    assert.equal(byToken.status, 404)
    const withoutCsrf = await browser.send('POST', DECISION_PATH, {
      json,
      headers: { 'casework-csrf': '' },
    })
    assert.equal(codeOf(withoutCsrf), 'APP_CSRF_TOKEN_MISSING')
    const elsewhere = { origin: 'https://evil.example' }
    const foreign = await browser.send('POST', DECISION_PATH, { json, headers: elsewhere })
    assert.equal(codeOf(foreign), 'APP_ORIGIN_NOT_OWN')
    assert.equal((await app.send('POST', DECISION_PATH, { json })).status, 401)
    assert.equal(codeOf(await poll(codes.device_code)), 'APP_DEVICE_PENDING')
  })

  test('403 before a second factor that the instance requires is set up', async () => {
    const environment = { CASEWORK_SECOND_FACTOR: 'required' }
    const strict = await openTestApp({ environment })
    try {
      const { browser } = await createPerson(strict, await strict.createToken())
      const begun = await strict.send('POST', '/beta/session/device', {
        json: { client_name: 'x' },
      })
      const refused = await decide(browser, begun.json().user_code)
      assert.deepEqual([refused.status, codeOf(refused)], [403, 'APP_FACTOR_MUST_BE_SET_UP'])
    } finally {
      await strict.close()
    }
  })

  test('404 for wrong codes, then 429 with a wait that grows', async () => {
    const { browser } = await createPerson(app, app.token)
    const codes = await begin()
    for (let failure = 0; failure < 11; failure += 1) {
      assert.equal(codeOf(await decide(browser, 'BBBB-BBBB')), 'APP_USER_CODE_NOT_FOUND')
    }
    const limited = await decide(browser, codes.user_code)
    assert.deepEqual([limited.status, codeOf(limited)], [429, 'APP_USER_CODES_TOO_MANY'])
    const other = await createPerson(app, app.token)
    assert.equal((await decide(other.browser, codes.user_code)).status, 204, 'others are free')
  })

  test('429 for the 21st open login of one address', async () => {
    for (let open = 0; open < 20; open += 1) await begin()
    const json = { client_name: 'x' }
    const limited = await app.send('POST', '/beta/session/device', { json })
    assert.deepEqual([limited.status, codeOf(limited)], [429, 'APP_DEVICE_CODES_TOO_MANY'])
  })
})

async function logIn(browser: Browser): Promise<string> {
  const codes = await begin()
  assert.equal((await decide(browser, codes.user_code)).status, 204)
  return (await poll(codes.device_code)).json().access_token
}

describe('the token of a login', () => {
  test('204 when it revokes itself, and 404 for a token that no login made and for a session', async () => {
    const { browser } = await createPerson(app, app.token)
    const token = await logIn(browser)
    assert.equal((await app.send('DELETE', '/beta/whoami', { token })).status, 204)
    assert.equal((await app.send('GET', '/beta/whoami', { token })).status, 401)
    const other = await app.createToken()
    assert.equal((await app.send('DELETE', '/beta/whoami', { token: other })).status, 404)
    assert.equal((await browser.send('DELETE', '/beta/whoami')).status, 404)
    assert.equal((await browser.send('GET', '/beta/whoami')).json().credential, 'session')
  })

  test('ends with the sessions of its person, by an administrator and by a new password', async () => {
    const { browser, id } = await createPerson(app, app.token, { roles: ['tenant-admin'] })
    const first = await logIn(browser)
    const json = { name: 'for a program', scopes: ['cases:read'] }
    const made = await browser.send('POST', '/beta/admin/tokens', { json })
    const path = `/beta/admin/users/${id}/sessions`
    assert.equal((await app.send('DELETE', path, { token: app.token })).status, 204)
    assert.equal((await app.send('GET', '/beta/whoami', { token: first })).status, 401)
    const program = made.json().token
    assert.equal((await app.send('GET', '/beta/whoami', { token: program })).status, 200)
    const other = await createPerson(app, app.token)
    const second = await logIn(other.browser)
    const links = `/beta/admin/users/${other.id}/links`
    const { link } = (await app.send('POST', links, { token: app.token })).json()
    const reset = { link, password: 'nine green bottles' }
    assert.equal((await app.send('POST', '/beta/session/links', { json: reset })).status, 201)
    assert.equal((await app.send('GET', '/beta/whoami', { token: second })).status, 401)
    const own = await createPerson(app, app.token)
    const third = await logIn(own.browser)
    const change = { current_password: PASSWORD, new_password: 'six purple lanterns' }
    const changed = await own.browser.send('PUT', '/beta/session/password', { json: change })
    assert.equal(changed.status, 204, changed.text)
    assert.equal((await app.send('GET', '/beta/whoami', { token: third })).status, 401)
  })

  test('of 21 logins of a person the oldest is revoked', async () => {
    const { browser } = await createPerson(app, app.token)
    const tokens: string[] = []
    for (let login = 0; login < 21; login += 1) tokens.push(await logIn(browser))
    const [oldest = '', second = ''] = tokens
    assert.equal((await app.send('GET', '/beta/whoami', { token: oldest })).status, 401)
    assert.equal((await app.send('GET', '/beta/whoami', { token: second })).status, 200)
  })

  test('leaves its acts in the audit log, in the name of the person', async () => {
    const { browser, id } = await createPerson(app, app.token)
    const token = await logIn(browser)
    await app.send('DELETE', '/beta/whoami', { token })
    const { pool } = app.services.foundation.database
    const { rows } = await pool.query(
      `select act from audit_entry where actor_id = $1 and act like any ('{login.%,token.%}') order by seq`,
      [id],
    )
    assert.deepEqual(
      rows.map(({ act }) => act),
      ['login.approve', 'token.create'],
    )
  })
})
