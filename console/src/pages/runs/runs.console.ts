// Proves the list of runs while a part of it fails.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from 'playwright-core'
import { withConsole } from '../../../../test/console/console-kit.ts'
import { APPROVAL, createActivePlaybook, runDueSteps } from '../../../../test/playbook-fixtures.ts'

const kit = withConsole()

/** A run that waits at `ask`; its id. */
async function startRun(): Promise<string> {
  const { app } = kit
  const { token } = app
  const playbookId = await createActivePlaybook(app, token, APPROVAL)
  const event = {
    event_type: 'Spam',
    domain: 'runs.example',
    event_date: '2026-11-20T10:00:00Z',
    sender_email: 'radar@blimpworks.example',
    customer_id: 'runs',
  }
  const pushed = await app.send('POST', '/beta/casework/events', { token, json: event })
  const json = { playbook_id: playbookId }
  const path = `/beta/casework/cases/${pushed.json().case_id}/runs`
  const started = await app.send('POST', path, { token, json })
  assert.ok(started.status < 300, started.text)
  await runDueSteps(app)
  return started.json().run_id
}

function refuse(route: Route): Promise<void> {
  return route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{}' })
}

test('a run that cannot be read again leaves the dialog that is open', async () => {
  const runId = await startRun()
  const { page } = await kit.signIn('tenant-admin', `/runs/${runId}`)
  await page.getByRole('button', { name: 'Cancel run' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel this run?' })
  const reason = dialog.getByRole('textbox')
  await reason.fill('Begun by mistake.')
  await page.route(new RegExp(`/beta/casework/runs/${runId}`), refuse)
  await dialog.getByRole('button', { name: 'Cancel run' }).click()
  await dialog.getByRole('alert').waitFor()
  assert.equal(await reason.inputValue(), 'Begun by mistake.')
})

test('a further page that fails leaves the runs that are there', async () => {
  await startRun()
  const { page } = await kit.signIn('tenant-admin')
  await page.route('**/beta/casework/runs?*', async (route) => {
    if (route.request().url().includes('cursor=')) return await refuse(route)
    const response = await route.fetch()
    await route.fulfill({ json: { ...(await response.json()), next_cursor: 'further' } })
  })
  await page.goto('/runs?show=active')
  await page.getByRole('button', { name: 'Retry' }).waitFor()
  await page.getByRole('row').filter({ hasText: 'ask' }).first().waitFor()
})
