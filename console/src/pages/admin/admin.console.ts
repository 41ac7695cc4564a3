// Proves the administration: people and tokens by mouse and by keyboard, secrets shown once, what
// cannot be undone, the chain of the audit log, previews, webhooks, and who may not.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  assertNothingRan,
  EVIL_TEXTS,
  lookOver,
  moveTo,
  openServer,
  screenshot,
  withConsole,
} from '../../../../test/console/console-kit.ts'
import { pressKey } from '../../../../test/console/keyboard.ts'
import { PREFERENCES } from '../../../../test/console/windows.ts'
import { openMailSink } from '../../../../test/fixtures/mail-sink.ts'
import { createPerson } from '../../../../test/people-kit.ts'

const kit = withConsole()

test('a token is created by keyboard, shown once, gets a new secret, and is revoked by name', async () => {
  const { page } = await kit.signIn('tenant-admin', '/admin/tokens')
  await page.getByRole('heading', { name: 'Tokens' }).waitFor()
  await pressKey(page, 'n')
  await page.waitForURL(/open=new/)
  await page.getByLabel('What it is for').fill(EVIL_TEXTS[0])
  await page.getByRole('group', { name: 'Roles' }).getByLabel('viewer').press('Space')
  await page.getByLabel('What it is for').press('Enter')
  const shown = page.getByRole('region', { name: `Token ${EVIL_TEXTS[0]}` })
  await shown.getByText('Shown once.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('row', { name: EVIL_TEXTS[0] }).click()
  await page.getByRole('button', { name: 'Change secret' }).click()
  await page.getByRole('region', { name: 'New secret of' }).waitFor()
  await page.getByRole('button', { name: 'Revoke token' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Whatever uses it stops: viewer').waitFor()
  await dialog.getByRole('button', { name: 'Revoke token' }).click()
  await page.getByRole('complementary').getByText('Revoked', { exact: true }).waitFor()
  await assertNothingRan(page)
})

test('a person is invited by a link, and disabled with Undo', async () => {
  const { page } = await kit.signIn('tenant-admin', '/admin/people?open=new')
  const form = page.getByRole('form', { name: 'Invite person' })
  await form.getByLabel('Name', { exact: true }).fill('Lou Marsh')
  await form.getByLabel('E-mail address').fill('lou@desk.example')
  await form.getByRole('button', { name: 'Invite person' }).click()
  await page.getByRole('region', { name: 'Link for Lou Marsh' }).getByText('/welcome#').waitFor()
  await page.getByRole('row', { name: /lou@desk\.example/ }).click()
  await page.getByRole('button', { name: 'Disable' }).click()
  await page.getByText('Lou Marsh may no longer sign in.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()
})

test('the server says at the field what is wrong with it', async () => {
  const { page } = await kit.signIn('tenant-admin', '/admin/service-accounts?open=new')
  await page.getByLabel('Id', { exact: true }).fill('Not Allowed')
  await page.getByRole('textbox', { name: 'Name' }).fill('Gateway')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').waitFor()
})

test('a refusal is said in German to those who read German, beside what the server names', async () => {
  const { app } = kit
  const send = (path: string, json: unknown) => app.send('POST', path, { token: app.token, json })
  assert.equal((await send('/beta/admin/groups', { name: 'Frühdienst' })).status, 201)
  const role = { name: 'early-shift', scopes: ['cases:read'] }
  assert.equal((await send('/beta/admin/roles', role)).status, 201)
  const token = { name: 'Gateway', roles: ['early-shift'] }
  assert.equal((await send('/beta/admin/tokens', token)).status, 201)

  const { page } = await kit.signIn('tenant-admin', '/admin/groups?open=new')
  await page.evaluate(`localStorage.setItem('${PREFERENCES}', '{"tour":"done","language":"de"}')`)
  await page.reload()
  await page.getByRole('textbox', { name: 'Name' }).fill('Frühdienst'.repeat(100))
  await page.getByRole('button', { name: 'Speichern' }).click()
  await page.getByText(/^darf höchstens \d+ Zeichen haben$/).waitFor()
  await page.getByRole('alert').getByText('Ein Teil der Anfrage ist nicht gültig.').waitFor()
  await page.getByRole('textbox', { name: 'Name' }).fill('Frühdienst')
  await page.getByRole('button', { name: 'Speichern' }).click()
  const refusal = page.getByRole('alert')
  await refusal.getByText('Dieser Mandant hat schon eine Gruppe mit diesem Namen.').waitFor()
  assert.equal(await refusal.locator('[lang=en]').count(), 0)

  await page.goto('/admin/roles')
  await page.getByRole('button', { name: 'early-shift' }).click()
  await page.getByRole('button', { name: 'Rolle löschen' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rolle löschen' }).click()
  await page.getByText('Gültige Token oder Personen haben diese Rolle').waitFor()
  await page.locator('[lang=en]', { hasText: 'The role is named by live tokens' }).waitFor()
})

test('a role of the tenant is made, shown in the table, and deleted after a question', async () => {
  const { page } = await kit.signIn('tenant-admin', '/admin/roles?open=new')
  await page.getByLabel('Name', { exact: true }).fill('night-shift')
  await page.getByRole('checkbox', { name: 'cases:read' }).check()
  await page.getByRole('button', { name: 'Save role' }).click()
  await page.getByRole('columnheader', { name: 'night-shift' }).waitFor()
  await page.getByRole('button', { name: 'Change role night-shift' }).click()
  await page.getByRole('button', { name: 'Delete role' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete role' }).click()
  await page.getByText('The role night-shift was deleted.').waitFor()
})

test('an administrator of a tenant requires a second factor, and sets up one like all others', async () => {
  await kit.app.createTenant('strict')
  const { page } = await kit.signIn('tenant-admin', '/admin/tenants', 'strict')
  await page.getByRole('row', { name: 'strict' }).click()
  assert.equal(await page.getByRole('button', { name: 'Create tenant' }).count(), 0)
  await page.getByLabel('People need a second factor to sign in').check()
  await page.getByRole('button', { name: 'Save tenant' }).click()
  await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
  await page.goto('/cases')
  await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
})

test('the audit log says that its chain holds, and its filters stand in the URL', async () => {
  const { page } = await kit.signIn('auditor', '/admin/audit')
  await page.getByText(/^The chain holds: /).waitFor()
  await page.getByLabel('What was done').selectOption('token.create')
  await page.waitForURL(/act=token\.create/)
  await page.reload()
  const row = page.getByRole('row', { name: /token\.create/ }).first()
  await row.click()
  await page.getByRole('figure', { name: 'Afterwards' }).waitFor()
  await page.goto('/admin/audit?who=nobody')
  await page.getByText('No entry fits the filters.').waitFor()
})

test('retention shows what would go before it is saved', async () => {
  const { page } = await kit.signIn('tenant-admin', '/admin/retention')
  await page.getByLabel('Ended cases').fill('4000')
  await page.waitForURL(/case=4000/)
  await page.getByText('Nothing would be removed.').waitFor()
  await page.getByRole('button', { name: 'Save days' }).click()
  await page.getByText('Retention was changed.').waitFor()
  assert.equal(await page.getByLabel('Ended cases').inputValue(), '4000')
  await page.getByLabel('Ended cases').fill('soon')
  await page.getByText('Whole days from 1, or empty.').waitFor()
})

test('a webhook shows its secret once, and the attempts of its deliveries', async () => {
  const { page } = await kit.signIn('tenant-admin', '/admin/webhooks?open=new')
  await page.getByRole('textbox', { name: 'URL' }).fill('https://hooks.example/in')
  await page.getByRole('textbox', { name: 'Description' }).fill(EVIL_TEXTS[1])
  await page.getByRole('button', { name: 'Create webhook' }).last().click()
  await page
    .getByRole('region', { name: 'Signing secret' })
    .getByText(/^whsec_/)
    .waitFor()
  await page.getByRole('row', { name: /hooks\.example/ }).click()
  await page.getByRole('button', { name: 'Send test message' }).click()
  await page.getByRole('button', { name: /^Show the delivery webhook\.test/ }).click()
  await page.waitForURL(/delivery=/)
  await page.getByRole('figure', { name: /^Message/ }).waitFor()
  await assertNothingRan(page)
})

test('an erasure names what goes; of an unknown address there is nothing', async () => {
  const { page } = await kit.signIn('tenant-admin', '/admin/privacy')
  await page.getByLabel('E-mail address of the person').fill('ana@example.org')
  await page.getByRole('button', { name: 'Show what would go' }).click()
  await page.getByText('Nothing is kept of this address.').waitFor()
  assert.doesNotMatch(page.url(), /ana/)
})

test('a section that the person may not open names the role; a failure has its request id', async () => {
  const { page } = await kit.signIn('agent', '/admin/tokens')
  await page.getByText('You need the role tenant-admin').waitFor()
  await page.goto('/admin/audit')
  await page.getByText('You need the role auditor').waitFor()
  await page.goto('/admin')
  await page.waitForURL(/\/admin\/health/)
  const admin = await kit.signIn('tenant-admin')
  await admin.page.route('**/beta/webhooks', (route) =>
    route.fulfill({
      status: 400,
      json: { status: 400, detail: 'No.', code: 'X', request_id: 'r-2' },
    }),
  )
  await admin.page.goto('/admin/webhooks')
  await admin.page.getByText('Request r-2').waitFor()
})

const SEEN = [
  ['people', 'Active'],
  ['tokens?open=new', 'What it is for'],
  ['roles', 'Which role may do what'],
  ['audit', 'Check again'],
  ['privacy', 'Erasures so far'],
  ['health', 'Checks'],
] as const

test('the sections pass axe in both schemes and three widths', async () => {
  const { page } = await kit.signIn('tenant-admin', '/admin')
  await page.waitForURL(/\/admin\/people/)
  for (const [path, text] of SEEN) {
    await moveTo(page, `/admin/${path}`)
    await page.getByText(text).first().waitFor()
    await lookOver(page, `admin-${path.replace(/\W+/g, '-')}`)
  }
})

test('a check has a name in words, and says what to do while it is off', async () => {
  const { page } = await kit.signIn('agent', '/admin/health')
  const workers = page.getByRole('listitem').filter({ hasText: /^Workers/ })
  await workers.getByText('Start a process with the role worker.').waitFor()
  const database = page.getByRole('listitem').filter({ hasText: /^Database/ })
  await database.getByText('Works').waitFor()
  assert.equal(await database.getByText('See whether PostgreSQL runs').count(), 0)
})

test('all shipped roles are seen beside one another on a wide screen', async () => {
  const { page } = await kit.signIn('tenant-admin', '/admin/roles')
  const table = page.getByRole('group', { name: 'Which role may do what' })
  await table.getByRole('columnheader', { name: 'instance-admin' }).waitFor()
  const hidden = await table.evaluate(
    (shown) =>
      Number(Reflect.get(shown, 'scrollWidth')) - Number(Reflect.get(shown, 'clientWidth')),
  )
  assert.equal(hidden, 0)
})

test('the pseudo-locale fits a section', async () => {
  const { page } = await kit.signIn('tenant-admin')
  await page.goto('/admin/retention?locale=pseudo')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await screenshot(page, 'admin-pseudo')
  await page.setViewportSize({ width: 390, height: 844 })
  assert.ok(
    Number(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')) <= 0,
  )
})

test('a test mail goes through the relay, and a refusal is told in the words of the relay', async (t) => {
  const sink = await openMailSink()
  const { app, url } = await openServer({
    CASEWORK_RELAY_URL: `smtp://127.0.0.1:${sink.port}`,
    CASEWORK_MAIL_FROM: 'Abuse Desk <abuse@provider.example>',
  })
  t.after(async () => {
    await app.close()
    await sink.close()
  })
  const person = await createPerson(app, app.token, { roles: ['instance-admin'] })
  const page = await kit.open('/sign-in')
  const [name = '', value = ''] = person.browser.cookie.split('; ')[0]?.split('=') ?? []
  await page.context().addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }])
  await page.goto(`${url}/admin/mail`)
  const form = page.getByRole('form', { name: 'Try the relay' })
  assert.equal(await form.getByLabel('Send it to').inputValue(), person.email)
  await form.getByLabel('Send it to').press('Enter')
  await page.getByText(`The relay took the mail to ${person.email}.`).waitFor()
  assert.deepEqual(sink.mails[0]?.to, [person.email])
  sink.refuse = () => ({ code: 550, text: 'no such user' })
  await form.getByLabel('Send it to').fill('gone@provider.example')
  await form.getByRole('button', { name: 'Send test mail' }).click()
  await page
    .getByRole('list', { name: 'Steps' })
    .getByText(/550 no such user/)
    .waitFor()
  await lookOver(page, 'admin-mail-test')
  await page.close()
})

test('without a relay the page says so; who may not send a test mail reads which role may', async () => {
  const { page } = await kit.signIn('instance-admin', '/admin/mail')
  await page.getByRole('button', { name: 'Send test mail' }).click()
  await page
    .getByRole('alert')
    .getByText(/No relay is set/)
    .waitFor()
  const other = await kit.signIn('tenant-admin', '/admin/mail')
  await other.page.getByText(/instance:admin\) to send a test mail/).waitFor()
  assert.equal(await other.page.getByRole('button', { name: 'Send test mail' }).count(), 0)
})
