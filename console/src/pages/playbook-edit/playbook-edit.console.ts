// Proves the pages of playbooks and runs: made, drawn by mouse and by keyboard, simulated, activated;
// runs inspected, paused and resumed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  assertNothingRan,
  checkAxe,
  EVIL_TEXTS,
  lookOver,
  lookOverState,
  moveTo,
  screenshot,
  until,
  withConsole,
} from '../../../../test/console/console-kit.ts'
import { pressKey, waitForRest } from '../../../../test/console/keyboard.ts'
import {
  createActivePlaybook,
  createCases,
  type GraphNode,
  query,
  runDueSteps,
} from '../../../../test/playbook-fixtures.ts'

const kit = withConsole()
const PLAYBOOKS = '/beta/casework/playbooks'

type NotedNode = GraphNode & { readonly note?: string }

const ASK: readonly GraphNode[] = [
  { id: 'begin', kind: 'start', paths: { next: 'ask' } },
  {
    id: 'ask',
    kind: 'manual',
    config: { paths: ['go', 'stop'], timeout: 'P2D' },
    paths: { go: 'done', stop: 'said', timeout: 'said' },
  },
  { id: 'said', kind: 'comment', config: { text: 'Nobody answered.' }, paths: { next: 'done' } },
  { id: 'done', kind: 'end' },
]

let count = 0

async function create(nodes: readonly GraphNode[] = ASK, name = `Drawn ${(count += 1)}`) {
  const { app } = kit
  const answer = await app.send('POST', PLAYBOOKS, { token: app.token, json: { name, nodes } })
  assert.equal(answer.status, 201, answer.text)
  return { id: answer.json().id, name }
}

