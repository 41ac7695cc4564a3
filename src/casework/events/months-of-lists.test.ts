// Lists and other statements that name no time leave out months without an event of theirs.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client } from 'pg'
import { openTestApp, SUPERUSER, type TestApp } from '../../../test/harness.ts'
import {
  openPlanReader,
  type PlanReader,
  readKeptPlan,
  readKeptPlansOfArrays,
} from '../../../test/plan-kit.ts'
import { inTransaction } from '../../kernel/db/database.ts'
import { findEventMonths } from '../../kernel/db/months/event-months.ts'
import { startOfMonth, writeMonth } from '../../kernel/db/months/months.ts'
import type { CursorPosition } from '../../kernel/http/cursor.ts'
import { buildUuidFloor } from '../../kernel/ids.ts'
import { parseAddressSpan } from '../../values/address-span.ts'
import { countEvents } from '../cases/case-counters-store.ts'
import { findByContent } from '../cases/lists/case-content-store.ts'
import { findEventsByWords } from '../desk/search/search-store.ts'
import type { ReportSearch } from '../reports/report-filter-store.ts'
import { listReports } from '../reports/report-store.ts'
import { listReportedEvents } from '../sightings/reported-event-store.ts'
import { type EventFilter, findOwnersOfEvents, listEvents } from './event-list-store.ts'
import { markEventsResolved } from './event-moves-store.ts'
import type { EventSort } from './event-window.ts'

let app: TestApp
const SCOPE = { tenantId: 'default' }
const DAY_MS = 24 * 60 * 60 * 1_000
/** The start of a month that no new installation has a partition for, and of the later ones. */
const monthMs = (later: number): number => startOfMonth(Date.now(), 3 + later)
const MONTHS = 9
const MANY = 1_001

let reader: PlanReader
before(async () => {
  app = await openTestApp()
  reader = openPlanReader(app.connection)
  for (let later = 0; later < MONTHS; later += 1) {
    await query(`select add_month('event', 'event_id', '${writeMonth(monthMs(later))}')`)
  }
  await write({ ip: '192.0.2.1', months: [0, 3] })
  await write({ ip: '192.0.2.2', months: [1], domain: 'a.site.example' })
  await write({ ip: '192.0.2.9', months: [4], sender: 'Rare@reporter.example' })
  await write({ ip: '198.51.100.1', months: [0, 1, 2, 3, 4, 5], count: 400 })
  await write({ ip: '192.0.2.1', months: [5], tenant: 'other' })
})
after(async () => {
  await reader.close()
  await app.close()
})

interface Written {
  readonly ip: string
  readonly months: readonly number[]
  /** When they happened; as they came when left out. */
  readonly eventDate?: Date
  readonly count?: number
  readonly domain?: string
  readonly sender?: string
  readonly tenant?: string
}

let written = 0

/** Events of a customer and a case of their own, in the middle of each month. */
async function write(given: Written): Promise<void> {
  const { ip, months, count = 1, domain, sender, tenant = 'default' } = given
  for (const later of months) {
    const cameAt = new Date(monthMs(later) + 14 * DAY_MS)
    const eventDate = given.eventDate ?? cameAt
    const ids = Array.from({ length: count }, () => {
      written += 1
      const floor = buildUuidFloor(cameAt.getTime())
      return `${floor.slice(0, 24)}${written.toString(16).padStart(12, '0')}`
    })
    await query(
      `insert into event (tenant_id, event_id, create_date, event_date, event_type, sender_email, ip, domain, customer_id, case_id,
         event_subtypes, tags)
       select $1, id, $2, $7, 'Spam', $3, $4, $5, 'customer of ' || $4, 'C-' || $4, '{}', '{}' from unnest($6::uuid[]) as id
       returning 1 as inserted`,
      [tenant, cameAt, sender ?? 'often@reporter.example', ip, domain ?? null, ids, eventDate],
    )
    await query(
      `insert into event_hour (tenant_id, from_id, until_id, first_event_date) values ($1, $2, $3, $4)
       on conflict (tenant_id, from_id) do update set first_event_date = least(event_hour.first_event_date, excluded.first_event_date)`,
      [
        tenant,
        buildUuidFloor(cameAt.getTime()),
        buildUuidFloor(cameAt.getTime() + 3_600_000),
        eventDate,
      ],
    )
  }
}

async function query(text: string, values: readonly unknown[] = []) {
  return await app.services.foundation.database.pool.query(text, [...values])
}

