// What intel knows of the items of a case.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withApp } from '../../../test/harness.ts'
import { minutesAgo, pushEvent } from '../../../test/sighting-kit.ts'

const app = withApp()

async function findCase(eventId: string): Promise<string> {
  const found = await app.send('GET', `/beta/casework/events/${eventId}`, { token: app.token })
  return found.json().case_id
}

test('a case shows intent, tags, listing and activity of its addresses and hosts', async () => {
  const { token } = app
  const lastSeen = minutesAgo(30)
  const sighting = { kind: 'honeypot', type: 'port-scan', lastSeen, source: 'pot' }
  const listing = { list: 'spam', source: 'desk' }
  await app.send('POST', '/beta/sightings', { token, json: [{ ...sighting, item: '192.0.2.1' }] })
  await app.send('POST', '/beta/listings', {
    token,
    json: [{ ...listing, item: 'www.host.example' }],
  })
  const event = { ip: '192.0.2.1', customer_id: undefined }
  const eventId = await pushEvent(app, token, { ...event, domain: 'www.host.example' })
  await pushEvent(app, token, event)
  const caseId = await findCase(eventId)
  const answer = await app.send('GET', `/beta/casework/cases/${caseId}/intel`, { token })
  assert.equal(answer.status, 200, answer.text)
  const { items, item_count: count, serial } = answer.json()
  assert.equal(count, items.length)
  assert.ok(serial > 0)
  const address = items.find(({ item }: { item: string }) => item === '192.0.2.1')
  const seen = new Date(Math.floor(Date.parse(lastSeen) / 1_000) * 1_000).toISOString()
  assert.deepEqual(address, {
    item: '192.0.2.1',
    type: 'IP',
    event_count: address.event_count,
    intent: 'suspicious',
    tags: ['scan:port'],
    listed: false,
    bogon: true,
    activity: true,
    first_seen: seen,
    last_seen: seen,
  })
  const host = items.find(({ item }: { item: string }) => item === 'www.host.example')
  assert.deepEqual([host.type, host.listed, host.tags], ['DOMAIN', true, []])
})

test('a foreign case, one that is none, and a caller without cases:read learn nothing', async () => {
  await app.createTenant('other')
  const other = await app.createToken({ tenantId: 'other' })
  const caseId = await findCase(await pushEvent(app, app.token, { ip: '192.0.2.5' }))
  const path = `/beta/casework/cases/${caseId}/intel`
  assert.equal((await app.send('GET', path, { token: other })).status, 404)
  assert.equal(
    (await app.send('GET', '/beta/casework/cases/C-X/intel', { token: other })).status,
    404,
  )
  const weak = await app.createToken({ scopes: ['events:read'] })
  assert.equal((await app.send('GET', path, { token: weak })).status, 403)
  assert.equal((await app.send('GET', path)).status, 401)
})

test('of a case of very many items those of most events come first, and the rest is counted', async () => {
  const events = Array.from({ length: 130 }, (_, index) => ({
    event_type: 'Spam',
    event_date: minutesAgo(index + 1),
    ip: `198.51.100.${index % 120}`,
    customer_id: 'big',
  }))
  const pushed = await app.send('POST', '/beta/casework/events', { token: app.token, json: events })
  const caseIds = new Set(pushed.json().items.map(({ case_id: id }: { case_id: string }) => id))
  const [caseId] = caseIds
  const answer = await app.send('GET', `/beta/casework/cases/${String(caseId)}/intel`, {
    token: app.token,
  })
  const { items, item_count: count } = answer.json()
  assert.deepEqual([caseIds.size, items.length, count], [1, 100, 120], pushed.text.slice(0, 300))
  assert.deepEqual(
    items.slice(0, 11).map((one: { event_count: number }) => one.event_count),
    [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1],
  )
})
