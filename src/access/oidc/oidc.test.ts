// Sign-in with OpenID Connect providers: who comes in by which account, and every answer of a
// provider that is refused.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openTestApp, type TestAnswer, type TestApp } from '../../../test/harness.ts'
import {
  type Browser,
  createPerson,
  invite,
  PASSWORD,
  readSetCookies,
  signIn,
} from '../../../test/people-kit.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type LocalProvider,
  type LyingProvider,
  openLyingProvider,
  openRealProvider,
  visitProvider,
} from '../../../test/provider-kit.ts'

const PUBLIC = 'http://localhost:8080'
const PROVIDERS = '/beta/session/providers'

let nowMs = Date.now()
let app: TestApp
let admin: string
let real: LocalProvider
let liar: LyingProvider
let folder: string

before(async () => {
  real = await openRealProvider(`${PUBLIC}${PROVIDERS}/real/callback`)
  liar = await openLyingProvider()
  folder = mkdtempSync(join(tmpdir(), 'oidc-'))
  writeFileSync(join(folder, 'secret'), `${CLIENT_SECRET}\n`)
  writeFileSync(join(folder, 'providers.toml'), describeProviders())
  app = await openApp()
  admin = await app.createToken()
})
after(async () => {
  await app.close()
  await real.close()
  await liar.close()
  rmSync(folder, { recursive: true })
})
beforeEach(() => {
  liar.claims = {}
  liar.status = null
})

const openApp = (): Promise<TestApp> =>
  openTestApp({
    clock: { nowMs: () => nowMs },
    environment: {
      CASEWORK_PROVIDERS_FILE: join(folder, 'providers.toml'),
      CASEWORK_PUBLIC_URL: PUBLIC,
      CASEWORK_OUTBOUND_ALLOW: [real, liar].map(({ issuer }) => new URL(issuer).host).join(','),
    },
  })

const describeProviders = (): string => `
[real]
name = "Company account"
issuer = "${real.issuer}"
client_id = "${CLIENT_ID}"
client_secret_file = "${join(folder, 'secret')}"

[[real.members]]
tenant = "default"
roles = ["viewer"]
email_domain = "rule.example"

[liar]
issuer = "${liar.issuer}"
client_id = "${CLIENT_ID}"
client_secret = "${CLIENT_SECRET}"

[[liar.members]]
tenant = "default"
roles = ["agent"]
claim = "groups"
value = "desk"

[[liar.members]]
tenant = "default"
roles = ["of-rule"]
claim = "groups"
value = "night"

[closed]
issuer = "https://127.0.0.1:9"
client_id = "${CLIENT_ID}"
`

const tenantsOf = (tenants: readonly { tenant_id: string }[]): readonly string[] =>
  tenants.map(({ tenant_id: id }) => id)

let subjects = 0
/** An account that nobody is linked to yet. */
function nextSubject(): string {
  subjects += 1
  return `subject${subjects}`
}

const localPath = (url: URL): string => `${url.pathname}${url.search}`

const locationOf = ({ headers }: TestAnswer): string => String(headers['location'] ?? '')

interface Started {
  readonly url: string
  readonly cookie: string
}

