// Sessions: what a cookie may, how it is kept from other sites, and when it ends.

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { openTestApp, withApp } from '../../../test/harness.ts'
import {
  createPerson,
  openBrowser,
  PASSWORD,
  readSetCookies,
  signIn,
} from '../../../test/people-kit.ts'
import { compose } from '../../app/compose.ts'
import { buildHttp, createHttpParts } from '../../app/http.ts'
import { buildMainRoutes } from '../../app/routes.ts'
import { silentLog } from '../../kernel/log.ts'

// Of the start of these tests: the file may be loaded minutes before, and the database has its own.
let nowMs = 0
before(() => {
  nowMs = Date.now()
})
const clock = { nowMs: () => nowMs }
const app = withApp({ clock })
const MINUTE_MS = 60_000

describe('a request by cookie that changes something', () => {
  const json = { filter: {} }

  test('403 without the CSRF token, with a wrong one, and from another site', async () => {
    const { browser } = await createPerson(app, app.token, { roles: ['tenant-admin'] })
    const other = await createPerson(app, app.token)
    const refusals: [Record<string, string>, string][] = [
      [{ 'casework-csrf': '' }, 'APP_CSRF_TOKEN_MISSING'],
      [{ 'casework-csrf': 'x'.repeat(43) }, 'APP_CSRF_TOKEN_MISSING'],
      [{ 'casework-csrf': other.browser.csrfToken }, 'APP_CSRF_TOKEN_MISSING'],
      [{ origin: 'https://evil.example' }, 'APP_ORIGIN_NOT_OWN'],
      [{ origin: 'null' }, 'APP_ORIGIN_NOT_OWN'],
      [{ 'sec-fetch-site': 'cross-site' }, 'APP_ORIGIN_NOT_OWN'],
      [{ 'sec-fetch-site': 'same-site' }, 'APP_ORIGIN_NOT_OWN'],
    ]
    const routes: [string, string][] = [
      ['POST', '/beta/casework/views'],
      ['PATCH', '/beta/session'],
      ['PUT', '/beta/casework/secrets/x'],
      ['DELETE', '/beta/session'],
    ]
    for (const [headers, code] of refusals) {
      for (const [method, path] of routes) {
        const answer = await browser.send(method, path, { json, headers })
        assert.deepEqual([answer.status, answer.json().code], [403, code], `${method} ${path}`)
      }
    }
    assert.equal((await browser.send('GET', '/beta/session')).status, 200, 'nothing has changed')
  })

  test('is taken with the token, from a page of our own and from a program', async () => {
    const { browser } = await createPerson(app, app.token, { roles: ['tenant-admin'] })
    const view = { name: 'x', list: 'cases', query: {} }
    for (const headers of [
      {},
      { origin: 'http://localhost:80', 'sec-fetch-site': 'same-origin' },
    ]) {
      const answer = await browser.send('POST', '/beta/casework/views', { json: view, headers })
      assert.equal(answer.status, 201, answer.text)
    }
  })

  test('a token in the header goes before the cookie, and needs no CSRF token', async () => {
    const { browser } = await createPerson(app, app.token)
    const { cookie } = browser
    const me = await app.send('GET', '/beta/whoami', { token: app.token, headers: { cookie } })
    assert.match(me.json().token_id, /^tok_/)
  })
})

describe('a session ends', () => {
  test('when it was idle for 8 hours; each request puts that off', async () => {
    const { browser } = await createPerson(app, app.token)
    nowMs += 470 * MINUTE_MS
    assert.equal((await browser.send('GET', '/beta/whoami')).status, 200)
    nowMs += 470 * MINUTE_MS
    assert.equal((await browser.send('GET', '/beta/whoami')).status, 200)
    nowMs += 480 * MINUTE_MS
    const over = await browser.send('GET', '/beta/whoami')
    assert.deepEqual([over.status, over.json().code], [401, 'KERNEL_SESSION_NOT_LIVE'])
  })

  test('after 72 hours however much it is used', async () => {
    const { browser } = await createPerson(app, app.token)
    for (let hours = 7; hours < 72; hours += 7) {
      nowMs += 7 * 60 * MINUTE_MS
      assert.equal((await browser.send('GET', '/beta/whoami')).status, 200)
    }
    nowMs += 2 * 60 * MINUTE_MS
    assert.equal((await browser.send('GET', '/beta/whoami')).status, 401)
  })

  test('not on a node that did not see it used, while another one did', async () => {
    const { browser } = await createPerson(app, app.token)
    const services = await compose({
      config: app.services.foundation.config,
      connection: app.connection,
      log: silentLog,
      clock,
    })
    const second = buildHttp(services, {
      routes: buildMainRoutes(services),
      parts: createHttpParts(services),
    })
    try {
      nowMs += 300 * MINUTE_MS
      assert.equal((await browser.send('GET', '/beta/whoami')).status, 200)
      await app.services.tokens.noteUses()
      nowMs += 300 * MINUTE_MS
      const { cookie } = browser
      const ask = () => second.inject({ method: 'GET', url: '/beta/whoami', headers: { cookie } })
      assert.equal((await ask()).statusCode, 200)
    } finally {
      await second.close()
      await services.close()
    }
  })

  test('by signing out, which takes the cookie back', async () => {
    const { browser } = await createPerson(app, app.token)
    const answer = await browser.send('DELETE', '/beta/session')
    assert.equal(answer.status, 204)
    assert.match(String(answer.headers['set-cookie']), /=; Path=\/; Max-Age=0/)
    assert.equal((await browser.send('GET', '/beta/whoami')).status, 401)
  })

  test('an open look-up is answered all the same', async () => {
    const { browser } = await createPerson(app, app.token)
    await browser.send('DELETE', '/beta/session')
    assert.equal((await browser.send('GET', '/beta/query/192.0.2.1')).status, 200)
  })
})

