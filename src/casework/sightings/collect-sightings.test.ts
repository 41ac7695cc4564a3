// Accepted reports as sightings: what look-ups say of them, and that all of it is taken back.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type SharedApp, withApp } from '../../../test/harness.ts'
import { eraseAddress } from '../../../test/privacy-kit.ts'
import { query } from '../../../test/query.ts'
import {
  collectAll,
  explain,
  listTags,
  minutesAgo,
  openCollector,
  pushEvent,
  threeDaysAgo,
} from '../../../test/sighting-kit.ts'
import { listSharingWork } from './report-sharing-store.ts'

const app = withApp()

interface StoredSighting {
  readonly subject: string
  readonly type: string
  readonly service: string
  readonly source: string
  readonly count: string
  readonly first_seen: Date
}

/** Every sighting of reports about the item, by source and time. */
async function listSightings(of: SharedApp, item: string): Promise<readonly StoredSighting[]> {
  const rows = await query(
    of.connection,
    `select subject, type, service, name as source, count, first_seen
     from sighting join intel_source source on source.id = source_id
     where subject = $1 and kind = 'report' order by name, type, first_seen`,
    [item],
  )
  return rows as unknown as readonly StoredSighting[]
}

async function readSerial(of: SharedApp): Promise<unknown> {
  return (await query(of.connection, 'select serial from intel_serial'))[0]?.['serial']
}

async function closeCase(caseId: string, closeReason: string): Promise<void> {
  const found = await app.send('GET', `/beta/casework/cases/${caseId}`, { token: app.token })
  const json = { version: found.json().version, state: 'CLOSED', close_reason: closeReason }
  const path = `/beta/casework/cases/${caseId}`
  const answer = await app.send('PATCH', path, { token: app.token, json })
  assert.equal(answer.status, 200, answer.text)
}

async function findCaseOf(eventId: string): Promise<string> {
  const path = `/beta/casework/events/${eventId}`
  return (await app.send('GET', path, { token: app.token })).json().case_id
}