async function start(provider: string, next?: string): Promise<Started> {
  const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`
  const answer = await app.send('GET', `${PROVIDERS}/${provider}/start${query}`)
  assert.equal(answer.status, 302, answer.text)
  return { url: locationOf(answer), cookie: readSetCookies(answer) }
}

/** The answer to the browser that came back. */
const finish = (back: URL, cookie: string): Promise<TestAnswer> =>
  app.send('GET', localPath(back), { headers: { cookie } })

async function comeIn(
  provider: LocalProvider,
  account: string,
  next?: string,
): Promise<TestAnswer> {
  Object.assign(provider, { account })
  const { url, cookie } = await start(provider === real ? 'real' : 'liar', next)
  return await finish(await visitProvider(url), cookie)
}

function errorOf(answer: TestAnswer): string | undefined {
  assert.equal(answer.status, 302, answer.text)
  const [, code] = /^http:\/\/localhost:8080\/sign-in#error=(\w+)$/.exec(locationOf(answer)) ?? []
  return code
}

const isIn = (answer: TestAnswer): boolean => locationOf(answer) === `${PUBLIC}/`

// oxlint-disable-next-line typescript/no-explicit-any -- a test reads what came
async function ask(cookie: string): Promise<any> {
  return (await app.send('GET', '/beta/session', { headers: { cookie } })).json()
}

/** A person without a password, whose invitation an account of the provider accepted. */
async function inviteByProvider() {
  const invited = await invite(app, admin, { roles: ['viewer'] })
  const subject = nextSubject()
  Object.assign(real, { account: subject })
  const json = { link: invited.link }
  const answer = await app.send('POST', `${PROVIDERS}/real/start`, { json })
  const done = await finish(await visitProvider(answer.json().url), readSetCookies(answer))
  assert.ok(isIn(done), locationOf(done))
  return { ...invited, subject, done }
}

/** Links an account to a signed-in person. */
async function link(browser: Browser, provider: LocalProvider, account: string) {
  Object.assign(provider, { account })
  const id = provider === real ? 'real' : 'liar'
  const answer = await browser.send('POST', `${PROVIDERS}/${id}/link`)
  assert.equal(answer.status, 200, answer.text)
  const back = await visitProvider(answer.json().url)
  return await finish(back, `${browser.cookie}; ${readSetCookies(answer)}`)
}

async function createLinked(provider: LocalProvider) {
  const person = await createPerson(app, admin)
  const subject = nextSubject()
  const answer = await link(person.browser, provider, subject)
  assert.match(locationOf(answer), /\/account#linked=/)
  return { ...person, subject }
}

describe('sign-in with a real provider', () => {
  test('302 with PKCE, state and nonce, bound to the browser by a cookie of ten minutes', async () => {
    const answer = await app.send('GET', `${PROVIDERS}/real/start`)
    const { searchParams } = new URL(locationOf(answer))
    assert.equal(searchParams.get('redirect_uri'), `${PUBLIC}${PROVIDERS}/real/callback`)
    assert.equal(searchParams.get('code_challenge_method'), 'S256')
    for (const name of ['state', 'nonce', 'code_challenge']) {
      assert.match(searchParams.get(name) ?? '', /^[\w-]{43}$/)
    }
    assert.match(
      String(answer.headers['set-cookie']),
      /^casework-provider-local=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    )
  })

  test('it stands among the ways to sign in, with its name and the address to go to', async () => {
    const { providers } = (await app.send('GET', '/beta/session/sign-in-ways')).json()
    const startUrl = `${PUBLIC}${PROVIDERS}/real/start`
    assert.deepEqual(providers[0], { id: 'real', name: 'Company account', start_url: startUrl })
    assert.equal(providers.length, 3)
  })

  test('a linked person comes in, with the session as by a password', async () => {
    const { subject, id } = await createLinked(real)
    const answer = await comeIn(real, subject)
    assert.ok(isIn(answer), locationOf(answer))
    const session = await ask(readSetCookies(answer))
    assert.equal(session.user.id, id)
    const { items } = (
      await app.send('GET', `/beta/admin/users/${id}/sessions`, { token: admin })
    ).json()
    assert.deepEqual(items[0].methods, ['provider'])
  })

  test('a linked person comes to the page that they asked for', async () => {
    const { subject } = await createLinked(real)
    const answer = await comeIn(real, subject, '/cases?state=open#c1')
    assert.equal(locationOf(answer), `${PUBLIC}/cases?state=open#c1`)
  })

  test('a link from outside cannot lead a new session elsewhere', async () => {
    const { subject } = await createLinked(real)
    for (const next of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example/',
      '@evil.example',
    ]) {
      assert.ok(isIn(await comeIn(real, subject, next)), next)
    }
  })

  test('a sign-in that is refused can be tried again for the same page', async () => {
    const refused = await comeIn(real, nextSubject(), '/cases')
    const page = `${PUBLIC}/sign-in?next=%2Fcases#error=`
    assert.equal(locationOf(refused), `${page}APP_IDENTITY_NOT_LINKED`)
    const silent = await app.send('GET', `${PROVIDERS}/closed/start?next=/cases`)
    assert.equal(locationOf(silent), `${page}APP_PROVIDER_SILENT`)
  })

  test('an account that nobody is linked to stays outside, whatever its e-mail address', async () => {
    const subject = nextSubject()
    const email = `${subject}@desk.example`
    await createPerson(app, admin, { email })
    assert.equal(errorOf(await comeIn(real, subject)), 'APP_IDENTITY_NOT_LINKED')
  })

  test('an invitation is accepted by an account, which is linked by it, and no password is needed', async () => {
    const { id, email, subject, done } = await inviteByProvider()
    assert.equal((await ask(readSetCookies(done))).user.id, id)
    assert.ok(isIn(await comeIn(real, subject)))
    assert.equal((await signIn(app, email)).status, 401)
  })

  test('an invitation links no account to a person who has one here', async () => {
    const person = await createPerson(app, admin)
    await app.createTenant('elsewhere')
    const again = await invite(app, admin, { email: person.email, tenantId: 'elsewhere' })
    const json = { link: again.link }
    Object.assign(real, { account: nextSubject() })
    const answer = await app.send('POST', `${PROVIDERS}/real/start`, { json })
    const done = await finish(await visitProvider(answer.json().url), readSetCookies(answer))
    assert.equal(errorOf(done), 'APP_IDENTITY_NOT_LINKED')
  })

  test('an invitation sets no password for a person who comes in by a provider alone', async () => {
    const { id, email, subject } = await inviteByProvider()
    await app.createTenant('inviter')
    const inviter = await app.createToken({ tenantId: 'inviter' })
    const again = await invite(app, inviter, { email })
    const json = { link: again.link, password: 'eleven green bottles' }
    const refused = await app.send('POST', '/beta/session/links', { json })
    assert.deepEqual([refused.status, refused.json().code], [409, 'APP_ACCOUNT_HAS_NO_PASSWORD'])
    assert.equal((await signIn(app, email, 'eleven green bottles')).status, 401)
    assert.equal((await ask(readSetCookies(await comeIn(real, subject)))).user.id, id)
  })

  test('a used invitation, and one that never was, are refused', async () => {
    const json = { link: 'never' }
    Object.assign(real, { account: nextSubject() })
    const answer = await app.send('POST', `${PROVIDERS}/real/start`, { json })
    const done = await finish(await visitProvider(answer.json().url), readSetCookies(answer))
    assert.equal(errorOf(done), 'APP_LINK_NOT_VALID')
  })

  test('a tenant that requires a second factor holds up nobody who comes by a provider', async () => {
    const path = '/beta/admin/tenants/default'
    const requireFactor = async (value: boolean | null): Promise<void> => {
      const json = { settings: { second_factor_required: value } }
      assert.equal((await app.send('PATCH', path, { token: admin, json })).status, 200)
    }
    const { subject } = await createLinked(real)
    const open = readSetCookies(await comeIn(real, subject))
    await requireFactor(true)
    assert.equal((await ask(open)).must_enrol, false)
    assert.equal((await ask(readSetCookies(await comeIn(real, subject)))).must_enrol, false)
    await requireFactor(null)
  })

  test('a disabled person stays outside', async () => {
    const { subject, id } = await createLinked(real)
    const json = { disabled: true }
    await app.send('PATCH', `/beta/admin/users/${id}`, { token: admin, json })
    assert.equal(errorOf(await comeIn(real, subject)), 'APP_PERSON_DISABLED')
  })

  test('an account of another person is not linked', async () => {
    const { subject } = await createLinked(real)
    const other = await createPerson(app, admin)
    assert.equal(errorOf(await link(other.browser, real, subject)), 'APP_IDENTITY_TAKEN')
  })

  test('a code is good once: not for a replay in the same browser, nor with a new try', async () => {
    const { subject } = await createLinked(real)
    Object.assign(real, { account: subject })
    const first = await start('real')
    const back = await visitProvider(first.url)
    assert.ok(isIn(await finish(back, first.cookie)))
    assert.equal(errorOf(await finish(back, first.cookie)), 'APP_PROVIDER_TRY_NOT_VALID')
    const second = await start('real')
    const { searchParams } = new URL(second.url)
    back.searchParams.set('state', searchParams.get('state') ?? '')
    assert.equal(errorOf(await finish(back, second.cookie)), 'APP_PROVIDER_REFUSED')
  })

  test('the state of another browser, none, and a try of ten minutes ago are refused', async () => {
    const mine = await start('real')
    const theirs = await start('real')
    const back = await visitProvider(theirs.url)
    assert.equal(errorOf(await finish(back, mine.cookie)), 'APP_PROVIDER_TRY_NOT_VALID')
    assert.equal(errorOf(await finish(back, '')), 'APP_PROVIDER_TRY_NOT_VALID')
    nowMs += 600_000
    assert.equal(errorOf(await finish(back, theirs.cookie)), 'APP_PROVIDER_TRY_NOT_VALID')
  })

  test('a try with one provider is not finished with another', async () => {
    const { url, cookie } = await start('real')
    const back = await visitProvider(url)
    back.pathname = back.pathname.replace('real', 'liar')
    assert.equal(errorOf(await finish(back, cookie)), 'APP_PROVIDER_TRY_NOT_VALID')
  })
})