const list = (
  filter: EventFilter,
  order: 'asc' | 'desc' = 'desc',
  {
    sort = 'event_date',
    position = null,
    scope = SCOPE,
  }: { sort?: EventSort; position?: CursorPosition | null; scope?: typeof SCOPE } = {},
) =>
  listEvents(reader.db, scope, filter, {
    sort,
    page: { limit: 10, order, position },
    nowMs: monthMs(MONTHS),
  })

const partitionOf = (later: number): string =>
  `event_${writeMonth(monthMs(later)).slice(0, 7).replace('-', '_')}`

/** The months since the first one of the test that the last statements looked into. */
async function readMonths(): Promise<readonly number[]> {
  const tables = await reader.readTables()
  return Array.from({ length: MONTHS }, (_, later) => later).filter((later) =>
    tables.has(partitionOf(later)),
  )
}

const range = parseAddressSpan('192.0.2.0/30')
if (typeof range === 'string') throw new Error(range)

const FEW: readonly (readonly [string, EventFilter, readonly number[]])[] = [
  ['an address', { ip: '192.0.2.1' }, [0, 3]],
  ['a customer', { customerId: 'customer of 192.0.2.2' }, [1]],
  ['a case', { caseId: 'C-192.0.2.1' }, [0, 3]],
  ['a domain', { domain: 'a.site.example' }, [1]],
  ['a domain and the names below it', { site: 'site.example' }, [1]],
  ['a reporter', { senderEmail: 'rare@reporter.example' }, [4]],
  ['a range', { range }, [0, 1, 3]],
]

for (const [name, filter, months] of FEW) {
  test(`a list of the few events of ${name} is planned over their months only, in both orders`, async () => {
    for (const order of ['asc', 'desc'] as const) {
      await reader.readTables()
      assert.equal((await list(filter, order)).length, months.length)
      assert.deepEqual(await readMonths(), months)
    }
  })
}

test('counting the events of a case and marking them as resolved read their months only', async () => {
  await reader.readTables()
  const [counted] = await countEvents(reader.db, SCOPE, ['C-192.0.2.1'])
  assert.equal(Number(counted?.eventCount), 2)
  assert.deepEqual(await readMonths(), [0, 3])
  const resolved = [{ caseId: 'C-192.0.2.2', until: null }]
  await inTransaction(reader.db, (tx) => markEventsResolved(tx, SCOPE, resolved))
  assert.deepEqual(await readMonths(), [1])
  const { rows } = await query(`select ip from event where resolved`)
  assert.deepEqual(rows, [{ ip: '192.0.2.2' }])
})

test('a list of some days long ago looks into the months in which they came', async () => {
  const at = monthMs(1) + 14 * DAY_MS
  await reader.readTables()
  const eventDate = {
    after: new Date(at - DAY_MS).toISOString(),
    before: new Date(at + DAY_MS).toISOString(),
  }
  assert.equal((await list({ eventDate })).length, 11)
  assert.deepEqual(await readMonths(), [1])
})

test('a list of all events from the oldest on is planned over the months of its page only', async () => {
  const scope = { tenantId: 'oldest' }
  await write({ ip: '192.0.2.1', months: [0, 1, 2, 4, 6], count: 30, tenant: 'oldest' })
  await reader.readTables()
  const [first] = await list({}, 'asc', { scope })
  assert.equal(first?.event_date.getTime(), monthMs(0) + 14 * DAY_MS)
  // Two hours are looked up, and here each month has one.
  assert.deepEqual(await readMonths(), [0, 1])
  const [arrived] = await list({}, 'asc', { sort: 'create_date', scope })
  assert.equal(arrived?.event_date.getTime(), monthMs(0) + 14 * DAY_MS)
  assert.deepEqual(await readMonths(), [0])
  // A later page.
  const at = new Date(monthMs(2) + 14 * DAY_MS).toISOString()
  const position = [at, buildUuidFloor(monthMs(2))]
  assert.equal((await list({}, 'asc', { position, scope })).length, 11)
  assert.deepEqual(await readMonths(), [2, 4])
  // So does a list since some time.
  const eventDate = { after: new Date(monthMs(0) + 20 * DAY_MS).toISOString() }
  assert.equal((await list({ eventDate }, 'asc', { scope })).length, 11)
  assert.deepEqual(await readMonths(), [0, 1, 2])
  assert.equal((await list({ eventTypes: ['Spam'] }, 'asc', { scope })).length, 11)
  assert.deepEqual(await readMonths(), [0, 1])
})

