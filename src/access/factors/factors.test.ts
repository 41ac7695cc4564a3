// Second factors of people: set up, used in the second step of a sign-in, changed, lost.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestApp, type TestAnswer, type TestApp, withApp } from '../../../test/harness.ts'
import {
  buildAuthenticator,
  createPerson,
  createPersonWithApp,
  invite,
  openBrowser,
  PASSWORD,
  readSetCookies,
  signIn,
  useSecondFactor,
} from '../../../test/people-kit.ts'

let nowMs = Date.parse('2026-06-01T09:00:00Z')
const clock = { nowMs: () => nowMs }
const app = withApp({ clock })

const STEP_MS = 30_000
const FACTORS = '/beta/session/factors'
const refusal = (answer: TestAnswer) => [answer.status, answer.json().code]
const newPerson = () => createPersonWithApp(app, app.token, clock.nowMs)

describe('an authenticator app', () => {
  test('counts only once a code of it has confirmed it', async () => {
    const { email, browser } = await createPerson(app, app.token)
    const enrolled = await browser.send('POST', `${FACTORS}/totp`)
    assert.match(enrolled.json().otpauth_uri, /^otpauth:\/\/totp\/Casework%20localhost/)
    assert.equal((await signIn(app, email)).status, 201, 'not confirmed yet')
    const wrong = await browser.send('POST', `${FACTORS}/totp/confirm`, { json: { code: '1' } })
    assert.deepEqual(refusal(wrong), [401, 'APP_FACTOR_REFUSED'])
    const again = await browser.send('POST', `${FACTORS}/totp`)
    const code = buildAuthenticator(again.json().secret)(nowMs)
    const confirmed = await browser.send('POST', `${FACTORS}/totp/confirm`, { json: { code } })
    assert.equal(confirmed.status, 200)
    assert.equal(confirmed.json().recovery_codes.length, 10)
    assert.equal(confirmed.json().recovery_codes_left, 10)
    assert.equal((await signIn(app, email)).status, 202)
    assert.deepEqual(refusal(await browser.send('POST', `${FACTORS}/totp`)), [
      409,
      'APP_FACTOR_PRESENT',
    ])
  })

  test('404 for the removal of one that was never confirmed, which no audit entry tells of', async () => {
    const { browser } = await createPerson(app, app.token)
    const { secret } = (await browser.send('POST', `${FACTORS}/totp`)).json()
    const remove = () => browser.send('DELETE', `${FACTORS}/totp`)
    const { pool } = app.services.foundation.database
    const countRemovals = async () =>
      (await pool.query(`select from audit_entry where act = 'user.remove_factor'`)).rowCount ?? 0
    const former = await countRemovals()
    assert.deepEqual(refusal(await remove()), [404, 'APP_FACTOR_NOT_FOUND'])
    assert.equal(await countRemovals(), former)
    const json = { code: buildAuthenticator(secret)(nowMs) }
    const confirmed = await browser.send('POST', `${FACTORS}/totp/confirm`, { json })
    assert.equal(confirmed.status, 200, 'it still waits')
    assert.equal((await remove()).status, 204)
    assert.equal(await countRemovals(), former + 1)
  })

  test('ends the other sessions of the person when it is confirmed', async () => {
    const { email, browser } = await createPerson(app, app.token)
    const other = openBrowser(app, await signIn(app, email))
    const { secret } = (await browser.send('POST', `${FACTORS}/totp`)).json()
    const json = { code: buildAuthenticator(secret)(nowMs) }
    await browser.send('POST', `${FACTORS}/totp/confirm`, { json })
    assert.equal((await other.send('GET', '/beta/session')).status, 401)
    assert.equal((await browser.send('GET', '/beta/session')).status, 200)
  })

  test('is stored sealed, and its secret and the recovery codes are in no audit entry', async () => {
    const { browser } = await createPerson(app, app.token)
    const { secret } = (await browser.send('POST', `${FACTORS}/totp`)).json()
    const json = { code: buildAuthenticator(secret)(nowMs) }
    const confirmed = await browser.send('POST', `${FACTORS}/totp/confirm`, { json })
    const [recoveryCode = ''] = confirmed.json().recovery_codes
    const { pool } = app.services.foundation.database
    for (const table of ['user_totp', 'user_recovery_code', 'audit_entry', 'audit_detail']) {
      const { rows } = await pool.query<{ text: string }>(`select t::text as text from ${table} t`)
      assert.ok(rows.length > 0, table)
      for (const { text } of rows) {
        assert.ok(!text.includes(secret) && !text.includes(recoveryCode), table)
      }
    }
  })

  test('404 for a caller with a token, who has no factors', async () => {
    for (const [method, path, json] of [
      ['GET', FACTORS],
      ['POST', `${FACTORS}/totp`],
      ['POST', `${FACTORS}/totp/confirm`, { code: '123456' }],
      ['DELETE', `${FACTORS}/totp`],
      ['POST', `${FACTORS}/recovery-codes`],
      ['POST', '/beta/session/proof', { password: PASSWORD }],
    ] as const) {
      const answer = await app.send(method, path, { token: app.token, json })
      assert.deepEqual(refusal(answer), [404, 'APP_SESSION_NOT_FOUND'], path)
    }
  })
})

