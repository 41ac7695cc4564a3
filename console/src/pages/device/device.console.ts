// Proves logins by code: typed or by link, approved, denied, unknown.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  assertNothingRan,
  EVIL_TEXTS,
  lookOver,
  withConsole,
} from '../../../../test/console/console-kit.ts'

const kit = withConsole()

async function begin(client: string) {
  const answer = await kit.app.send('POST', '/beta/session/device', {
    json: { client_name: client },
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.json() as { user_code: string; device_code: string }
}

function poll(deviceCode: string) {
  const json = { device_code: deviceCode }
  return kit.app.send('POST', '/beta/session/device/token', { json })
}

test('a person types a code, sees who asks, and approves', async () => {
  const { page } = await kit.signIn('agent')
  await page.goto('/device')
  const { user_code: code, device_code: secret } = await begin(EVIL_TEXTS[0])
  await lookOver(page, 'device-code')
  await page.getByRole('textbox', { name: 'Code' }).fill(code.toLowerCase().replace('-', ' '))
  await page.keyboard.press('Enter')
  await page.getByText(`${EVIL_TEXTS[0]} asks to act for you`).waitFor()
  await page.getByText(code).waitFor()
  await page.getByText('Whoever sent you a code gets your access by it.').waitFor()
  await assertNothingRan(page)
  await lookOver(page, 'device-decision')
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('heading', { name: 'Approved' }).waitFor()
  assert.equal((await poll(secret)).status, 200)
})

test('a link with a code leads through the sign-in, and still asks', async () => {
  const { context } = await kit.signIn('agent')
  const { user_code: code, device_code: secret } = await begin('cli on a laptop')
  const page = await context.newPage()
  await page.goto(`/device#${code}`)
  await page.getByText('cli on a laptop asks to act for you').waitFor()
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.getByRole('heading', { name: 'Denied' }).waitFor()
  const denied = await poll(secret)
  assert.equal(denied.status, 400)
  assert.match(denied.text, /denied/)
})

test('a code that nobody waits for says so', async () => {
  const { page } = await kit.signIn('agent')
  await page.goto('/device#BBBB-BBBB')
  await page.getByText('No login waits for this code.').waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Code' }).inputValue(), 'BBBB-BBBB')
})

test('a person who is not signed in comes back with the code', async () => {
  const page = await kit.open('/device#BCDF-GHJK')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('next'), '/device#BCDF-GHJK')
})
