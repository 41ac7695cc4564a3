import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CorrelationPolicy, DEFAULT_POLICY } from '../rules/case-group.ts'
import { KeyCorrelation, PENDING_EVENTS_MAX } from './correlate-key.ts'

const NOTHING = { open: null, ended: null, pending: [] }
const at = (seconds: number): string => new Date(seconds * 1_000).toISOString()
const ENDED = {
  caseId: 'C-old',
  firstEventDate: at(0),
  lastEventDate: at(50),
  resolvedAt: at(100),
  endedAt: at(100),
  mayReopen: true,
  mayAttach: true,
}

let events = 0
function take(
  walk: KeyCorrelation,
  seconds: number,
  senderEmail = 'a@example.org',
): readonly string[] {
  events += 1
  const steps = walk.add({ eventId: `e-${events}`, eventDate: at(seconds), senderEmail })
  return steps.map((step) => ('caseId' in step ? `${step.kind} ${step.caseId}` : step.kind))
}

function start(policy: Partial<CorrelationPolicy>, from: object = {}): KeyCorrelation {
  let cases = 0
  return new KeyCorrelation({ ...DEFAULT_POLICY, ...policy }, { ...NOTHING, ...from }, () => {
    cases += 1
    return `C-${cases}`
  })
}

test('the first event of a key opens a case that all others join, whenever they happened', () => {
  const walk = start({})
  assert.deepEqual(take(walk, 100), ['open C-1', 'attach C-1'])
  for (const seconds of [0, 1_000_000]) assert.deepEqual(take(walk, seconds), ['attach C-1'])
  assert.equal(walk.openCaseId, 'C-1')
})

test('an event dated up to the resolve time is late; after it, it opens a case that names the old one', () => {
  const walk = start({}, { ended: ENDED })
  assert.deepEqual(take(walk, 100), ['attach_late C-old'])
  assert.equal(walk.openCaseId, null)
  assert.deepEqual(walk.add({ eventId: 'x', eventDate: at(101), senderEmail: 'a' })[0], {
    kind: 'open',
    eventId: 'x',
    caseId: 'C-1',
    linkedCaseId: 'C-old',
  })
})

test('a case that was never resolved has no late events, and is not opened again when it may not be', () => {
  const walk = start(
    { relapse: 'reopen' },
    { ended: { ...ENDED, resolvedAt: null, mayReopen: false } },
  )
  assert.deepEqual(take(walk, 50), ['open C-1', 'attach C-1'])
})

test('what happened before a case was closed has not come back, and opens a case without a link', () => {
  const closed = { ...ENDED, resolvedAt: null, mayReopen: false }
  for (const [seconds, linkedCaseId] of [
    [100, null],
    [50, null],
    [101, 'C-old'],
  ] as const) {
    const [step] = start({}, { ended: closed }).add({
      eventId: 'x',
      eventDate: at(seconds),
      senderEmail: 'a',
    })
    assert.deepEqual(step, { kind: 'open', eventId: 'x', caseId: 'C-1', linkedCaseId })
  }
})

test('a relapse reopens up to the end of the window, and not after it', () => {
  const policy = { relapse: 'reopen', relapseWindowSeconds: 10 } as const
  const walk = start(policy, { ended: ENDED })
  assert.deepEqual(take(walk, 110), ['reopen C-old', 'attach C-old'])
  assert.deepEqual(take(walk, 500), ['attach C-old'])
  assert.deepEqual(take(start(policy, { ended: ENDED }), 110.001), ['open C-1', 'attach C-1'])
})

test('a policy that only attaches puts events up to the end of the window into the ended case, which stays ended', () => {
  const policy = { relapse: 'attach_only', relapseWindowSeconds: 10 } as const
  const walk = start(policy, { ended: ENDED })
  assert.deepEqual(take(walk, 100), ['attach_late C-old'])
  for (const seconds of [101, 110, 105]) {
    assert.deepEqual(take(walk, seconds), ['attach_relapse C-old'])
  }
  assert.equal(walk.openCaseId, null)
  assert.deepEqual(take(walk, 111), ['open C-1', 'attach C-1'])
  const closed = { ...ENDED, resolvedAt: null, mayReopen: false }
  assert.deepEqual(take(start(policy, { ended: closed }), 50), ['attach_relapse C-old'])
  const opensLate = { ...policy, lateEvent: 'open_case' } as const
  assert.deepEqual(take(start(opensLate, { ended: ENDED }), 50), ['open C-1', 'attach C-1'])
  const sealed = { ...ENDED, mayReopen: false, mayAttach: false }
  assert.deepEqual(take(start(policy, { ended: sealed }), 101), ['open C-1', 'attach C-1'])
})

test('age is counted from the first event, gap from the last one, each up to its bound', () => {
  const aged = start({ maxAgeSeconds: 10 })
  take(aged, 100)
  assert.deepEqual(take(aged, 110), ['attach C-1'])
  assert.deepEqual(take(aged, 111), ['seal C-1', 'open C-2', 'attach C-2'])
  const gapped = start({ maxGapSeconds: 10 })
  for (const seconds of [100, 110, 120]) take(gapped, seconds)
  assert.deepEqual(take(gapped, 95), ['attach C-1'])
  assert.deepEqual(take(gapped, 131), ['seal C-1', 'open C-2', 'attach C-2'])
})

test('what follows a sealed case waits for no threshold', () => {
  const walk = start(
    { thresholdEvents: 5, maxGapSeconds: 10 },
    { open: { caseId: 'C-old', firstEventDate: at(0), lastEventDate: at(0) } },
  )
  assert.deepEqual(take(walk, 11), ['seal C-old', 'open C-1', 'attach C-1'])
})

test('the window of a threshold ends with the newest event: what fell out of it neither counts nor opens', () => {
  const walk = start({ thresholdEvents: 3, thresholdWindowSeconds: 10 })
  for (const seconds of [100, 105, 111]) assert.deepEqual(take(walk, seconds), ['pend'])
  assert.equal(walk.pending.length, 2)
  assert.deepEqual(take(walk, 50), ['pend'])
  assert.equal(walk.pending.length, 2)
  assert.deepEqual(take(walk, 101), ['open C-1', 'attach C-1', 'attach C-1', 'attach C-1'])
  assert.deepEqual(walk.pending, [])
})

test('the senders of a threshold are counted without regard to case', () => {
  const walk = start({ thresholdReporters: 2 })
  assert.deepEqual(take(walk, 1, 'a@example.org'), ['pend'])
  assert.deepEqual(take(walk, 2, 'A@Example.org'), ['pend'])
  assert.deepEqual(take(walk, 3, 'b@example.org').slice(0, 1), ['open C-1'])
})

test('a key keeps a bounded number of held events in mind, the newest', () => {
  const walk = start({ thresholdReporters: 2 })
  for (let seconds = 0; seconds < PENDING_EVENTS_MAX + 10; seconds += 1) take(walk, seconds)
  assert.equal(walk.pending.length, PENDING_EVENTS_MAX)
  assert.equal(walk.pending[0]?.eventDate, at(10))
})