describe('one’s own sessions', () => {
  test('are listed with where they came from, and ended one by one', async () => {
    const { email, browser } = await createPerson(app, app.token)
    const other = openBrowser(
      app,
      await signIn(app, email, PASSWORD, { 'user-agent': 'Browser of the desk' }),
    )
    const { items } = (await browser.send('GET', '/beta/sessions')).json()
    assert.equal(items.length, 2)
    const [newest] = items
    assert.deepEqual(
      [newest.id, newest.user_agent, newest.is_current, newest.methods],
      [other.session.id, 'Browser of the desk', false, ['password']],
    )
    assert.equal((await browser.send('DELETE', `/beta/sessions/${newest.id}`)).status, 204)
    assert.equal((await other.send('GET', '/beta/whoami')).status, 401)
    assert.equal((await browser.send('DELETE', `/beta/sessions/${newest.id}`)).status, 404)
  })

  test('404 for the session of another person', async () => {
    const [one, two] = [await createPerson(app, app.token), await createPerson(app, app.token)]
    const path = `/beta/sessions/${two.browser.session.id}`
    assert.equal((await one.browser.send('DELETE', path)).status, 404)
    assert.equal((await two.browser.send('GET', '/beta/whoami')).status, 200)
  })

  test('404 for a token, which has no session', async () => {
    for (const [method, path, json] of [
      ['GET', '/beta/session'],
      ['GET', '/beta/sessions'],
      ['DELETE', '/beta/session'],
      ['PATCH', '/beta/session', { tenant_id: 'default' }],
    ] as const) {
      const answer = await app.send(method, path, { token: app.token, json })
      assert.deepEqual([answer.status, answer.json().code], [404, 'APP_SESSION_NOT_FOUND'])
    }
  })
})

describe('PATCH /beta/session', () => {
  test('switches to another tenant of the person, with the roles there', async () => {
    await app.createTenant('north')
    const { email, browser } = await createPerson(app, app.token, { roles: ['lead'] })
    const token = app.token
    const json = { email, name: 'x', roles: ['viewer'], tenant_id: 'north' }
    const { link } = (await app.send('POST', '/beta/admin/users', { token, json })).json()
    const away = { tenant_id: 'north' }
    assert.equal((await browser.send('PATCH', '/beta/session', { json: away })).status, 403)
    await app.send('POST', '/beta/session/links', { json: { link, password: PASSWORD } })
    const switched = await browser.send('PATCH', '/beta/session', { json: away })
    assert.equal(switched.json().tenant_id, 'north')
    const me = (await browser.send('GET', '/beta/whoami')).json()
    assert.deepEqual([me.tenant_id, me.scopes.includes('cases:merge')], ['north', false])
  })

  test('403 alike for a tenant of others and for none', async () => {
    await app.createTenant('south')
    const { browser } = await createPerson(app, app.token)
    const texts = await Promise.all(
      ['south', 'nowhere'].map(async (tenant) => {
        const json = { tenant_id: tenant }
        const answer = await browser.send('PATCH', '/beta/session', { json })
        assert.equal(answer.status, 403)
        return answer.json().detail as string
      }),
    )
    assert.equal(texts[0], texts[1])
  })
})

describe('with CASEWORK_PUBLIC_URL', () => {
  test('the cookie is bound to the host and to TLS, and the other name is not read', async () => {
    const environment = { CASEWORK_PUBLIC_URL: 'https://desk.example' }
    const secure = await openTestApp({ environment, clock })
    try {
      const token = await secure.createToken()
      const host = { host: 'desk.example', origin: 'https://desk.example' }
      const json = { email: 'ana@desk.example', name: 'Ana', roles: ['agent'] }
      const { link } = (await secure.send('POST', '/beta/admin/users', { token, json })).json()
      assert.match(link, /^https:\/\/desk\.example\/welcome#/)
      const redeem = (headers: Record<string, string>) =>
        secure.send('POST', '/beta/session/links', {
          json: { link, password: PASSWORD },
          headers,
        })
      const direct = await redeem({ host: '192.0.2.7:8080', origin: 'http://192.0.2.7:8080' })
      assert.equal(direct.json().code, 'APP_SIGN_IN_NOT_SAFE')
      assert.equal((await redeem({ host: '192.0.2.7:8080' })).status, 403)
      const answer = await redeem(host)
      const [cookie = ''] = answer.headers['set-cookie'] as unknown as string[]
      assert.match(cookie, /^__Host-casework-session=[\w-]{43}; Path=\/; .*; Secure$/)
      const browser = openBrowser(secure, answer)
      assert.equal((await browser.send('GET', '/beta/whoami')).status, 200)
      const renamed = readSetCookies(answer).replace(
        '__Host-casework-session',
        'casework-session-local',
      )
      const other = await secure.send('GET', '/beta/whoami', { headers: { cookie: renamed } })
      assert.equal(other.status, 401)
    } finally {
      await secure.close()
    }
  })
})