async function assertRefused(claims: Record<string, unknown>): Promise<void> {
  liar.claims = {}
  const { subject } = await createLinked(liar)
  liar.claims = claims
  assert.equal(errorOf(await comeIn(liar, subject)), 'APP_PROVIDER_ANSWER_NOT_VALID')
}

describe('the answers of a provider', () => {
  test('are refused with another nonce', () => assertRefused({ nonce: 'x'.repeat(43) }))

  test('are refused with another issuer', () => assertRefused({ iss: 'https://other.example' }))

  test('are refused with another audience', () => assertRefused({ aud: 'somebody' }))

  test('are refused with an end that has passed', () =>
    assertRefused({ exp: Math.floor(Date.now() / 1_000) - 120 }))

  test('are refused without a subject, and with one of 256 characters', async () => {
    await assertRefused({ sub: undefined })
    await assertRefused({ sub: 'x'.repeat(256) })
  })

  test('are taken with a clock that is a minute behind', async () => {
    const { subject } = await createLinked(liar)
    liar.claims = { exp: Math.floor(Date.now() / 1_000) - 20 }
    assert.ok(isIn(await comeIn(liar, subject)))
  })

  test('are taken with a new key at once, and refused with one that it does not name', async () => {
    const { subject } = await createLinked(liar)
    assert.ok(isIn(await comeIn(liar, subject)))
    liar.changeKey()
    assert.ok(isIn(await comeIn(liar, subject)))
    liar.changeKey(false)
    assert.equal(errorOf(await comeIn(liar, subject)), 'APP_PROVIDER_ANSWER_NOT_VALID')
    liar.changeKey()
  })

  test('that name an error are refused with a code of ours', async () => {
    const { url, cookie } = await start('real')
    const state = new URL(url).searchParams.get('state') ?? ''
    const query = new URLSearchParams({ error: 'access_denied', state, iss: real.issuer })
    const back = new URL(`${PUBLIC}${PROVIDERS}/real/callback?${query.toString()}`)
    assert.equal(errorOf(await finish(back, cookie)), 'APP_PROVIDER_REFUSED')
  })
})

