// Proves that an invited person comes in with an account of a provider, and who does not.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { lookOver, openServer, withConsole } from '../../../../test/console/console-kit.ts'
import { createPerson, invite } from '../../../../test/people-kit.ts'
import { CLIENT_ID, CLIENT_SECRET, openLyingProvider } from '../../../../test/provider-kit.ts'

const kit = withConsole()

test('an invitation is accepted with a provider; a second one not by the account of another person', async (t) => {
  const provider = await openLyingProvider()
  const folder = mkdtempSync(join(tmpdir(), 'welcome-'))
  const file = join(folder, 'providers.toml')
  writeFileSync(
    file,
    `[office]
name = "Example Office"
issuer = "${provider.issuer}"
client_id = "${CLIENT_ID}"
client_secret = "${CLIENT_SECRET}"
`,
  )
  const { app, url } = await openServer({
    CASEWORK_PROVIDERS_FILE: file,
    CASEWORK_OUTBOUND_ALLOW: new URL(provider.issuer).host,
  })
  app.services.signIn.notePort(Number(new URL(url).port))
  t.after(async () => {
    await app.close()
    await provider.close()
    rmSync(folder, { recursive: true })
  })
  const person = await invite(app, app.token, { roles: ['viewer'] })
  const page = await kit.open('/sign-in')
  await page.goto(`${url}/welcome#${person.link.split('#')[1] ?? ''}`)
  const accept = page.getByRole('button', { name: 'Accept with Example Office' })
  await accept.waitFor()
  await lookOver(page, 'welcome-provider')
  await accept.press('Enter')
  await page.getByRole('navigation', { name: 'Main' }).first().waitFor({ state: 'attached' })
  assert.equal(page.url(), `${url}/`)
  await page.context().clearCookies()
  const other = await invite(app, app.token, { roles: ['lead'] })
  await page.goto(`${url}/welcome#${other.link.split('#')[1] ?? ''}`)
  await page.reload()
  await accept.click()
  await page.getByRole('alert').waitFor()
  assert.match(page.url(), /\/sign-in#error=APP_IDENTITY_TAKEN$/)
  // The invitation is good still, for the one whom it is for.
  const check = { json: { link: other.link } }
  assert.equal((await app.send('POST', '/beta/session/links/check', check)).status, 200)
  await page.close()
})

test('who has an account here is offered no provider: the invitation asks for the password', async () => {
  const { app } = kit
  const known = await createPerson(app, app.token)
  await app.createTenant('welcome')
  const token = await app.createToken()
  const { link } = await invite(app, token, { email: known.email, tenantId: 'welcome' })
  const page = await kit.open('/sign-in')
  const providers = [{ id: 'office', name: 'Example Office', start_url: '/beta/session/x' }]
  await page.route('**/beta/session/sign-in-ways', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ json: { ...(await answer.json()), providers } })
  })
  await page.goto(`/welcome#${link.split('#')[1] ?? ''}`)
  await page.getByRole('button', { name: 'Accept the invitation' }).waitFor()
  assert.equal(await page.getByRole('button', { name: /^Accept with/ }).count(), 0)
})

test('another link in the same tab is looked at as well', async () => {
  const page = await kit.open('/welcome#was-not-copied-whole')
  await page.getByRole('heading', { name: 'This link cannot be used' }).waitFor()
  const { link } = await invite(kit.app, kit.app.token)
  await page.goto(`/welcome#${link.split('#')[1] ?? ''}`)
  await page.getByRole('heading', { name: 'Welcome to Casework' }).waitFor()
})
