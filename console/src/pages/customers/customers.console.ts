// Proves the pages of customers: search, the record with what is theirs, forms with their refusals,
// hostile names.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  assertNothingRan,
  EVIL_TEXTS,
  lookOver,
  lookOverState,
  moveTo,
  until,
  withConsole,
} from '../../../../test/console/console-kit.ts'
import { pressKey, waitForRest } from '../../../../test/console/keyboard.ts'
import { holdAnswers } from '../../../../test/console/late-answers.ts'

const kit = withConsole()
const CUSTOMERS = '/beta/casework/customers'
// Of its own: once a tenant has resources, events of addresses that nobody owns make no case.
const TENANT = 'customers'
let opened: Promise<string> | undefined

async function openTenant(): Promise<string> {
  await kit.app.createTenant(TENANT)
  return await kit.app.createToken({ tenantId: TENANT })
}

/** A token of the tenant, which is made by the first call. */
function getToken(): Promise<string> {
  opened ??= openTenant()
  return opened
}

async function create(path: string, json: object): Promise<void> {
  const token = await getToken()
  const answer = await kit.app.send('POST', path, { token, json })
  assert.equal(answer.status, 201, answer.text)
}

test('a customer is found by a part of its name, and shows what is theirs', async () => {
  await create(CUSTOMERS, {
    id: 'kd-71',
    name: `Quuxhost ${EVIL_TEXTS[0]}`,
    contacts: [{ email: 'abuse@quuxhost.example', purpose: EVIL_TEXTS[1], language: 'de' }],
  })
  await create('/beta/casework/contracts', {
    id: 'c-71',
    customer_id: 'kd-71',
    name: EVIL_TEXTS[2],
  })
  const resource = { kind: 'ip_range', value: '198.51.100.64/28', customer_id: 'kd-71' }
  await create('/beta/casework/resources', { ...resource, valid_from: '2026-01-01' })
  await create('/beta/casework/events', {
    event_date: new Date().toISOString(),
    event_type: 'Spam',
    sender_email: 'radar@blimpworks.example',
    ip: '198.51.100.65',
  })
  const { page } = await kit.signIn('lead', '/customers', TENANT)
  await page.getByRole('searchbox', { name: 'Find by name or id' }).fill('quux')
  await page.waitForURL(/text=quux/)
  const row = page.getByRole('row').filter({ hasText: 'kd-71' })
  await row.getByRole('link', { name: '1', exact: true }).waitFor()
  await lookOver(page, 'customers')
  await row.getByRole('link', { name: /Quuxhost/ }).click()
  await page.getByRole('heading', { name: /Quuxhost/ }).waitFor()
  await page.getByRole('region', { name: 'Resources' }).getByText('198.51.100.64/28').waitFor()
  await page.getByRole('region', { name: 'Contracts' }).getByText(EVIL_TEXTS[2]).waitFor()
  await assertNothingRan(page)
  await lookOver(page, 'customer')
  await page.getByRole('tab', { name: 'Cases' }).click()
  await page.getByRole('link', { name: 'Spam' }).waitFor()
  await page.waitForURL(/tab=cases/)
  await lookOver(page, 'customer-cases')
  await page.getByRole('tab', { name: 'Notices' }).click()
  await page.getByRole('heading', { name: 'No notices' }).waitFor()
})

test('the field of the search says what is searched for, whatever led there', async () => {
  await getToken()
  const { page } = await kit.signIn('lead', '/customers?text=quux', TENANT)
  const field = page.getByRole('searchbox', { name: 'Find by name or id' })
  await field.waitFor()
  await moveTo(page, '/customers')
  assert.equal(await field.inputValue(), '')
  await page.goBack()
  await page.waitForURL(/text=quux/)
  await until('the field says it', async () => (await field.inputValue()) === 'quux')
})

