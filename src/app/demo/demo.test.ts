// The demo: filled, read by the API, filled once only, and removed with nothing left behind.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness.ts'
import { query } from '../../../test/playbook-fixtures.ts'
import { recountCases } from '../../casework/cases/recount/recount-cases.ts'
import { listWrongWaits } from '../../casework/playbooks/runs/show-waiting.ts'
import { DESK_TAG } from './demo-intel.ts'
import { HOSTING, listDemoTenants } from './demo-store.ts'
import { fillDemo } from './fill-demo.ts'
import { removeDemo } from './remove-demo.ts'

// One story for all tests of the file: it is told once, and taken away in the last one.
let app: TestApp
let ofHosting = ''
let before90: Readonly<Record<string, number>> = {}
before(async () => {
  app = await openTestApp()
  const token = await app.createToken()
  // Data beside the demo, which must stay.
  await app.createTenant('beside')
  const other = await app.createToken({ tenantId: 'beside' })
  for (const one of [token, other]) {
    const json = { event_date: '2026-11-01T10:00:00Z', event_type: 'Spam', ip: '192.0.2.7' }
    await app.send('POST', '/beta/casework/events', { token: one, json })
  }
  before90 = await countRows()
  const { config } = app.services.foundation
  await fillDemo({ config, connection: app.connection })
  await app.services.intel.index.refreshNow()
  await app.services.intel.enrichment.refreshContacts()
  ofHosting = await app.createToken({ tenantId: HOSTING })
})
after(async () => {
  await app.close()
})

/** Rows of each table with a tenant_id, without those of the demo. */
async function countRows(): Promise<Readonly<Record<string, number>>> {
  const tables = await query<{ name: string }>(
    app,
    `select table_name as name from information_schema.columns
     where column_name = 'tenant_id' and table_schema = 'public' order by 1`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const [row] = await query<{ count: number }>(
      app,
      `select count(*)::integer as count from ${name} where tenant_id not like 'demo-%'`,
    )
    counts[name] = row?.count ?? 0
  }
  return counts
}

interface Listed {
  readonly state?: string
}

async function list(path: string): Promise<readonly Listed[]> {
  const answer = await app.send('GET', path, { token: ofHosting })
  assert.equal(answer.status, 200, `${path}: ${answer.text}`)
  const json = answer.json()
  return json.items ?? json.result
}

function byText(one: string, other: string): number {
  return one.localeCompare(other)
}

