// Links that are good once: the first person, invitations, new passwords.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestApp, type TestApp, withApp } from '../../../test/harness.ts'
import { createPerson, invite, openBrowser, PASSWORD, signIn } from '../../../test/people-kit.ts'
import { makeSetupLink } from './make-setup-link.ts'

let nowMs = Date.parse('2026-06-01T09:00:00Z')
const clock = { nowMs: () => nowMs }
const HOUR_MS = 3_600_000

/** Without what differs between any two users. */
function hideIdentity(user: Record<string, unknown>): unknown {
  const { id: _id, email: _email, link: _link, created_at: _createdAt, ...rest } = user
  return rest
}

describe('the first person', () => {
  let app: TestApp
  before(async () => {
    app = await openTestApp({ clock })
  })
  after(() => app.close())

  const newLink = () => {
    const { foundation, signIn: settings } = app.services
    const publicUrl = settings.readPublicUrl()
    const { audit } = foundation
    const by = { kind: 'program', id: 'start' } as const
    return makeSetupLink(foundation.database.kysely, { publicUrl, nowMs, audit, by })
  }
  const redeem = (link: string, json: object = {}) =>
    app.send('POST', '/beta/session/links', {
      json: { link, password: PASSWORD, email: 'ana@desk.example', name: 'Ana', ...json },
    })

  test('comes in by a setup link, once, within an hour, and administers the instance', async () => {
    const old = await newLink()
    assert.match(old?.url ?? '', /^http:\/\/localhost:8080\/welcome#[\w-]{43}$/)
    const late = await newLink()
    assert.equal((await redeem(old?.url ?? '')).status, 404, 'a newer one replaces it')
    nowMs += HOUR_MS
    assert.equal((await redeem(late?.url ?? '')).status, 404, 'an hour is over')
    const made = await app.send('POST', '/beta/admin/setup-link', {
      token: await app.createToken(),
    })
    const { link } = made.json()
    const checked = await app.send('POST', '/beta/session/links/check', { json: { link } })
    assert.deepEqual(
      [checked.json().kind, checked.json().email, checked.json().has_password],
      ['setup', null, false],
    )
    for (const [json, path] of [
      [{ password: 'short' }, '/password'],
      [{ password: 'passwordpassword' }, '/password'],
      [{ email: 'nobody' }, '/email'],
      [{ name: '  ' }, '/name'],
    ] as const) {
      const refused = await redeem(link, json)
      assert.deepEqual([refused.status, refused.json().errors[0].path], [400, path])
      assert.equal(refused.json().code, 'APP_PASSWORD_NOT_VALID')
    }
    const browser = openBrowser(app, await redeem(link))
    assert.ok(browser.session.scopes.includes('instance:admin'))
    const again = await redeem(link)
    assert.deepEqual(
      [again.status, again.json().code],
      [404, 'APP_LINK_NOT_VALID'],
      'it is used up',
    )
    const token = await app.createToken()
    const refused = await app.send('POST', '/beta/admin/setup-link', { token })
    const log = await app.send('GET', '/beta/admin/audit?tenant_id=*&act=setup_link.create', {
      token,
    })
    assert.deepEqual(
      log.json().items.map(({ actor }: { actor: { kind: string } }) => actor.kind),
      ['token', 'program', 'program'],
      'each link is an act, that of a start too, and a refused one is none',
    )
    assert.deepEqual([refused.status, refused.json().code], [409, 'APP_FIRST_PERSON_PRESENT'])
  })
})

describe('an invitation', () => {
  const app = withApp({ clock })

  test('is accepted with a password of the person, once', async () => {
    const person = await invite(app, app.token, { roles: ['lead'] })
    const json = { link: person.link }
    const checked = await app.send('POST', '/beta/session/links/check', { json })
    assert.equal(checked.json().email, person.email)
    assert.equal((await signIn(app, person.email)).status, 401, 'not before it is accepted')
    const redeem = () =>
      app.send('POST', '/beta/session/links', { json: { ...json, password: PASSWORD } })
    const browser = openBrowser(app, await redeem())
    assert.deepEqual(browser.session.tenants, [{ tenant_id: 'default', roles: ['lead'] }])
    assert.equal((await redeem()).status, 404)
    assert.equal((await signIn(app, person.email)).status, 201)
  })

  test('ends after seven days, and a new one stands in for it', async () => {
    const person = await invite(app, app.token)
    const renew = () =>
      app.send('POST', `/beta/admin/users/${person.id}/links`, { token: app.token })
    const check = async (link: string) =>
      (await app.send('POST', '/beta/session/links/check', { json: { link } })).status
    const second = (await renew()).json().link
    assert.deepEqual([await check(person.link), await check(second)], [404, 200])
    nowMs += 7 * 24 * HOUR_MS
    assert.equal(await check(second), 404)
  })

  test('into a second tenant is accepted with the password that the person has', async () => {
    await app.createTenant('second')
    const { email } = await createPerson(app, app.token)
    const other = await invite(app, app.token, { email, tenantId: 'second', roles: ['viewer'] })
    const redeem = (password: string) =>
      app.send('POST', '/beta/session/links', { json: { link: other.link, password } })
    assert.equal((await redeem('a password of mine')).status, 401, 'a stolen link gives nothing')
    const browser = openBrowser(app, await redeem(PASSWORD))
    assert.equal(browser.session.tenant_id, 'second')
    assert.equal(browser.session.tenants.length, 2)
  })

  test('is answered alike for a person of another tenant and for a new one', async () => {
    await app.createTenant('third')
    const { email } = await createPerson(app, app.token)
    const admin = await app.createToken({ tenantId: 'third', scopes: ['users:manage'] })
    const known = await app.send('POST', '/beta/admin/users', {
      token: admin,
      json: { email, name: 'Given', roles: [] },
    })
    const fresh = await app.send('POST', '/beta/admin/users', {
      token: admin,
      json: { email: 'fresh@desk.example', name: 'Given', roles: [] },
    })
    assert.deepEqual([known.status, fresh.status], [201, 201])
    assert.deepEqual(hideIdentity(known.json()), hideIdentity(fresh.json()))
  })
})

describe('a new password', () => {
  const app = withApp({ clock })

  test('by a link of the administrator ends all former sessions', async () => {
    const { id, email, browser } = await createPerson(app, app.token)
    const made = await app.send('POST', `/beta/admin/users/${id}/links`, { token: app.token })
    const json = { link: made.json().link, password: 'nine green bottles' }
    const answer = await app.send('POST', '/beta/session/links', { json })
    assert.equal(answer.status, 201)
    assert.equal((await browser.send('GET', '/beta/session')).status, 401)
    assert.equal((await signIn(app, email)).status, 401)
    assert.equal((await signIn(app, email, 'nine green bottles')).status, 201)
  })

  test('403 for the administrator of one of several tenants: the account is not theirs', async () => {
    await app.createTenant('fourth')
    const { id, email } = await createPerson(app, app.token)
    await createPerson(app, app.token)
    await invite(app, app.token, { email, tenantId: 'fourth' })
    const token = await app.createToken({ scopes: ['users:manage', 'cases:read'] })
    const answer = await app.send('POST', `/beta/admin/users/${id}/links`, { token })
    assert.deepEqual([answer.status, answer.json().code], [403, 'APP_GRANT_NOT_HELD'])
  })
})