test('of an event that came late the list from the oldest on looks into its month as well', async () => {
  const scope = { tenantId: 'late' }
  await write({ ip: '192.0.2.1', months: [0, 1, 2, 4], count: 30, tenant: 'late' })
  const eventDate = new Date(monthMs(0) - 90 * DAY_MS)
  await write({ ip: '192.0.2.2', months: [6], eventDate, tenant: 'late' })
  await reader.readTables()
  const found = await list({}, 'asc', { scope })
  assert.deepEqual(
    found.slice(0, 2).map(({ ip }) => ip),
    ['192.0.2.2', '192.0.2.1'],
  )
  assert.deepEqual(await readMonths(), [0, 6])
})

test('a later page of the newest events leaves out the months that came since', async () => {
  const position = [
    new Date(monthMs(1) + 14 * DAY_MS).toISOString(),
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ]
  const scope = { tenantId: 'oldest' }
  await reader.readTables()
  assert.equal((await list({}, 'desc', { position, scope })).length, 11)
  assert.deepEqual(
    (await readMonths()).filter((month) => month > 1),
    [],
  )
})

test('rare words of many months are listed and searched for without a plan over them', async () => {
  const scope = { tenantId: 'words' }
  await write({ ip: '192.0.2.1', months: [0, 1, 2, 5], tenant: 'words' })
  const words = `update event set details = '{"text": "zeppelin"}' where tenant_id = 'words' and event_id < $1 returning 1 as one`
  assert.equal((await query(words, [buildUuidFloor(monthMs(3))])).rowCount, 3)
  const all: EventFilter = { text: 'zeppelin' }
  await reader.readTables()
  for (const order of ['asc', 'desc'] as const) {
    for (const sort of ['event_date', 'create_date'] as const) {
      const found = await list(all, order, { scope, sort })
      assert.deepEqual(
        found.map((row) => row.event_date.getTime()),
        (order === 'asc' ? [0, 1, 2] : [2, 1, 0]).map((later) => monthMs(later) + 14 * DAY_MS),
      )
    }
  }
  assert.deepEqual(await readMonths(), [])
  // Other conditions are looked at on the events with the words.
  const firstTwo = { before: new Date(monthMs(2)).toISOString() }
  const narrower: readonly (readonly [EventFilter, number])[] = [
    [{ eventDate: firstTwo }, 2],
    [{ eventTypes: ['Spam', 'Phishing'] }, 3],
    [{ eventTypes: ['PortScan', 'Phishing'] }, 0],
    [{ resolved: false }, 3],
    [{ resolved: true }, 0],
    [{ unassigned: true }, 0],
    [{ unassigned: false }, 3],
    [{ withoutCase: 'muted' }, 0],
    [{ withoutCase: 'held' }, 0],
  ]
  for (const [filter, count] of narrower) {
    for (const sort of ['event_date', 'create_date'] as const) {
      const found = await list({ ...all, ...filter }, 'desc', { scope, sort })
      assert.equal(found.length, count, JSON.stringify(filter))
    }
  }
  await reader.readTables()
  const found = await findEventsByWords(reader.db, scope, 'zeppelin', {
    after: null,
    count: 10,
    isFrequent: false,
  })
  assert.equal(found.rows.length, 3)
  // Only the newest months are looked through first.
  assert.deepEqual(await readMonths(), [5, 6, 7, 8])
  const ids = found.rows.map((row) => row.event_id)
  const owners = await findOwnersOfEvents(reader.db, scope, ids)
  assert.equal(owners.get(ids[0] ?? '')?.case_id, 'C-192.0.2.1')
  const { caseIds } = await findByContent(reader.db, scope, { text: 'zeppelin' })
  assert.deepEqual(caseIds, ['C-192.0.2.1'])
  assert.deepEqual(await readMonths(), [])
})

