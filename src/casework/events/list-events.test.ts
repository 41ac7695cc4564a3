// The list of events by the words of their details.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withApp } from '../../../test/harness.ts'

const PATH = '/beta/casework/events'

const app = withApp({}, async ({ send, token }) => {
  const json = ['Failed password for root', 'Phishing kit of a bank'].map((note, index) => ({
    event_date: `2026-11-2${index}T10:00:00Z`,
    event_type: 'Spam',
    sender_email: 'r@reporter.example',
    ip: '192.0.2.7',
    event_details: { note },
  }))
  const pushed = await send('POST', PATH, { token, json })
  assert.equal(pushed.status, 200, pushed.text)
})

async function count(query: string): Promise<number> {
  const answer = await app.send('GET', `${PATH}?${query}`, { token: app.token })
  assert.equal(answer.status, 200, answer.text)
  return answer.json().items.length
}

test('text finds events with every word, the last of them begun', async () => {
  assert.equal(await count('text=password+root'), 1)
  assert.equal(await count('text=phish'), 1)
  assert.equal(await count('text=password+bank'), 0)
  assert.equal(await count('text=password&event_type=Malware'), 0)
  assert.equal(await count('text=password&sort=create_date'), 1)
})

test('400 for a text without a letter or digit', async () => {
  assert.equal((await app.send('GET', `${PATH}?text=...`, { token: app.token })).status, 400)
})
