// A tenant that requires a second factor: who is held up, where, and who is not.

import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { type TestAnswer, withApp } from '../../../test/harness.ts'
import {
  type Browser,
  buildAuthenticator,
  createPerson,
  createPersonWithApp,
  openBrowser,
  PASSWORD,
  signIn,
} from '../../../test/people-kit.ts'

const nowMs = Date.parse('2026-06-01T09:00:00Z')
const app = withApp({ clock: { nowMs: () => nowMs } }, (opened) => opened.createTenant('free'))

const FACTORS = '/beta/session/factors'
const TENANT = '/beta/admin/tenants/default'
const refusal = (answer: TestAnswer) => [answer.status, answer.json().code]

async function require(value: boolean | null, path = TENANT, token = app.token): Promise<void> {
  const json = { settings: { second_factor_required: value } }
  const answer = await app.send('PATCH', path, { token, json })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.json().settings.second_factor_required, value ?? undefined)
}

const readSession = async (browser: Browser) => (await browser.send('GET', '/beta/session')).json()

async function setUpApp(browser: Browser): Promise<void> {
  const { secret } = (await browser.send('POST', `${FACTORS}/totp`)).json()
  const json = { code: buildAuthenticator(secret)(nowMs) }
  const confirmed = await browser.send('POST', `${FACTORS}/totp/confirm`, { json })
  assert.equal(confirmed.status, 200, confirmed.text)
}

beforeEach(() => require(null))

describe('a tenant that requires a second factor', () => {
  test('a person without one can do nothing there but set one up', async () => {
    const { email } = await createPerson(app, app.token)
    await require(true)
    const browser = openBrowser(app, await signIn(app, email))
    assert.deepEqual([browser.session.must_enrol, browser.session.scopes], [true, []])
    assert.equal((await browser.send('GET', '/beta/casework/cases')).status, 403)
    assert.equal((await browser.send('GET', FACTORS)).json().required, true)
    await browser.send('POST', `${FACTORS}/totp`)
    assert.deepEqual(refusal(await browser.send('DELETE', `${FACTORS}/totp`)), [
      404,
      'APP_FACTOR_NOT_FOUND',
    ])
    await setUpApp(browser)
    assert.equal((await browser.send('GET', '/beta/casework/cases')).status, 200)
    assert.deepEqual(refusal(await browser.send('DELETE', `${FACTORS}/totp`)), [
      409,
      'APP_FACTOR_REQUIRED',
    ])
    await require(false)
    assert.equal((await browser.send('DELETE', `${FACTORS}/totp`)).status, 204)
  })

  test('holds up sessions that are open already, and lets them go again', async () => {
    const { browser } = await createPerson(app, app.token)
    const withFactor = await createPersonWithApp(app, app.token, () => nowMs)
    await require(true)
    assert.equal((await browser.send('GET', '/beta/casework/cases')).status, 403)
    assert.equal((await readSession(browser)).must_enrol, true)
    assert.equal((await withFactor.browser.send('GET', '/beta/casework/cases')).status, 200)
    await require(null)
    assert.equal((await browser.send('GET', '/beta/casework/cases')).status, 200)
  })

  test('is no matter of another tenant, until the session goes over', async () => {
    const email = 'both@desk.example'
    const { browser } = await createPerson(app, app.token, { email, tenantId: 'free' })
    const invited = await app.send('POST', '/beta/admin/users', {
      token: app.token,
      json: { email, name: 'Both', roles: ['agent'] },
    })
    const json = { link: invited.json().link, password: PASSWORD }
    const inDefault = openBrowser(app, await app.send('POST', '/beta/session/links', { json }))
    await require(true)
    assert.equal((await readSession(inDefault)).must_enrol, true)
    assert.equal((await readSession(browser)).must_enrol, false)
    assert.equal((await browser.send('GET', '/beta/casework/cases')).status, 200)
    const go = (to: string) => browser.send('PATCH', '/beta/session', { json: { tenant_id: to } })
    const there = (await go('default')).json()
    assert.deepEqual([there.must_enrol, there.scopes], [true, []])
    assert.equal((await browser.send('GET', '/beta/casework/cases')).status, 403)
    assert.equal((await go('free')).json().must_enrol, false)
    assert.equal((await browser.send('GET', '/beta/casework/cases')).status, 200)
  })

  test('is decided by its administrator and nobody else, and stands in the audit log', async () => {
    const admin = await createPerson(app, app.token, { roles: ['tenant-admin'] })
    const agent = await createPerson(app, app.token)
    const json = { settings: { second_factor_required: true } }
    assert.equal((await agent.browser.send('PATCH', TENANT, { json })).status, 403)
    const other = '/beta/admin/tenants/free'
    assert.equal((await admin.browser.send('PATCH', other, { json })).status, 404)
    assert.equal((await admin.browser.send('PATCH', TENANT, { json })).status, 200)
    assert.equal((await readSession(admin.browser)).must_enrol, true, 'the administrator as well')
    const path = '/beta/admin/audit?act=tenant.change&limit=1'
    const [entry] = (await app.send('GET', path, { token: app.token })).json().items
    assert.equal(entry.before.settings.second_factor_required, undefined)
    assert.equal(entry.after.settings.second_factor_required, true)
    assert.equal(entry.actor.id, admin.id)
  })

  test('400 for anything but true, false and null', async () => {
    const json = { settings: { second_factor_required: 'yes' } }
    assert.equal((await app.send('PATCH', TENANT, { token: app.token, json })).status, 400)
  })
})
