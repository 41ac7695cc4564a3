// Proves how a record is shown to a person.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatRecordForPeople, formatRowsForPeople } from './show-answer.ts'

test('a record has a line a member, and a table for each list of records', () => {
  const record = {
    report_id: 'r-1',
    counts: { NEW: 3, CLOSED: 0 },
    tags: ['a', 'b'],
    empty: {},
    nothing: [],
    events: [
      { event_id: 'e-1', ip: '198.51.100.7' },
      { event_id: 'e-2', ip: '198.51.100.8' },
    ],
  }
  assert.equal(
    formatRecordForPeople(record, null),
    [
      'report id  r-1',
      'counts     NEW: 3, CLOSED: 0',
      'tags       a, b',
      '',
      'EVENTS',
      'event id  ip',
      'e-1       198.51.100.7',
      'e-2       198.51.100.8',
      '',
    ].join('\n'),
  )
})

test('a change says both sides, and what a person cannot use is left out', () => {
  const data = {
    changes: { severity: { from: 'low', to: 'high' }, assignee: { to: 'ana' } },
    cause_id: 'x',
  }
  assert.equal(
    formatRowsForPeople([{ data }], { columns: ['data'], nowMs: null }),
    'data\nseverity: low → high, assignee: - → ana\n',
  )
})

test('a move says both states', () => {
  const data = { to_state: 'CLOSED', from_state: 'NEW', changes: { close_reason: 'duplicate' } }
  assert.equal(
    formatRowsForPeople([{ data }], { columns: ['data'], nowMs: null }),
    'data\nstate: NEW → CLOSED, close reason: duplicate\n',
  )
})

test('texts and names of others cannot move the cursor, however deep they are', () => {
  const shown = formatRecordForPeople({ data: { 'a\x1b[2J': [{ deep: '\x1b[31m' }] } }, null)
  assert.equal(shown, 'data  a\\x1b[2J: deep: \\x1b[31m\n')
})
