// Proves the administration when answers are late or fail: nothing is done by an answer to another
// question, no request is sent twice, and an old answer does not pass for a new one.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until, withConsole } from '../../../../test/console/console-kit.ts'
import { waitForRest } from '../../../../test/console/keyboard.ts'
import { holdAnswers } from '../../../../test/console/late-answers.ts'
import { PREFERENCES } from '../../../../test/console/windows.ts'
import { createPerson, signIn } from '../../../../test/people-kit.ts'

const kit = withConsole()

const refusal = (requestId: string) => ({
  status: 400,
  json: { status: 400, detail: 'No.', code: 'X', request_id: requestId },
})

test('days are not saved before it is known what would go by them', async () => {
  const { page } = await kit.signIn('tenant-admin', '/admin/retention?case=4000')
  await page.getByText('Nothing would be removed.').waitFor()
  await page.getByRole('button', { name: 'Save days', disabled: false }).waitFor()
  const held = await holdAnswers(page, /case_days=4001/)
  await page.getByLabel('Ended cases').fill('4001')
  await page.waitForURL(/case=4001/)
  await page.getByRole('button', { name: 'Save days', disabled: true }).waitFor()
  held.release()
  await page.getByRole('button', { name: 'Save days', disabled: false }).waitFor()
})

test('what was gathered of a person goes when another address is typed', async () => {
  const { page } = await kit.signIn('tenant-admin', '/admin/privacy?tab=export')
  const address = page.getByLabel('E-mail address of the person')
  await address.fill('ana@example.org')
  await page.getByRole('button', { name: 'Gather the data' }).click()
  const gathered = page.getByRole('heading', { name: 'Nothing is kept of this person.' })
  await gathered.waitFor()
  await address.fill('ben@example.org')
  await gathered.waitFor({ state: 'detached' })
  // The same for an answer that is still on its way.
  const held = await holdAnswers(page, '**/privacy-exports')
  await page.getByRole('button', { name: 'Gather the data' }).click()
  await page.getByText('Gathering').waitFor()
  await address.fill('cho@example.org')
  const late = page.waitForResponse('**/privacy-exports')
  held.release()
  await (await late).finished()
  await waitForRest(page)
  assert.equal(await gathered.count(), 0)
})

test('a page of the audit log that fails is asked for once, and says so below the others', async () => {
  const { page } = await kit.signIn('auditor')
  let asked = 0
  await page.route(/\/beta\/admin\/audit\?/, async (route) => {
    if (route.request().url().includes('cursor=')) {
      asked += 1
      return await route.fulfill(refusal('r-3'))
    }
    const { items, ...rest } = await (await route.fetch()).json()
    // Few, so that the end of the list is in sight: the next page is asked for there.
    await route.fulfill({ json: { ...rest, items: items.slice(0, 5), next_cursor: 'next' } })
  })
  await page.goto('/admin/audit')
  await page.getByText('Request r-3').waitFor()
  await page.getByRole('grid').getByRole('row').nth(1).waitFor()
  assert.equal(asked, 1)
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('Request r-3').waitFor()
})

test('a check of the chain that fails does not say that the chain holds', async () => {
  const { page } = await kit.signIn('auditor', '/admin/audit')
  await page.getByText(/^The chain holds: /).waitFor()
  await page.route('**/beta/admin/audit/verify', (route) => route.fulfill(refusal('r-4')))
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('The chain could not be checked.').waitFor()
  assert.equal(await page.getByText(/^The chain holds: /).count(), 0)
})

test('days of the audit log are typed by the keyboard', async () => {
  const { page } = await kit.signIn('auditor', '/admin/audit')
  const day = page.getByLabel('From', { exact: true })
  await day.focus()
  // The same in each order of day and month.
  await page.keyboard.type('11112026')
  assert.equal(await day.inputValue(), '2026-11-11')
  await page.waitForURL(/after=2026-11-11/)
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await page.waitForURL((url) => !url.search.includes('after'))
  assert.equal(await day.inputValue(), '')
})

