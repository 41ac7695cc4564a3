// What must hold under concurrency: one open case per customer and group, exact counts, and repeats
// that change nothing.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { buildIncomingEvent } from '../../../test/build-incoming-event.ts'
import { openTestApp, type TestApp } from '../../../test/harness.ts'
import { compose } from '../../app/compose.ts'
import type { NewEvent } from '../../vocabulary/event.ts'
import { fingerprintEvent } from './fingerprint.ts'
import type { EventOutcome, IncomingEvent } from './incoming-event.ts'
import type { CommitEvents } from './ingest.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
})
after(async () => app.close())

function arrive(tenantId: string, members: Partial<NewEvent>): IncomingEvent {
  const arrival = buildIncomingEvent('', { eventType: 'PortScan', ...members })
  const fingerprint = fingerprintEvent(tenantId, { kind: 'content' }, arrival.event)
  return { ...arrival, fingerprint }
}

/** An event of one of `keys` customers, told from its siblings by its time. */
function eventOf(tenantId: string, customer: number, number: number): IncomingEvent {
  const eventDate = new Date(Date.UTC(2026, 3, 1) + number * 1_000).toISOString()
  return arrive(tenantId, { ip: `203.0.113.${customer}`, eventDate })
}

/** Open cases per key, and cases whose sums differ from a recount: both must be nothing. */
async function findFaults(tenantId: string): Promise<unknown> {
  const { pool } = app.services.foundation.database
  const surplus = await pool.query(
    `select customer_id, case_group_id, count(*) from abuse_case
     where tenant_id = $1 and state in ('NEW', 'IN_PROGRESS') group by 1, 2 having count(*) > 1`,
    [tenantId],
  )
  const wrong = await pool.query(
    `select abuse_case.id, event_count, counted.count from abuse_case left join lateral (
       select count(*) as count, min(event_date) as first, max(event_date) as last from event
       where event.tenant_id = abuse_case.tenant_id and event.case_id = abuse_case.id
     ) as counted on true
     where tenant_id = $1
       and (event_count, first_event_date, last_event_date) is distinct from (counted.count, counted.first, counted.last)`,
    [tenantId],
  )
  const slots = await pool.query(
    `select 1 from case_slot full join abuse_case
       on abuse_case.tenant_id = case_slot.tenant_id and abuse_case.id = case_slot.case_id
     where coalesce(case_slot.tenant_id, abuse_case.tenant_id) = $1
       and (case_slot.case_id is null or abuse_case.state is null or abuse_case.state in ('RESOLVED', 'CLOSED'))
       and (abuse_case.state is null or abuse_case.state in ('NEW', 'IN_PROGRESS') or case_slot.case_id is not null)`,
    [tenantId],
  )
  const listed = await pool.query(
    `select id from (select * from abuse_case where tenant_id = $1) as one
     full join (select * from case_last_event where tenant_id = $1) as listed using (tenant_id, id, last_event_date, state)
     where one.created_at is null or listed.created_at is null`,
    [tenantId],
  )
  return { surplus: surplus.rows, wrong: wrong.rows, slots: slots.rows, listed: listed.rows }
}

const NO_FAULTS = { surplus: [], wrong: [], slots: [], listed: [] }

async function countEvents(tenantId: string): Promise<number> {
  const { pool } = app.services.foundation.database
  const result = await pool.query('select count(*) as count from event where tenant_id = $1', [
    tenantId,
  ])
  return result.rows[0].count
}

/** 16 writers; each takes its share of the batches in its own order. */
async function writeAtOnce(
  commits: readonly CommitEvents[],
  tenantId: string,
  batches: readonly (readonly IncomingEvent[])[],
): Promise<readonly EventOutcome[]> {
  const writers = Array.from({ length: 16 }, async (_, writer) => {
    const outcomes: EventOutcome[] = []
    const commit = commits[writer % commits.length]
    assert.ok(commit !== undefined)
    for (let at = writer; at < batches.length; at += 16) {
      for (const outcome of await commit({ tenantId }, batches[at] ?? [])) {
        assert.ok(outcome.kind !== 'refused' && outcome.kind !== 'key_reused')
        outcomes.push(outcome)
      }
    }
    return outcomes
  })
  return (await Promise.all(writers)).flat()
}

test('16 writers with bursts on the same customers open one case for each', async () => {
  await app.createTenant('bursts')
  const batches = Array.from({ length: 160 }, (_, batch) =>
    // Neighbouring batches hit the same customers, in another order each.
    Array.from({ length: 10 }, (_unused, index) =>
      eventOf(
        'bursts',
        (Math.floor(batch / 16) * 5 + index * (1 + (batch % 7))) % 50,
        batch * 10 + index,
      ),
    ),
  )
  const outcomes = await writeAtOnce([app.services.casework.commitEvents], 'bursts', batches)
  assert.equal(outcomes.length, 1_600)
  assert.ok(outcomes.every((outcome) => outcome.kind === 'created'))
  assert.equal(await countEvents('bursts'), 1_600)
  assert.deepEqual(await findFaults('bursts'), NO_FAULTS)
})