describe('the second step of a sign-in', () => {
  test('opens the session after the right password, which gives none by itself', async () => {
    const { email, readCode } = await newPerson()
    const first = await signIn(app, email)
    assert.equal(first.status, 202)
    assert.deepEqual(first.json().ways, ['totp', 'recovery_code'])
    const cookie = readSetCookies(first)
    assert.match(cookie, /^casework-step-local=[\w-]{43}$/)
    assert.equal((await app.send('GET', '/beta/session', { headers: { cookie } })).status, 401)
    nowMs += STEP_MS
    const second = await useSecondFactor(app, first, { code: readCode(nowMs) })
    const browser = openBrowser(app, second)
    const { items } = (await browser.send('GET', '/beta/sessions')).json()
    const current = items.find((one: { is_current: boolean }) => one.is_current)
    assert.deepEqual(current.methods, ['password', 'totp'])
  })

  test('401 for a code that was used, be it in another sign-in', async () => {
    const { email, readCode } = await newPerson()
    nowMs += STEP_MS
    const code = readCode(nowMs)
    const [one, two] = [await signIn(app, email), await signIn(app, email)]
    assert.equal((await useSecondFactor(app, one, { code })).status, 201)
    assert.deepEqual(refusal(await useSecondFactor(app, two, { code })), [
      401,
      'APP_FACTOR_REFUSED',
    ])
    const older = readCode(nowMs - STEP_MS)
    assert.equal((await useSecondFactor(app, two, { code: older })).status, 401)
    nowMs += STEP_MS
    assert.equal((await useSecondFactor(app, two, { code: readCode(nowMs) })).status, 201)
  })

  test('of two uses of one code at once one comes in', async () => {
    const { email, readCode } = await newPerson()
    nowMs += STEP_MS
    const json = { code: readCode(nowMs) }
    const steps = [await signIn(app, email), await signIn(app, email)]
    const answers = await Promise.all(steps.map((step) => useSecondFactor(app, step, json)))
    const cameIn = answers.filter(({ status }) => status === 201)
    assert.equal(cameIn.length, 1)
  })

  test('401 without the cookie of the first step, after five minutes, and a second time', async () => {
    const { email, readCode } = await newPerson()
    const begun = 'APP_SIGN_IN_NOT_BEGUN'
    nowMs += STEP_MS
    const json = { code: readCode(nowMs) }
    const without = await app.send('POST', '/beta/session/second-factor', { json })
    assert.deepEqual(refusal(without), [401, begun])
    const late = await signIn(app, email)
    nowMs += 300_000
    assert.deepEqual(refusal(await useSecondFactor(app, late, { code: readCode(nowMs) })), [
      401,
      begun,
    ])
    const first = await signIn(app, email)
    assert.equal((await useSecondFactor(app, first, { code: readCode(nowMs) })).status, 201)
    nowMs += STEP_MS
    const again = await useSecondFactor(app, first, { code: readCode(nowMs) })
    assert.deepEqual(refusal(again), [401, begun])
  })

  test('400 unless exactly one proof is given', async () => {
    const { email } = await newPerson()
    const first = await signIn(app, email)
    for (const json of [{}, { code: '123456', recovery_code: 'a' }]) {
      const answer = await useSecondFactor(app, first, json)
      assert.deepEqual(refusal(answer), [400, 'APP_ONE_FACTOR_NEEDED'])
    }
  })

  test('is needed after a link for a new password too', async () => {
    const { id, readCode } = await newPerson()
    const made = await app.send('POST', `/beta/admin/users/${id}/links`, { token: app.token })
    const json = { link: made.json().link, password: 'nine green bottles' }
    const first = await app.send('POST', '/beta/session/links', { json })
    assert.equal(first.status, 202)
    nowMs += STEP_MS
    assert.equal((await useSecondFactor(app, first, { code: readCode(nowMs) })).status, 201)
  })

  test('accepts an invitation into another tenant, which the password alone does not', async () => {
    // An inviter may have opened the account in the name of somebody, with a factor of their own.
    await app.createTenant('north')
    const north = await app.createToken({ tenantId: 'north' })
    const { id, email, readCode } = await newPerson()
    const { link } = await invite(app, north, { email })
    const isAccepted = async () => {
      const { items } = (await app.send('GET', '/beta/admin/users', { token: north })).json()
      const { tenants } = items.find((one: { id: string }) => one.id === id)
      return tenants.some(
        (one: { tenant_id: string; state: string }) =>
          one.tenant_id === 'north' && one.state === 'active',
      )
    }
    const json = { link, password: PASSWORD }
    const first = await app.send('POST', '/beta/session/links', { json })
    assert.deepEqual([first.status, await isAccepted()], [202, false])
    nowMs += STEP_MS
    const second = await useSecondFactor(app, first, { code: readCode(nowMs) })
    assert.deepEqual([second.status, second.json().tenant_id], [201, 'north'])
    assert.equal(await isAccepted(), true)
    assert.equal((await app.send('POST', '/beta/session/links', { json })).status, 404, 'used up')
  })

  test('accepts no invitation that was withdrawn meanwhile', async () => {
    const token = await app.createToken({ tenantId: 'north' })
    const { id, email, readCode } = await newPerson()
    const { link } = await invite(app, token, { email })
    const json = { link, password: PASSWORD }
    const first = await app.send('POST', '/beta/session/links', { json })
    assert.equal((await app.send('DELETE', `/beta/admin/users/${id}`, { token })).status, 204)
    nowMs += STEP_MS
    const second = await useSecondFactor(app, first, { code: readCode(nowMs) })
    assert.deepEqual(refusal(second), [403, 'APP_TENANT_MISSING'])
    assert.equal((await app.send('POST', '/beta/session/links', { json })).status, 404)
  })

  test('a new password ends a sign-in that is under way', async () => {
    const { id, email, readCode } = await newPerson()
    const first = await signIn(app, email)
    const made = await app.send('POST', `/beta/admin/users/${id}/links`, { token: app.token })
    const json = { link: made.json().link, password: 'nine green bottles' }
    await app.send('POST', '/beta/session/links', { json })
    nowMs += STEP_MS
    assert.equal((await useSecondFactor(app, first, { code: readCode(nowMs) })).status, 401)
  })

  test('wrong codes and wrong passwords wait together, and the right password clears nothing', async () => {
    const { email, readCode } = await newPerson()
    for (let round = 0; round < 3; round += 1) {
      const first = await signIn(app, email)
      assert.equal(first.status, 202)
      assert.equal((await useSecondFactor(app, first, { code: '000000' })).status, 401)
    }
    const limited = await signIn(app, email)
    assert.deepEqual(refusal(limited), [429, 'APP_SIGN_IN_TOO_OFTEN'])
    nowMs += 90_000_000
    const first = await signIn(app, email)
    assert.equal((await useSecondFactor(app, first, { code: readCode(nowMs) })).status, 201)
  })

  test('nobody is locked out by wrong codes from elsewhere: a known browser comes in', async () => {
    const { email, browser, readCode } = await newPerson()
    for (let round = 0; round < 3; round += 1) {
      await useSecondFactor(app, await signIn(app, email), { code: '000000' })
    }
    assert.equal((await signIn(app, email)).status, 429)
    const first = await signIn(app, email, PASSWORD, { cookie: browser.cookie })
    assert.equal(first.status, 202)
    nowMs += STEP_MS
    const headers = { cookie: `${browser.cookie}; ${readSetCookies(first)}` }
    const json = { code: readCode(nowMs) }
    const second = await app.send('POST', '/beta/session/second-factor', { json, headers })
    assert.equal(second.status, 201)
    nowMs += 86_400_000
  })
})