test('days of the audit log are those in which its entries are shown', async () => {
  const { page } = await kit.signIn('auditor')
  // The windows of the tests are in Berlin, an hour before UTC in November.
  const asked = page.waitForRequest((request) =>
    /at_after=2026-11-10T23.*at_before=2026-11-11T23/.test(request.url()),
  )
  await page.goto('/admin/audit?after=2026-11-11&before=2026-11-11')
  await asked
  await page.evaluate(`localStorage.setItem('${PREFERENCES}', '{"tour":"done","zone":"utc"}')`)
  const askedInUtc = page.waitForRequest((request) =>
    /at_after=2026-11-11T00.*at_before=2026-11-12T00/.test(request.url()),
  )
  await page.reload()
  await askedInUtc
})

test('a node that is not ready shows its checks, and one that is silent no old ones', async () => {
  const { page } = await kit.signIn('agent', '/admin/health')
  await page.getByRole('heading', { name: 'Checks' }).waitFor()
  const checks = [{ name: 'intel', state: 'failed', detail: 'It was not read yet.' }]
  await page.route('**/readyz', (route) =>
    route.fulfill({ status: 503, json: { status: 'not_ready', checks } }),
  )
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('This node does not answer look-ups.').waitFor()
  await page.getByText('It was not read yet.').waitFor()
  await page.unroute('**/readyz')
  await page.route('**/readyz', (route) => route.abort())
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByRole('button', { name: 'Retry' }).waitFor()
  assert.equal(await page.getByText('It was not read yet.').count(), 0)
})

test('a session is ended by one request, however often the button is pressed', async () => {
  const { page, person } = await kit.signIn('agent')
  const elsewhere = await signIn(kit.app, person.email)
  assert.equal(elsewhere.status, 201)
  await page.close()
  const admin = await kit.signIn('tenant-admin', `/admin/people?open=${person.id}`)
  const held = await holdAnswers(admin.page, /\/sessions\?session_id=/)
  const end = admin.page.getByRole('button', { name: /^End the session from/ })
  await end.first().click()
  await admin.page.getByRole('button', { name: /^End the session from/, disabled: true }).waitFor()
  held.release()
  await admin.page.getByText('Ended. The person can sign in again.').waitFor()
  await end.nth(1).waitFor({ state: 'detached' })
})

test('a hold beyond the first page is shown, and can be lifted', async () => {
  const { page } = await kit.signIn('tenant-admin')
  const hold = {
    id: 'hold-1',
    case_id: 'C-1',
    reason: 'Court of the second page',
    placed_at: new Date().toISOString(),
    placed_by: 'ana',
    in_force: true,
  }
  await page.route('**/beta/casework/legal-holds*', (route) => {
    const isFirst = !route.request().url().includes('cursor=')
    const json = isFirst ? { items: [], next_cursor: 'n' } : { items: [hold], next_cursor: '' }
    return route.fulfill({ json })
  })
  await page.goto('/admin/privacy?tab=holds')
  await page.getByText(hold.reason).waitFor()
  await page.getByRole('button', { name: 'Lift the hold of C-1' }).waitFor()
})

test('deliveries that fail to come say so below the others', async () => {
  const { app } = kit
  const json = { url: 'https://hooks.example/late', types: ['case.opened'] }
  const made = await app.send('POST', '/beta/webhooks', { token: app.token, json })
  assert.equal(made.status, 201, made.text)
  const { page } = await kit.signIn('tenant-admin')
  await page.route('**/deliveries?*', (route) =>
    route.request().url().includes('cursor=')
      ? route.fulfill(refusal('r-7'))
      : route.fulfill({ json: { items: [], next_cursor: 'next' } }),
  )
  await page.goto(`/admin/webhooks?open=${made.json().id}`)
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByText('Request r-7').waitFor()
  await page.getByRole('button', { name: 'Retry' }).waitFor()
})

test('what others changed meanwhile stays when a form changes something else', async () => {
  const { send, token, createTenant } = kit.app
  const tenantId = 'changed-by-two'
  await createTenant(tenantId)
  const path = `/beta/admin/tenants/${tenantId}`
  const { page } = await kit.signIn('tenant-admin', `/admin/tenants?open=${tenantId}`, tenantId)
  await page.getByRole('textbox', { name: 'Name' }).fill('Another name')
  const settings = { legal_deadlines: ['dsa'], verify_targets: true }
  assert.equal((await send('PATCH', path, { token, json: { settings } })).status, 200)
  await page.getByRole('button', { name: 'Save tenant' }).click()
  await page.getByText('The tenant Another name was saved.').waitFor()
  const tenant = (await send('GET', path, { token })).json()
  assert.equal(tenant.name, 'Another name')
  assert.deepEqual(tenant.settings.legal_deadlines, ['dsa'])
  assert.equal(tenant.settings.verify_targets, true)
})