test('events are read by their ids from their own months only, by a kept plan', async () => {
  const { rows } = await query(
    `select event_id from event where tenant_id = 'default' and ip = '192.0.2.1' order by 1`,
  )
  const ids = rows.map((row) => row.event_id)
  const client = new Client({ ...app.connection, user: SUPERUSER })
  await client.connect()
  try {
    const read = () =>
      client.query(`select event_id from find_events_by_id('default', $1) order by 1`, [ids])
    // Planned here, which looks into all months.
    await read()
    await client.query('select pg_stat_force_next_flush()')
    await client.query('begin')
    const found = await read()
    assert.deepEqual(
      found.rows.map((row) => row.event_id),
      ids,
    )
    const scanned = await client.query(
      `select relname from pg_stat_xact_user_tables where relname like 'event%' and idx_scan + seq_scan > 0 order by 1`,
    )
    assert.deepEqual(
      scanned.rows.map((row) => row.relname),
      [partitionOf(0), partitionOf(3)],
    )
  } finally {
    await client.end()
  }
})

test('a plan that is kept since a month was empty reads it by the index of its condition', async () => {
  const server = await query(
    `select current_setting('server_version_num')::integer / 10000 as major`,
  )
  // PostgreSQL 15 reads such a month by its tenant (decision 19).
  const ofItems = server.rows[0]?.major === 15 ? /tenant_id = \$1/ : /domain = ANY/
  for (const [name, condition] of [
    ['find_events_by_id', /event_id/],
    ['find_events_of_items', ofItems],
    ['find_reports_of_senders', /lower\(sender_email\) >= \$2/],
  ] as const) {
    const plan = await readKeptPlan(app.connection, name)
    const conditions = plan.match(/Index Cond: .*/g) ?? []
    assert.ok(conditions.length >= MONTHS, plan)
    for (const one of conditions) assert.match(one, condition, name)
  }
})

test('a plan that asks for the months of a site or a range, kept since a month was empty, reads it by the index of the condition', async () => {
  const plans = await readKeptPlansOfArrays(app.connection, 'find_months_of_events')
  for (const condition of [/reverse\(domain\) >= /, /\(ip\)::inet >= /]) {
    const plan = plans.find((one) => condition.test(one)) ?? assert.fail(String(condition))
    const conditions = plan.match(/Index Cond: .*/g) ?? []
    assert.ok(conditions.length >= MONTHS, plan)
    for (const one of conditions) assert.match(one, condition)
  }
})

test('the events of items with few of them are counted without a plan over all months', async () => {
  const scope = { tenantId: 'items' }
  const count = async (column: 'ip' | 'domain', items: readonly string[]) => {
    const found = await listReportedEvents(reader.db, scope, column, items, new Set())
    return found.map(({ item, count: events }) => `${item}: ${events}`)
  }
  for (const [ip, months] of [
    ['192.0.2.3', [0, 2, 4, 6, 8]],
    ['192.0.2.4', [1]],
    ['192.0.2.5', [0, 2]],
  ] as const) {
    await write({ ip, months, tenant: 'items', domain: `${ip}.example`, count: 70 })
  }
  await reader.readTables()
  assert.deepEqual(await count('ip', ['192.0.2.4', '192.0.2.5', '192.0.2.9']), [
    '192.0.2.4: 70',
    '192.0.2.5: 70',
    '192.0.2.5: 70',
  ])
  assert.equal((await count('domain', ['192.0.2.5.example'])).length, 2)
  assert.deepEqual(await readMonths(), [])
  // More events than a few are looked for in their months.
  await write({ ip: '192.0.2.4', months: [1], tenant: 'items', count: 71 })
  assert.deepEqual(await count('ip', ['192.0.2.4', '192.0.2.5']), [
    '192.0.2.5: 70',
    '192.0.2.5: 70',
    '192.0.2.4: 141',
  ])
  assert.deepEqual(await readMonths(), [1])
  // So many that they are read in parts.
  const items = Array.from({ length: 12 }, (_, index) => `192.0.2.${100 + index}`)
  for (const ip of items) await write({ ip, months: [3], tenant: 'items', count: 100 })
  await reader.readTables()
  const counted = await count('ip', items)
  assert.deepEqual(counted.toSorted(), items.map((ip) => `${ip}: 100`).toSorted())
  assert.deepEqual(await readMonths(), [])
  const all = await count('ip', ['192.0.2.3', '192.0.2.5'])
  assert.deepEqual(
    all.map((one) => one.split(': ').at(-1)),
    Array.from({ length: 7 }, () => '70'),
  )
})

