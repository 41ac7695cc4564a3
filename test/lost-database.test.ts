// A whole node whose connections to the database go silent, as after a machine without power: every
// lane of it must come back by itself.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startJobs } from '../src/app/worker-jobs.ts'
import { openDatabaseProxy } from './database-proxy.ts'
import { openTestApp } from './harness.ts'
import { openSecondNode, waitUntil } from './intel-fixtures.ts'

const EVENTS = '/beta/casework/events'

function as(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}

test('tokens, intel set, single and bulk events, lists, playbooks and jobs of a node come back after its connections went silent', async (t) => {
  const app = await openTestApp()
  t.after(() => app.close())
  const proxy = await openDatabaseProxy(app.connection)
  t.after(() => proxy.close())
  const node = await openSecondNode(app, proxy.connection)
  t.after(() => node.close())
  const jobs = await startJobs(node.services)
  t.after(() => jobs.stop())
  const [token, revoked] = [await app.createToken(), await app.createToken()]
  let number = 0
  const push = async (json: unknown) => await node.send('POST', EVENTS, json, as(token))
  const makeEvent = (): object => {
    number += 1
    const [event_type, sender_email] = ['LoginAttack', 'reporter@example.com']
    const event_date = new Date(Date.UTC(2026, 0, 1) + number * 1_000).toISOString()
    return { event_type, sender_email, event_date, ip: `192.0.2.${number % 250}` }
  }
  assert.equal((await node.send('GET', '/beta/whoami', undefined, as(revoked))).status, 200)
  // So that something is under way in the lane of single events when it happens.
  const over = new AbortController()
  const load = Array.from({ length: 4 }, async () => {
    while (!over.signal.aborted) await push(makeEvent())
  })
  await waitUntil(() => number > 50)
  proxy.swallow()
  over.abort()
  const revocation = await app.send('DELETE', `/beta/admin/tokens/${await findId(revoked)}`, {
    token,
  })
  assert.equal(revocation.status, 204)
  const listing = { item: '198.51.100.9', list: 'shut', source: 'test' }
  assert.equal((await app.send('POST', '/beta/listings', { token, json: [listing] })).status, 200)

  await waitUntil(
    async () => (await node.send('GET', '/beta/whoami', undefined, as(revoked))).status === 401,
  )
  await waitUntil(async () => (await push(makeEvent())).status === 201)
  await Promise.all(load)
  assert.equal((await push([makeEvent(), makeEvent()])).status, 200)
  await waitUntil(async () =>
    (await node.send('GET', '/beta/query/198.51.100.9')).text.includes('"ACTIVE"'),
  )
  assert.equal((await node.send('GET', '/beta/casework/cases', undefined, as(token))).status, 200)
  assert.equal((await node.send('GET', '/readyz/write')).status, 200)

  async function findId(text: string): Promise<string> {
    return (await app.send('GET', '/beta/whoami', { token: text })).json().token_id
  }
})