describe('an event by an API token', () => {
  test('is a sighting of its address and of its host, and look-ups see both', async () => {
    await pushEvent(app, app.token, { ip: '192.0.2.10', domain: 'login.host-a.example' })
    await collectAll(app)
    for (const item of ['192.0.2.10', 'login.host-a.example']) {
      const found = await explain(app, item)
      assert.equal(found.intent.value, 'malicious')
      assert.equal(found.activity.value, true)
      assert.deepEqual(
        found.tags.map(({ name }) => name),
        ['phishing:host'],
      )
    }
  })

  test('is told by explain with rule, number of reporters and trust, and with no name', async () => {
    const contact = 'noc@reporter-secret.example'
    await pushEvent(app, app.token, { ip: '192.0.2.11', sender_email: contact })
    await pushEvent(app, app.token, { ip: '192.0.2.11', sender_email: 'b@other.example' })
    await collectAll(app)
    const answer = await app.send('GET', '/beta/explain/192.0.2.11')
    const { tags } = answer.json().result
    assert.deepEqual(tags[0].because, [
      'Rule "report-phishing": report sightings of Phishing within 30 days, at least 1 from 1 reporter; met by 2 trusted reporters.',
    ])
    assert.doesNotMatch(answer.text, /reporter-secret|other\.example|default|casework:|C-/)
  })

  test('is taken back by no deletion of its source: 409 INTEL_SOURCE_OF_REPORTS', async () => {
    const ip = '192.0.2.16'
    await pushEvent(app, app.token, { ip })
    await collectAll(app)
    const stored = await listSightings(app, ip)
    const path = `/beta/sources/report/${encodeURIComponent(stored[0]?.source ?? '')}`
    for (const part of ['', `/entries/${ip}`]) {
      // oxlint-disable-next-line eslint/no-await-in-loop
      const refused = await app.send('DELETE', `${path}${part}`, { token: app.token })
      assert.equal(refused.status, 409, refused.text)
      assert.match(refused.json().errors.$, /Accepted reports write this source/)
    }
    await collectAll(app)
    assert.deepEqual(await listSightings(app, ip), stored)
    assert.deepEqual(await listTags(app, ip), ['phishing:host'])
  })

  test('rolls up by day and reporter, and a repeat of all work changes nothing', async () => {
    const ip = '192.0.2.12'
    await pushEvent(app, app.token, { ip, event_date: threeDaysAgo('01:00') })
    await pushEvent(app, app.token, { ip, event_date: threeDaysAgo('02:00') })
    await pushEvent(app, app.token, { ip, event_date: minutesAgo(1) })
    await collectAll(app)
    const stored = await listSightings(app, ip)
    assert.deepEqual(
      stored.map(({ type, count }) => [type, Number(count)]),
      [
        ['Phishing', 2],
        ['Phishing', 1],
      ],
    )
    const serial = await readSerial(app)
    await query(
      app.connection,
      `insert into report_sighting_change (tenant_id, items) values ('default', array[$1]), ('default', array[$1])`,
      [ip],
    )
    await collectAll(app)
    assert.deepEqual(await listSightings(app, ip), stored)
    assert.equal(await readSerial(app), serial)
  })

  test('sent again is one sighting; two of one reporter are one reporter', async () => {
    const event = { ip: '192.0.2.13', event_type: 'Spam', event_date: threeDaysAgo('01:00') }
    await pushEvent(app, app.token, event)
    const again = await app.send('POST', '/beta/casework/events', { token: app.token, json: event })
    assert.equal(again.status, 200)
    await pushEvent(app, app.token, { ...event, event_date: threeDaysAgo('02:00') })
    await collectAll(app)
    const stored = await listSightings(app, '192.0.2.13')
    assert.deepEqual(
      stored.map(({ count }) => Number(count)),
      [2],
    )
  })

  test('of a third reporter within a week makes a repeat offender', async () => {
    const ip = '192.0.2.14'
    for (const sender of ['a@one.example', 'b@two.example']) {
      // oxlint-disable-next-line eslint/no-await-in-loop
      await pushEvent(app, app.token, { ip, sender_email: sender })
    }
    await collectAll(app)
    assert.deepEqual(await listTags(app, ip), ['phishing:host'])
    await pushEvent(app, app.token, { ip, sender_email: 'c@three.example' })
    await collectAll(app)
    assert.deepEqual(await listTags(app, ip), ['phishing:host', 'reports:repeat-offender'])
  })

  test('counts while it is unassigned or pending: the text takes back only what is muted, withdrawn or erased', async () => {
    const token = app.token
    const settings = { settings: { unmatched: 'unassigned' } }
    const path = '/beta/admin/tenants/default'
    await app.send('PATCH', path, { token, json: settings })
    try {
      await pushEvent(app, token, { ip: '192.0.2.15' })
      await collectAll(app)
      assert.deepEqual(await listTags(app, '192.0.2.15'), ['phishing:host'])
    } finally {
      await app.send('PATCH', path, { token, json: { settings: { unmatched: null } } })
    }
  })
})

