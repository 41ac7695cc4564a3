import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Counter } from 'prom-client'
import { verify } from '../../../../test/audit-kit.ts'
import { withApp } from '../../../../test/harness.ts'
import { runRetention } from './run-retention.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const clock = { ahead: 0, nowMs: () => Date.now() + clock.ahead }

const app = withApp({ clock })

describe('records of who decided what', () => {
  test('go at their age: the history of rules, and holds that were lifted; a hold in force stays', async () => {
    const token = await app.createToken()
    const send = async (method: string, path: string, json?: unknown) => {
      const answer = await app.send(method, `/beta/${path}`, {
        token,
        ...(json === undefined ? {} : { json }),
      })
      assert.ok(answer.status < 300, answer.text)
      return answer.json()
    }
    const retention = { audit_days: 2_555 }
    await send('PATCH', 'admin/tenants/default', { settings: { retention } })
    const event = { event_type: 'PortScan', event_date: '2026-04-01T00:00:00Z' }
    const [lifted, standing] = (
      await send('POST', 'casework/events', [
        { ...event, ip: '192.0.2.1' },
        { ...event, ip: '192.0.2.2' },
      ])
    ).items.map((item: { case_id: string }) => item.case_id)
    const reason = { reason: 'A court asked.' }
    for (const id of [lifted, standing]) await send('POST', `casework/cases/${id}/hold`, reason)
    await send('POST', `casework/cases/${lifted}/hold/lift`, reason)
    const change = { description: 'All that is left.' }
    await send('PATCH', 'casework/case-groups/default', change)
    const look = async () => ({
      holds: (await send('GET', 'casework/legal-holds')).items.length,
      history: (await send('GET', 'casework/case-groups/default/history')).items.length,
      due: (await send('GET', 'casework/retention')).due.audit,
    })
    const pass = async (days: number) => {
      clock.ahead += days * DAY_MS
      const { foundation } = app.services
      await foundation.database.pool.query('update tenant set retention_at = now()')
      const removed = new Counter({ name: 'x', help: 'x', labelNames: ['kind'], registers: [] })
      const db = foundation.database.kysely
      await runRetention({ ...foundation, db, removed }, new AbortController().signal)
      return (await removed.get()).values.map(({ labels, value }) => [labels.kind, value])
    }
    // A change of the tenant and of a group, two holds and a lifted one.
    const entries = 5
    assert.deepEqual(await pass(2_554), [['audit', 0]])
    assert.deepEqual(await look(), { holds: 2, history: 1, due: 0 })
    clock.ahead += 2 * DAY_MS
    assert.equal((await look()).due, 2 + entries)
    assert.deepEqual(await pass(0), [['audit', 2 + entries]])
    assert.deepEqual(await look(), { holds: 1, history: 0, due: 0 })
    const report = await verify(app, 'default')
    assert.deepEqual(report.faults, [])
    // What is left is the note that the others were removed.
    assert.deepEqual([report.firstSeq, report.entries], [entries + 1, 1])
    const [entry] = (await send('GET', 'admin/audit')).items
    assert.deepEqual(
      [entry.act, entry.actor.id, entry.after.entries],
      ['audit.forget', 'retention', entries],
    )
    const { rows } = await app.services.foundation.database.pool.query(
      `select from audit_detail where tenant_id = 'default'`,
    )
    assert.equal(rows.length, 1)
  })
})
