// A whole node whose connections to the database fall silent, as when the machine of the database
// loses its power. All that the node does must work again by itself.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Jobs, startJobs } from '../src/app/worker-jobs.ts'
import { type DatabaseProxy, openDatabaseProxy } from './database-proxy.ts'
import { withApp } from './harness.ts'
import { openSecondNode, type SecondNode } from './intel-fixtures.ts'
import { createActivePlaybook } from './playbook-fixtures.ts'
import { waitUntil } from './wait.ts'

const EVENTS = '/beta/casework/events'
// Requests under way when the connections fall silent.
const SENDERS = 4

describe('a node whose connections to the database fell silent', () => {
  // Before the hook of withApp, which drops the database: node:test runs the first hook first.
  after(async () => {
    await jobs.stop()
    await node.close()
    await proxy.close()
  })
  const app = withApp()
  let proxy: DatabaseProxy
  let node: SecondNode
  let jobs: Jobs
  let revoked = ''

  const send = async (method: 'GET' | 'POST', path: string, json?: unknown, token = app.token) =>
    await node.send(method, path, json, { authorization: `Bearer ${token}` })

  let eventCount = 0
  const makeEvent = (): object => {
    eventCount += 1
    const [event_type, sender_email] = ['LoginAttack', 'reporter@example.com']
    const event_date = new Date(Date.UTC(2026, 0, 1) + eventCount * 1_000).toISOString()
    return { event_type, sender_email, event_date, ip: `192.0.2.${eventCount % 250}` }
  }

  before(async () => {
    proxy = await openDatabaseProxy(app.connection)
    node = await openSecondNode(app, proxy.connection)
    jobs = await startJobs(node.services)
    revoked = await app.createToken()
    const { token_id: id } = (await send('GET', '/beta/whoami', undefined, revoked)).json()
    const isEnough = new AbortController()
    const senders = Array.from({ length: SENDERS }, async () => {
      while (!isEnough.signal.aborted) await send('POST', EVENTS, makeEvent())
    })
    await waitUntil(() => eventCount > 50)
    proxy.swallow()
    isEnough.abort()
    // The other node changes what this one must learn when its connections are back.
    const revocation = await app.send('DELETE', `/beta/admin/tokens/${id}`, { token: app.token })
    assert.equal(revocation.status, 204)
    const listing = { item: '198.51.100.9', list: 'shut', source: 'test' }
    const pushed = await app.send('POST', '/beta/listings', { token: app.token, json: [listing] })
    assert.equal(pushed.status, 200)
    await Promise.all(senders)
  })
  test('refuses a token that was revoked meanwhile', async () => {
    await waitUntil(async () => {
      const { status } = await send('GET', '/beta/whoami', undefined, revoked)
      return status === 401
    })
  })

  test('stores single events and bulk events', async () => {
    await waitUntil(async () => (await send('POST', EVENTS, makeEvent())).status === 201)
    assert.equal((await send('POST', EVENTS, [makeEvent(), makeEvent()])).status, 200)
  })

  test('tells what was listed meanwhile', async () => {
    await waitUntil(async () =>
      (await node.send('GET', '/beta/query/198.51.100.9')).text.includes('"ACTIVE"'),
    )
  })

  test('lists cases, and is ready to write', async () => {
    assert.equal((await send('GET', '/beta/casework/cases')).status, 200)
    assert.equal((await node.send('GET', '/readyz/write')).status, 200)
  })

  test('moves the runs of playbooks', async () => {
    const playbookId = await createActivePlaybook(app, app.token, [
      { id: 'begin', kind: 'start', paths: { next: 'work' } },
      { id: 'work', kind: 'set_state', config: { state: 'IN_PROGRESS' }, paths: { next: 'end' } },
      { id: 'end', kind: 'end' },
    ])
    const group = { token: app.token, json: { playbook_id: playbookId } }
    await app.send('PATCH', '/beta/casework/case-groups/default', group)
    const event = { ...makeEvent(), customer_id: 'with-playbook' }
    const { case_id: id } = (await send('POST', EVENTS, event)).json()
    const read = async () => (await send('GET', `/beta/casework/cases/${id}`)).json().state
    await waitUntil(async () => (await read()) === 'IN_PROGRESS')
  })
})