describe('recovery codes', () => {
  test('are good once each, and what is left is shown', async () => {
    const { email, recoveryCodes } = await newPerson()
    const [code = ''] = recoveryCodes
    const use = async (recovery_code: string) =>
      await useSecondFactor(app, await signIn(app, email), { recovery_code })
    const browser = openBrowser(app, await use(code.toUpperCase()))
    assert.equal((await browser.send('GET', FACTORS)).json().recovery_codes_left, 9)
    assert.equal((await use(code)).status, 401)
  })

  test('are made anew, and the former ones are good no more', async () => {
    const { email, browser, recoveryCodes } = await newPerson()
    const made = await browser.send('POST', `${FACTORS}/recovery-codes`)
    const fresh: readonly string[] = made.json().recovery_codes
    assert.equal(new Set([...fresh, ...recoveryCodes]).size, 20)
    const first = await signIn(app, email)
    assert.equal(
      (await useSecondFactor(app, first, { recovery_code: recoveryCodes[0] })).status,
      401,
    )
    assert.equal((await useSecondFactor(app, first, { recovery_code: fresh[0] })).status, 201)
  })

  test('409 for a person without a second factor', async () => {
    const { browser } = await createPerson(app, app.token)
    const answer = await browser.send('POST', `${FACTORS}/recovery-codes`)
    assert.deepEqual(refusal(answer), [409, 'APP_FACTOR_MISSING'])
  })
})