describe('what is taken back', () => {
  test('a muted event writes none', async () => {
    const rule = {
      condition: 'event.ip == "192.0.2.20"',
      reason: 'our scanner',
      until: minutesAgo(-60),
    }
    const created = await app.send('POST', '/beta/casework/mute-rules', {
      token: app.token,
      json: rule,
    })
    assert.equal(created.status, 201, created.text)
    await pushEvent(app, app.token, { ip: '192.0.2.20' })
    await collectAll(app)
    assert.deepEqual(await listSightings(app, '192.0.2.20'), [])
    assert.equal((await explain(app, '192.0.2.20')).intent.value, 'unknown')
  })

  test('a case closed as a false positive withdraws its events; opened again they count again', async () => {
    const eventId = await pushEvent(app, app.token, { ip: '192.0.2.21' })
    await collectAll(app)
    assert.equal((await explain(app, '192.0.2.21')).intent.value, 'malicious')
    const caseId = await findCaseOf(eventId)
    await closeCase(caseId, 'false_positive')
    await collectAll(app)
    assert.deepEqual(await listSightings(app, '192.0.2.21'), [])
    assert.equal((await explain(app, '192.0.2.21')).activity.value, false)
    const path = `/beta/casework/cases/${caseId}`
    const { version } = (await app.send('GET', path, { token: app.token })).json()
    const json = { version, state: 'IN_PROGRESS' }
    await app.send('PATCH', path, { token: app.token, json })
    await collectAll(app)
    assert.equal((await explain(app, '192.0.2.21')).intent.value, 'malicious')
  })

  test('a case closed for another reason, merged or split changes no sighting and doubles none', async () => {
    const first = await pushEvent(app, app.token, { ip: '192.0.2.22' })
    const second = await pushEvent(app, app.token, { ip: '192.0.2.23' })
    await collectAll(app)
    const before = [
      ...(await listSightings(app, '192.0.2.22')),
      ...(await listSightings(app, '192.0.2.23')),
    ]
    const [target, source] = [await findCaseOf(first), await findCaseOf(second)]
    const path = `/beta/casework/cases/${target}`
    const merged = await app.send('POST', `${path}/merge`, {
      token: app.token,
      json: { from: [source] },
    })
    assert.equal(merged.status, 200, merged.text)
    await collectAll(app)
    const split = await app.send('POST', `${path}/split`, {
      token: app.token,
      json: { event_ids: [second] },
    })
    assert.ok(split.status < 300, split.text)
    await closeCase(target, 'duplicate')
    await collectAll(app)
    const after = [
      ...(await listSightings(app, '192.0.2.22')),
      ...(await listSightings(app, '192.0.2.23')),
    ]
    assert.deepEqual(after, before)
  })

  test('of two events of a day the other stays when one goes', async () => {
    const ip = '192.0.2.24'
    await pushEvent(app, app.token, { ip, event_type: 'Spam', event_date: minutesAgo(3) })
    const wrong = await pushEvent(app, app.token, { ip, event_type: 'DDos' })
    await collectAll(app)
    assert.deepEqual(await listTags(app, ip), ['ddos:source', 'spam:complaint'])
    const path = `/beta/casework/cases/${await findCaseOf(wrong)}`
    const split = await app.send('POST', `${path}/split`, {
      token: app.token,
      json: { event_ids: [wrong] },
    })
    assert.ok(split.status < 300, split.text)
    await closeCase(await findCaseOf(wrong), 'false_positive')
    await collectAll(app)
    assert.deepEqual(await listTags(app, ip), ['spam:complaint'])
  })

  test('an event that retention removes takes its sighting with it', async () => {
    const eventId = await pushEvent(app, app.token, { ip: '192.0.2.25', event_type: 'Bot' })
    await collectAll(app)
    assert.deepEqual(await listTags(app, '192.0.2.25'), ['botnet:member'])
    await closeCase(await findCaseOf(eventId), 'expired')
    const { removeEvents } = await import('../privacy/retention/retention-store.ts')
    const { kysely } = app.services.foundation.database
    const before = 'ffffffff-ffff-7fff-bfff-ffffffffffff'
    await kysely.transaction().execute(async (tx) => {
      const range = { afterId: previousId(eventId), before }
      const done = await removeEvents(tx, { tenantId: 'default' }, range, 1)
      assert.equal(done.removed, 1)
    })
    await collectAll(app)
    assert.deepEqual(await listSightings(app, '192.0.2.25'), [])
  })

  test('an erased reporter no longer counts', async () => {
    const ip = '192.0.2.26'
    await pushEvent(app, app.token, { ip, sender_email: 'ana.beispiel@person.example' })
    await collectAll(app)
    assert.deepEqual(await listTags(app, ip), ['phishing:host'])
    await eraseAddress(app, app.token, 'ana.beispiel@person.example')
    await collectAll(app)
    assert.deepEqual(await listSightings(app, ip), [])
  })
})

