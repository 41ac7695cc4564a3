// `casework search` against a running server.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listen, runCasework } from '../../test/cli-kit.ts'
import { withApp } from '../../test/harness.ts'

let url: string
const app = withApp({}, async (opened) => {
  url = await listen(opened)
  const event = { event_date: '2026-02-01T00:00:00Z', event_type: 'Phishing', ip: '198.51.100.7' }
  const json = [
    { ...event, customer_id: 'a', event_details: { note: 'wallet\u001b[2J' } },
    { ...event, customer_id: 'b', event_type: 'Spam' },
  ]
  await opened.send('POST', '/beta/casework/events', { token: opened.token, json })
})

test('a search shows what was found in lines, as JSON and as lines of JSON', async (t) => {
  const more = { url, token: app.token }
  const shown = await runCasework(t, ['search', '198[.]51[.]100[.]7'], more)
  assert.deepEqual([shown.code, shown.stderr], [0, ''])
  assert.equal(shown.stdout.match(/^case C-/gm)?.length, 2)
  assert.match(shown.stdout, /^event [0-9a-f-]{36} {2}in C-/m)
  const words = await runCasework(t, ['search', 'wallet', '-o', 'human'], more)
  assert.match(words.stdout, /event details: .*wallet/)
  assert.equal(words.stdout.includes('\u001b'), false)
  const json = await runCasework(t, ['search', '198.51.100.7', '-o', 'json'], more)
  assert.equal(JSON.parse(json.stdout).length, 4)
  const few = ['search', '198.51.100.7', '-o', 'jsonl', '--limit', '1', '--kind', 'event']
  const lines = await runCasework(t, few, more)
  assert.equal(JSON.parse(lines.stdout).kind, 'event')
})

test('2 for a wrong limit or kind, and a sentence when nothing is found', async (t) => {
  const more = { url, token: app.token }
  assert.equal((await runCasework(t, ['search', 'x', '--limit', 'many'], more)).code, 2)
  const kind = await runCasework(t, ['search', 'x', '--kind', 'cat'], more)
  assert.notEqual(kind.code, 0)
  const none = await runCasework(t, ['search', '192.0.2.200'], more)
  assert.deepEqual([none.code, none.stdout], [0, ''])
  assert.match(none.stderr, /Nothing was found for the address 192\.0\.2\.200/)
})
