import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness.ts'
import { createBriefItem, EMPTY_BRIEF } from './item-brief.ts'

let app: TestApp
let token: string
before(async () => {
  app = await openTestApp()
  token = await app.createToken()
})
after(async () => app.close())

function briefItem(text: string) {
  const { intel, foundation } = app.services
  return createBriefItem({ index: intel.index, clock: foundation.clock })(text)
}

const seconds = (text?: string) => (text === undefined ? null : Date.parse(text) / 1_000)

test('a brief says in memory what a look-up says of the same item', async () => {
  const ip = '192.0.2.31'
  const pushes = [
    ['taggings', { item: '192.0.2.0/27', tag: 'scan:port', source: 'brief' }],
    ['taggings', { item: ip, tag: 'credentials:brute-force', source: 'brief' }],
    ['listings', { item: ip, list: 'brief-list', source: 'brief' }],
  ] as const
  for (const [kind, row] of pushes) {
    const answer = await app.send('POST', `/beta/${kind}`, { token, json: [row] })
    assert.equal(answer.json().result?.accepted, 1, answer.text)
  }
  for (const item of [ip, '192.0.2.5', 'www.shop.example']) {
    const looked = (await app.send('GET', `/beta/query/${item}`, { token })).json().result
    const brief = briefItem(item)
    assert.deepEqual(brief, {
      listed: looked.serviceMailBlocklist === 'ACTIVE',
      intent: looked.intent,
      tags: looked.tags,
      activity: false,
      firstSeenSeconds: seconds(looked.firstSeen),
      lastSeenSeconds: seconds(looked.lastSeen),
    })
  }
  assert.equal(briefItem(ip).listed, true)
})

test('an unknown item, and a text that is no item, have the empty brief', () => {
  for (const text of ['198.51.100.9', 'unknown.example', '', 'no item', '192.0.2.0/24']) {
    assert.deepEqual(briefItem(text), EMPTY_BRIEF, text)
  }
})
