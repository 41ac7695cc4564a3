// Proves that the editor of playbooks keeps what was drawn and nothing that was undone, and that
// its canvas and outline do by keyboard what they say.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { until, withConsole } from '../../../../test/console/console-kit.ts'
import { waitForRest } from '../../../../test/console/keyboard.ts'
import {
  createActivePlaybook,
  createCases,
  type GraphNode,
} from '../../../../test/playbook-fixtures.ts'

const kit = withConsole()
const ROLE = 'tenant-admin'

const TWO_ASKS: readonly GraphNode[] = [
  { id: 'begin', kind: 'start', paths: { next: 'ask' } },
  {
    id: 'ask',
    kind: 'manual',
    config: { paths: ['on', 'off'] },
    paths: { on: 'again', off: 'done' },
  },
  { id: 'again', kind: 'manual', config: { paths: ['on'] }, paths: { on: 'done' } },
  { id: 'done', kind: 'end' },
]
const CALL: readonly GraphNode[] = [
  { id: 'begin', kind: 'start', paths: { next: 'call' } },
  {
    id: 'call',
    kind: 'api_caller',
    config: { method: 'GET', url: 'https://api.example.org/tickets' },
    paths: { success: 'done', error: 'done' },
  },
  { id: 'done', kind: 'end' },
]

let count = 0

async function open(nodes: readonly GraphNode[], search: string): Promise<Page> {
  const { app } = kit
  const json = { name: `Kept ${(count += 1)}`, nodes }
  const answer = await app.send('POST', '/beta/casework/playbooks', { token: app.token, json })
  assert.equal(answer.status, 201, answer.text)
  const { page } = await kit.signIn(ROLE, `/playbooks/${answer.json().id}/edit${search}`)
  await page.getByRole('group', { name: 'Start begin' }).waitFor()
  return page
}

test('work that was undone to the last step does not come back with the next visit', async () => {
  const page = await open(TWO_ASKS, '?node=done')
  await page.getByRole('textbox', { name: 'Note' }).fill('Not wanted.')
  await page.getByText('not saved; kept in this browser').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('not saved; kept in this browser').waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('group', { name: 'Start begin' }).waitFor()
  await waitForRest(page)
  assert.equal(await page.getByText(/your work of an earlier visit/).count(), 0)
  assert.equal(await page.getByRole('textbox', { name: 'Note' }).inputValue(), '')
})

test('a graph that could not be checked is not called free of problems', async () => {
  const page = await open(TWO_ASKS, '?node=done')
  const problems = page.getByRole('region', { name: 'Problems' })
  await problems.getByText('No problems').waitFor()
  await page.route('**/playbooks/validate', (route) =>
    route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{}' }),
  )
  await page.getByRole('textbox', { name: 'Note' }).fill('Changed.')
  await problems.getByText('It was not checked.').waitFor()
  assert.equal(await problems.getByText('No problems').count(), 0)
  await page.unroute('**/playbooks/validate')
  await problems.getByRole('button', { name: 'Check again' }).click()
  await problems.getByText('No problems').waitFor()
})

test('a field of JSON shows what is set, also after Undo', async () => {
  const page = await open(CALL, '?node=call')
  const keep = page.getByRole('textbox', { name: 'Keep' })
  await keep.fill('{"ticket": "/id"}')
  await page.getByText('not saved; kept in this browser').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('not saved; kept in this browser').waitFor({ state: 'detached' })
  await waitForRest(page)
  assert.equal((await keep.innerText()).trim(), '')
  await page.getByRole('button', { name: 'Redo' }).click()
  await until('it is shown again', async () => (await keep.innerText()).includes('/id'))
})

test('a connection is taken away on the canvas by keyboard, as its help says', async () => {
  const page = await open(TWO_ASKS, '?left=outline')
  const tree = page.getByRole('tree', { name: 'Outline' })
  await page.getByLabel('ask, off, to done').focus()
  await page.keyboard.press('Enter')
  await waitForRest(page)
  await page.keyboard.press('Delete')
  await tree.getByRole('treeitem', { name: /^off\s*→ ends/ }).waitFor()
  assert.equal(await tree.getByRole('treeitem', { name: /^ask/ }).count(), 1)
})

test('the keys go on in the outline when the row with the focus was deleted', async () => {
  const page = await open(TWO_ASKS, '?left=outline')
  const tree = page.getByRole('tree', { name: 'Outline' })
  await tree.getByRole('treeitem', { name: /^again/ }).press('Delete')
  await tree
    .getByRole('treeitem', { name: /^on\s*→ ends/ })
    .and(page.locator(':focus'))
    .waitFor()
  await page.keyboard.press('ArrowUp')
  await tree.getByRole('treeitem', { name: /^ask/ }).and(page.locator(':focus')).waitFor()
})

test('a node is taken away on the canvas by Delete, as its help says, and comes back', async () => {
  const page = await open(TWO_ASKS, '')
  const node = page.getByRole('group', { name: 'Manual again' })
  await node.click()
  await page.waitForURL(/node=again/)
  await node.press('Delete')
  await node.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await node.waitFor()
})

test('a node that is dragged stays there, in a graph that nobody has placed', async () => {
  const page = await open(TWO_ASKS, '')
  await page.getByText('No problems').waitFor()
  await waitForRest(page)
  const done = page.getByTestId('rf__node-done')
  const before = (await done.boundingBox()) ?? assert.fail('no node')
  await page.mouse.move(before.x + 20, before.y + 10)
  await page.mouse.down()
  await page.mouse.move(before.x + 20, before.y + 90, { steps: 8 })
  await page.mouse.up()
  await page.getByText('not saved; kept in this browser').waitFor()
  await waitForRest(page)
  const after = (await done.boundingBox()) ?? assert.fail('no node')
  assert.ok(after.y - before.y > 60, `moved by ${after.y - before.y}`)
})

test('an answer that was assumed at a node goes with the node', async () => {
  const { app } = kit
  const other = await createActivePlaybook(app, app.token, TWO_ASKS)
  await createCases(app, 'default', other, 1)
  const page = await open(TWO_ASKS, '?simulate=yes')
  await page.getByRole('combobox', { name: 'Answer at again' }).click()
  await page.getByRole('option', { name: 'on', exact: true }).click()
  await page.getByRole('group', { name: 'Manual again' }).click()
  await page.waitForURL(/node=again/)
  await page.getByRole('group', { name: 'Manual again' }).press('Delete')
  await page.getByRole('combobox', { name: 'Answer at again' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Run simulation' }).click()
  await page.getByRole('list', { name: 'Cases' }).getByRole('button').first().waitFor()
  assert.equal(await page.getByRole('alert').count(), 0)
})