test('a search among reports looks into the months since they came', async () => {
  const scope = { tenantId: 'reports' }
  await query(`insert into tenant (id, name) values ('reports', 'reports')`)
  const id = buildUuidFloor(monthMs(4) + DAY_MS)
  await query(
    `insert into report (tenant_id, id, received_at, media_type, byte_length, sha256, state, event_count, received_by)
     values ('reports', $1, now(), 'message/rfc822', 1, sha256('1'), 'accepted', 1, 'test')`,
    [id],
  )
  await write({ ip: '192.0.2.1', months: [1, 4], sender: 'a@words.example', tenant: 'reports' })
  await query(
    `update event set report_id = $1 where tenant_id = 'reports' and event_id >= $1 returning 1 as one`,
    [id],
  )
  await reader.readTables()
  const page = { limit: 10, order: 'desc', position: null } as const
  const ids = async (search: ReportSearch) =>
    (await listReports(reader.db, scope, search, page)).map((report) => report.id)
  assert.deepEqual(await ids({ reporter: 'a@words.example' }), [id])
  // The newest are looked at first, from their months on; then all by the months of the reporter.
  assert.deepEqual(await readMonths(), [1, 3, 4, 5, 6, 7, 8])
  assert.deepEqual(await ids({ text: 'A@wor' }), [id])
  assert.deepEqual(await readMonths(), [3, 4, 5, 6, 7, 8])
  assert.deepEqual(await ids({ text: 'wor' }), [])
})

test('months that follow each other are one condition, and many conditions become one', async () => {
  const countConditions = async (ip: string): Promise<number | undefined> => {
    const months = await findEventMonths(reader.db, SCOPE, 'ip', [ip])
    return months?.compile(reader.db).sql.match(/event_id >=/g)?.length
  }
  await write({ ip: '192.0.2.50', months: [0, 1, 2, 5] })
  assert.equal(await countConditions('192.0.2.50'), 2)
  await write({ ip: '192.0.2.51', months: [0, 2, 4, 6, 8] })
  assert.equal(await countConditions('192.0.2.51'), 1)
  await reader.readTables()
  assert.equal((await list({ ip: '192.0.2.51' })).length, 5)
  assert.deepEqual(await readMonths(), [0, 1, 2, 3, 4, 5, 6, 7, 8])
})

test('a value without an event looks into no month', async () => {
  assert.deepEqual(await list({ ip: '203.0.113.1' }), [])
  assert.deepEqual(await readMonths(), [])
})

test('events of another tenant are of no account', async () => {
  const held = await findEventMonths(reader.db, { tenantId: 'other' }, 'ip', ['198.51.100.1'])
  assert.notEqual(held, null)
  await reader.readTables()
  assert.equal((await list({ ip: '192.0.2.1' })).length, 2)
})

test('a value of many events may be in any month, and its list finds all of them', async () => {
  assert.equal(await findEventMonths(reader.db, SCOPE, 'ip', ['198.51.100.1']), null)
  const { rows } = await query(`select count(*)::integer as count from event where ip = $1`, [
    '198.51.100.1',
  ])
  assert.ok(rows[0].count >= MANY)
  const first = await list({ ip: '198.51.100.1' }, 'asc')
  assert.equal(first[0]?.event_date.getTime(), monthMs(0) + 14 * DAY_MS)
  assert.equal(first.length, 11)
})

test('an event whose id tells no time is found as well', async () => {
  await query(
    `insert into event (tenant_id, event_id, create_date, event_date, event_type, sender_email, ip, event_subtypes, tags)
     select 'default', id::uuid, now(), now(), 'Spam', 'a@reporter.example', '192.0.2.77', '{}', '{}'
     from unnest('{00000000-0000-4000-8000-000000000001,ffffffff-ffff-4fff-bfff-ffffffffffff}'::text[]) as id
     returning 1 as inserted`,
  )
  assert.equal((await list({ ip: '192.0.2.77' })).length, 2)
})

test('the months of a value are asked for by a plan that a connection keeps', async () => {
  // The kept plans of a connection are shown to administrators only.
  const client = new Client({ ...app.connection, user: SUPERUSER })
  await client.connect()
  try {
    for (let time = 0; time < 2; time += 1) {
      // oxlint-disable-next-line eslint/no-await-in-loop
      await client.query(`select from find_months_of_events('default', 'ip', '{192.0.2.1}')`)
    }
    const { rows } = await client.query(
      `select from pg_backend_memory_contexts where name = 'CachedPlan' and ident like '%and ip = any(given)%'`,
    )
    assert.equal(rows.length, 1)
  } finally {
    await client.end()
  }
})
