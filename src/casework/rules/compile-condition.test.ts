import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NewEvent } from '../../vocabulary/event.ts'
import { compileCondition, parseCondition } from './compile-condition.ts'
import { buildConditionInput } from './condition-environment.ts'

const EVENT: NewEvent = {
  eventDate: '2026-01-31T09:15:00.000Z',
  eventType: 'Phishing',
  eventSubtypes: ['a', 'b'],
  xarfClass: 'content',
  senderEmail: 'reports@example.org',
  recipientEmail: null,
  ip: '192.0.2.200',
  domain: 'www.shop.example',
  tags: ['trusted'],
  details: { url: 'https://cdn.example.net/x', port: 22, none: null, text: 'Made up' },
  customerId: null,
  contractId: null,
  reportId: null,
}
const OWNER = { customerId: 'C-1', contractId: null, resourceId: null }
const INPUT = buildConditionInput(EVENT, OWNER)

test('conditions see the members of the event, its owner and its details', () => {
  for (const text of [
    'event.event_type == "Phishing" && event.xarf_class in ["content", "copyright"]',
    'event.customer_id == "C-1" && event.contract_id == "" && event.recipient_email == ""',
    'event.url_host == "cdn.example.net" && event.url.startsWith("https:")',
    'event.event_date > timestamp("2026-01-01T00:00:00Z")',
    'event.tags.exists(t, t == "trusted") && event.event_subtypes.all(s, size(s) == 1)',
    '"a" in event.event_subtypes && size(event.tags) == 1',
    'event.details.port == 22 && event.details.port < 1024',
    'has(event.details.text) && !has(event.details.nothing)',
    'event.details.text.lowerAscii().contains("made")',
    'event.details.none == null',
    'event.ip.inCidr("192.0.2.128/25") && !event.ip.inCidr("192.0.2.0/25")',
    'event.ip.inCidr("0.0.0.0/0") && !event.ip.inCidr("2001:db8::/32")',
    'event.domain.isUnder("Shop.example") && !event.domain.isUnder("hop.example")',
  ]) {
    assert.equal(compileCondition(text).ask(INPUT), 'match', text)
  }
})

test('IPv6 blocks hold their addresses to the bit', () => {
  const input = buildConditionInput({ ...EVENT, ip: '2001:db8:0:8000::1' }, OWNER)
  for (const [cidr, answer] of [
    ['2001:db8::/32', 'match'],
    ['2001:db8:0:8000::/49', 'match'],
    ['2001:db8::/49', 'no_match'],
    ['2001:db8:0:8000::1/128', 'match'],
    ['2001:db8:0:8000::2/128', 'no_match'],
    ['::/0', 'match'],
    ['192.0.2.0/24', 'no_match'],
  ] as const) {
    assert.equal(compileCondition(`event.ip.inCidr("${cidr}")`).ask(input), answer, cidr)
  }
})

test('a condition that fails for an event does not match, is told apart, and says why', () => {
  for (const text of [
    'event.details.nothing == 1',
    'event.details.text < 3',
    'event.details.port',
    'event.details.text.inCidr(event.details.text)',
  ]) {
    const condition = compileCondition(text)
    assert.equal(condition.ask(INPUT), 'failed', text)
    assert.equal(typeof condition.explainFailure(INPUT), 'string')
  }
  assert.equal(compileCondition('true').explainFailure(INPUT), null)
  assert.equal(compileCondition('what this program does not know').ask(INPUT), 'failed')
})

test('what has no bound, no sense or no boolean is refused with one sentence', () => {
  for (const text of [
    '',
    '1 +',
    'event.ip',
    'event.nothing == 1',
    'other.ip == ""',
    'event.ip == 1',
    'event.ip.matches("(a+)+$")',
    '"a" + event.ip == "a"',
    '[1, 2].map(x, x).size() == 1',
    '{"a": 1}.size() == 1',
    'cel.bind(x, event.ip, x == x)',
    'event.details.list.exists(x, x == 1)',
    'event.tags.exists(t, event.tags.exists(u, t == u))',
    'event.ip.inCidr("192.0.2.1/24")',
    'event.ip.inCidr("nowhere")',
    `event.ip in [${Array.from({ length: 300 }, (_, at) => `"${at}"`).join()}]`,
    Array.from({ length: 101 }, () => 'event.ip.contains("1")').join('||'),
    `${'('.repeat(100)}true${')'.repeat(100)}`,
    ' '.repeat(8_001),
  ]) {
    const result = parseCondition(text)
    assert.equal(result.kind, 'problem', text.slice(0, 80))
    assert.ok('reason' in result && !result.reason.includes('\n'))
  }
})

test('nothing of JavaScript is in reach of a condition', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'prototype']) {
    assert.equal(parseCondition(`event.${name} == 1`).kind, 'problem', name)
    const detail = parseCondition(`event.details.${name} == 1`)
    if (detail.kind === 'condition') assert.equal(detail.condition.ask(INPUT), 'failed', name)
  }
})
