import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { hashFields } from '../../kernel/ids.ts'
import type { NewEvent } from '../../vocabulary/event.ts'
import { type EventIdentity, fingerprintEvent } from './fingerprint.ts'

const EVENT: NewEvent = {
  eventDate: '2026-01-31T09:15:00.000Z',
  eventType: 'LoginAttack',
  eventSubtypes: [],
  xarfClass: 'connection',
  senderEmail: 'reports@example.org',
  recipientEmail: null,
  ip: '192.0.2.1',
  domain: null,
  tags: [],
  details: null,
  customerId: null,
  contractId: null,
  reportId: null,
}

const CONTENT: EventIdentity = { kind: 'content' }
const REPORT = { kind: 'report', source: 'xarf', reportId: 'r-1', index: 0 } as const
const KEY: EventIdentity = {
  kind: 'idempotency_key',
  source: 'token-1',
  key: 'r-1',
  requestHash: 'hash',
  index: 0,
}

test('fields hash alike exactly when they are alike', () => {
  const fields = fc.array(fc.option(fc.string({ unit: 'grapheme', maxLength: 4 })), {
    maxLength: 4,
  })
  fc.assert(
    fc.property(fields, fields, (one, other) => {
      const isAlike = JSON.stringify(one) === JSON.stringify(other)
      assert.equal(hashFields(one) === hashFields(other), isAlike)
    }),
    { numRuns: 300 },
  )
})

test('moving text between fields, or dropping an empty one, changes the hash', () => {
  const hashes = [
    ['ab', 'c'],
    ['a', 'bc'],
    ['abc'],
    ['abc', ''],
    ['abc', null],
    ['1:a', ';'],
    ['1:a;'],
    ['-'],
    [null],
    [],
  ].map(hashFields)
  assert.equal(new Set(hashes).size, hashes.length)
  assert.match(hashes[0] ?? '', /^[0-9a-f]{64}$/)
})

test('whatever the event is about makes another event of it', () => {
  const variants: NewEvent[] = [
    EVENT,
    { ...EVENT, eventDate: '2026-01-31T09:15:00.001Z' },
    { ...EVENT, eventType: 'PortScan' },
    { ...EVENT, ip: '192.0.2.2' },
    { ...EVENT, ip: null, domain: '192.0.2.1' },
    { ...EVENT, domain: 'a.example' },
    { ...EVENT, details: { url: 'https://a.example/' } },
    { ...EVENT, senderEmail: 'other@example.org' },
  ]
  for (const identity of [CONTENT, REPORT]) {
    const prints = variants.map((event) => fingerprintEvent('t', identity, event))
    assert.equal(new Set(prints).size, variants.length)
  }
})

test('of what names no address, domain or URL, those whom it names tell it apart', () => {
  const bare: NewEvent = { ...EVENT, ip: null }
  const variants: NewEvent[] = [
    bare,
    { ...bare, customerId: 'a' },
    { ...bare, customerId: 'b' },
    { ...bare, customerId: 'a', contractId: 'c' },
    { ...bare, details: { account: 'a' } },
  ]
  const pushed: EventIdentity = { ...REPORT, source: 'push' }
  for (const identity of [CONTENT, pushed]) {
    const prints = variants.map((event) => fingerprintEvent('t', identity, event))
    assert.equal(new Set(prints).size, variants.length)
    const named = { ...EVENT, customerId: 'a', contractId: 'c' }
    const print = fingerprintEvent('t', identity, named)
    assert.equal(print, fingerprintEvent('t', identity, EVENT))
  }
  // By their place in what was read, so that a report is known again that was read before names
  // counted.
  const account = fingerprintEvent('t', REPORT, { ...bare, details: { account: 'a' } })
  assert.equal(account, fingerprintEvent('t', REPORT, bare))
})

test('what only describes the event does not', () => {
  const described: NewEvent = {
    ...EVENT,
    senderEmail: 'Reports@Example.org',
    tags: ['x'],
    eventSubtypes: ['ssh'],
    recipientEmail: 'abuse@example.com',
    details: { port: 22 },
    customerId: 'C-1',
  }
  assert.equal(fingerprintEvent('t', CONTENT, described), fingerprintEvent('t', CONTENT, EVENT))
})

test('tenant, source, report id, index and kind of identity keep events apart', () => {
  const prints = [
    fingerprintEvent('t', CONTENT, EVENT),
    fingerprintEvent('u', CONTENT, EVENT),
    fingerprintEvent('t', REPORT, EVENT),
    fingerprintEvent('t', { ...REPORT, index: 1 }, EVENT),
    fingerprintEvent('t', { ...REPORT, reportId: 'r-2' }, EVENT),
    fingerprintEvent('t', { ...REPORT, source: 'push' }, EVENT),
    fingerprintEvent('t', KEY, EVENT),
    fingerprintEvent('u', KEY, EVENT),
    fingerprintEvent('t', { ...KEY, index: 1 }, EVENT),
    fingerprintEvent('t', { ...KEY, requestHash: 'other' }, EVENT),
    fingerprintEvent('t', { ...KEY, source: 'token-2' }, EVENT),
  ]
  assert.equal(new Set(prints).size, prints.length)
})

test('an event of a request with a key is told by the request, not by its content', () => {
  const later = { ...EVENT, eventDate: '2026-02-01T00:00:00.000Z' }
  assert.equal(fingerprintEvent('t', KEY, later), fingerprintEvent('t', KEY, EVENT))
})

test('a time that the report does not tell does not count, one that it tells does', () => {
  const later: NewEvent = { ...EVENT, eventDate: '2026-02-01T09:15:00.000Z' }
  const untold: EventIdentity = { ...REPORT, isTimeTold: false }
  const told: EventIdentity = { ...REPORT, isTimeTold: true }
  const hashes = (identity: EventIdentity): string[] =>
    [EVENT, later].map((event) => fingerprintEvent('default', identity, event))
  assert.equal(new Set(hashes(untold)).size, 1)
  assert.equal(new Set([...hashes(told), ...hashes(untold)]).size, 3)
  assert.deepEqual(hashes(told), hashes(REPORT))
})

// Computed before `isTimeTold` was there: the events of a database must be known again by a later
// version.
test('the fingerprint of a told time stays the same for ever', () => {
  const known = 'c706a1b573ca4bbd2bd861f81f002ee349c5167c743440c1879ab2c10b7659ce'
  assert.equal(fingerprintEvent('default', REPORT, EVENT), known)
})