describe('a filled demo', () => {
  const LISTS = [
    '/beta/casework/cases?limit=200',
    '/beta/casework/events?limit=200',
    '/beta/casework/customers',
    '/beta/casework/contracts',
    '/beta/casework/resources',
    '/beta/casework/case-groups',
    '/beta/casework/mute-rules',
    '/beta/casework/playbooks',
    '/beta/casework/runs',
    '/beta/casework/runs?state=failed',
    '/beta/casework/notices',
    '/beta/casework/reports',
    '/beta/casework/reports?corrected=true',
    '/beta/casework/mitigations',
    '/beta/casework/templates',
    '/beta/casework/views',
    '/beta/casework/calendars',
    '/beta/casework/legal-holds',
    '/beta/webhooks',
    '/beta/admin/tokens',
    '/beta/admin/roles',
    '/beta/admin/service-accounts',
    '/beta/admin/audit',
    '/beta/sources',
    '/beta/admin/groups',
    '/beta/admin/users',
  ]
  for (const path of LISTS) {
    test(`has something at ${path}`, async () => {
      assert.ok((await list(path)).length > 0)
    })
  }

  test('names whom a case is assigned to, and who acted', async () => {
    const cases = await list('/beta/casework/cases?limit=200&expand=summary')
    const summaries = cases.map((one) => Object(Reflect.get(one, 'summary')))
    const assigned = summaries.filter((one) => Reflect.has(one, 'assignee_user_id'))
    assert.ok(assigned.length > 0)
    for (const one of assigned) assert.ok(Reflect.has(one, 'assignee_name'), JSON.stringify(one))
    const [first] = cases
    const id = String(Reflect.get(Object(first), 'id'))
    const acts = await list(`/beta/casework/cases/${id}/history?limit=200`)
    const actors = acts.filter((one) => /^(?:usr|tok)_/.test(String(Reflect.get(one, 'actor'))))
    assert.ok(actors.length > 0)
    for (const one of actors) assert.ok(Reflect.has(one, 'actor_name'), JSON.stringify(one))
  })

  test('has cases in all states, of all severities, that wait for several', async () => {
    const cases = await list('/beta/casework/cases?limit=200')
    const states = new Set(cases.map((one) => one.state))
    assert.deepEqual([...states].map(String).toSorted(byText), [
      'CLOSED',
      'IN_PROGRESS',
      'NEW',
      'RESOLVED',
    ])
  })

  test('has its story in the past: runs, notices and history stand with their cases', async () => {
    const [row] = await query<{ wrong: number; all: number }>(
      app,
      `select count(*)::integer as all, count(*) filter (where abs(extract(epoch from r.started_at - c.created_at)) > 86400)::integer as wrong
       from run r join abuse_case c on c.tenant_id = r.tenant_id and c.id = r.case_id`,
    )
    assert.ok((row?.all ?? 0) > 20)
    assert.equal(row?.wrong, 0)
  })

  test('knows a loud address as malicious, with lists, tags and a contact', async () => {
    const { result } = (
      await app.send('GET', '/beta/query/203.0.113.17', { token: ofHosting })
    ).json()
    assert.equal(result.intent, 'malicious')
    assert.equal(result.serviceMailBlocklist, 'ACTIVE')
    assert.ok(result.tags.includes(DESK_TAG))
    assert.equal(result.abuseContact.email, 'abuse@nordhafen.example')
  })

  test('has a failed source, with counts over time', async () => {
    const path = '/beta/sources/mail-blocklist/demo-partner-feed'
    const source = (await app.send('GET', path, { token: ofHosting })).json().result
    assert.equal(source.state, 'failed')
    assert.match(source.fetch.trouble, /web page/)
    const { days } = (await app.send('GET', `${path}/history`, { token: ofHosting })).json().result
    assert.equal(days.length, 20)
    assert.ok(days.slice(1).every(({ added }: { added: number }) => added > 0))
  })

  test('has a playbook whose second version is another one', async () => {
    const playbooks = (
      await app.send('GET', '/beta/casework/playbooks', { token: ofHosting })
    ).json()
    const changed = playbooks.items.find(
      ({ name }: { name: string }) => name === 'Notify and escalate',
    )
    const nodesOf = async (version: number): Promise<readonly { readonly id: string }[]> => {
      const path = `/beta/casework/playbooks/${changed.id}/versions/${version}`
      return (await app.send('GET', path, { token: ofHosting })).json().nodes
    }
    const [first, second] = [await nodesOf(1), await nodesOf(2)]
    const known = new Set(first.map(({ id }) => id))
    assert.deepEqual(
      second.map(({ id }) => id).filter((id) => !known.has(id)),
      ['critical'],
    )
    assert.notDeepEqual(
      second.find(({ id }) => id === 'wait'),
      first.find(({ id }) => id === 'wait'),
    )
  })

  test('names its people wherever they act', async () => {
    const { items } = (
      await app.send('GET', '/beta/casework/cases?limit=200&expand=summary', { token: ofHosting })
    ).json()
    const names = items.map(
      ({ summary }: { summary: { assignee_name?: string } }) => summary.assignee_name,
    )
    assert.ok(names.includes('Aisha Rahman'))
    assert.ok(
      !names.some((name: string | undefined) => name?.startsWith('usr_') || name === 'former user'),
    )
  })

  test('recounts without a difference', async () => {
    for (const tenantId of await listDemoTenants(app.services.foundation.database.kysely)) {
      const { kysely: db } = app.services.foundation.database
      assert.deepEqual((await recountCases(db, { tenantId })).differences, [])
      assert.deepEqual(await listWrongWaits(db, { tenantId }), [])
    }
  })

  test('leaves no function of its own in the database', async () => {
    const left = await query(
      app,
      `select proname from pg_proc where pronamespace = 'public'::regnamespace
        and proname in ('now', 'date_demo_rows')`,
    )
    assert.deepEqual(left, [])
  })

  test('is filled once only', async () => {
    const { config } = app.services.foundation
    await assert.rejects(() => fillDemo({ config, connection: app.connection }), {
      code: 'APP_DEMO_IS_THERE',
    })
    assert.equal((await list('/beta/casework/customers')).length, 13)
  })
})

test('a removed demo leaves nothing behind, and everything else as it was', async () => {
  const { config, database } = app.services.foundation
  const tenants = await removeDemo({ config, connection: app.connection })
  assert.deepEqual(tenants, ['demo-hosting', 'demo-registrar'])
  assert.deepEqual(await listDemoTenants(database.kysely), [])
  const {
    api_token: _,
    audit_entry: __,
    audit_detail: ___,
    audit_head: ____,
    ...counted
  } = await countRows()
  for (const [table, count] of Object.entries(counted)) {
    assert.equal(count, before90[table], table)
  }
  const left = await query<{ id: string }>(
    app,
    `select id from tenant union select id from demo_record`,
  )
  assert.deepEqual(left.map(({ id }) => id).toSorted(byText), ['beside', 'default'])
  assert.deepEqual(await query(app, `select id from user_account`), [])
  const sources = await query(app, `select name from intel_source`)
  assert.deepEqual(sources, [])
  for (const table of ['sighting', 'listing', 'tagging', 'allowance', 'contact_range']) {
    assert.deepEqual(await query(app, `select 1 from ${table}`), [], table)
  }
  assert.deepEqual(await removeDemo({ config, connection: app.connection }), [])
})
