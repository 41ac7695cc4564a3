import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { NewEvent } from '../../vocabulary/event.ts'
import { type CaseCounters, countEvent, mergeCounters } from '../cases/case.ts'
import {
  buildCorrelationKey,
  DEFAULT_KEY_FIELDS,
  findIpPrefix,
  KEY_FIELDS,
  type KeyField,
  type Ownership,
} from './correlation-key.ts'

const EVENT: NewEvent = {
  eventDate: '2026-01-31T09:15:00.000Z',
  eventType: 'Phishing',
  eventSubtypes: ['b', 'a'],
  xarfClass: 'content',
  senderEmail: 'reports@example.org',
  recipientEmail: null,
  ip: '192.0.2.1',
  domain: 'www.shop.example.co.uk',
  tags: [],
  details: { url: 'https://cdn.example.net/x' },
  customerId: null,
  contractId: null,
  reportId: null,
}

const OWNER: Ownership = { customerId: 'C-1', contractId: 'K-1', resourceId: 'R-1' }

// One change for each key field that must make another key, and be invisible to the fields beside
// it.
const CHANGES: Record<KeyField, { event?: Partial<NewEvent>; owner?: Partial<Ownership> }> = {
  customer_id: { owner: { customerId: 'C-2' } },
  contract_id: { owner: { contractId: null } },
  resource: { owner: { resourceId: 'R-2' } },
  ip: { event: { ip: '192.0.2.2' } },
  ip_prefix: { event: { ip: '192.0.3.1' } },
  domain: { event: { domain: 'shop.example.co.uk' } },
  registrable_domain: { event: { domain: 'www.other.co.uk' } },
  event_type: { event: { eventType: 'Fraud' } },
  subtype: { event: { eventSubtypes: ['a'] } },
  xarf_class: { event: { xarfClass: 'messaging' } },
  url_host: { event: { details: { url: 'https://other.example.net/x' } } },
  sender_email: { event: { senderEmail: 'other@example.org' } },
}

function sum(parts: readonly CaseCounters[]): CaseCounters {
  return parts.reduce(mergeCounters)
}

test('each key field tells cases apart by its own value', () => {
  for (const field of KEY_FIELDS) {
    const { event = {}, owner = {} } = CHANGES[field]
    assert.notEqual(
      buildCorrelationKey([field], { ...EVENT, ...event }, { ...OWNER, ...owner }),
      buildCorrelationKey([field], EVENT, OWNER),
      field,
    )
  }
})

test('by default only the customer counts', () => {
  const key = buildCorrelationKey(DEFAULT_KEY_FIELDS, EVENT, OWNER)
  for (const field of KEY_FIELDS) {
    if (field === 'customer_id') continue
    const { event = {}, owner = {} } = CHANGES[field]
    const other = buildCorrelationKey(
      DEFAULT_KEY_FIELDS,
      { ...EVENT, ...event },
      { ...OWNER, ...owner },
    )
    assert.equal(other, key, field)
  }
})

test('order of fields, of subtypes, and spelling of the sender do not matter', () => {
  const alike = { ...EVENT, eventSubtypes: ['a', 'b'], senderEmail: 'Reports@EXAMPLE.org' }
  assert.equal(
    buildCorrelationKey(['sender_email', 'subtype', 'ip'], alike, OWNER),
    buildCorrelationKey(['ip', 'subtype', 'sender_email'], EVENT, OWNER),
  )
})

test('subdomains share the registrable domain, addresses share the prefix', () => {
  const shop = { ...EVENT, domain: 'shop.example.co.uk', ip: '192.0.2.77' }
  for (const field of ['registrable_domain', 'ip_prefix'] as const) {
    assert.equal(
      buildCorrelationKey([field], shop, OWNER),
      buildCorrelationKey([field], EVENT, OWNER),
    )
  }
})

test('a missing value is a value of its own for every field', () => {
  const bare = { ...EVENT, ip: null, domain: null, details: null, xarfClass: null }
  for (const field of ['ip', 'ip_prefix', 'domain', 'registrable_domain', 'url_host'] as const) {
    const key = buildCorrelationKey([field], bare, OWNER)
    assert.notEqual(key, buildCorrelationKey([field], EVENT, OWNER), field)
    assert.equal(key, buildCorrelationKey([field], { ...bare, eventType: 'Fraud' }, OWNER), field)
  }
})

test('the prefix is the /24 or the /64', () => {
  for (const [ip, prefix] of [
    ['198.51.100.200', '198.51.100.0/24'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['2001:db8:0:1:1::', '2001:db8:0:1::/64'],
  ] as const) {
    assert.equal(findIpPrefix(ip), prefix)
  }
})

test('counters merge to the same sum in any order and grouping', () => {
  const dates = fc.array(
    fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
    { minLength: 1, maxLength: 20 },
  )
  fc.assert(
    fc.property(dates, fc.nat(), (instants, seed) => {
      const counters = instants.map((instant) =>
        countEvent({ ...EVENT, eventDate: instant.toISOString() }),
      )
      const whole = sum(counters)
      const at = seed % counters.length
      const turned = [...counters.slice(at), ...counters.slice(0, at)]
      const parts = [turned.slice(0, at), turned.slice(at)].filter((part) => part.length > 0)
      assert.deepEqual(sum(parts.map(sum)), whole)
      assert.equal(whole.eventCount, instants.length)
      const texts = instants.map((instant) => instant.toISOString()).toSorted()
      assert.deepEqual([whole.firstEventDate, whole.lastEventDate], [texts[0], texts.at(-1)])
    }),
  )
})
