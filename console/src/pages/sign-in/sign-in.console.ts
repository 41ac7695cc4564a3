// Proves coming in and going out: password, wrong password, the way back, the end of a session.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  lookOver,
  lookOverState,
  openServer,
  withConsole,
} from '../../../../test/console/console-kit.ts'
import { pressKey } from '../../../../test/console/keyboard.ts'
import { invite, PASSWORD } from '../../../../test/people-kit.ts'

const kit = withConsole()

const keep = () => localStorage.setItem('casework-draft comment C-1', 'half-written')
const readKept = () => localStorage.getItem('casework-draft comment C-1')

test('a person signs in by password and comes to the page that they asked for', async () => {
  const { person } = await kit.signIn('viewer')
  const page = await kit.open('/account?tab=display')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel('E-mail address').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Password', { exact: true }).press('Enter')
  await page.getByRole('tab', { name: 'Display', selected: true }).waitFor()
  assert.equal(new URL(page.url()).search, '?tab=display')
})

test('a wrong password says so, and the address stays', async () => {
  const page = await kit.open('/sign-in')
  await page.getByLabel('E-mail address').fill('nobody@desk.example')
  await page.getByLabel('Password', { exact: true }).fill('not this one at all')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('alert').getByText('Address or password is wrong').waitFor()
  assert.equal(await page.getByLabel('E-mail address').inputValue(), 'nobody@desk.example')
})

test('a link from outside cannot lead a new session elsewhere', async () => {
  const { person } = await kit.signIn('viewer')
  for (const next of ['//evil.example/', 'https://evil.example/', '/\\evil.example']) {
    const page = await kit.open(`/sign-in?next=${encodeURIComponent(next)}`)
    await page.getByLabel('E-mail address').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Password', { exact: true }).press('Enter')
    await page.getByRole('main').waitFor()
    await page.getByRole('navigation', { name: 'Main' }).first().waitFor()
    assert.equal(new URL(page.url()).origin, kit.url)
  }
})

