// How the entries of a timeline become lines on the page of a case.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  countOverTime,
  type Entry,
  foldTimeline,
} from '../../console/src/pages/case/fold-timeline.ts'

let made = 0
function entry(kind: Entry['kind'], what: string, more: Partial<Entry> = {}): Entry {
  made += 1
  const at = new Date(Date.UTC(2026, 10, 20) - made * 60_000).toISOString()
  return { kind, what, id: `${made}`, at, is_foreign: false, data: {}, ...more }
}

function visit(node: string, run: string): Entry {
  return entry('visit', 'comment', { data: { node, run_id: run } })
}

function attempt(number: number): Entry {
  return entry('attempt', 'postponed', { data: { of: 'notice', notice_id: 'n', attempt: number } })
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, one) => all + one, 0)
}

test('events of one type and sender are one line until something else happens', () => {
  const lines = foldTimeline([
    entry('event', 'Spam', { actor: 'a@example.org' }),
    entry('event', 'Spam', { actor: 'b@example.org' }),
    entry('event', 'Spam', { actor: 'a@example.org' }),
    entry('comment', 'comment', { text: 'Seen.' }),
    entry('event', 'Spam', { actor: 'a@example.org' }),
  ])
  const said = lines.map((line) =>
    line.kind === 'events' ? `${line.sender} ${line.events.length}` : line.kind,
  )
  assert.deepEqual(said, ['a@example.org 2', 'b@example.org 1', 'entry', 'a@example.org 1'])
})

test('steps of one run are one line in their order, another run is another line', () => {
  const lines = foldTimeline([visit('c', '1'), visit('b', '1'), visit('a', '2')])
  const said = lines.map((line) =>
    line.kind === 'visits' ? line.steps.map(({ data }) => data['node']).join(' ') : line.kind,
  )
  assert.deepEqual(said, ['b c', 'a'])
})

test('what has an entry of its own is not told twice, nor each attempt of one mail', () => {
  const lines = foldTimeline([
    entry('history', 'notice'),
    attempt(3),
    attempt(2),
    entry('attempt', 'sent', { data: { of: 'notice', notice_id: 'm' } }),
    entry('history', 'move'),
  ])
  const said = lines.map((line) => (line.kind === 'entry' ? line.entry.what : line.kind))
  assert.deepEqual(said, ['postponed', 'move'])
})

test('the bars of a line hold every event once, also those of one moment', () => {
  const events = [entry('event', 'Spam'), entry('event', 'Spam'), entry('event', 'Spam')]
  assert.equal(sum(countOverTime(events)), 3)
  assert.equal(sum(countOverTime([entry('event', 'Spam')])), 1)
})