test('the days of a contract are those of its form', async () => {
  await create(CUSTOMERS, { id: 'kd-76' })
  const contract = { id: 'c-76', customer_id: 'kd-76', valid_from: '2026-06-30T23:30:00.000Z' }
  await create('/beta/casework/contracts', contract)
  const { page } = await kit.signIn('lead', '/customers/kd-76?contract=c-76', TENANT)
  const dialog = page.getByRole('dialog', { name: 'Edit the contract c-76' })
  assert.equal(await dialog.getByLabel('Valid from').inputValue(), '2026-06-30')
  await page.keyboard.press('Escape')
  await page.getByRole('region', { name: 'Contracts' }).getByText('30 Jun 2026').waitFor()
})

test('a new customer is refused beside the field, then made, by keyboard', async () => {
  const { page } = await kit.signIn('lead', '/customers', TENANT)
  await page.getByRole('heading', { name: 'Customers' }).waitFor()
  await pressKey(page, 'n')
  const dialog = page.getByRole('dialog', { name: 'Add the customer' })
  await dialog.getByLabel('Id').fill('kd-72')
  await dialog.getByLabel('Reseller').fill('nobody')
  await dialog.getByLabel('Reseller').press('Enter')
  await dialog.getByRole('textbox', { name: 'Reseller', description: /customer/ }).waitFor()
  await dialog.getByRole('alert').waitFor()
  await lookOverState(page, 'customer-add')
  await dialog.getByLabel('Reseller').fill('')
  await dialog.getByLabel('Reseller').press('Enter')
  await page.getByRole('heading', { name: 'kd-72' }).waitFor()
  // The heading is there before the record, and the key comes with the record.
  await page.getByRole('button', { name: 'Edit the customer' }).waitFor()
  await pressKey(page, 'e')
  const edit = page.getByRole('dialog', { name: 'Edit the customer' })
  await edit.getByLabel('Name').fill('Renamed')
  await edit.getByLabel('Name').press('Enter')
  await page.getByRole('heading', { name: 'Renamed' }).waitFor()
})

