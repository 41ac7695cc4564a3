// When something about a case is due. The database works out the same in the column due_at;
// case-deadlines.test.ts compares the two.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DeadlineInputs, listDeadlines } from './case-deadline.ts'

const OPENED = new Date('2026-01-31T10:00:00.000Z')
const FACTS: DeadlineInputs = {
  laws: ['dsa', 'nis2'],
  state: 'NEW',
  severity: null,
  eventTypes: ['Spam'],
  createdAt: OPENED,
  awareAt: null,
  deadlineAt: null,
  met: [],
}

function list(facts: Partial<DeadlineInputs>): readonly (readonly [string, string, boolean])[] {
  return listDeadlines({ ...FACTS, ...facts }).map(
    ({ kind, dueAt, isMet }) => [kind, dueAt.toISOString(), isMet] as const,
  )
}

test('an open case owes a receipt within a day, an ended one no more', () => {
  assert.deepEqual(list({}), [['receipt', '2026-02-01T10:00:00.000Z', false]])
  assert.deepEqual(list({ met: ['receipt'] }), [['receipt', '2026-02-01T10:00:00.000Z', true]])
  assert.deepEqual(list({ state: 'RESOLVED' }), [])
})

test('what is severe, and a named hole, has the three clocks of NIS2, also after it was resolved', () => {
  const clocks = [
    ['early_warning', '2026-02-01T10:00:00.000Z', false],
    ['incident_notification', '2026-02-03T10:00:00.000Z', false],
    // January has 31 days and February 28.
    ['final_report', '2026-02-28T10:00:00.000Z', false],
  ]
  assert.deepEqual(list({ state: 'RESOLVED', severity: 'high' }), clocks)
  assert.deepEqual(list({ state: 'RESOLVED', severity: 'critical' }), clocks)
  assert.deepEqual(list({ state: 'RESOLVED', eventTypes: ['Spam', 'CVE'] }), clocks)
  assert.deepEqual(list({ state: 'RESOLVED', severity: 'medium' }), [])
  assert.deepEqual(list({ state: 'CLOSED', severity: 'critical' }), [])
})

test('abuse of a child is told to an authority', () => {
  const [first] = list({ state: 'RESOLVED', eventTypes: ['ChildAbuse'] })
  assert.deepEqual(first, ['authority_notice', '2026-02-01T10:00:00.000Z', false])
})

test('a law that the tenant has not switched on has no deadline', () => {
  const facts = { severity: 'high', eventTypes: ['ChildAbuse', 'CVE'] } as const
  const kinds = (laws: readonly string[]): readonly string[] =>
    list({ ...facts, laws }).map(([kind]) => kind)
  assert.deepEqual(kinds([]), [])
  assert.deepEqual(kinds(['dsa']), ['receipt', 'authority_notice'])
  assert.deepEqual(kinds(['nis2']), ['early_warning', 'incident_notification', 'final_report'])
  const deadlineAt = OPENED
  assert.deepEqual(list({ laws: [], deadlineAt }), [['agreed', OPENED.toISOString(), false]])
})

test('the clocks begin when we became aware, and stand beside what was agreed', () => {
  const awareAt = new Date('2026-01-30T00:00:00.000Z')
  const deadlineAt = new Date('2026-01-30T12:00:00.000Z')
  assert.deepEqual(list({ awareAt, deadlineAt }), [
    ['agreed', '2026-01-30T12:00:00.000Z', false],
    ['receipt', '2026-01-31T00:00:00.000Z', false],
  ])
  assert.deepEqual(list({ state: 'CLOSED', deadlineAt }), [])
})
