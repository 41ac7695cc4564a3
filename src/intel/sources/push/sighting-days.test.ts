// Sightings are kept by day: what that costs, what it keeps, and that a repeat still changes
// nothing.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openTestApp, type TestApp, withApp } from '../../../../test/harness.ts'
import { holdClock, NOON_MS, openSecondNode, sightingRow } from '../../../../test/intel-fixtures.ts'
import { createDatabase, type Database } from '../../../kernel/db/database.ts'
import { silentLog } from '../../../kernel/log.ts'
import { readFewChanges } from '../../index/fact-store.ts'
import { readSerials } from '../../index/serial-store.ts'
import { sumFormerSightings } from './former-sightings.ts'
import { pushSightings } from './push-store.ts'
import type { SightingRow } from './staged-rows.ts'

const SECOND_MS = 1_000
const DAY_MS = 86_400_000
const ITEM = '192.0.2.1'

function rowAt(lastSeenMs: number, more: Partial<SightingRow> = {}): SightingRow {
  return {
    subject: ITEM,
    kind: 'honeypot',
    service: 'ssh',
    type: 'login-attack',
    source: 'trap-1',
    firstSeenMs: lastSeenMs,
    lastSeenMs,
    count: 1,
    ...more,
  }
}

const hoursBeforeNoon = (hours: number): string =>
  new Date(NOON_MS - hours * 3_600_000).toISOString()

const secondly = (from: number, count: number): SightingRow[] =>
  Array.from({ length: count }, (_, at) => rowAt(NOON_MS - (from + at) * SECOND_MS))

describe('sightings of a day', () => {
  let app: TestApp
  // One connection, whose statistics can be read at once.
  let database: Database

  before(async () => {
    app = await openTestApp({ clock: holdClock() })
    database = createDatabase({ connection: app.connection, poolMax: 1, log: silentLog })
  })
  after(async () => {
    await database.close()
    await app.close()
  })

  const query = async (text: string) => (await database.pool.query(text)).rows
  const days = () =>
    query(`
      select day::text, count, is_single, is_closed from sighting
      where subject = '${ITEM}' order by source_id, service, type, day`)
  const push = (rows: readonly SightingRow[]) => pushSightings(database, rows)
  const forget = () => query('truncate sighting, sighting_observation, former_sighting')

  /** Rows of the tables of sightings that were read or written since the last call. */
  const countRows = async (): Promise<number> => {
    await query('select pg_stat_force_next_flush()')
    const rows = await query(`
      select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0) + n_tup_ins + n_tup_upd + n_tup_del), 0)::bigint as rows
      from pg_stat_user_tables where relname like '%sighting%'`)
    return rows[0].rows
  }
  const costOfOneMore = async (at: number): Promise<number> => {
    const former = await countRows()
    const { serial: formerSerial } = await readSerials(database.kysely, 0)
    assert.equal(await push([rowAt(at)]), true)
    const { serial } = await readSerials(database.kysely, 0)
    const options = {
      builtAtMs: NOON_MS,
      lookBackSeconds: 86_400,
      after: formerSerial,
      upTo: serial,
    }
    await readFewChanges(database.kysely, options)
    return (await countRows()) - former
  }

  it('touches the same rows for one more sighting of an address at 15 as at 20,000', async () => {
    await push(secondly(10, 15))
    const few = await costOfOneMore(NOON_MS - 1 * SECOND_MS)
    await push(secondly(100, 20_000))
    const many = await costOfOneMore(NOON_MS - 2 * SECOND_MS)
    assert.ok(few > 0)
    assert.ok(many <= few + 2, `${few} rows at first, ${many} with many`)
    assert.deepEqual(await days(), [
      { day: '2026-01-31', count: 20_017, is_single: false, is_closed: false },
    ])
  })

  it('keeps span and sum, and changes nothing when a push is repeated whole, in part, or in another order', async () => {
    await forget()
    const rows = [
      rowAt(NOON_MS, { count: 3 }),
      rowAt(NOON_MS - DAY_MS, { firstSeenMs: NOON_MS - 2 * DAY_MS }),
      rowAt(NOON_MS - 5 * SECOND_MS),
      rowAt(NOON_MS, { service: '' }),
    ]
    for (const row of rows) assert.equal(await push([row]), true)
    const known = await days()
    assert.deepEqual(
      known.map(({ day, count, is_single: isSingle }) => [day, count, isSingle]),
      [
        ['2026-01-31', 1, true],
        ['2026-01-30', 1, true],
        ['2026-01-31', 4, false],
      ],
    )
    for (const again of [rows, rows.slice(1), rows.toReversed(), [rowAt(NOON_MS, { count: 2 })]]) {
      assert.equal(await push(again), false)
    }
    assert.deepEqual(await days(), known)
    // A larger count of the same observation replaces the smaller one.
    assert.equal(await push([rowAt(NOON_MS, { count: 7 }), rowAt(NOON_MS - DAY_MS)]), true)
    assert.deepEqual(
      (await days()).map(({ count }) => count),
      [1, 2, 8],
    )
  })

  it('counts each observation once when two pushes bring them at the same time', async () => {
    await forget()
    const pool = app.services.foundation.database
    for (let round = 0; round < 10; round += 1) {
      const at = NOON_MS - round * 3_600_000
      const rows = Array.from({ length: 4 }, (_, one) => rowAt(at - one * SECOND_MS))
      await Promise.all(
        [rows, rows.slice(1), rows.slice(0, 2), rows.toReversed()].map((some) =>
          pushSightings(pool, some),
        ),
      )
    }
    const [sum] = await query('select sum(count)::integer as count from sighting')
    assert.deepEqual(sum, { count: 40 })
  })

  it('counts the same in a large push, whose days are partly known', async () => {
    await forget()
    const rows = Array.from({ length: 3_000 }, (_, at) =>
      rowAt(NOON_MS - at * SECOND_MS, { subject: `10.0.${at % 10}.${at % 250}` }),
    )
    await push(rows.slice(0, 1_500))
    await push(rows)
    await push(rows)
    const [sum] = await query(
      'select sum(count)::integer as count, (select count(*)::integer from sighting_observation) as observations from sighting',
    )
    assert.deepEqual(sum, { count: 3_000, observations: 3_000 })
  })

  it('raises the count of a closed day to what a push says, and adds nothing to it', async () => {
    await forget()
    await push([rowAt(NOON_MS), rowAt(NOON_MS - SECOND_MS)])
    await query('update sighting set is_closed = true')
    await query('truncate sighting_observation')
    assert.equal(await push([rowAt(NOON_MS)]), false)
    assert.equal(await push([rowAt(NOON_MS, { count: 9 })]), true)
    assert.equal(await push([rowAt(NOON_MS - 60 * SECOND_MS)]), true)
    assert.deepEqual(await days(), [
      { day: '2026-01-31', count: 9, is_single: false, is_closed: true },
    ])
    const observations = await query('select from sighting_observation')
    assert.equal(observations.length, 0)
  })

  it('moves former sightings in small steps, which no reader sees, and takes repeats of them for repeats', async (t) => {
    await forget()
    const rows = [
      rowAt(NOON_MS),
      rowAt(NOON_MS - SECOND_MS),
      rowAt(NOON_MS - DAY_MS),
      rowAt(NOON_MS - 2 * DAY_MS, { count: 4 }),
    ]
    await push(rows)
    await query(`
      insert into former_sighting (subject, source_id, service, type, first_seen, last_seen, count)
      select subject, source_id, service, type, first_seen, last_seen, 1 from sighting_observation
      union all
      select subject, source_id, service, type, first_seen, last_seen, count from sighting where is_single`)
    await query('truncate sighting, sighting_observation')
    const seen = () =>
      query(`
        select min(first_seen)::text as first, max(last_seen)::text as last, sum(count)::integer as count
        from known_sighting where subject = '${ITEM}'`)
    const known = await seen()
    assert.equal(known[0].count, 7)
    // As a process that starts on such a database.
    const upgraded = createDatabase({ connection: app.connection, poolMax: 1, log: silentLog })
    t.after(() => upgraded.close())
    // A push in between: one observation is a repeat, one is new on a day with former ones.
    await pushSightings(upgraded, [rowAt(NOON_MS - SECOND_MS), rowAt(NOON_MS - 2 * SECOND_MS)])
    assert.equal((await seen())[0].count, 8)
    assert.equal((await query('select from former_sighting')).length, 3)
    for (const left of [2, 1, 0]) {
      assert.deepEqual(await sumFormerSightings(upgraded.pool, 1), { moved: 1, isMore: true })
      assert.equal((await query('select from former_sighting')).length, left)
      assert.equal((await seen())[0].count, 8)
    }
    assert.deepEqual(await sumFormerSightings(upgraded.pool, 1), { moved: 0, isMore: false })
    assert.equal(await push(rows), false)
    assert.deepEqual(
      (await days()).map(({ count, is_single: isSingle }) => [count, isSingle]),
      [
        [4, true],
        [1, true],
        [3, false],
      ],
    )
  })
})

