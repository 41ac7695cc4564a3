import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { listen, runCasework } from '../../test/cli-kit.ts'
import { openTestApp, type TestApp } from '../../test/harness.ts'

describe('what is kept no longer', () => {
  let app: TestApp
  let url: string
  let token: string
  before(async () => {
    app = await openTestApp()
    url = await listen(app)
    token = await app.createToken()
    const event = { event_type: 'PortScan', event_date: '2026-04-01T00:00:00Z', ip: '192.0.2.1' }
    const sent = { ...event, sender_email: 'ana@example.org' }
    await app.send('POST', '/beta/casework/events', { token, json: sent })
    await app.send('POST', '/beta/casework/customers', { token, json: { id: 'ana@example.org' } })
    const settings = { settings: { retention: { event_days: 365, raw_report_days: 30 } } }
    await app.send('PATCH', '/beta/admin/tenants/default', { token, json: settings })
  })
  after(() => app.close())

  it('is told and erased by casework erase', async (t) => {
    const unsure = await runCasework(t, ['erase', 'ana@example.org'], { url, token })
    assert.deepEqual([unsure.code, unsure.stdout], [2, ''])
    assert.match(unsure.stderr, /--yes/)
    const told = await runCasework(t, ['erase', 'ana@example.org', '--yes'], { url, token })
    assert.deepEqual([told.code, told.stderr], [0, ''])
    assert.deepEqual(told.stdout.trim().split('\n').toSorted(), [
      'abuse_case: 1 changed',
      'customer.id: 1 kept: the address is part of an id or of settings there',
      'event: 1 changed',
    ])
  })

  it('a repair without a recount says what it needs', async (t) => {
    const told = await runCasework(t, ['doctor', '--repair'], { url, token })
    assert.deepEqual([told.code, told.stdout], [2, ''])
    assert.match(told.stderr, /--recount/)
  })

  it('is told by casework doctor', async (t) => {
    const told = await runCasework(t, ['doctor', '-o', 'json'], { url, token })
    const { findings } = JSON.parse(told.stdout)
    const found = findings.find((one: { name: string }) => one.name === 'retention')
    assert.deepEqual(found, {
      name: 'retention',
      state: 'ok',
      detail:
        'Kept: raw reports 30 days, events 365 days. Due now: 0 raw reports, 0 reports, 0 events, 0 cases.',
    })
  })
})
