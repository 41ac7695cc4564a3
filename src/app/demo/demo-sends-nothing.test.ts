// Nothing of a demo tenant leaves the machine: the whole program with its workers, a real relay and
// a real receiver on loopback. A tenant beside it with the same settings proves that both listen.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type NoticeApp, openNoticeApp } from '../../../test/notice-kit.ts'
import { startLoopback } from '../../../test/outbound-kit.ts'
import { createActivePlaybook } from '../../../test/playbook-fixtures.ts'
import { query } from '../../../test/query.ts'
import { waitUntil } from '../../../test/wait.ts'
import { startJobs } from '../worker-jobs.ts'

const CALL = { success: 'mail', error: 'mail' }
const MAIL = { sent: 'done', error: 'done' }

/** Webhook, call and mail of the tenant, and an event that sets all of them off. */
async function actIn(app: NoticeApp, tenantId: string, origin: string): Promise<string> {
  const token = await app.createToken({ tenantId })
  const send = async (method: string, path: string, json: object) => {
    const answer = await app.send(method, path, { token, json })
    assert.ok(answer.status < 300, `${path}: ${answer.text}`)
    return answer.json()
  }
  const casework = '/beta/casework'
  const playbook = await createActivePlaybook(app, token, [
    { id: 'begin', kind: 'start', paths: { next: 'call' } },
    {
      id: 'call',
      kind: 'api_caller',
      config: { method: 'GET', url: `${origin}/call/${tenantId}` },
      paths: CALL,
    },
    {
      id: 'mail',
      kind: 'email',
      config: { to: 'customer', template: 'notice', text: 'Please look at it.' },
      paths: MAIL,
    },
    { id: 'done', kind: 'end' },
  ])
  await send('PATCH', `${casework}/case-groups/default`, { playbook_id: playbook })
  await send('POST', '/beta/webhooks', {
    url: `${origin}/hook/${tenantId}`,
    types: ['case.opened'],
  })
  const contacts = [{ email: `abuse@${tenantId}.example`, purpose: 'abuse' }]
  await send('POST', `${casework}/customers`, { id: 'c-1', name: 'Customer', contacts })
  const pushed = await send('POST', `${casework}/events`, {
    event_date: new Date().toISOString(),
    event_type: 'Phishing',
    domain: 'shop.example',
    sender_email: 'ann@reporter.example',
    customer_id: 'c-1',
  })
  return pushed.case_id
}

async function openWorld(t: TestContext) {
  const receiver = await startLoopback(t, (_, response) => response.end('{}'))
  const app = await openNoticeApp({ environment: { CASEWORK_OUTBOUND_ALLOW: receiver.socket } })
  t.after(() => app.close())
  return { receiver, app }
}

test('0 sent: no notice, webhook or call of a demo tenant leaves the machine', async (t) => {
  const { receiver, app } = await openWorld(t)
  for (const tenantId of ['quiet', 'loud']) await app.createTenant(tenantId)
  await query(app.connection, `update tenant set is_demo = true where id = 'quiet'`)
  const jobs = await startJobs(app.services)
  t.after(jobs.stop)
  await actIn(app, 'quiet', receiver.origin)
  await actIn(app, 'loud', receiver.origin)
  const paths = (): readonly string[] => receiver.requests.map(({ path }) => path)
  await waitUntil(() => paths().includes('/hook/loud') && paths().includes('/call/loud'))
  await waitUntil(() => app.sink.mails.length > 0)
  // What the demo tried is settled as well before anything is counted.
  const token = await app.createToken({ tenantId: 'quiet' })
  const list = async (path: string) => (await app.send('GET', path, { token })).json().items
  await waitUntil(async () => {
    const [notice] = await list('/beta/casework/notices')
    return notice?.state === 'failed'
  })
  const [notice] = await list('/beta/casework/notices')
  assert.equal(notice.reason, 'demo')
  const read = (statement: string) => query(app.connection, statement)
  await waitUntil(async () => {
    const rows = await read(`select 1 from webhook_attempt where tenant_id = 'quiet'`)
    return rows.length > 0
  })
  const visits = await read(
    `select path, output from visit where tenant_id = 'quiet' and node = 'call'`,
  )
  assert.deepEqual(visits, [
    { path: 'error', output: { failure: 'request_refused', cause: 'demo' } },
  ])
  assert.deepEqual(
    paths().filter((path) => path.endsWith('/quiet')),
    [],
  )
  assert.deepEqual(
    app.sink.mails.flatMap(({ to }) => to),
    ['abuse@loud.example'],
  )
})