test('a webhook that was switched off meanwhile is not switched on by a description', async () => {
  const { send, token } = kit.app
  const json = { url: 'https://hooks.example/off', types: ['case.opened'] }
  const { id } = (await send('POST', '/beta/webhooks', { token, json })).json()
  const { page } = await kit.signIn('tenant-admin', `/admin/webhooks?open=${id}&tab=edit`)
  const description = page.getByRole('textbox', { name: 'Description' })
  await description.fill('For the desk')
  const path = `/beta/webhooks/${id}`
  assert.equal((await send('PATCH', path, { token, json: { enabled: false } })).status, 200)
  const save = page.getByRole('button', { name: 'Save webhook' })
  const read = async () => (await send('GET', path, { token })).json()
  const isSaved = async (text: string): Promise<void> => {
    await save.click()
    await until('it is saved', async () => (await read()).description === text)
  }
  await isSaved('For the desk')
  assert.equal((await read()).enabled, false)
  // Back to what the form began with.
  await description.fill('')
  await isSaved('')
})

test('roles that somebody else gave meanwhile are not taken back by saving older ones', async () => {
  const { app } = kit
  const roles = ['viewer']
  const person = await createPerson(app, app.token, { tenantId: 'default', roles })
  const { page } = await kit.signIn('tenant-admin', `/admin/people?open=${person.id}`)
  const auditor = page.getByRole('group', { name: 'Roles in default' }).getByLabel('auditor')
  await auditor.waitFor()
  const json = { roles: ['viewer', 'auditor'], tenant_id: 'default' }
  const path = `/beta/admin/users/${person.id}`
  assert.equal((await app.send('PATCH', path, { token: app.token, json })).status, 200)
  // Asks for the people again, as a look at the window does.
  await page.getByRole('button', { name: 'Disable' }).click()
  await page.getByText('may no longer sign in.').waitFor()
  await auditor.and(page.locator(':checked')).waitFor()
})

test('a form whose roles cannot be loaded says why there are none', async () => {
  const { page } = await kit.signIn('tenant-admin')
  await page.route('**/beta/admin/roles', (route) => route.fulfill(refusal('r-8')))
  await page.goto('/admin/people?open=new')
  await page.getByRole('form', { name: 'Invite person' }).getByRole('alert').waitFor()
})

test('a secret is shown at once, however long its list takes to come again', async () => {
  const { page } = await kit.signIn('tenant-admin', '/admin/tokens?open=new')
  await page.getByRole('group', { name: 'Roles' }).getByLabel('viewer').check()
  await page.getByLabel('What it is for').fill('of a slow list')
  const held = await holdAnswers(page, /\/beta\/admin\/tokens(?:\?|$)/, 'GET')
  await page.getByLabel('What it is for').press('Enter')
  await page.getByRole('region', { name: 'Token of a slow list' }).waitFor()
  held.release()
})

test('a new adapter does not take the place of another one of its name', async () => {
  const { send, token } = kit.app
  const secret = { token, json: { value: `whsec_${Buffer.alloc(32).toString('base64')}` } }
  await send('PUT', '/beta/casework/secrets/firewall', secret)
  const path = '/beta/casework/mitigation-adapters/edge'
  const json = { url: 'https://edge.example/', secret: 'firewall', kinds: ['null_route'] }
  const put = await send('PUT', path, { token, json })
  assert.ok(put.status < 300, put.text)
  const { page } = await kit.signIn('tenant-admin', '/admin/mitigations?open=new')
  const form = page.getByRole('form', { name: 'Create adapter' })
  await form.getByRole('textbox', { name: 'Name' }).fill('edge')
  await form.getByRole('textbox', { name: 'URL' }).fill('https://other.example/')
  await form.getByRole('textbox', { name: 'Secret for the signature' }).fill('firewall')
  await form.getByRole('textbox', { name: 'Secret for the signature' }).press('Enter')
  await page.getByText('There is one of this name.').waitFor()
  assert.equal((await send('GET', path, { token })).json().url, json.url)
  assert.equal((await send('DELETE', path, { token })).status, 204)
})