test('signing out ends the session in the browser and on the server', async () => {
  const { page } = await kit.signIn('viewer', '/')
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByText('You are signed out.').waitFor()
  await page.goto('/account')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('what a person left half-written is gone with the sign-out, and for the next person', async () => {
  const { page, person } = await kit.signIn('viewer', '/account')
  await page.evaluate(keep)
  await page.reload()
  await page.getByRole('button', { name: /^Account of/ }).waitFor()
  assert.equal(await page.evaluate(readKept), 'half-written')
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByText('You are signed out.').waitFor()
  assert.equal(await page.evaluate(readKept), null)
  // As a session leaves it that ended by itself.
  await page.evaluate(keep)
  await page.goto('/account')
  await page.getByLabel('E-mail address').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Password', { exact: true }).press('Enter')
  await page.getByRole('button', { name: /^Account of/ }).waitFor()
  assert.equal(await page.evaluate(readKept), null)
})

test('a session that was ended elsewhere leads to the sign-in page and back', async () => {
  const { page, person } = await kit.signIn('viewer')
  // The stream of changes would lead to the sign-in page by itself, before or after the palette asks.
  await page.route('**/beta/casework/stream*', (route) => route.abort())
  await page.goto('/account?tab=display')
  await page.getByRole('tab', { name: 'Display', selected: true }).waitFor()
  await pressKey(page, 'Control+k')
  const palette = page.getByRole('combobox', { name: 'Command palette' })
  await palette.waitFor()
  const { app } = kit
  const path = `/beta/admin/users/${person.id}/sessions`
  assert.equal((await app.send('DELETE', path, { token: app.token })).status, 204)
  await palette.fill('whatever is asked')
  await page.getByText('Your session has ended.').waitFor()
  await page.getByLabel('E-mail address').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Password', { exact: true }).press('Enter')
  await page.getByRole('tab', { name: 'Display', selected: true }).waitFor()
})

test('the link of the first start makes the first person, who is signed in', async () => {
  const { app, url } = await openServer()
  try {
    const made = await app.send('POST', '/beta/admin/setup-link', { token: app.token, json: {} })
    const secret = made.text.match(/welcome#([\w-]+)/)?.[1] ?? ''
    const page = await kit.open(`${url}/welcome#${secret}`)
    await page.getByLabel('Your name').fill('Ana Ruiz')
    await page.getByLabel('E-mail address').fill('ana@desk.example')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Create the account' }).click()
    await page.getByRole('button', { name: 'Account of Ana Ruiz' }).waitFor()
    await page.close()
  } finally {
    await app.close()
  }
})

test('an invitation opens once, asks for a password that is good enough, and signs in', async () => {
  const { link } = await invite(kit.app, kit.app.token)
  const path = `/welcome#${link.split('#')[1]}`
  const page = await kit.open(path)
  await page.getByRole('heading', { name: 'Welcome to Casework' }).waitFor()
  await lookOver(page, 'welcome')
  await page.getByLabel('Password', { exact: true }).fill('short')
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  // The hint says the length as well; the refusal marks the field.
  const field = page.getByLabel('Password', { exact: true })
  await field.and(page.locator('[data-invalid]')).waitFor()
  await field.fill(PASSWORD)
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await page.getByRole('navigation', { name: 'Main' }).first().waitFor()
  const second = await kit.open(path)
  await second.getByRole('heading', { name: 'This link cannot be used' }).waitFor()
})

test('the sign-in page passes axe in both schemes and three widths', async () => {
  const page = await kit.open('/sign-in')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await lookOver(page, 'sign-in')
})

test('a server without mail says who gives a new password', async () => {
  const page = await kit.open('/sign-in')
  await page.getByRole('link', { name: 'Forgotten password?' }).click()
  await page.getByText('This server sends no mail.').waitFor()
  await lookOver(page, 'forgotten-none')
  await page.getByRole('link', { name: 'Back to sign-in' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('a server with mail is asked for a link, in the language of the browser', async () => {
  const page = await kit.open('/')
  const ways = await (await page.request.get('/beta/session/sign-in-ways')).json()
  await page.route('**/beta/session/sign-in-ways', (route) =>
    route.fulfill({ json: { ...ways, forgotten_password: { available: true, reason: null } } }),
  )
  const asked: unknown[] = []
  await page.route('**/beta/session/password/forgotten', (route) => {
    asked.push(route.request().postDataJSON())
    return route.fulfill({ status: 202 })
  })
  await page.goto('/forgotten-password')
  await page.getByLabel('E-mail address').fill('ana@desk.example')
  await page.keyboard.press('Enter')
  await page.getByText('If there is an account for ana@desk.example').waitFor()
  assert.deepEqual(asked, [{ email: 'ana@desk.example', language: 'en' }])
})

test('providers have buttons, and over plain HTTP the page says why there is no password', async () => {
  const page = await kit.open('/')
  const reason = 'Passwords are not taken over plain HTTP, except at http://localhost.'
  const no = { available: false, reason }
  const providers = [{ id: 'office', name: 'Example Office', start_url: '/beta/session/x' }]
  await page.route('**/beta/session/sign-in-ways', (route) =>
    route.fulfill({ json: { password: no, passkeys: no, forgotten_password: no, providers } }),
  )
  await page.goto('/sign-in')
  // In English, as the server says it, which those learn who have pages read out.
  await page.getByRole('alert').locator('[lang=en]', { hasText: reason }).waitFor()
  const button = page.getByRole('link', { name: 'Sign in with Example Office' })
  await button.waitFor()
  assert.equal(await button.getAttribute('href'), '/beta/session/x')
  assert.equal(await page.getByLabel('Password', { exact: true }).count(), 0)
  await lookOver(page, 'sign-in-plain')
  await page.goto(`/sign-in?next=${encodeURIComponent('/cases?state=open')}`)
  assert.equal(await button.getAttribute('href'), '/beta/session/x?next=%2Fcases%3Fstate%3Dopen')
})

test('the refusal of a provider is a sentence, whatever stands behind the #', async () => {
  const page = await kit.open('/sign-in#error=APP_IDENTITY_NOT_LINKED')
  await page.getByRole('alert').getByText('Nobody here is linked to that account.').waitFor()
  await lookOverState(page, 'sign-in-refused')
  const other = await kit.open('/sign-in#error=APP_SOMETHING_ELSE')
  await other.getByRole('alert').getByText('(APP_SOMETHING_ELSE)').waitFor()
  const evil = await kit.open('/sign-in#error=<img src=x>')
  await evil.getByRole('heading', { name: 'Sign in' }).waitFor()
  assert.equal(await evil.getByRole('alert').count(), 0)
})
