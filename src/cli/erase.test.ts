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
      'audit details: 1 changed',
      'cases: 1 changed',
      'customers (id): 1 kept: the address is part of an id or of settings there',
      'events: 1 changed',
    ])
  })

  it('is told and erased by casework privacy erase, many at once and from a file', async (t) => {
    const event = { event_type: 'PortScan', event_date: '2026-04-01T00:00:00Z', ip: '192.0.2.1' }
    for (const sender of ['eva@example.org', 'udo@example.org']) {
      const json = { ...event, sender_email: sender }
      await app.send('POST', '/beta/casework/events', { token, json })
    }
    const args = ['privacy', 'erase', 'eva@example.org', '--file', '-', '--yes', '-o', 'json']
    const options = { url, token, input: 'udo@example.org\n\nnobody@example.com\n' }
    const told = await runCasework(t, args, options)
    assert.deepEqual([told.code, told.stderr], [0, ''])
    const erasure = JSON.parse(told.stdout)
    assert.deepEqual([erasure.addresses, erasure.changed.event], [3, 2])
    const again = await runCasework(t, ['privacy', 'erase', '--repeat', erasure.id, '--yes'], {
      url,
      token,
    })
    assert.deepEqual([again.code, again.stdout], [0, 'The addresses were not found.\n'])
    const none = await runCasework(t, ['privacy', 'erase', '--yes'], { url, token })
    assert.equal(none.code, 2)
    assert.match(none.stderr, /Name addresses, or --file, or --repeat alone/)
  })

  it('is exported by casework privacy export as one document', async (t) => {
    const event = { event_type: 'PortScan', event_date: '2026-04-01T00:00:00Z', ip: '192.0.2.1' }
    const json = { ...event, sender_email: 'ida@example.org' }
    await app.send('POST', '/beta/casework/events', { token, json })
    const told = await runCasework(t, ['privacy', 'export', 'ida@example.org'], { url, token })
    assert.deepEqual([told.code, told.stderr], [0, ''])
    const document = JSON.parse(told.stdout)
    assert.deepEqual(
      [document.address, document.count, document.items.map((one: { table: string }) => one.table)],
      ['ida@example.org', 2, ['abuse_case', 'event']],
    )
    const wrong = await runCasework(t, ['privacy', 'export', 'ida'], { url, token })
    assert.deepEqual([wrong.code, wrong.stdout], [2, ''])
    assert.match(wrong.stderr, /e-mail address/)
  })

  it('is held, listed and let go by casework privacy hold, holds and lift', async (t) => {
    const cases = await app.send('GET', '/beta/casework/cases', { token })
    const { id } = cases.json().items[0]
    const run = (...args: string[]) => runCasework(t, ['privacy', ...args], { url, token })
    const placed = await run('hold', id, '--reason', 'A court asked.')
    assert.deepEqual([placed.code, placed.stdout], [0, `${id} is on legal hold.\n`])
    const { stdout: doctor } = await runCasework(t, ['doctor'], { url, token })
    assert.match(doctor, /retention .* A legal hold keeps 1 case\.\n/)
    const again = await run('hold', id, '--reason', 'A court asked.')
    assert.equal(again.code, 1)
    assert.match(again.stderr, /is on legal hold already/)
    const listed = await run('holds')
    assert.match(listed.stdout, new RegExp(`${id} +held +20\\S+ +A court asked\\.\\n$`))
    assert.equal((await run('lift', id, '--reason', 'It is done.', '--yes')).code, 0)
    assert.equal((await run('holds')).stdout, 'No case is on legal hold.\n')
    const [hold] = JSON.parse((await run('holds', '--all', '-o', 'json')).stdout)
    assert.equal(hold.lift_reason, 'It is done.')
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
