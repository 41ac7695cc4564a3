// Sign-in by password: who comes in, who does not, and that nobody learns more than that.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type TestAnswer, withApp } from '../../../test/harness.ts'
import {
  createPerson,
  openBrowser,
  PASSWORD,
  readSetCookies,
  signIn,
} from '../../../test/people-kit.ts'
import { createPasswordHasher } from './password-hash.ts'

let nowMs = Date.parse('2026-06-01T09:00:00Z')
const app = withApp({ clock: { nowMs: () => nowMs } })

const codeOf = (answer: TestAnswer): string => answer.json().code

describe('POST /beta/session', () => {
  test('201 with a cookie that reaches what the roles of the person give, and no more', async () => {
    const { email, id } = await createPerson(app, app.token, { roles: ['agent'] })
    const browser = openBrowser(app, await signIn(app, email))
    assert.equal(browser.session.user.email, email)
    assert.equal(browser.session.tenant_id, 'default')
    assert.equal((await browser.send('GET', '/beta/casework/cases')).status, 200)
    assert.equal((await browser.send('GET', '/beta/admin/users')).status, 403)
    const me = await browser.send('GET', '/beta/whoami')
    assert.equal(me.json().token_id, id)
    assert.deepEqual(me.json().scopes, browser.session.scopes)
    const own = await browser.send('GET', '/beta/session')
    assert.deepEqual(own.json().tenants, [{ tenant_id: 'default', roles: ['agent'] }])
  })

  test('the cookie is HttpOnly, SameSite and of the whole host; the secret is stored hashed', async () => {
    const { email } = await createPerson(app, app.token)
    const answer = await signIn(app, email)
    const [session = '', device = ''] = answer.headers['set-cookie'] as unknown as string[]
    assert.match(
      session,
      /^casework-session-local=[\w-]{43}; Path=\/; Max-Age=259200; HttpOnly; SameSite=Lax$/,
    )
    assert.match(device, /^casework-device-local=[\w-]{43}; Path=\//)
    assert.equal(answer.headers['cache-control'], 'no-store')
    const secret = /=([\w-]{43})/.exec(session)?.[1] ?? ''
    const { pool } = app.services.foundation.database
    const { rows } = await pool.query<{ text: string }>(
      'select s::text || d::text as text from user_session s, known_device d',
    )
    assert.ok(rows.length > 0)
    for (const { text } of rows) assert.ok(!text.includes(secret))
  })

  test('401 alike for a wrong password, an unknown address and a disabled account', async () => {
    const { email, id } = await createPerson(app, app.token)
    const wrong = await signIn(app, email, 'eight green bottles')
    const unknown = await signIn(app, 'nobody@desk.example', 'eight green bottles')
    const json = { disabled: true }
    await app.send('PATCH', `/beta/admin/users/${id}`, { token: app.token, json })
    const disabled = await signIn(app, email)
    for (const answer of [wrong, unknown, disabled]) {
      assert.equal(answer.status, 401)
      assert.equal(answer.headers['set-cookie'], undefined)
      assert.equal(codeOf(answer), 'APP_SIGN_IN_REFUSED')
      assert.equal(answer.json().detail, wrong.json().detail)
    }
  })

  test('the session that a browser had is over once it signs in anew', async () => {
    const { email, browser } = await createPerson(app, app.token)
    const { cookie } = browser
    const again = openBrowser(app, await signIn(app, email, PASSWORD, { cookie }))
    assert.notEqual(again.session.id, browser.session.id)
    assert.equal((await browser.send('GET', '/beta/session')).status, 401)
    assert.equal((await again.send('GET', '/beta/session')).status, 200)
  })

  test('403 from a page of another site, and over plain HTTP to another name than localhost', async () => {
    const { email } = await createPerson(app, app.token)
    const attempts: [Record<string, string>, string][] = [
      [{ origin: 'https://evil.example' }, 'APP_ORIGIN_NOT_OWN'],
      [{ 'sec-fetch-site': 'cross-site' }, 'APP_ORIGIN_NOT_OWN'],
      [{ origin: 'null' }, 'APP_ORIGIN_NOT_OWN'],
      [{ host: '192.0.2.7:8080' }, 'APP_SIGN_IN_NOT_SAFE'],
      [{ host: 'casework.example:8080' }, 'APP_SIGN_IN_NOT_SAFE'],
    ]
    for (const [headers, code] of attempts) {
      const answer = await signIn(app, email, PASSWORD, headers)
      assert.deepEqual([answer.status, codeOf(answer)], [403, code])
    }
    const refused = await signIn(app, email, PASSWORD, { host: '192.0.2.7:8080' })
    assert.match(refused.json().detail, /reverse proxy.*CASEWORK_PUBLIC_URL/)
    const near = await signIn(app, email, PASSWORD, { origin: 'http://localhost:3000' })
    assert.equal(near.status, 403, 'another program of this machine')
    const headers = { host: 'localhost:8080', origin: 'http://localhost:8080' }
    assert.equal((await signIn(app, email, PASSWORD, headers)).status, 201)
  })

  test('a hash of the other kind verifies and is made anew', async () => {
    const { email, id } = await createPerson(app, app.token)
    const { pool } = app.services.foundation.database
    const hash = await createPasswordHasher('scrypt').hash(PASSWORD)
    assert.match(hash, /^\$scrypt\$/)
    await pool.query('update user_account set password_hash = $1 where id = $2', [hash, id])
    assert.equal((await signIn(app, email)).status, 201)
    const { rows } = await pool.query('select password_hash from user_account where id = $1', [id])
    assert.match(rows[0].password_hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    assert.equal((await signIn(app, email)).status, 201)
  })
})

describe('wrong passwords', () => {
  test('429 with a wait that grows, for the address that guesses', async () => {
    const { email } = await createPerson(app, app.token)
    for (let failure = 0; failure < 6; failure += 1) {
      assert.equal((await signIn(app, email, 'wrong')).status, 401)
    }
    const limited = await signIn(app, email)
    assert.deepEqual([limited.status, codeOf(limited)], [429, 'APP_SIGN_IN_TOO_OFTEN'])
    assert.equal(limited.headers['retry-after'], '1')
    nowMs += 1_000
    assert.equal((await signIn(app, email, 'wrong')).status, 401)
    assert.equal((await signIn(app, email)).headers['retry-after'], '2')
    nowMs += 2_000
    assert.equal((await signIn(app, email)).status, 201)
    assert.equal((await signIn(app, email, 'wrong')).status, 401, 'it starts anew')
    nowMs += 86_400_000
  })

  test('nobody is locked out by others: a known browser comes in all the same', async () => {
    const { email, browser } = await createPerson(app, app.token)
    for (let failure = 0; failure < 6; failure += 1) await signIn(app, email, 'wrong')
    assert.equal((await signIn(app, email)).status, 429)
    const { cookie } = browser
    assert.equal((await signIn(app, email, PASSWORD, { cookie })).status, 201)
    nowMs += 86_400_000
  })

  test('a known browser is slowed down by its own guesses', async () => {
    const { email, browser } = await createPerson(app, app.token)
    const { cookie } = browser
    for (let failure = 0; failure < 6; failure += 1) await signIn(app, email, 'wrong', { cookie })
    assert.equal((await signIn(app, email, PASSWORD, { cookie })).status, 429)
    nowMs += 86_400_000
  })

  test('an unknown account is limited as a known one is', async () => {
    for (let failure = 0; failure < 6; failure += 1) {
      assert.equal((await signIn(app, 'nobody2@desk.example', 'wrong')).status, 401)
    }
    assert.equal((await signIn(app, 'nobody2@desk.example', 'wrong')).status, 429)
    nowMs += 86_400_000
  })

  test('many guesses at once get no more tries than one after the other', async () => {
    const { email } = await createPerson(app, app.token)
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(app, email, 'wrong')))
    const tried = answers.filter(({ status }) => status === 401)
    assert.equal(tried.length, 6)
    nowMs += 86_400_000
  })
})

describe('metrics', () => {
  test('count by way and outcome, and name no person', async () => {
    const { text } = await app.send('GET', '/metrics')
    assert.match(text, /casework_sign_ins_total\{way="password",outcome="refused"[^}]*\} \d/)
    assert.ok(!text.includes('desk.example'))
  })
})

test('a cookie of another program is not read as a session', async () => {
  const headers = { cookie: 'casework-session-local=short; other=1' }
  assert.equal((await app.send('GET', '/beta/whoami', { headers })).status, 401)
  assert.equal(readSetCookies(await app.send('GET', '/livez')), '')
})
