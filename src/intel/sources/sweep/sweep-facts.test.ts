// Retention of intel: entries that ran out, and sightings of days long ago.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Registry } from 'prom-client'
import { withApp } from '../../../../test/harness.ts'
import {
  holdClock,
  listingRow,
  NOON_MS,
  sightingRow,
  taggingRow,
} from '../../../../test/intel-fixtures.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { sweepEntries } from './sweep-entries.ts'
import { createSweepMetrics, sweepFacts } from './sweep-facts.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const at = (ms: number): string => new Date(ms).toISOString()
const subjects = (text: string): number => Number(/\((\d+) subjects\)/.exec(text)?.[1])
const SIGNAL = new AbortController().signal

describe('retention of intel', () => {
  const clock = holdClock()
  let token: string
  const app = withApp({ clock }, async (opened) => {
    token = await opened.createToken({ scopes: ['intel:read', 'intel:write'] })
  })
  const push = async (path: string, rows: readonly object[]) => {
    const answer = await app.send('POST', `/beta/${path}`, { token, json: rows })
    assert.deepEqual(answer.json().result, { accepted: rows.length, rejected: [] })
  }
  const query = async (text: string) =>
    (await app.services.foundation.database.pool.query(text)).rows
  const result = async (item: string) =>
    (await app.send('GET', `/beta/query/${item}`)).json().result
  const explained = async (item: string) =>
    (await app.send('GET', `/beta/explain/${item}`)).json().result.entries
  const known = async () => subjects((await app.send('GET', '/readyz')).text)
  const sweep = async () => {
    // The next pass over the tables is due at once.
    await query('update fact_sweep set next_at = now()')
    const metrics = createSweepMetrics(new Registry())
    const { database, config } = app.services.foundation
    await sweepFacts({ database, clock, config, metrics }, SIGNAL)
    const { values } = await metrics.removed.get()
    return Object.fromEntries(values.map(({ labels, value }) => [labels.kind, value]))
  }

  it('deletes entries some days after they ran out, which a look-up does not notice', async () => {
    clock.set(NOON_MS)
    const expires = at(NOON_MS + HOUR_MS)
    await push('listings', [
      listingRow('192.0.2.1', { expires }),
      listingRow('192.0.2.2', { lastSeen: at(NOON_MS - HOUR_MS), status: 'inactive' }),
      listingRow('192.0.2.3'),
      listingRow('192.0.2.4', { expires: at(NOON_MS + 30 * DAY_MS) }),
    ])
    await push('taggings', [taggingRow('192.0.2.1', 'phishing:host', { expires })])
    await push('allowances', [listingRow('192.0.2.1', { expires })])
    clock.set(NOON_MS + 6 * DAY_MS)
    assert.deepEqual(await sweep(), { sighting: 0, listing: 0, tagging: 0, allowance: 0 })
    // While it is kept, an explanation shows it as expired.
    assert.equal((await explained('192.0.2.1')).length, 3)
    clock.set(NOON_MS + 7 * DAY_MS + 2 * HOUR_MS)
    assert.deepEqual(await sweep(), { sighting: 0, listing: 2, tagging: 1, allowance: 1 })
    const left = await query('select subject from listing order by subject')
    assert.deepEqual(
      left.map(({ subject }) => subject),
      ['192.0.2.3', '192.0.2.4'],
    )
    assert.equal((await result('192.0.2.1')).serviceMailBlocklist, 'INACTIVE')
    assert.equal((await result('192.0.2.4')).serviceMailBlocklist, 'ACTIVE')
  })

  it('leaves them out of memory, also on a node that was not started anew', async () => {
    clock.set(NOON_MS)
    const many = Array.from({ length: 400 }, (_, one) => `198.51.100.${one % 256}`)
    const rows = [...new Set(many)].map((item) =>
      listingRow(item, { expires: at(NOON_MS + HOUR_MS) }),
    )
    await push('listings', rows)
    const before = await known()
    assert.ok(before >= rows.length)
    clock.set(NOON_MS + 9 * DAY_MS)
    await waitUntil(async () => {
      clock.set(clock.nowMs() + 2 * 60_000)
      await app.services.intel.index.refreshNow()
      return (await known()) <= before - rows.length
    })
    // The rows are still in the database: memory does not wait for the sweep.
    const [row] = await query('select count(*)::integer as count from listing')
    assert.ok(row.count >= rows.length)
  })

  it('forgets the observations of a day that nothing was added to for eight days', async () => {
    clock.set(NOON_MS)
    const item = '203.0.113.7'
    await push('sightings', [
      sightingRow(item),
      sightingRow(item, { lastSeen: at(NOON_MS - HOUR_MS) }),
      sightingRow(item, { lastSeen: at(NOON_MS - DAY_MS) }),
    ])
    const days = () =>
      query(
        `select count, is_single, is_closed from sighting where subject = '${item}' order by day`,
      )
    const single = { count: 1, is_single: true, is_closed: false }
    await query('update sighting set changed_on = current_date - 8')
    await sweep()
    assert.deepEqual(await days(), [single, { count: 2, is_single: false, is_closed: false }])
    await query('update sighting set changed_on = current_date - 9')
    await sweep()
    assert.deepEqual(await days(), [single, { count: 2, is_single: false, is_closed: true }])
    assert.deepEqual(await query('select from sighting_observation'), [])
  })

  it('deletes sightings at the end of their retention, which every node sees', async () => {
    clock.set(NOON_MS)
    const item = '203.0.113.8'
    const long = at(NOON_MS - 365 * DAY_MS)
    const rows = [sightingRow(item, { lastSeen: long }), sightingRow(item)]
    await push('sightings', rows)
    assert.equal((await result(item)).firstSeen, long)
    await sweep()
    assert.equal((await result(item)).firstSeen, long)
    clock.set(NOON_MS + DAY_MS)
    assert.equal((await sweep())['sighting'], 1)
    await app.services.intel.index.refreshNow()
    assert.equal((await result(item)).firstSeen, at(NOON_MS))
  })
})

describe('the sweep of a table', () => {
  const app = withApp({ clock: holdClock() })

  it('goes on where it ended, in steps of bounded size, and pauses at the end', async () => {
    const { kysely, pool } = app.services.foundation.database
    await pool.query(`
      insert into listing (subject, source_id, name, is_active, first_seen, last_seen, expires_at)
      select '192.0.2.' || one, 1, 'spam', true, now(), now(),
        case when one % 2 = 0 then now() - interval '1 day' end
      from generate_series(1, 9) as one`)
    const now = new Date(Date.now() + HOUR_MS)
    const step = () => sweepEntries(kysely, 'listing', now, 4)
    assert.deepEqual(await step(), { removed: 2, isMore: true })
    assert.deepEqual(await step(), { removed: 2, isMore: true })
    assert.deepEqual(await step(), { removed: 0, isMore: false })
    await pool.query("update listing set expires_at = now() - interval '1 day'")
    assert.deepEqual(await step(), { removed: 0, isMore: false })
    await pool.query('update fact_sweep set next_at = now()')
    assert.deepEqual(await step(), { removed: 4, isMore: true })
  })

  it('is left to one node at a time', async () => {
    const { kysely, pool } = app.services.foundation.database
    await pool.query('update fact_sweep set next_at = now()')
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query('select from fact_sweep for update')
      const step = await sweepEntries(kysely, 'listing', new Date(), 4)
      assert.deepEqual(step, { removed: 0, isMore: false })
    } finally {
      await client.query('rollback')
      client.release()
    }
  })
})