test('a resource is added, and a wrong one is refused beside its field', async () => {
  await create(CUSTOMERS, { id: 'kd-73' })
  const { page } = await kit.signIn('lead', '/customers/kd-73', TENANT)
  await page.getByRole('button', { name: 'Add a resource' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a resource' })
  await dialog.getByLabel('Value').fill('192.0.2.0/99')
  await dialog.getByRole('button', { name: 'Add a resource' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Value').fill('192.0.2.240/28')
  await dialog.getByRole('button', { name: 'Add a resource' }).click()
  await page.getByRole('region', { name: 'Resources' }).getByText('192.0.2.240/28').waitFor()
})

test('a resource and a contract are edited and deleted; a deletion is undone, or refused', async () => {
  const [contracts, resources] = ['/beta/casework/contracts', '/beta/casework/resources']
  await create(CUSTOMERS, { id: 'kd-74' })
  await create(contracts, { id: 'c-74', customer_id: 'kd-74', name: 'Line', metadata: { a: 1 } })
  const value = '192.0.2.128/28'
  const validFrom = '2026-01-01T12:30:00.000Z'
  const resource = { kind: 'ip_range', value, customer_id: 'kd-74', contract_id: 'c-74' }
  await create(resources, { ...resource, valid_from: validFrom })
  const list = async (path: string): Promise<readonly Record<string, unknown>[]> => {
    const query = `${path}?customer_id=kd-74`
    return (await kit.app.send('GET', query, { token: await getToken() })).json()['items']
  }
  const { page } = await kit.signIn('lead', '/customers/kd-74', TENANT)
  await page.getByRole('button', { name: `Edit ${value}` }).click()
  await page.waitForURL(/resource=/)
  const edit = page.getByRole('dialog', { name: `Edit the resource ${value}` })
  await edit.getByLabel('Contract').fill('nothing')
  await edit.getByRole('button', { name: 'Save' }).click()
  await edit.getByRole('alert').waitFor()
  await edit.getByLabel('Contract').fill('c-74')
  await edit.getByLabel('Valid until').fill('2099-01-01')
  await edit.getByLabel('Valid until').press('Enter')
  await edit.waitFor({ state: 'hidden' })
  const [changed] = await list(resources)
  assert.equal(changed?.['valid_from'], validFrom)
  assert.match(String(changed?.['valid_until']), /^2099-01-01T00:00/)
  await page.getByRole('button', { name: 'Delete c-74' }).click()
  await page.getByText(/still refer to the contract/).waitFor()
  await page.getByRole('button', { name: `Delete ${value}` }).press('Enter')
  const said = page.getByText(`${value} is no resource of this customer any more.`)
  await said.waitFor()
  assert.deepEqual(await list(resources), [])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: `Delete ${value}` }).waitFor()
  assert.equal((await list(resources))[0]?.['valid_until'], changed?.['valid_until'])
  await page.getByRole('button', { name: 'Edit c-74' }).press('Enter')
  const contract = page.getByRole('dialog', { name: 'Edit the contract c-74' })
  await contract.getByLabel('Name').fill('Fibre')
  await contract.getByLabel('Name').press('Enter')
  await page.getByRole('region', { name: 'Contracts' }).getByText('Fibre').waitFor()
  const [kept] = await list(contracts)
  assert.deepEqual([kept?.['name'], kept?.['metadata']], ['Fibre', { a: 1 }])
})

test('it is said when the addresses without mail cannot be read', async () => {
  await create(CUSTOMERS, { id: 'kd-78', contacts: [{ email: 'abuse@kd-78.example' }] })
  const { page } = await kit.signIn('lead', '/account', TENANT)
  await page.route('**/beta/casework/suppressed-addresses*', (route) =>
    route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{}' }),
  )
  await moveTo(page, '/customers/kd-78')
  await page.getByText('Which of these addresses get no mail could not be read').waitFor()
})

test('a deletion that is pressed twice is sent once', async () => {
  await create(CUSTOMERS, { id: 'kd-77' })
  await create('/beta/casework/contracts', { id: 'c-77', customer_id: 'kd-77' })
  const { page } = await kit.signIn('lead', '/customers/kd-77', TENANT)
  const button = page.getByRole('button', { name: 'Delete c-77' })
  await button.waitFor()
  const held = await holdAnswers(page, '**/beta/casework/contracts/c-77')
  await button.press('Enter')
  await waitForRest(page)
  await button.press('Enter')
  await waitForRest(page)
  held.release()
  await page.getByText('The contract c-77 was deleted.').waitFor()
  assert.equal(held.countSent(), 1)
})

test('a change of what somebody else changed meanwhile is refused, and theirs stays', async () => {
  await create(CUSTOMERS, { id: 'kd-75' })
  await create('/beta/casework/contracts', { id: 'c-75', customer_id: 'kd-75', name: 'Line' })
  const { page } = await kit.signIn('lead', '/customers/kd-75?contract=c-75', TENANT)
  const dialog = page.getByRole('dialog', { name: 'Edit the contract c-75' })
  await dialog.getByLabel('Name').fill('Mine')
  const path = '/beta/casework/contracts/c-75'
  const theirs = { token: await getToken(), json: { version: 1, name: 'Theirs' } }
  assert.equal((await kit.app.send('PATCH', path, theirs)).status, 200)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(/was changed after the version/).waitFor()
  await page.getByRole('region', { name: 'Contracts' }).getByText('Theirs').waitFor()
})

test('a viewer changes nothing; an unknown customer and a failure say so', async () => {
  const { page } = await kit.signIn('viewer', '/customers?text=nothing-like-this', TENANT)
  await page.getByRole('heading', { name: 'No customer matches' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Add a customer' }).count(), 0)
  await page.goto('/customers/nobody-at-all')
  await page.getByRole('heading', { name: 'This does not exist' }).waitFor()
  await page.route('**/beta/casework/customers?*', (route) => route.abort())
  await page.goto('/customers')
  await page.getByRole('alert').getByRole('button', { name: 'Retry' }).waitFor()
})
