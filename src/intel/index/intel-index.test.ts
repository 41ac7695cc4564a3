import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness.ts'
import { holdClock, NOON_MS, openSecondNode } from '../../../test/intel-fixtures.ts'
import { waitUntil } from '../../../test/wait.ts'
import { parseItem } from '../../values/item.ts'
import { CHECK_LISTED } from '../snapshot/fact-bits.ts'
import { pushSightings, pushStatements } from '../sources/push/push-store.ts'
import type { StatementRow } from '../sources/push/staged-rows.ts'
import type { IntelIndex } from './intel-index.ts'

const NOON_SECONDS = NOON_MS / 1_000

function listing(subject: string, more: Partial<StatementRow> = {}): StatementRow {
  const row = { subject, name: 'spam', source: 'desk', isActive: true, reason: null }
  const times = { firstSeenMs: NOON_MS, lastSeenMs: NOON_MS, hasLastSeen: true, expiresMs: null }
  return { ...row, ...times, ...more }
}

function isListed(index: IntelIndex, text: string): boolean {
  const item = parseItem(text)
  assert.ok(item !== null)
  return (index.view().check(item, NOON_SECONDS) & CHECK_LISTED) !== 0
}

const address = (at: number): string => `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`

describe('the index of look-ups', () => {
  let app: TestApp
  let index: IntelIndex
  before(async () => {
    app = await openTestApp({ clock: holdClock() })
    index = app.services.intel.index
  })
  after(() => app.close())
  const push = async (rows: readonly StatementRow[]) => {
    await pushStatements(app.services.foundation.database, 'listing', rows)
    await index.refreshNow()
  }

  it('answers the same from a snapshot as from the overlay, fact by fact', async () => {
    const db = app.services.foundation.database
    const odd = 'tab\there "quoted" \\ back, {braces} and ünïcode null'
    await push([
      listing('192.0.2.1', { reason: odd, name: odd, source: odd, expiresMs: NOON_MS + 1 }),
      listing('2001:db8::/32', { name: 'NULL' }),
      listing('example.com', { source: 'null' }),
      listing('192.0.2.2', { isActive: false }),
    ])
    await pushStatements(db, 'tagging', [listing('192.0.2.1', { name: 'scan:port' })])
    await pushStatements(db, 'allowance', [listing('192.0.2.1')])
    const sighting = { subject: '192.0.2.1', kind: 'honeypot', service: '', type: 'a', source: 's' }
    await pushSightings(db, [
      { ...sighting, firstSeenMs: NOON_MS - 5_500, lastSeenMs: NOON_MS - 2_500, count: 2 },
      { ...sighting, firstSeenMs: NOON_MS - 1_500, lastSeenMs: NOON_MS - 1_500, count: 3 },
    ])
    await index.refreshNow()
    const second = await openSecondNode(app)
    try {
      const copied = second.services.intel.index
      assert.equal(copied.view().overlay.length, 0)
      assert.equal(index.view().snapshot.meta.subjectCount, 0)
      for (const text of ['192.0.2.1', '192.0.2.2', '2001:db8::1', 'www.example.com']) {
        const item = parseItem(text)
        assert.ok(item !== null)
        assert.deepEqual(copied.view().lookup(item), index.view().lookup(item), text)
      }
      const item = parseItem('192.0.2.1')
      assert.ok(item !== null)
      const facts = index.view().lookup(item)
      assert.deepEqual(
        facts.listings.map((fact) => [fact.list, fact.source, fact.expiresSeconds]),
        [[odd, odd, NOON_SECONDS + 1]],
      )
      assert.deepEqual(
        facts.sightings.map((fact) => [fact.firstSeenSeconds, fact.lastSeenSeconds, fact.count]),
        [[NOON_SECONDS - 6, NOON_SECONDS - 2, 5]],
      )
      assert.equal(facts.allowances.length, 1)
    } finally {
      await second.close()
    }
  })

  it('takes a grown overlay into the snapshot, and loses nothing that is pushed meanwhile', async () => {
    await push(Array.from({ length: 20_050 }, (_, at) => listing(address(at))))
    // The merge began with the push; these land while it runs or after it.
    await push([listing('198.51.100.1'), listing(address(7), { isActive: false })])
    assert.ok(isListed(index, '198.51.100.1'))
    assert.ok(!isListed(index, address(7)))
    await waitUntil(() => index.view().snapshot.meta.subjectCount > 20_000)
    assert.ok(isListed(index, '198.51.100.1'))
    assert.ok(isListed(index, address(20_049)))
    assert.ok(!isListed(index, address(7)))
  })

  it('reads a change that is larger than what is known as a whole', async () => {
    const { pool } = app.services.foundation.database
    await pool.query(`
      with added as (
        insert into listing (subject, source_id, name, is_active, first_seen, last_seen)
        select '11.' || (n >> 16) || '.' || ((n >> 8) & 255) || '.' || (n & 255), 1, 'bulk', true, now(), now()
        from generate_series(0, 200500) n returning subject
      ), next as (update intel_serial set serial = serial + 1 returning serial),
      push as (insert into intel_push (serial, id, subject_count) select serial, -1, 200501 from next)
      insert into intel_change (push_id, subjects) select -1, array_agg(subject) from added`)
    await waitUntil(() => isListed(index, '11.3.15.52'))
    assert.equal(index.view().overlay.length, 0)
    assert.ok(index.view().snapshot.meta.subjectCount > 200_000)
  })

  it('starts anew when the database was restored to an earlier state', async () => {
    const { pool } = app.services.foundation.database
    await pool.query(`delete from listing where name = 'bulk'`)
    await pool.query('delete from intel_push where serial > 1')
    await pool.query('update intel_serial set serial = 1')
    await waitUntil(() => !isListed(index, '11.3.15.52'))
    assert.equal(index.state().serial, 1)
    await push([listing('198.51.100.9')])
    assert.ok(isListed(index, '198.51.100.9'))
  })
})

describe('the readiness of the index', () => {
  it('tells the serial, and is degraded when the change log was not read for a while', async () => {
    const clock = holdClock()
    const app = await openTestApp({ clock })
    try {
      const { readiness } = app.services.foundation
      const check = readiness.list().find((one) => one.name === 'intel')
      assert.equal((await check?.check())?.state, 'ok')
      assert.match((await check?.check())?.detail ?? '', /serial 0 /)
      // Closed, so that no poll comes between.
      await app.services.intel.index.close()
      clock.set(NOON_MS + 6_000)
      assert.equal((await check?.check())?.state, 'degraded')
    } finally {
      await app.close()
    }
  })
})