describe('a change of factors', () => {
  test('403 when the last proof is older than ten minutes, until it is proved again', async () => {
    const { email, browser, readCode } = await newPerson()
    nowMs += 600_000
    const remove = () => browser.send('DELETE', `${FACTORS}/totp`)
    assert.equal((await browser.send('GET', FACTORS)).json().proof_ends_at, null)
    for (const [method, path, json] of [
      ['POST', `${FACTORS}/totp`],
      ['POST', `${FACTORS}/totp/confirm`, { code: '1' }],
      ['DELETE', `${FACTORS}/totp`],
      ['POST', `${FACTORS}/recovery-codes`],
    ] as const) {
      const answer = await browser.send(method, path, { json })
      assert.deepEqual(refusal(answer), [403, 'APP_PROOF_NEEDED'], path)
    }
    const prove = (json: object) => browser.send('POST', '/beta/session/proof', { json })
    assert.deepEqual(refusal(await prove({ password: 'wrong' })), [401, 'APP_SIGN_IN_REFUSED'])
    assert.deepEqual(refusal(await prove({ code: '000000' })), [401, 'APP_FACTOR_REFUSED'])
    assert.deepEqual(refusal(await prove({ password: 'a', code: '1' })), [
      400,
      'APP_ONE_FACTOR_NEEDED',
    ])
    assert.equal((await remove()).status, 403)
    const proved = await prove({ code: readCode(nowMs) })
    assert.equal(proved.json().proof_ends_at, new Date(nowMs + 600_000).toISOString())
    assert.equal((await remove()).status, 204)
    assert.deepEqual(refusal(await remove()), [404, 'APP_FACTOR_NOT_FOUND'])
    const { totp_since, recovery_codes_left } = (await browser.send('GET', FACTORS)).json()
    assert.deepEqual([totp_since, recovery_codes_left], [null, 0])
    assert.equal((await signIn(app, email)).status, 201)
  })

  test('is proved by the password as well', async () => {
    const { browser } = await newPerson()
    nowMs += 600_000
    const json = { password: PASSWORD }
    assert.equal((await browser.send('POST', '/beta/session/proof', { json })).status, 200)
    assert.equal((await browser.send('DELETE', `${FACTORS}/totp`)).status, 204)
  })

  test('leaves its act in the audit log', async () => {
    const { id, browser } = await newPerson()
    await browser.send('POST', `${FACTORS}/recovery-codes`)
    await browser.send('DELETE', `${FACTORS}/totp`)
    const { pool } = app.services.foundation.database
    const { rows } = await pool.query<{ act: string }>(
      'select act from audit_entry where object_id = $1 order by seq',
      [id],
    )
    const acts = rows.map(({ act }) => act).filter((act) => /factor|recovery/.test(act))
    assert.deepEqual(acts, [
      'user.make_recovery_codes',
      'user.add_factor',
      'user.make_recovery_codes',
      'user.remove_factor',
    ])
  })
})