describe('a provider that is away', () => {
  test('sends the browser to the page with the reason, and a password still signs in', async () => {
    const answer = await app.send('GET', `${PROVIDERS}/closed/start`)
    assert.equal(errorOf(answer), 'APP_PROVIDER_SILENT')
    const { email } = await createPerson(app, admin)
    assert.equal((await signIn(app, email, PASSWORD)).status, 201)
    assert.equal(
      (await app.send('GET', `${PROVIDERS}/none/start`)).json().code,
      'APP_PROVIDER_NOT_FOUND',
    )
  })

  test('between start and answer is told apart from a refusal', async () => {
    const { subject } = await createLinked(liar)
    Object.assign(liar, { account: subject })
    const { url, cookie } = await start('liar')
    const back = await visitProvider(url)
    liar.status = 503
    assert.equal(errorOf(await finish(back, cookie)), 'APP_PROVIDER_SILENT')
  })

  test('an hour later is still used by what is known of it', async () => {
    await start('liar')
    nowMs += 3_600_001
    liar.status = 503
    await start('liar')
  })
})

test('429 as a page for the 101st sign-in that an address has under way', async () => {
  nowMs += 600_000
  for (let open = 0; open < 100; open += 1) await start('liar')
  const answer = await app.send('GET', `${PROVIDERS}/liar/start`)
  assert.equal(errorOf(answer), 'APP_PROVIDER_TRIES_TOO_MANY')
  nowMs += 600_000
})

