// `casework doctor --recount` over a database in which something was changed by hand.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runCasework } from '../../test/cli-kit.ts'
import { openTestApp, type TestApp } from '../../test/harness.ts'

let app: TestApp
let token: string
before(async () => {
  app = await openTestApp()
  token = await app.createToken()
})
after(async () => app.close())

async function push(customer: string): Promise<string> {
  const json = { event_date: '2026-01-01T00:00:00Z', event_type: 'Spam', customer_id: customer }
  const answer = await app.send('POST', '/beta/casework/events', {
    token,
    json: { ...json, report_id: customer },
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.json().case_id
}

test('a recount finds what was changed by hand, and a repair puts it right with a row in the history', async (t) => {
  const { host, port, user, database } = app.connection
  const url = `postgresql://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
  const doctor = (...flags: string[]) =>
    runCasework(t, ['doctor', '--recount', ...flags], {
      url: 'http://127.0.0.1:1',
      environment: { DATABASE_URL: url },
    })
  const [counted, slotless, told] = [await push('a'), await push('b'), await push('c')]
  const [merged, other] = [await push('d'), await push('e')]
  const merge = { token, json: { from: [merged] } }
  const answer = await app.send('POST', `/beta/casework/cases/${other}/merge`, merge)
  assert.equal(answer.status, 200, answer.text)
  const right = await doctor()
  assert.equal(right.code, 0, right.stderr)
  assert.match(right.stdout, /^default: 5 cases, 0 differences\.$/m)
  const { pool } = app.services.foundation.database
  await pool.query(`update abuse_case set event_count = 9, event_ips = '{x}' where id = $1`, [
    counted,
  ])
  await pool.query('delete from case_slot where case_id = $1', [slotless])
  await pool.query(
    `insert into case_slot (tenant_id, case_group_id, key_hash, case_id)
     values ('default', 'default', '\\x0a', 'C-GONE'), ('default', 'default', '\\x0b', $1)`,
    [other],
  )
  await pool.query(
    `update abuse_case set state = 'CLOSED', close_reason = 'expired', ended_at = now() where id = $1`,
    [told],
  )
  await pool.query(`update abuse_case set run_waits_for = 'customer' where id = $1`, [other])
  await pool.query(`delete from case_last_event where id = $1`, [merged])
  await pool.query(
    `insert into case_last_event values ('default', '2025-01-01', $1, 'NEW', now(), 'x', null, 'default'),
       ('default', '2025-01-01', 'C-NONE', 'NEW', now(), 'x', null, 'default')`,
    [counted],
  )
  const wrong = await doctor()
  assert.equal(wrong.code, 1)
  assert.match(wrong.stdout, new RegExp(`${counted} counters: event_count is 9 and there are 1`))
  assert.match(wrong.stdout, new RegExp(`${slotless} slot: is open`))
  assert.match(wrong.stdout, new RegExp(`${told} slot: has ended`))
  assert.match(wrong.stdout, new RegExp(`${told} history: is CLOSED`))
  assert.match(wrong.stdout, new RegExp(`${told} list: is listed by an event of 2026-01-01`))
  assert.match(wrong.stdout, new RegExp(`${counted} list: is listed by an event of 2025-01-01`))
  assert.match(wrong.stdout, /C-NONE list: is listed by an event of 2025-01-01/)
  assert.match(wrong.stdout, new RegExp(`${merged} list: is not in the list by the last event`))
  assert.match(
    wrong.stdout,
    /C-GONE slot: is gone, and still holds the slot 0a of the group default/,
  )
  assert.match(
    wrong.stdout,
    new RegExp(`${other} waits: says that its runs wait for customer, and they wait for nobody`),
  )
  assert.match(wrong.stdout, new RegExp(`${other} slot: has no such key, and holds the slot 0b`))
  const listed = await doctor('-o', 'json')
  const { ok, tenants } = JSON.parse(listed.stdout)
  assert.deepEqual([listed.code, ok, tenants[0].cases], [1, false, 5])
  assert.ok(tenants[0].differences.some((one: { caseId: string }) => one.caseId === 'C-GONE'))
  const mended = await doctor('--repair', '--yes')
  assert.equal(mended.code, 0, mended.stdout)
  assert.match(mended.stdout, /8 cases repaired/)
  const path = `/beta/casework/cases/${counted}`
  assert.equal((await app.send('GET', path, { token })).json().event_count, 1)
  const { items } = (await app.send('GET', `${path}/history`, { token })).json()
  assert.equal(items[0].kind, 'repair')
  assert.equal((await doctor()).code, 0)
  await pool.query(
    `with made as (
       insert into playbook (tenant_id, id, name, latest_version) values ('default', gen_random_uuid(), 'x', 1) returning id
     ), version as (
       insert into playbook_version (tenant_id, playbook_id, version, state, graph, start_node)
       select 'default', id, 1, 'active', '{"nodes": []}', 'x' from made returning playbook_id
     )
     select playbook_id from version`,
  )
  await pool.query(
    `insert into run (tenant_id, id, case_id, playbook_id, version, state)
     select 'default', gen_random_uuid(), $1, playbook_id, 1, 'active' from playbook_version`,
    [counted],
  )
  const stuck = await doctor()
  assert.equal(stuck.code, 1)
  assert.match(stuck.stdout, /^default run \S+ no_live_token: .* Cancel it: POST/m)
  assert.match(stuck.stdout, /0 differences, 1 stuck runs\./)
})
