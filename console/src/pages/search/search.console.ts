// Proves the page of results when a page of them fails. What is found, and how, start.console.ts
// proves.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withConsole } from '../../../../test/console/console-kit.ts'

const kit = withConsole()

test('what was found stays when the next results fail to come', async () => {
  const json = {
    event_date: new Date().toISOString(),
    event_type: 'Phishing',
    sender_email: 'r@reporter.example',
    ip: '2001:db8:5ea::1',
  }
  const { app } = kit
  const sent = await app.send('POST', '/beta/casework/events', { token: app.token, json })
  assert.equal(sent.status, 201, sent.text)
  const { page } = await kit.signIn('agent')
  await page.route(/\/beta\/casework\/search\?/, async (route) => {
    if (route.request().url().includes('cursor=')) {
      const refusal = { status: 400, detail: 'No.', code: 'X', request_id: 'r-6' }
      return await route.fulfill({ status: 400, json: refusal })
    }
    const answer = await route.fetch()
    await route.fulfill({ json: { ...(await answer.json()), next_cursor: 'next' } })
  })
  await page.goto('/search?q=2001:db8:5ea::1')
  await page.getByText('Request r-6').waitFor()
  await page.getByRole('grid').getByRole('row', { name: /Event/ }).waitFor()
})