test('an empty list offers shipped playbooks; a copy is activated after it is said what happens', async () => {
  await kit.app.createTenant('no-playbooks')
  const { page } = await kit.signIn('tenant-admin', '/playbooks', 'no-playbooks')
  await page.getByRole('heading', { name: 'No playbooks yet' }).waitFor()
  await page.getByRole('button', { name: 'New playbook' }).last().click()
  await page.getByRole('menuitem', { name: 'From a shipped one' }).click()
  await page.waitForURL(/new=shipped/)
  await page.getByRole('button', { name: 'Copy Decide by hand' }).click()
  await page.getByRole('heading', { name: 'Decide by hand', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Activate' }).click()
  const dialog = page.getByRole('dialog', { name: /^Activate version 1/ })
  await dialog.getByText(/No case group names this playbook/).waitFor()
  await dialog.getByRole('button', { name: 'Activate version 1' }).click()
  await page.getByText('Version 1 is active.').waitFor()
})

test('drawn by mouse: a node is added behind another, undone, redone and renamed', async () => {
  const { id } = await create()
  const { page } = await kit.signIn('tenant-admin', `/playbooks/${id}/edit`)
  await page.getByRole('group', { name: 'Start begin' }).click()
  await page.getByRole('textbox', { name: 'Find a kind of node' }).fill('look up')
  await page.getByRole('button', { name: 'Look up' }).click()
  await page.getByRole('group', { name: 'Look up lookup' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('group', { name: 'Look up lookup' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Redo' }).click()
  await page.getByRole('group', { name: 'Look up lookup' }).click()
  await page.waitForURL(/node=lookup/)
  await page.getByRole('textbox', { name: 'Name' }).fill('known')
  await page.keyboard.press('Enter')
  await page.getByText('No problems').waitFor()
})

test('drawn by keyboard in the outline: added, connected, configured, taken away, undone', async () => {
  const { id } = await create()
  const { page } = await kit.signIn('tenant-admin', `/playbooks/${id}/edit?left=outline`)
  const tree = page.getByRole('tree', { name: 'Outline' })
  await tree.getByRole('treeitem').first().focus()
  await page.keyboard.press('ArrowDown')
  // The arrow moves the focus once the page has painted, and so do all keys below.
  await waitForRest(page)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Way out “next” of begin' })
  const kind = dialog.getByRole('combobox', { name: 'Or to a new node' })
  await kind.focus()
  await page.keyboard.type('Comm')
  await page.getByRole('option', { name: 'Comment' }).waitFor()
  await waitForRest(page)
  await page.keyboard.press('ArrowDown')
  await waitForRest(page)
  await page.keyboard.press('Enter')
  await until('the kind is chosen', async () => (await kind.inputValue()) === 'Comment')
  await dialog.getByRole('button', { name: 'Add and connect' }).press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  await tree.getByRole('treeitem', { name: 'comment Comment' }).waitFor()
  await tree.getByRole('treeitem', { name: 'comment Comment' }).press('Enter')
  await page.getByRole('textbox', { name: 'Name' }).press('Control+a')
  await page.keyboard.type('hello')
  await page.keyboard.press('Enter')
  await tree.getByRole('treeitem', { name: 'hello Comment' }).press('Delete')
  await tree.getByRole('treeitem', { name: 'hello Comment' }).waitFor({ state: 'detached' })
  await pressKey(page, 'Control+z')
  await tree.getByRole('treeitem', { name: 'hello Comment' }).waitFor()
})

test('who saves after somebody else sees both changes, and takes theirs or keeps the own work', async () => {
  const { app } = kit
  const { id } = await create()
  const { page } = await kit.signIn('tenant-admin', `/playbooks/${id}/edit?node=said`)
  await page.getByRole('textbox', { name: 'Note' }).fill('Mine.')
  const nodes = ASK.map((node) => (node.id === 'done' ? { ...node, note: 'Theirs.' } : node))
  const json = { nodes }
  const theirs = await app.send('POST', `${PLAYBOOKS}/${id}/versions`, { token: app.token, json })
  assert.equal(theirs.status, 201, theirs.text)
  const save = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Save version' }).click()
  }
  await save()
  const dialog = page.getByRole('dialog', { name: 'Somebody else has saved' })
  await dialog.getByRole('list', { name: 'What they changed' }).getByText('Theirs.').waitFor()
  await dialog.getByRole('list', { name: 'What you changed' }).getByText('Mine.').waitFor()
  await lookOverState(page, 'playbook-conflict')
  await dialog.getByRole('button', { name: 'Take theirs' }).click()
  await page.getByText('Begun with version 2').waitFor()
  const taken = page.getByRole('status').filter({ hasText: 'Version 2 is open' })
  await taken.getByRole('button', { name: 'Undo' }).click()
  await page.getByText(/Begun with version 1/).waitFor()
  await save()
  await dialog.getByRole('button', { name: 'Keep mine as version 3' }).click()
  await page.getByRole('heading', { name: 'Version 3' }).waitFor()
  const saved = await app.send('GET', `${PLAYBOOKS}/${id}/versions/3`, { token: app.token })
  const notes = saved.json()['nodes'].map((node: NotedNode) => node.note ?? '')
  assert.deepEqual(notes, ['', '', 'Mine.', ''])
})

test('a version is saved by keyboard, and differs from the former one in two canvases and a list', async () => {
  const { id } = await create()
  const { page } = await kit.signIn('tenant-admin', `/playbooks/${id}/edit?node=said`)
  await page.getByRole('textbox', { name: 'Note' }).fill('For the night shift.')
  await page.getByRole('heading', { level: 1 }).click()
  await pressKey(page, 'Control+s')
  await page.getByRole('textbox', { name: 'What this version is for' }).fill('It says why.')
  await page.getByRole('button', { name: 'Save version' }).press('Enter')
  await page.getByRole('heading', { name: 'Version 2' }).waitFor()
  await page.getByText('It says why.').waitFor()
  await page.getByRole('button', { name: 'Compare version 1 with version 2' }).click()
  await page.waitForURL(/compare=1/)
  await page.getByText('1 node changed').waitFor()
  await page.getByRole('group', { name: /said/ }).nth(1).waitFor()
  await lookOver(page, 'playbook-difference')
  await page.getByText('List', { exact: true }).click()
  const changes = page.getByRole('list', { name: 'Changes' })
  await changes.getByText('For the night shift.').waitFor()
})

test('how often a call is repeated is set for a node, on the canvas and from the outline', async () => {
  const { app } = kit
  const url = 'https://api.example.org/tickets'
  const { id } = await create([
    { id: 'begin', kind: 'start', paths: { next: 'call' } },
    {
      id: 'call',
      kind: 'api_caller',
      config: { method: 'POST', url },
      paths: { success: 'end', error: 'end' },
    },
    { id: 'end', kind: 'end' },
  ])
  const { page } = await kit.signIn('tenant-admin', `/playbooks/${id}/edit?node=end`)
  await page.getByRole('textbox', { name: 'Note' }).waitFor()
  assert.equal(await page.getByRole('group', { name: 'Repeat a call that failed' }).count(), 0)
  await page.getByRole('group', { name: /^API caller call$/i }).click()
  const fields = page.getByRole('group', { name: 'Repeat a call that failed' })
  await fields.getByText(/Otherwise as its kind: 8 attempts/).waitFor()
  await fields.getByRole('checkbox', { name: 'As this node says' }).check()
  await fields.getByRole('textbox', { name: 'Attempts' }).fill('3')
  await page.getByText('Outline', { exact: true }).click()
  const tree = page.getByRole('tree', { name: 'Outline' })
  await tree.getByRole('treeitem', { name: /^call/ }).press('Enter')
  await fields.getByRole('textbox', { name: 'First pause, in seconds' }).fill('5')
  await page.getByText('No problems').waitFor()
  await screenshot(page, 'playbook-retry')
  await checkAxe(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Save version' }).click()
  await page.getByRole('heading', { name: 'Version 2' }).waitFor()
  const saved = await app.send('GET', `${PLAYBOOKS}/${id}/versions/2`, { token: app.token })
  const retry = { attempts: 3, seconds: 5, max_seconds: 3_600 }
  assert.deepEqual(saved.json()['nodes'][1].retry, retry)
})

test('a problem is shown while somebody draws, leads to its node, and the draft survives a reload', async () => {
  const { id } = await create()
  const { page } = await kit.signIn('tenant-admin', `/playbooks/${id}/edit?left=outline`)
  const tree = page.getByRole('tree', { name: 'Outline' })
  await tree.getByRole('treeitem', { name: /^next/ }).first().press('Delete')
  const problems = page.getByRole('region', { name: 'Problems' })
  await problems.getByText(/\d problems?/).waitFor()
  await problems.getByRole('button', { name: /said/ }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).waitFor()
  await page.waitForURL(/node=said/)
  await page.reload()
  await page.getByText(/your work of an earlier visit/).waitFor()
  await problems.getByText(/\d problems?/).waitFor()
  await page.getByRole('button', { name: 'Discard it' }).click()
  await problems.getByText('No problems').waitFor()
})

test('a simulation says what would have been done to past cases', async () => {
  const { app } = kit
  const other = await createActivePlaybook(app, app.token, ASK)
  await createCases(app, 'default', other, 1)
  const { id } = await create()
  const { page } = await kit.signIn('tenant-admin', `/playbooks/${id}/edit?simulate=yes`)
  await page.getByRole('combobox', { name: 'Answer at ask' }).click()
  await page.getByRole('option', { name: 'stop' }).click()
  await page.getByRole('button', { name: 'Run simulation' }).click()
  await page.getByRole('list', { name: 'Cases' }).getByRole('button').first().click()
  const story = page.getByRole('region', { name: 'What would have happened' })
  await story.getByText('Would have commented').waitFor()
  await story.getByText('Nobody answered.').waitFor()
})

test('a run shows its visits and where it waits; it is paused and resumed', async () => {
  const { app } = kit
  const playbookId = await createActivePlaybook(app, app.token, ASK)
  const [caseId = ''] = await createCases(app, 'default', playbookId, 1)
  await runDueSteps(app)
  const [run] = await query<{ id: string }>(app, 'select id from run where case_id = $1', [caseId])
  const { page } = await kit.signIn('tenant-admin', '/runs?show=waiting')
  await page.getByRole('row').nth(1).waitFor()
  await lookOver(page, 'runs')
  await moveTo(page, `/runs/${run?.id ?? ''}`)
  await page.getByRole('region', { name: 'Visits' }).getByText('Start · took next').waitFor()
  await page.getByRole('region', { name: 'Where it is' }).getByText('Waits for an agent').waitFor()
  await page.getByRole('button', { name: 'Take go' }).waitFor()
  await lookOver(page, 'run')
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('The run is paused.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  await page.getByRole('button', { name: 'Migrate' }).click()
  await page.getByText('There is no other version that is active or draining.').waitFor()
})

test('a run that failed says why in words, in the queue and on its page', async () => {
  const { app } = kit
  const playbookId = await createActivePlaybook(app, app.token, [
    { id: 'begin', kind: 'start', paths: { next: 'look' } },
    { id: 'look', kind: 'true_false', config: { condition: 'vars.none.at > 1' } },
  ])
  const [caseId = ''] = await createCases(app, 'default', playbookId, 1)
  await runDueSteps(app)
  const [run] = await query<{ id: string; failure: string }>(
    app,
    'select id, failure from run where case_id = $1',
    [caseId],
  )
  assert.equal(run?.failure, 'condition_failed')
  const { page } = await kit.signIn('tenant-admin', `/runs?show=failed`)
  await page.getByText('A condition could not be computed').first().waitFor()
  await moveTo(page, `/runs/${run?.id ?? ''}`)
  await page.getByText('It failed at look: A condition could not be computed.').waitFor()
})

test('a run that waits goes to the next version by a map after a preview; it is cancelled with a reason', async () => {
  const { app } = kit
  const send = app.send.bind(app)
  const playbookId = await createActivePlaybook(app, app.token, ASK)
  const [caseId = ''] = await createCases(app, 'default', playbookId, 1)
  await runDueSteps(app)
  const renamed = ASK.map((node) => ({
    ...node,
    ...(node.id === 'ask' ? { id: 'decide' } : {}),
    ...(node.id === 'begin' ? { paths: { next: 'decide' } } : {}),
  }))
  const versions = `${PLAYBOOKS}/${playbookId}/versions`
  await send('POST', versions, { token: app.token, json: { nodes: renamed } })
  const activated = await send('POST', `${versions}/2/activate`, { token: app.token })
  assert.equal(activated.status, 200, activated.text)
  const [run] = await query<{ id: string }>(app, 'select id from run where case_id = $1', [caseId])
  const { page } = await kit.signIn('tenant-admin', `/runs/${run?.id ?? ''}`)
  await page.getByRole('button', { name: 'Migrate' }).click()
  const dialog = page.getByRole('dialog', { name: 'Put the run on another version' })
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText('The version has no node ask: choose where its token goes.').waitFor()
  await dialog.getByRole('combobox', { name: 'Where the token at ask goes' }).click()
  await page.getByRole('option', { name: 'decide' }).click()
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText('Token 1: ask → decide').waitFor()
  await lookOverState(page, 'run-migrate')
  await dialog.getByRole('button', { name: 'Migrate to version 2' }).click()
  await page.getByText('The run is on version 2.').waitFor()
  await page.getByRole('heading', { name: /version 2/ }).waitFor()
  // Its token comes to the node when a worker takes the step.
  await runDueSteps(app)
  await page.getByRole('button', { name: 'Take go' }).waitFor()
  await page.getByRole('button', { name: 'Cancel run' }).click()
  const ask = page.getByRole('dialog', { name: 'Cancel this run?' })
  await ask.getByRole('textbox', { name: 'Reason' }).fill('Opened by mistake.')
  await ask.getByRole('button', { name: 'Cancel run' }).click()
  await page.getByText('The run was cancelled.').waitFor()
  await page.getByRole('button', { name: 'Cancel run' }).waitFor({ state: 'detached' })
  const told = await send('GET', `/beta/casework/cases/${caseId}/history`, { token: app.token })
  assert.match(told.text, /Opened by mistake\./)
})

test('a run is paused and resumed by who may trigger; migration is for who may activate', async () => {
  const { app } = kit
  const playbookId = await createActivePlaybook(app, app.token, ASK)
  const [caseId = ''] = await createCases(app, 'default', playbookId, 1)
  await runDueSteps(app)
  const [run] = await query<{ id: string }>(app, 'select id from run where case_id = $1', [caseId])
  const { page } = await kit.signIn('agent', `/runs/${run?.id ?? ''}`)
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByText('The run goes on.').waitFor()
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Migrate' }).count(), 0)
})

// A graph that is much wider than the canvas.
const LONG: readonly GraphNode[] = [
  { id: 'begin', kind: 'start', paths: { next: 'step-0' } },
  ...Array.from({ length: 9 }, (_, index) => ({
    id: `step-${index}`,
    kind: 'comment',
    config: { text: 'One more.' },
    paths: { next: index === 8 ? 'end' : `step-${index + 1}` },
  })),
  { id: 'end', kind: 'end' },
]

test('the canvas begins with the whole graph, and centres a node that is chosen elsewhere', async () => {
  const { id } = await create(LONG)
  const { page } = await kit.signIn('tenant-admin', `/playbooks/${id}/edit`)
  const canvas = page.locator('.editor-canvas')
  const isInside = async (node: string): Promise<boolean> => {
    const [outer, inner] = await Promise.all([
      canvas.boundingBox(),
      page.getByTestId(`rf__node-${node}`).boundingBox(),
    ])
    if (outer === null || inner === null) return false
    return inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width
  }
  await page.getByTestId('rf__node-end').waitFor()
  // The canvas moves over some frames.
  await until('all is inside', async () => (await isInside('begin')) && (await isInside('end')))
  await page.goto(`/playbooks/${id}/edit?node=step-4&left=outline`)
  await page.getByTestId('rf__node-step-4').waitFor()
  await until('step-4 is in the middle', () => isCentred(page, 'step-4'))
  await page
    .getByRole('treeitem', { name: /step-7/ })
    .first()
    .click()
  await until('step-7 is in the middle', () => isCentred(page, 'step-7'))
})

async function isCentred(page: Page, node: string): Promise<boolean> {
  const [outer, inner] = await Promise.all([
    page.locator('.editor-canvas').boundingBox(),
    page.getByTestId(`rf__node-${node}`).boundingBox(),
  ])
  if (outer === null || inner === null) return false
  const apart = inner.x + inner.width / 2 - (outer.x + outer.width / 2)
  return Math.abs(apart) < 4
}

test('what people write into playbooks is text', async () => {
  const [name, text, note, more] = EVIL_TEXTS
  const nodes: readonly NotedNode[] = [
    { id: 'begin', kind: 'start', paths: { next: 'said' }, note },
    {
      id: 'said',
      kind: 'comment',
      config: { text: `{% raw %}${text}{% endraw %}` },
      paths: { next: 'end' },
    },
    { id: 'end', kind: 'end', note: more },
  ]
  const { id } = await create(nodes, name)
  const { page } = await kit.signIn('tenant-admin', `/playbooks/${id}`)
  await page.getByRole('heading', { name, level: 1 }).waitFor()
  await page.goto(`/playbooks/${id}/edit?node=said`)
  await page.getByRole('group', { name: 'Comment said' }).waitFor()
  await assertNothingRan(page)
})

test('a failure is said with a way to repeat; what a person may not do is not there', async () => {
  const { page } = await kit.signIn('viewer')
  await page.route('**/beta/casework/playbooks?*', (route) => route.abort())
  await page.goto('/playbooks')
  await page.getByRole('alert').getByRole('button', { name: 'Retry' }).waitFor()
  await page.unroute('**/beta/casework/playbooks?*')
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('grid', { name: 'Playbooks' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'New playbook' }).count(), 0)
})
