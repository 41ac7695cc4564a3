// Proves second factors and passkeys as a person sets them up and signs in with them, and the
// password that they change.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import {
  assertNothingRan,
  EVIL_TEXTS,
  lookOver,
  lookOverState,
  moveTo,
  openServer,
  withConsole,
} from '../../../../test/console/console-kit.ts'
import { waitForRest } from '../../../../test/console/keyboard.ts'
import { holdAnswers } from '../../../../test/console/late-answers.ts'
import { buildAuthenticator, invite, PASSWORD } from '../../../../test/people-kit.ts'
import { query } from '../../../../test/query.ts'

const kit = withConsole()

/** Chromium's own authenticator in software (WebAuthn level 3, section 11). */
async function addAuthenticator(context: BrowserContext, page: Page) {
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options })
  return {
    /** The person does not touch it from now on, or does again. */
    setTouch: (enabled: boolean) =>
      devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
  }
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByText('You are signed out.').waitFor()
}

async function givePassword(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Password', { exact: true }).press('Enter')
}

/** The app that has scanned the code which is shown. */
async function scan(page: Page): Promise<(nowMs: number) => string> {
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
  const secret = await page.getByRole('code').textContent()
  return buildAuthenticator((secret ?? '').replaceAll(' ', ''))
}

async function setUpApp(page: Page): Promise<(nowMs: number) => string> {
  const readCode = await scan(page)
  await page.getByLabel('Code of the app').fill('000000')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('This code is wrong.').waitFor()
  await page.getByLabel('Code of the app').fill(readCode(Date.now()))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
  return readCode
}

