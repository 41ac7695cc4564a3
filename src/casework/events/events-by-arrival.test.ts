// The list of events in the order in which they came, of those that happened before some time:
// found by the hours of arrivals.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { buildIncomingEvent } from '../../../test/build-incoming-event.ts'
import { openTestApp, type TestApp } from '../../../test/harness.ts'
import { walkList } from '../../../test/walk-list.ts'
import { inTransaction } from '../../kernel/db/database.ts'
import { createIdSource } from '../../kernel/ids.ts'
import { findPackageRoot } from '../../values/resources.ts'
import type { IncomingEvent } from './incoming-event.ts'
import { ingest } from './ingest.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
})
after(async () => app.close())

const START_MS = Date.UTC(2026, 0, 1)
const MINUTE_MS = 60_000
const TYPES = ['Spam', 'Phishing']
const ADDRESSES = ['192.0.2.1', '192.0.2.2', null]

interface Sample {
  /** Minutes since the start. */
  readonly arrived: number
  readonly happened: number
  readonly type: number
  readonly address: number
}

interface Stored extends Sample {
  readonly id: string
}

function arrive({ happened, type, address }: Sample, number: number): IncomingEvent {
  return buildIncomingEvent(number.toString(16).padStart(64, '0'), {
    eventDate: new Date(START_MS + happened * MINUTE_MS).toISOString(),
    eventType: TYPES[type] ?? 'Spam',
    ip: ADDRESSES[address] ?? null,
  })
}

/** Stored as if they had come at their times. */
async function store(tenantId: string, batches: readonly (readonly Sample[])[]): Promise<Stored[]> {
  const { database } = app.services.foundation
  const { conditions } = app.services.casework
  const stored: Stored[] = []
  for (const batch of batches) {
    let at = 0
    const ids = createIdSource({ nowMs: () => START_MS + (batch[at]?.arrived ?? 0) * MINUTE_MS })
    for (const [index, sample] of batch.entries()) {
      at = index
      const arrival = arrive(sample, stored.length)
      const taken = await inTransaction(database.kysely, (tx) =>
        ingest(tx, { ids, ...conditions }, { tenantId }, [arrival], new Date()),
      )
      stored.push({ ...sample, id: taken.outcomes[0]?.eventId ?? '' })
    }
  }
  return stored
}

async function list(token: string, query: string): Promise<readonly string[]> {
  const path = `/beta/casework/events?sort=create_date&${query}`
  const items = await walkList((page) => app.send('GET', page, { token }), path)
  return items.map((item) => item.event_id)
}

const HOURS = 8 * 60
const sample = fc.record({
  arrived: fc.nat({ max: HOURS }),
  happened: fc.nat({ max: HOURS }),
  type: fc.nat({ max: 1 }),
  address: fc.nat({ max: 2 }),
})

let tenants = 0

test('whatever came when, each page by arrival holds what happened before the bound, the newest arrival first', async () => {
  const property = fc.asyncProperty(
    fc.array(fc.array(sample, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 }),
    fc.nat({ max: HOURS + 1 }),
    fc.integer({ min: 1, max: 5 }),
    async (batches, bound, limit) => {
      tenants += 1
      const tenantId = `arrivals-${tenants}`
      await app.createTenant(tenantId)
      const token = await app.createToken({ tenantId })
      const stored = await store(tenantId, batches)
      const until = new Date(START_MS + bound * MINUTE_MS).toISOString()
      const filters: readonly (readonly [string, (one: Sample) => boolean])[] = [
        ['', () => true],
        ['&event_type=Phishing', ({ type }) => type === 1],
        ['&ip=192.0.2.1', ({ address }) => address === 0],
        ['&unassigned=true', ({ address }) => address === 2],
        ['&resolved=true', () => false],
      ]
      for (const order of ['desc', 'asc']) {
        for (const [filter, matches] of filters) {
          const expected = stored
            .filter((one) => one.happened < bound && matches(one))
            .map(({ id }) => id)
            .toSorted()
          if (order === 'desc') expected.reverse()
          const query = `order=${order}&limit=${limit}&event_before=${until}${filter}`
          assert.deepEqual(await list(token, query), expected, query)
        }
      }
    },
  )
  await fc.assert(property, { numRuns: 8 })
})

test('whatever came when and how late, the pages from the oldest event on hold each event once, in order', async () => {
  const DAYS = 24 * 60
  const late = fc.record({
    arrived: fc.nat({ max: 300 * DAYS }),
    lateBy: fc.oneof(fc.nat({ max: 2 * DAYS }), fc.nat({ max: 200 * DAYS })),
    type: fc.nat({ max: 1 }),
  })
  const property = fc.asyncProperty(
    fc.array(late, { minLength: 1, maxLength: 40 }),
    fc.integer({ min: 1, max: 4 }),
    fc.nat({ max: 300 * DAYS }),
    async (samples, limit, bound) => {
      tenants += 1
      const tenantId = `oldest-${tenants}`
      await app.createTenant(tenantId)
      const token = await app.createToken({ tenantId })
      const batch = samples.map(({ arrived, lateBy, type }) => {
        return { arrived, happened: arrived - lateBy, type, address: 0 }
      })
      const stored = await store(tenantId, [batch])
      const since = new Date(START_MS + bound * MINUTE_MS).toISOString()
      const filters: readonly (readonly [string, (one: Sample) => boolean])[] = [
        ['', () => true],
        ['&event_type=Phishing', ({ type }) => type === 1],
        [`&event_after=${since}`, ({ happened }) => happened >= bound],
        [`&event_before=${since}`, ({ happened }) => happened < bound],
      ]
      for (const sort of ['event_date', 'create_date'] as const) {
        for (const order of ['asc', 'desc']) {
          for (const [filter, matches] of filters) {
            const wanted = stored.filter(matches).toSorted((a, b) => {
              const byId = a.id < b.id ? -1 : 1
              return sort === 'event_date' ? a.happened - b.happened || byId : byId
            })
            if (order === 'desc') wanted.reverse()
            const items = await walkList(
              (page) => app.send('GET', page, { token }),
              `/beta/casework/events?sort=${sort}&order=${order}&limit=${limit}${filter}`,
            )
            const found = items.map((item) => item.event_id)
            assert.deepEqual(
              found,
              wanted.map(({ id }) => id),
              `${sort} ${order} ${filter}`,
            )
          }
        }
      }
    },
  )
  await fc.assert(property, { numRuns: 6 })
})

test('the migration writes the hours of stored events as intake does', async () => {
  const tenantId = 'arrivals-before'
  await app.createTenant(tenantId)
  const times = [0, 59, 60, 61, 119, 120, 400].map((arrived, at) => ({
    arrived,
    happened: 300 - at * 7,
    type: 0,
    address: 0,
  }))
  await store(tenantId, [times])
  const { pool } = app.services.foundation.database
  const read = async () => {
    const found = await pool.query('select * from event_hour order by tenant_id, from_id')
    return found.rows
  }
  const written = await read()
  assert.equal(written.filter((row) => row.tenant_id === tenantId).length, 4)
  const file = readFileSync(`${findPackageRoot()}/migrations/0029-hours-of-events.sql`, 'utf8')
  await pool.query('delete from event_hour')
  await pool.query(file.slice(file.indexOf('insert into event_hour')))
  assert.deepEqual(await read(), written)
})