test('two nodes on one database agree on the cases', async () => {
  await app.createTenant('nodes')
  const { foundation, casework } = app.services
  const other = await compose({
    config: foundation.config,
    connection: app.connection,
    log: foundation.log,
  })
  try {
    const batches = Array.from({ length: 96 }, (_, batch) =>
      Array.from({ length: 8 }, (_unused, index) => eventOf('nodes', index, batch * 8 + index)),
    )
    await writeAtOnce([casework.commitEvents, other.casework.commitEvents], 'nodes', batches)
    assert.deepEqual(await findFaults('nodes'), NO_FAULTS)
    const open = await foundation.database.pool.query(
      `select count(*) as count from abuse_case where tenant_id = 'nodes'`,
    )
    assert.equal(open.rows[0].count, 8)
  } finally {
    await other.close()
  }
})

test('the same events from 16 writers at once are stored once, and all learn the same ids', async () => {
  await app.createTenant('repeats')
  const batch = Array.from({ length: 50 }, (_, index) => eventOf('repeats', index % 5, index))
  const batches = Array.from({ length: 32 }, (_, at) => (at % 2 === 0 ? batch : batch.toReversed()))
  const outcomes = await writeAtOnce([app.services.casework.commitEvents], 'repeats', batches)
  assert.equal(outcomes.filter((outcome) => outcome.kind === 'created').length, 50)
  assert.equal(new Set(outcomes.map((outcome) => outcome.eventId)).size, 50)
  assert.equal(new Set(outcomes.map((outcome) => outcome.caseId)).size, 5)
  assert.equal(await countEvents('repeats'), 50)
  assert.deepEqual(await findFaults('repeats'), NO_FAULTS)
  const seen = await app.services.foundation.database.pool.query(
    `select distinct seen_count from event_fingerprint where tenant_id = 'repeats'`,
  )
  assert.deepEqual(seen.rows, [{ seen_count: 32 }])
})

test('cases that are resolved while events arrive never leave a key with two open ones', async () => {
  await app.createTenant('moving')
  const token = await app.createToken({ tenantId: 'moving' })
  const batches = Array.from({ length: 96 }, (_, batch) =>
    Array.from({ length: 4 }, (_unused, index) =>
      // Later than any resolve time of this run, so that they open cases anew.
      arrive('moving', {
        ip: `203.0.113.${index}`,
        eventDate: new Date(Date.UTC(2990, 0, 1) + (batch * 4 + index) * 1_000).toISOString(),
      }),
    ),
  )
  const resolveAll = async (): Promise<void> => {
    for (let round = 0; round < 12; round += 1) {
      const list = await app.send('GET', '/beta/casework/cases?state=NEW,IN_PROGRESS', { token })
      for (const { id } of list.json().items) {
        const json = { state: 'RESOLVED', resolution: 'handled' }
        const headers = { 'if-match': '*' }
        const answer = await app.send('PATCH', `/beta/casework/cases/${id}`, {
          token,
          json,
          headers,
        })
        assert.equal(answer.status, 200, answer.text)
      }
    }
  }
  await Promise.all([
    writeAtOnce([app.services.casework.commitEvents], 'moving', batches),
    resolveAll(),
  ])
  assert.equal(await countEvents('moving'), 96 * 4)
  assert.deepEqual(await findFaults('moving'), NO_FAULTS)
})

test('any split of the same events into batches gives the same cases and sums', async () => {
  let tenants = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          customer: fc.nat(3),
          second: fc.nat(20),
          type: fc.constantFrom('PortScan', 'Spam'),
        }),
        {
          minLength: 1,
          maxLength: 25,
        },
      ),
      fc.integer({ min: 1, max: 25 }),
      async (events, size) => {
        tenants += 1
        const tenantId = `split-${tenants}`
        await app.createTenant(tenantId)
        const arrivals = events.map(({ customer, second, type }) =>
          arrive(tenantId, {
            ip: `203.0.113.${customer}`,
            eventType: type,
            eventDate: new Date(Date.UTC(2026, 3, 1) + second * 1_000).toISOString(),
          }),
        )
        for (let at = 0; at < arrivals.length; at += size) {
          await app.services.casework.commitEvents({ tenantId }, arrivals.slice(at, at + size))
        }
        assert.equal(
          await countEvents(tenantId),
          new Set(arrivals.map((one) => one.fingerprint)).size,
        )
        assert.deepEqual(await findFaults(tenantId), NO_FAULTS)
      },
    ),
    { numRuns: 15 },
  )
})