test('a person sets up an app, keeps the recovery codes, and signs in by a code', async () => {
  const { page, person } = await kit.signIn('viewer', '/account?tab=security')
  await page.getByRole('button', { name: 'Set up the app' }).click()
  await page.getByRole('img', { name: 'QR code' }).waitFor()
  await lookOver(page, 'account-app')
  const readCode = await setUpApp(page)
  const codes = await page.getByRole('list', { name: 'Recovery codes' }).innerText()
  const [code = ''] = codes.split('\n')
  await lookOver(page, 'account-codes')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  assert.equal(download.suggestedFilename(), 'casework-recovery-codes.txt')
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await page.getByText('10 are left.').waitFor()
  await lookOver(page, 'account-security')
  await signOut(page)
  await givePassword(page, person.email)
  // A code is good once, and this one was used a moment ago.
  await page.getByLabel('Code of your authenticator app').fill(readCode(Date.now() + 30_000))
  await page.keyboard.press('Enter')
  await page.getByRole('navigation', { name: 'Main' }).first().waitFor()
  await signOut(page)
  await givePassword(page, person.email)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByRole('textbox', { name: 'Recovery code' }).fill(code)
  await page.keyboard.press('Enter')
  await page.getByRole('navigation', { name: 'Main' }).first().waitFor()
  await page.goto('/account?tab=security')
  await page.getByText('9 are left.').waitFor()
  await page.getByRole('button', { name: 'Make new codes' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Make new codes' }).click()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await page.getByText('10 are left.').waitFor()
})

test('a passkey signs in alone, and as second factor', async () => {
  const { page, context, person } = await kit.signIn('viewer', '/account?tab=security')
  const device = await addAuthenticator(context, page)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name of the passkey').fill(EVIL_TEXTS[0])
  await page.getByRole('button', { name: 'Ask the device' }).click()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await page.getByRole('list', { name: 'Passkeys' }).getByText(EVIL_TEXTS[0]).waitFor()
  await assertNothingRan(page)
  await page.getByRole('button', { name: `Rename ${EVIL_TEXTS[0]}` }).click()
  await page.getByRole('textbox', { name: 'Name of the passkey' }).fill('laptop')
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await page.getByRole('button', { name: 'Remove laptop' }).waitFor()
  await lookOver(page, 'account-passkeys')
  // The device has it already.
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('button', { name: 'Ask the device' }).click()
  await page.getByText('This device has a passkey of yours already.').waitFor()
  await page.keyboard.press('Escape')
  await signOut(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('navigation', { name: 'Main' }).first().waitFor()
  await signOut(page)
  await givePassword(page, person.email)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByRole('navigation', { name: 'Main' }).first().waitFor()
  await device.setTouch(true)
  await page.goto('/account?tab=security')
  await page.getByRole('button', { name: 'Remove laptop' }).click()
  await page.getByText('It is your last second factor').waitFor()
  await page.getByRole('button', { name: 'Remove passkey' }).click()
  await page.getByText('laptop was removed.').waitFor()
  await page.getByRole('list', { name: 'Passkeys' }).waitFor({ state: 'hidden' })
})

async function ageProof(userId: string): Promise<void> {
  await query(
    kit.app.connection,
    "update user_session set proven_at = now() - interval '1 hour' where user_id = $1",
    [userId],
  )
}

test('an old proof asks who the person is, and goes on with what they wanted', async () => {
  const { page, person } = await kit.signIn('viewer', '/account?tab=security')
  await ageProof(person.id)
  await page.getByRole('button', { name: 'Set up the app' }).click()
  const dialog = page.getByRole('dialog', { name: 'Is it you?' })
  await dialog.getByLabel('Your password').fill('not my password')
  await dialog.getByLabel('Your password').press('Enter')
  await dialog.getByText('This password is wrong.').waitFor()
  await lookOverState(page, 'account-proof')
  await dialog.getByLabel('Your password').fill(PASSWORD)
  await dialog.getByLabel('Your password').press('Enter')
  await page.getByRole('img', { name: 'QR code' }).waitFor()
})

test('an act whose proof was left undone is over when the page is left', async () => {
  const { page, person } = await kit.signIn('viewer', '/account?tab=security')
  await ageProof(person.id)
  await page.getByRole('button', { name: 'Set up the app' }).click()
  await page.getByRole('dialog', { name: 'Is it you?' }).waitFor()
  await moveTo(page, '/account?tab=display')
  await page.getByText('Time zone').waitFor()
  await moveTo(page, '/account?tab=security')
  await page.getByRole('heading', { name: 'Authenticator app' }).waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)
})

test('recovery codes are shown though their dialog was closed before the answer came', async () => {
  const { page } = await kit.signIn('viewer', '/account?tab=security')
  await page.getByRole('button', { name: 'Set up the app' }).click()
  const readCode = await scan(page)
  const held = await holdAnswers(page, '**/factors/totp/confirm')
  await page.getByLabel('Code of the app').fill(readCode(Date.now()))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  held.release()
  await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await page.getByText('10 are left.').waitFor()
})

test('factors that were asked for before a change do not take its place', async () => {
  const { page } = await kit.signIn('viewer', '/account?tab=security')
  await page.getByRole('button', { name: 'Set up the app' }).click()
  const readCode = await scan(page)
  const held = await holdAnswers(page, /\/session\/factors$/)
  // The person looks at the window again after a while.
  await page.clock.setFixedTime(Date.now() + 120_000)
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")
  await held.isAnswered
  await page.getByLabel('Code of the app').fill(readCode(Date.now()))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  const late = page.waitForResponse(/\/session\/factors$/)
  held.release()
  await (await late).finished()
  await waitForRest(page)
  await page.getByRole('button', { name: 'Remove the app' }).waitFor()
})

test('a session that ends under a dialog is not taken for a wrong password', async () => {
  const { page, person } = await kit.signIn('viewer')
  // The stream of changes would lead to the sign-in page by itself.
  await page.route('**/beta/casework/stream*', (route) => route.abort())
  await page.goto('/account?tab=security')
  await page.getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change password' })
  await dialog.getByLabel('Current password').fill(PASSWORD)
  await dialog.getByLabel('New password').fill('nine yellow umbrellas')
  const path = `/beta/admin/users/${person.id}/sessions`
  assert.equal((await kit.app.send('DELETE', path, { token: kit.app.token })).status, 204)
  await dialog.getByLabel('New password').press('Enter')
  await page.getByText('Your session has ended.').waitFor()
})

test('a person changes the password, and only with the current one', async () => {
  const { page, person } = await kit.signIn('viewer', '/account?tab=security')
  await page.getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change password' })
  await dialog.getByLabel('Current password').fill('not this one')
  const field = dialog.getByLabel('New password')
  await field.fill('nine yellow umbrellas')
  await field.press('Enter')
  await dialog.getByText('This is not your current password.').waitFor()
  // What a screen reader says, besides the colour.
  const wrong = dialog.getByLabel('Current password').and(page.locator('[aria-invalid="true"]'))
  await wrong.waitFor()
  await dialog.getByLabel('Current password').fill(PASSWORD)
  await field.fill('short')
  await field.press('Enter')
  // The hint says the length as well; the refusal marks the field. A form takes nothing while it waits.
  await field.and(page.locator('[data-invalid]')).waitFor()
  await lookOverState(page, 'account-password')
  await field.fill('nine yellow umbrellas')
  await field.press('Enter')
  await page.getByText('The password was changed.').waitFor()
  await signOut(page)
  await givePassword(page, person.email, 'nine yellow umbrellas')
  await page.getByRole('navigation', { name: 'Main' }).first().waitFor()
})

test('a server that requires a factor leads to it, and to nothing else', async () => {
  const { app, url } = await openServer({ CASEWORK_SECOND_FACTOR: 'required' })
  try {
    const { link } = await invite(app, app.token)
    const page = await kit.open(`${url}/welcome#${link.split('#')[1]}`)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Accept the invitation' }).click()
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
    await page.goto(`${url}/account?tab=display`)
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
    await page.getByRole('img', { name: 'QR code' }).waitFor()
    await lookOver(page, 'enrol')
    await setUpApp(page)
    // A server that is away for a moment holds up nobody for good, and the page says so.
    await page.route('**/beta/session', (route) => route.abort())
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByRole('alert').waitFor()
    await page.unroute('**/beta/session')
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByRole('tab', { name: 'Display', selected: true }).waitFor()
    await page.close()
  } finally {
    await app.close()
  }
})

test('a failure of the account page says so, with a way to try again', async () => {
  const { page } = await kit.signIn('viewer')
  await page.route('**/beta/session/factors', (route) => route.fulfill({ status: 500 }))
  await page.goto('/account?tab=security')
  await page.getByRole('button', { name: 'Retry' }).waitFor()
  await page.unroute('**/beta/session/factors')
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('heading', { name: 'Authenticator app' }).waitFor()
})

test('the way back from a provider says that its account is linked', async () => {
  const { page } = await kit.signIn('viewer', '/account#linked=office')
  await page.getByText('Your account of office is linked.').waitFor()
  await page.getByRole('tab', { name: 'Security', selected: true }).waitFor()
})
