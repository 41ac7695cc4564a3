// Proves that the pages of playbooks say of each playbook and version what is theirs, and that a
// new one is made of what was checked.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moveTo, withConsole } from '../../../../test/console/console-kit.ts'
import { waitForRest } from '../../../../test/console/keyboard.ts'
import { comeBack, holdAnswers } from '../../../../test/console/late-answers.ts'

const kit = withConsole()
const PLAYBOOKS = '/beta/casework/playbooks'
const ROLE = 'tenant-admin'

const SHORT = [
  { id: 'begin', kind: 'start', paths: { next: 'done' } },
  { id: 'done', kind: 'end' },
]
// No call may be sent there.
const CALL = [
  { id: 'begin', kind: 'start', paths: { next: 'call' } },
  {
    id: 'call',
    kind: 'api_caller',
    config: { method: 'GET', url: 'https://127.0.0.1/tickets' },
    paths: { success: 'done', error: 'done' },
  },
  { id: 'done', kind: 'end' },
]

async function create(name: string, nodes: readonly object[] = SHORT): Promise<string> {
  const { app } = kit
  const answer = await app.send('POST', PLAYBOOKS, { token: app.token, json: { name, nodes } })
  assert.equal(answer.status, 201, answer.text)
  return answer.json().id
}

test('what activation warns of one version is not said of another', async () => {
  const { app } = kit
  const id = await create('Warned')
  const json = { nodes: CALL }
  const answer = await app.send('POST', `${PLAYBOOKS}/${id}/versions`, { token: app.token, json })
  assert.equal(answer.status, 201, answer.text)
  const { page } = await kit.signIn(ROLE, `/playbooks/${id}?version=2`)
  await page.getByRole('button', { name: 'Activate' }).click()
  await page.getByRole('button', { name: 'Activate version 2' }).click()
  const warning = page.getByRole('status').filter({ hasText: /^call: / })
  await warning.waitFor()
  await page.getByRole('button', { name: /^Version 1/ }).click()
  await page.getByRole('heading', { name: 'Version 1' }).waitFor()
  assert.equal(await warning.count(), 0)
})

test('the dialog to rename begins with the name of the playbook that is shown', async () => {
  const [one, other] = [await create('Name one'), await create('Name other')]
  const { page } = await kit.signIn(ROLE, `/playbooks/${one}`)
  await page.getByRole('heading', { name: 'Name one', level: 1 }).waitFor()
  await moveTo(page, `/playbooks/${other}`)
  await page.getByRole('heading', { name: 'Name other', level: 1 }).waitFor()
  const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name' })
  const open = async (): Promise<void> => {
    await page.getByRole('button', { name: 'More acts' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await name.waitFor()
  }
  await open()
  assert.equal(await name.inputValue(), 'Name other')
  await name.fill('Given up')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await name.waitFor({ state: 'detached' })
  await open()
  assert.equal(await name.inputValue(), 'Name other')
})

test('a dialog stays with what was typed when the playbook is asked for again in vain', async () => {
  const id = await create('Asked again')
  const { page } = await kit.signIn(ROLE, `/playbooks/${id}`)
  await page.getByRole('button', { name: 'More acts' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name' })
  await name.fill('Half a na')
  await page.route(`**${PLAYBOOKS}/${id}`, (route) =>
    route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{}' }),
  )
  await comeBack(page, `**${PLAYBOOKS}/${id}`)
  await waitForRest(page)
  assert.equal(await name.inputValue(), 'Half a na')
})

test('a text that was changed while it was checked is not imported by that answer', async () => {
  const { app } = kit
  const id = await create('To export')
  const path = `${PLAYBOOKS}/${id}/versions/1/export?format=yaml`
  const { text } = await app.send('GET', path, { token: app.token })
  const { page } = await kit.signIn(ROLE, '/playbooks?new=file')
  const held = await holdAnswers(page, '**/playbooks/import?dry_run=true')
  const dialog = page.getByRole('dialog')
  const box = dialog.getByRole('textbox', { name: 'Document' })
  await box.fill(text.replace('To export', 'Checked'))
  await dialog.getByRole('button', { name: 'Check' }).click()
  await box.fill(text.replace('To export', 'Not checked'))
  const answered = page.waitForResponse('**/playbooks/import?dry_run=true')
  held.release()
  await (await answered).finished()
  await waitForRest(page)
  assert.equal(await dialog.getByRole('button', { name: 'Import' }).count(), 0)
  await dialog.getByRole('button', { name: 'Check' }).click()
  await dialog.getByText('It makes the new playbook “Not checked”.').waitFor()
  await dialog.getByRole('button', { name: 'Import' }).waitFor()
})

test('shipped playbooks are copied once it is known which names are taken', async () => {
  const { page } = await kit.signIn(ROLE)
  await page.route('**/beta/casework/playbooks?*', (route) => route.abort())
  await moveTo(page, '/playbooks?new=shipped')
  const dialog = page.getByRole('dialog', { name: 'From a shipped one' })
  await dialog.getByRole('button', { name: 'Retry' }).waitFor()
  assert.equal(await dialog.getByRole('button', { name: /^Copy / }).count(), 0)
  await page.unroute('**/beta/casework/playbooks?*')
  await dialog.getByRole('button', { name: 'Retry' }).click()
  await dialog
    .getByRole('button', { name: /^Copy / })
    .first()
    .waitFor()
})