describe('sightings by day', () => {
  let token: string
  const app = withApp({ clock: holdClock() }, async (opened) => {
    token = await opened.createToken({ scopes: ['intel:read', 'intel:write', 'sources:manage'] })
  })

  it('are answered by look-up, explanation and list as one, on every node', async () => {
    const rows = [0, 1, 30, 31].map((hours) =>
      sightingRow(ITEM, { lastSeen: hoursBeforeNoon(hours), count: 2 }),
    )
    for (const row of rows) {
      assert.equal((await app.send('POST', '/beta/sightings', { token, json: [row] })).status, 200)
    }
    const node = await openSecondNode(app)
    try {
      const asked = [
        (await app.send('GET', `/beta/query/${ITEM}`)).json(),
        (await node.send('GET', `/beta/query/${ITEM}`)).json(),
      ]
      for (const { result } of asked) {
        const span = { firstSeen: hoursBeforeNoon(31), lastSeen: hoursBeforeNoon(0) }
        const observation = { ...span, service: 'ssh', type: 'login-attack' }
        const interactions = { ...span, observations: [observation] }
        assert.deepEqual(result.observedActivity, { honeypotInteractions: interactions })
      }
    } finally {
      await node.close()
    }
    const path = '/beta/sources/honeypot/trap-1/entries'
    const { entries } = (await app.send('GET', path, { token })).json().result
    assert.equal(entries.length, 1)
    assert.equal(entries[0].count, 8)
    const removed = await app.send('DELETE', `${path}/${ITEM}`, { token })
    assert.equal(removed.status, 200, removed.text)
    const { pool } = app.services.foundation.database
    const left = await pool.query(
      'select subject from known_sighting union all select subject from sighting_observation',
    )
    assert.deepEqual(left.rows, [])
  })
})
