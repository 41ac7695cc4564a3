// Case groups and mute rules decide by what intel knows of the items of an event.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness.ts'

const LISTED = '192.0.2.51'
const SCANNER = '192.0.2.52'
const UNKNOWN = '192.0.2.53'

let app: TestApp
let token: string
before(async () => {
  app = await openTestApp()
  token = await app.createToken()
  for (const [kind, row] of [
    ['listings', { item: LISTED, list: 'made-up', source: 'test' }],
    ['taggings', { item: SCANNER, tag: 'scan:port', source: 'test' }],
    ['taggings', { item: 'shop.example', tag: 'scan:port', source: 'test' }],
  ] as const) {
    const answer = await app.send('POST', `/beta/${kind}`, { token, json: [row] })
    assert.equal(answer.status, 200, answer.text)
  }
})
after(async () => app.close())

async function create(path: string, json: object): Promise<void> {
  const answer = await app.send('POST', `/beta/casework/${path}`, { token, json })
  assert.equal(answer.status, 201, answer.text)
}

async function push(event: object) {
  const json = { event_date: '2026-01-31T09:15:00Z', event_type: 'Spam', ...event }
  const answer = await app.send('POST', '/beta/casework/events', { token, json })
  assert.equal(answer.status, 201, answer.text)
  return answer.json()
}

async function pushIntoGroup(event: object): Promise<string> {
  const { case_id: caseId } = await push(event)
  const found = await app.send('GET', `/beta/casework/cases/${caseId}`, { token })
  return found.json().case_group
}

test('a case group and a mute rule see what intel knows of the address and the domain; an unknown item has empty values', async () => {
  await create('case-groups', { id: 'listed', name: 'Listed', condition: 'intel.ip.listed' })
  await create('case-groups', {
    id: 'scanning-domain',
    name: 'Domains that scan',
    condition: '"scan:port" in intel.domain.tags && intel.domain.intent != "benign"',
  })
  await create('mute-rules', {
    condition: 'intel.ip.tags.exists(t, t.startsWith("scan:"))',
    reason: 'Scanners are worked elsewhere.',
    until: new Date(Date.now() + 86_400_000).toISOString(),
  })
  assert.equal(await pushIntoGroup({ ip: LISTED }), 'listed')
  assert.equal(await pushIntoGroup({ domain: 'www.shop.example' }), 'scanning-domain')
  assert.equal(await pushIntoGroup({ ip: UNKNOWN }), 'default')
  assert.equal(await pushIntoGroup({ domain: 'unknown.example' }), 'default')
  assert.equal((await push({ ip: SCANNER })).outcome, 'muted')

  const json = { event_date: '2026-01-31T09:15:00Z', event_type: 'Spam', ip: LISTED }
  const dry = await app.send('POST', '/beta/casework/case-groups/test', { token, json })
  assert.equal(dry.json().case_group, 'listed')
  assert.match(
    await app.services.collectMetrics(),
    /condition_failures_total\{rule="case_group"\} 0/,
  )
})