describe('the factors of another person', () => {
  test('are seen without secrets and removed by an administrator; the sessions end', async () => {
    const { id, email, browser } = await newPerson()
    const path = `/beta/admin/users/${id}/factors`
    const seen = await app.send('GET', path, { token: app.token })
    assert.deepEqual(Object.keys(seen.json()).toSorted(), [
      'passkeys',
      'recovery_codes_left',
      'totp_since',
    ])
    assert.equal((await app.send('DELETE', path, { token: app.token })).status, 204)
    assert.equal((await browser.send('GET', '/beta/session')).status, 401)
    assert.equal((await signIn(app, email)).status, 201)
  })

  test('404 for a person of another tenant, and 403 for one who may do more', async () => {
    await app.createTenant('elsewhere')
    const { id } = await newPerson()
    const path = `/beta/admin/users/${id}/factors`
    const foreign = await app.createToken({ tenantId: 'elsewhere', scopes: ['users:manage'] })
    assert.equal((await app.send('GET', path, { token: foreign })).status, 404)
    assert.equal((await app.send('DELETE', path, { token: foreign })).status, 404)
    const small = await app.createToken({ scopes: ['users:manage'] })
    const answer = await app.send('DELETE', path, { token: small })
    assert.deepEqual(refusal(answer), [403, 'APP_GRANT_NOT_HELD'])
  })

  test('are forgotten with the person, and stay while the person is disabled', async () => {
    const { id, email, readCode } = await newPerson()
    const path = `/beta/admin/users/${id}`
    const patch = (disabled: boolean) =>
      app.send('PATCH', path, { token: app.token, json: { disabled } })
    const first = await signIn(app, email)
    await patch(true)
    nowMs += STEP_MS
    assert.equal((await useSecondFactor(app, first, { code: readCode(nowMs) })).status, 401)
    await patch(false)
    assert.equal((await signIn(app, email)).status, 202)
    await app.send('DELETE', path, { token: app.token })
    const { pool } = app.services.foundation.database
    for (const table of ['user_totp', 'user_recovery_code', 'user_passkey', 'sign_in_step']) {
      const { rows } = await pool.query(`select 1 from ${table} where user_id = $1`, [id])
      assert.equal(rows.length, 0, table)
    }
  })
})

describe('with CASEWORK_SECOND_FACTOR=required', () => {
  let strict: TestApp & { token: string }
  before(async () => {
    const environment = { CASEWORK_SECOND_FACTOR: 'required' }
    const opened = await openTestApp({ clock, environment })
    strict = { ...opened, token: await opened.createToken() }
  })
  after(() => strict.close())

  test('a person without one can do nothing but set one up', async () => {
    const { browser } = await createPerson(strict, strict.token)
    assert.equal(browser.session.must_enrol, true)
    assert.deepEqual(browser.session.scopes, [])
    assert.equal((await browser.send('GET', '/beta/casework/cases')).status, 403)
    const json = { user_code: 'BCDF-GHJK', approve: true }
    const approved = await browser.send('POST', '/beta/session/device/decision', { json })
    assert.deepEqual(
      refusal(approved),
      [403, 'APP_FACTOR_MUST_BE_SET_UP'],
      'no token for a program',
    )
    const { secret } = (await browser.send('POST', `${FACTORS}/totp`)).json()
    const confirmed = await browser.send('POST', `${FACTORS}/totp/confirm`, {
      json: { code: buildAuthenticator(secret)(nowMs) },
    })
    assert.equal(confirmed.status, 200)
    assert.equal((await browser.send('GET', '/beta/casework/cases')).status, 200)
    const own = (await browser.send('GET', '/beta/session')).json()
    assert.equal(own.must_enrol, false)
    const removed = await browser.send('DELETE', `${FACTORS}/totp`)
    assert.deepEqual(refusal(removed), [409, 'APP_FACTOR_REQUIRED'])
  })

  test('of two that are removed at once one stays', async () => {
    const { browser, id } = await createPerson(strict, strict.token)
    const { pool } = strict.services.foundation.database
    for (const round of [1, 2, 3, 4, 5]) {
      const ids = [`pk_${round}_one`, `pk_${round}_other`]
      // oxlint-disable-next-line eslint/no-await-in-loop
      await pool.query('delete from user_passkey where user_id = $1', [id])
      // oxlint-disable-next-line eslint/no-await-in-loop
      await pool.query(
        `insert into user_passkey (id, user_id, credential_id, public_key, sign_count, transports, name, is_synced)
         select given, $2, given, '', 0, '{}', 'key', false from unnest($1::text[]) as given`,
        [ids, id],
      )
      // oxlint-disable-next-line eslint/no-await-in-loop
      const answers = await Promise.all(
        ids.map((passkey) => browser.send('DELETE', `${FACTORS}/passkeys/${passkey}`)),
      )
      assert.deepEqual(
        answers.map(({ status }) => status).toSorted((one, other) => one - other),
        [204, 409],
      )
    }
  })
})
