// Cases with a deadline before a day, in the order in which they were opened: walked by small pages
// beside a model, whatever was opened when and due when.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { withApp } from '../../../../test/harness.ts'
import { walkList } from '../../../../test/walk-list.ts'

const CASES = '/beta/casework/cases'
const COUNT = 24
const HOUR_MS = 3_600_000
const START_MS = Date.UTC(2026, 0, 1)

interface WrittenCase {
  readonly id: string
  readonly created_at: Date
  readonly due_at: Date | null
  readonly contract_id: string
}

const app = withApp({}, async ({ send, token }) => {
  const settings = { legal_deadlines: ['dsa', 'nis2'] }
  await send('PATCH', '/beta/admin/tenants/default', { token, json: { settings } })
  const json = Array.from({ length: COUNT }, (_, at) => ({
    event_date: '2026-01-01T00:00:00Z',
    event_type: 'Spam',
    customer_id: `customer-${at}`,
    report_id: `report-${at}`,
  }))
  const answer = await send('POST', '/beta/casework/events', { token, json })
  assert.equal(answer.status, 200, answer.text)
})

async function walk(query: Record<string, string>): Promise<readonly string[]> {
  const path = `${CASES}?${new URLSearchParams(query).toString()}`
  const items = await walkList((page) => app.send('GET', page, { token: app.token }), path)
  return items.map((item) => item.id)
}

test('what is due before a day comes in the order of opening, each once, over weeks without any and at their bounds', async () => {
  const { pool } = app.services.foundation.database
  // Half a year; whole weeks since 1970 among them, at which one is over.
  const hours = fc.oneof(
    fc.nat({ max: 4_400 }),
    fc.nat({ max: 26 }).map((week) => week * 168),
  )
  const sample = fc.record({
    opened: hours,
    agreed: fc.option(fc.nat({ max: 4_400 })),
    isOpen: fc.boolean(),
    owner: fc.constantFrom('a', 'b'),
  })
  const samples = fc.array(sample, { minLength: COUNT, maxLength: COUNT })
  const weekMs = 168 * HOUR_MS
  const startMs = Math.ceil(START_MS / weekMs) * weekMs
  const timeOf = (hour: number): Date => new Date(startMs + hour * HOUR_MS)
  await fc.assert(
    fc.asyncProperty(samples, hours, async (given, bound) => {
      const written = await pool.query<WrittenCase>(
        `update abuse_case set created_at = opened, deadline_at = agreed, state = case when is_open then 'NEW' else 'CLOSED' end,
           ended_at = case when not is_open then opened end, close_reason = case when not is_open then 'expired' end,
           contract_id = owner
         from unnest($1::timestamptz[], $2::timestamptz[], $3::boolean[], $4::text[]) with ordinality
           as given (opened, agreed, is_open, owner, place)
         where tenant_id = 'default' and customer_id = 'customer-' || (place - 1)
         returning id, created_at, due_at, contract_id`,
        [
          given.map(({ opened }) => timeOf(opened)),
          given.map(({ agreed }) => (agreed === null ? null : timeOf(agreed))),
          given.map(({ isOpen }) => isOpen),
          given.map(({ owner }) => owner),
        ],
      )
      assert.equal(written.rowCount, COUNT)
      const day = timeOf(bound)
      const list = (rows: readonly WrittenCase[]): string[] =>
        rows
          .filter(({ due_at: dueAt }) => dueAt !== null && dueAt < day)
          .toSorted((one, other) => {
            const apart = one.created_at.getTime() - other.created_at.getTime()
            if (apart !== 0) return apart
            return one.id < other.id ? -1 : 1
          })
          .map(({ id }) => id)
      const due = { deadline_before: day.toISOString(), limit: '3' }
      const expected = list(written.rows)
      assert.deepEqual(await walk({ ...due, order: 'asc' }), expected)
      assert.deepEqual(await walk(due), expected.toReversed())
      const ofOne = list(written.rows.filter((row) => row.contract_id === 'a'))
      assert.deepEqual(await walk({ ...due, contract_id: 'a', order: 'asc' }), ofOne)
      assert.deepEqual(await walk({ ...due, case_group: 'default' }), expected.toReversed())
      const month = {
        created_after: timeOf(700).toISOString(),
        created_before: timeOf(2_100).toISOString(),
      }
      const within = list(
        written.rows.filter(({ created_at: at }) => at >= timeOf(700) && at < timeOf(2_100)),
      )
      assert.deepEqual(await walk({ ...due, ...month }), within.toReversed())
    }),
    { numRuns: 60 },
  )
})