describe('members by rule', () => {
  test('an account with the claim becomes a member with the role, once', async () => {
    const subject = nextSubject()
    liar.claims = { groups: ['desk', 'all'], email_verified: true, name: 'Ben' }
    const answer = await comeIn(liar, subject)
    assert.ok(isIn(answer), locationOf(answer))
    const session = await ask(readSetCookies(answer))
    assert.deepEqual(
      [session.user.name, session.user.email, session.tenants],
      ['Ben', `${subject}@lie.example`, [{ tenant_id: 'default', roles: ['agent'] }]],
    )
    liar.claims = {}
    const again = await ask(readSetCookies(await comeIn(liar, subject)))
    assert.equal(again.user.id, session.user.id)
  })

  test('the first person of an installation looks at the demo as well, and the second does not', async () => {
    const others = app
    app = await openApp()
    try {
      const { pool } = app.services.foundation.database
      await pool.query(`insert into tenant (id, name, is_demo) values ('demo-desk', 'Demo', true)`)
      liar.claims = { groups: ['desk'], email_verified: true }
      const read = async () =>
        (await ask(readSetCookies(await comeIn(liar, nextSubject())))).tenants
      assert.deepEqual(tenantsOf(await read()), ['default', 'demo-desk'])
      assert.deepEqual(tenantsOf(await read()), ['default'])
    } finally {
      await app.close()
      app = others
    }
  })

  test('a role that was deleted makes no member', async () => {
    const roles = '/beta/admin/roles'
    const json = { name: 'of-rule', scopes: ['cases:read'] }
    assert.equal((await app.send('POST', roles, { token: admin, json })).status, 201)
    assert.equal((await app.send('DELETE', `${roles}/of-rule`, { token: admin })).status, 204)
    liar.claims = { groups: ['night'], email_verified: true }
    assert.equal(errorOf(await comeIn(liar, nextSubject())), 'APP_IDENTITY_NOT_LINKED')
    assert.equal((await app.send('POST', roles, { token: admin, json })).status, 201)
    assert.ok(isIn(await comeIn(liar, nextSubject())))
  })

  test('an address that is not verified, or that an account here has, makes no member', async () => {
    const subject = nextSubject()
    liar.claims = { groups: ['desk'] }
    assert.equal(errorOf(await comeIn(liar, subject)), 'APP_IDENTITY_NOT_LINKED')
    const { email } = await createPerson(app, admin)
    liar.claims = { groups: ['desk'], email, email_verified: true }
    assert.equal(errorOf(await comeIn(liar, subject)), 'APP_IDENTITY_NOT_LINKED')
  })
})

describe('the accounts of a person', () => {
  test('are listed and unlinked by the person, who then stays outside', async () => {
    const { browser, subject } = await createLinked(real)
    const { items } = (await browser.send('GET', '/beta/session/identities')).json()
    assert.deepEqual(
      [items.length, items[0].provider, items[0].issuer, items[0].subject, items[0].email],
      [1, 'real', real.issuer, subject, `${subject}@desk.example`],
    )
    const path = `/beta/session/identities/${items[0].id}`
    const other = await createPerson(app, admin)
    assert.equal((await other.browser.send('DELETE', path)).json().code, 'APP_IDENTITY_NOT_FOUND')
    assert.equal((await browser.send('DELETE', path)).status, 204)
    assert.equal(errorOf(await comeIn(real, subject)), 'APP_IDENTITY_NOT_LINKED')
    assert.equal((await app.send('GET', '/beta/session/identities', { token: admin })).status, 404)
  })

  test('are listed and unlinked by the administrator of the tenant, and not by another one', async () => {
    const { id } = await createLinked(real)
    const boss = await createPerson(app, admin, { roles: ['tenant-admin'] })
    const path = `/beta/admin/users/${id}/identities`
    const { items } = (await boss.browser.send('GET', path)).json()
    await app.createTenant('far')
    const far = await createPerson(app, admin, { roles: ['tenant-admin'], tenantId: 'far' })
    const one = `${path}/${items[0].id}`
    assert.equal((await far.browser.send('GET', path)).status, 404)
    assert.equal((await far.browser.send('DELETE', one)).status, 404)
    assert.equal((await boss.browser.send('DELETE', one)).status, 204)
  })

  test('end with a new password: one may have been linked by the former', async () => {
    const { id, subject } = await createLinked(real)
    const path = `/beta/admin/users/${id}/links`
    const made = await app.send('POST', path, { token: admin })
    const json = { link: made.json().link, password: 'nine green bottles' }
    assert.equal((await app.send('POST', '/beta/session/links', { json })).status, 201)
    assert.equal(errorOf(await comeIn(real, subject)), 'APP_IDENTITY_NOT_LINKED')
  })

  test('are forgotten with the person, and linking and unlinking are acts of the audit log', async () => {
    const { id, browser, subject } = await createLinked(real)
    const { items } = (await browser.send('GET', '/beta/session/identities')).json()
    await browser.send('DELETE', `/beta/session/identities/${items[0].id}`)
    assert.match(locationOf(await link(browser, real, subject)), /linked=real$/)
    const { pool } = app.services.foundation.database
    const acts = await pool.query(
      `select act from audit_entry where actor_id = $1 and act like 'identity.%' order by at, act`,
      [id],
    )
    assert.equal(acts.rows.length, 3)
    await app.send('DELETE', `/beta/admin/users/${id}`, { token: admin })
    const left = await pool.query('select 1 from user_identity where user_id = $1', [id])
    assert.equal(left.rows.length, 0)
  })
})