describe('the worker', () => {
  test('two at once give what one gives', async () => {
    const ip = '192.0.2.30'
    const collectors = [openCollector(app), openCollector(app)]
    for (let number = 0; number < 8; number += 1) {
      const sender = `r${number}@site${number}.example`
      // oxlint-disable-next-line eslint/no-await-in-loop
      await pushEvent(app, app.token, { ip, sender_email: sender })
      // oxlint-disable-next-line eslint/no-await-in-loop
      await Promise.all(collectors.map(({ collect }) => collect()))
    }
    await collectAll(app)
    const stored = await listSightings(app, ip)
    assert.equal(stored.length, 8)
    assert.equal(new Set(stored.map(({ source }) => source)).size, 8)
  })

  test('a pass that breaks off before its end is repeated, and nothing is lost or doubled', async () => {
    const ip = '192.0.2.31'
    await pushEvent(app, app.token, { ip })
    const noted = await query(app.connection, 'select id, items from report_sighting_change')
    assert.equal(noted.length, 1)
    await collectAll(app)
    const stored = await listSightings(app, ip)
    // As after a kill between the commit of the sightings and that of the collected rows.
    await query(
      app.connection,
      `insert into report_sighting_change (tenant_id, id, items) values ('default', $1, $2)`,
      [noted[0]?.['id'], noted[0]?.['items']],
    )
    await collectAll(app)
    assert.deepEqual(await listSightings(app, ip), stored)
    assert.equal((await query(app.connection, 'select from report_sighting_change')).length, 0)
  })

  test('takes the tenant that has waited longest first, whatever its id', async () => {
    const many = `from generate_series(1, 101) as number`
    const id = `'many-' || lpad(number::text, 3, '0')`
    await query(
      app.connection,
      `insert into tenant (id, name, share_sightings, share_sightings_origin) select ${id}, 'Many', true, 'person' ${many}`,
    )
    await query(
      app.connection,
      `insert into report_sharing (tenant_id, source_key, reporters_min) select ${id}, ${id}, 3 ${many}`,
    )
    await query(
      app.connection,
      `insert into report_sighting_change (tenant_id, items, due_at)
       select ${id}, array['192.0.2.33'], now() - number * interval '1 minute' ${many}`,
    )
    const found = await listSharingWork(app.services.foundation.database.kysely, 3)
    assert.equal(found.length, 100)
    assert.deepEqual([found[0]?.tenantId, found[99]?.tenantId], ['many-101', 'many-002'])
    await query(app.connection, `delete from report_sighting_change where tenant_id like 'many-%'`)
    await query(app.connection, `delete from report_sharing where tenant_id like 'many-%'`)
    await query(app.connection, `delete from tenant where id like 'many-%'`)
  })

  test('goes on with the others when it fails for the tenant that has waited longest', async () => {
    const { pool } = app.services.foundation.database
    await query(
      app.connection,
      `insert into tenant (id, name, share_sightings, share_sightings_origin) values ('stuck', 'Stuck', true, 'person')`,
    )
    await query(
      app.connection,
      `insert into report_sharing (tenant_id, source_key, reporters_min) values ('stuck', 'stuck', 5)`,
    )
    await query(
      app.connection,
      `insert into report_sighting_change (tenant_id, items, due_at)
       values ('stuck', array['192.0.2.34'], now() - interval '1 hour')`,
    )
    // Its work begins with the smallest number of reporters, which is 3 now. A Citus cluster takes
    // no trigger.
    await pool.query(
      `alter table report_sharing add constraint stuck
       check (tenant_id <> 'stuck' or reporters_min = 5)`,
    )
    try {
      await pushEvent(app, app.token, { ip: '192.0.2.35' })
      await collectAll(app)
      assert.deepEqual(await listTags(app, '192.0.2.35'), ['phishing:host'])
      const left = `select items from report_sighting_change where tenant_id = 'stuck'`
      assert.deepEqual(await query(app.connection, left), [{ items: ['192.0.2.34'] }])
    } finally {
      await pool.query('alter table report_sharing drop constraint stuck')
      for (const table of ['report_sighting_change', 'report_sharing']) {
        await query(app.connection, `delete from ${table} where tenant_id = 'stuck'`)
      }
      await query(app.connection, `delete from tenant where id = 'stuck'`)
    }
  })

  test('an item with very many events waits for its turn, and is not forgotten', async () => {
    const ip = '192.0.2.32'
    const nowMs = Date.now()
    const { collect } = openCollector(app, { nowMs: () => nowMs })
    const events = Array.from({ length: 600 }, (_, index) => ({
      event_type: 'PortScan',
      event_date: new Date(nowMs - index * 1_000).toISOString(),
      ip,
    }))
    await app.send('POST', '/beta/casework/events', { token: app.token, json: events })
    await collect()
    await pushEvent(app, app.token, { ip, event_type: 'Bot' })
    await collect()
    const deferred = await query(app.connection, 'select items from report_sighting_change')
    assert.deepEqual(deferred, [{ items: [ip] }])
    await query(app.connection, 'update report_sighting_change set due_at = now()')
    await collectAll(app)
    assert.deepEqual(await listTags(app, ip), ['botnet:member', 'scan:port'])
  })
})

// UUIDs are ordered as their text.
function previousId(id: string): string {
  const last = Number.parseInt(id.slice(-12), 16) - 1
  return `${id.slice(0, -12)}${last.toString(16).padStart(12, '0')}`
}