test('a burst of single pushes is stored whole, and each caller learns its own event', async () => {
  await app.createTenant('singles')
  const { eventQueue } = app.services.casework
  const arrivals = Array.from({ length: 400 }, (_, index) => eventOf('singles', index % 20, index))
  const outcomes = await Promise.all(
    arrivals.map((arrival) => eventQueue.push({ tenantId: 'singles' }, arrival)),
  )
  const { pool } = app.services.foundation.database
  const stored = await pool.query(
    `select event_id, event_date from event where tenant_id = 'singles'`,
  )
  const dates = new Map(stored.rows.map((row) => [row.event_id, row.event_date.toISOString()]))
  for (const [index, outcome] of outcomes.entries()) {
    assert.equal(dates.get(outcome.eventId), arrivals[index]?.event.eventDate)
  }
  assert.deepEqual(await findFaults('singles'), NO_FAULTS)
})

test('a summary keeps the first hundred values of a kind and counts all', async () => {
  await app.createTenant('capped')
  const arrivals = Array.from({ length: 250 }, (_, index) =>
    arrive('capped', { customerId: 'one', ip: `2001:db8::${(index + 1).toString(16)}` }),
  )
  await app.services.casework.commitEvents({ tenantId: 'capped' }, arrivals.slice(0, 90))
  await app.services.casework.commitEvents({ tenantId: 'capped' }, arrivals.slice(90))
  const { pool } = app.services.foundation.database
  const result = await pool.query(
    `select event_ips, event_count from abuse_case where tenant_id = 'capped'`,
  )
  assert.equal(result.rows[0].event_count, 250)
  assert.deepEqual(
    result.rows[0].event_ips,
    arrivals.slice(0, 100).map((arrival) => arrival.event.ip),
  )
})

test('a slot whose case is gone or has ended counts as free, and is counted', async () => {
  const token = await app.createToken({ tenantId: 'default' })
  const { pool } = app.services.foundation.database
  const push = async (customer: string, second: number): Promise<string> => {
    const eventDate = new Date(Date.UTC(2026, 3, 1, 0, 0, second)).toISOString()
    const json = {
      event_type: 'PortScan',
      event_date: eventDate,
      customer_id: customer,
      report_id: customer,
    }
    const answer = await app.send('POST', '/beta/casework/events', { token, json })
    assert.equal(answer.status, 201, answer.text)
    return answer.json().case_id
  }
  const [gone, ended] = [await push('healed-1', 0), await push('healed-2', 0)]
  await pool.query(`delete from abuse_case where id = $1`, [gone])
  await pool.query(
    `update abuse_case set state = 'CLOSED', close_reason = 'expired', ended_at = now() where id = $1`,
    [ended],
  )
  const next = [await push('healed-1', 1), await push('healed-2', 1)]
  assert.deepEqual([next.includes(gone), next.includes(ended)], [false, false])
  assert.deepEqual([await push('healed-1', 2), await push('healed-2', 2)], next)
  const metrics = await app.send('GET', '/metrics', {})
  assert.match(metrics.text, /^casework_slots_healed_total 2$/m)
  const left = await pool.query('select 1 from case_slot where case_id = any($1)', [[gone, ended]])
  assert.equal(left.rowCount, 0)
})

function keepFirst(values: readonly string[]): readonly string[] {
  return [...new Set(values)].slice(0, 100)
}

test('a case keeps the first hundred values of each kind in the order in which they came, however its events are split into batches', async () => {
  await app.createTenant('values')
  const { casework, foundation } = app.services
  let customer = 0
  let second = 0
  const property = fc.asyncProperty(
    fc.array(fc.array(fc.nat({ max: 130 }), { minLength: 1, maxLength: 60 }), {
      minLength: 1,
      maxLength: 6,
    }),
    async (batches) => {
      customer += 1
      const first = second
      for (const batch of batches) {
        const arrivals = batch.map((sender) => {
          second += 1
          return arrive('values', {
            ip: `203.0.113.${customer}`,
            eventDate: new Date(Date.UTC(2026, 3, 1) + second * 1_000).toISOString(),
            senderEmail: `r${sender}@example.com`,
            tags: sender % 3 === 0 ? [`t${sender}`, 'a b'] : [],
          })
        })
        await casework.commitEvents({ tenantId: 'values' }, arrivals)
      }
      const senders = batches.flat()
      const found = await foundation.database.pool.query(
        `select event_count, event_types, event_ips, event_reporters, event_tags from abuse_case
         where tenant_id = 'values' and customer_id = $1`,
        [`203.0.113.${customer}`],
      )
      assert.deepEqual(found.rows, [
        {
          event_count: second - first,
          event_types: ['PortScan'],
          event_ips: [`203.0.113.${customer}`],
          event_reporters: keepFirst(senders.map((sender) => `r${sender}@example.com`)),
          event_tags: keepFirst(
            senders.flatMap((sender) => (sender % 3 === 0 ? [`t${sender}`, 'a b'] : [])),
          ),
        },
      ])
    },
  )
  const full = Array.from({ length: 100 }, (_, sender) => sender)
  const examples: [number[][]][] = [[[full, [100]]], [[full.slice(1), [100, 101, 5], [102]]]]
  await fc.assert(property, { numRuns: 25, examples })
  assert.deepEqual(await findFaults('values'), NO_FAULTS)
})
