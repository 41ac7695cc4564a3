import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EMPTY_BRIEF } from '../../intel/lookup/item-brief.ts'
import type { NewEvent } from '../../vocabulary/event.ts'
import {
  type ConditionAnswer,
  compileCondition,
  EVALUATION_UNITS_MAX,
  parseCondition,
} from './compile-condition.ts'
import { buildConditionInput, type ConditionInput } from './condition-environment.ts'
import { WorkBudget } from './condition-meter.ts'

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
const nothingKnown = () => EMPTY_BRIEF
const INPUT = buildConditionInput(EVENT, OWNER, nothingKnown)

function ask(text: string, input: ConditionInput = INPUT): ConditionAnswer['kind'] {
  return compileCondition(text).ask(input, new WorkBudget(Infinity)).kind
}

/** The units that one evaluation takes. */
function measure(text: string, input: ConditionInput = INPUT): number {
  const budget = new WorkBudget(1_000_000)
  compileCondition(text).ask(input, budget)
  return 1_000_000 - budget.left
}

function withDetails(details: Record<string, unknown>): ConditionInput {
  return buildConditionInput(
    { ...EVENT, details: details as typeof EVENT.details },
    OWNER,
    nothingKnown,
  )
}

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
    assert.equal(ask(text), 'match', text)
  }
})

test('IPv6 blocks hold their addresses to the bit', () => {
  const input = buildConditionInput({ ...EVENT, ip: '2001:db8:0:8000::1' }, OWNER, nothingKnown)
  for (const [cidr, answer] of [
    ['2001:db8::/32', 'match'],
    ['2001:db8:0:8000::/49', 'match'],
    ['2001:db8::/49', 'no_match'],
    ['2001:db8:0:8000::1/128', 'match'],
    ['2001:db8:0:8000::2/128', 'no_match'],
    ['::/0', 'match'],
    ['192.0.2.0/24', 'no_match'],
  ] as const) {
    assert.equal(ask(`event.ip.inCidr("${cidr}")`, input), answer, cidr)
  }
})

test('a condition that fails for an event does not match, is told apart, and says why', () => {
  for (const text of [
    'event.details.nothing == 1',
    'event.details.text < 3',
    'event.details.port',
    'event.details.text.inCidr(event.details.text)',
  ]) {
    const answer = compileCondition(text).ask(INPUT, new WorkBudget(Infinity))
    assert.ok(answer.kind === 'failed' && answer.cause === 'error', text)
    assert.ok(answer.reason !== '' && !answer.reason.includes('\n'))
  }
  assert.equal(ask('what this program does not know'), 'failed')
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
    'event.tags.filter(t, t == "").size() == 0',
    '[[1]].exists(one, one.exists(two, two == 1))',
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
    if (detail.kind === 'condition') assert.equal(ask(`event.details.${name} == 1`), 'failed')
  }
})

// The condition of the security review: 1,263 characters, 2,700 calls over a long text.
const OVER_A_LIST = `[${Array(150).fill(1).join()}].exists(t, ${Array(18)
  .fill('event.details.big.lowerAscii().contains("aaaaab")')
  .join(' || ')})`
const BIG = withDetails({ big: 'A'.repeat(32_700), digits: '1'.repeat(3_000) })

test('a loop counts its body once for each element, and too many steps are refused with their number', () => {
  const result = parseCondition(OVER_A_LIST)
  assert.ok(result.kind === 'problem')
  assert.match(result.reason, /^may take \d+ steps for one event, and the limit is 5000: /)
  const body = Array(60).fill('t == "a"').join(' || ')
  assert.equal(parseCondition(`event.tags.exists(t, ${body})`).kind, 'problem')
  assert.equal(parseCondition(`event.event_subtypes.exists(t, ${body})`).kind, 'condition')
  assert.equal(parseCondition(`["a", "b"].exists(t, ${body})`).kind, 'condition')
})

test('the work of one evaluation ends at its bound, whatever construct does the work', () => {
  const shout = 'event.details.big.lowerAscii().contains("aaaaab")'
  const missing = Array(24).fill('event.details.nothing == t').join(' || ')
  for (const text of [
    OVER_A_LIST,
    `[1, 2, 3, 4].exists(t, ${shout})`,
    `[1, 2, 3, 4].all(t, !${shout})`,
    `[1, 2, 3, 4].exists_one(t, ${shout})`,
    Array(5).fill(shout).join(' || '),
    // What stands behind the bound does not count as an answer.
    `${Array(5).fill(shout).join(' || ')} || true`,
    `!(${Array(5).fill(`!${shout}`).join(' && ')} && false)`,
    `[1, 2, 3, 4, 5].exists(t, ${shout} || t == 5)`,
    Array(6).fill('size(event.details.big) == 1').join(' || '),
    Array(12).fill('event.details.big.upperAscii().trim() == ""').join(' || '),
    Array(24).fill('event.details.big.isUnder("b")').join(' || '),
    Array(24).fill('event.details.big.inCidr("192.0.2.0/24")').join(' || '),
    Array(12).fill('event.details.big < event.details.big').join(' || '),
    `[${Array(40).fill('"x"').join()}].exists(t, ${missing})`,
  ]) {
    const budget = new WorkBudget(1_000_000)
    const answer = compileCondition(text).ask(BIG, budget)
    assert.ok(answer.kind === 'failed' && answer.cause === 'work', text.slice(0, 90))
    assert.equal(1_000_000 - budget.left, EVALUATION_UNITS_MAX)
  }
})

test('a condition costs the same for the same event each time, by its steps and by the texts it looks through', () => {
  const text = 'event.details.big.lowerAscii().contains("phish")'
  const long = measure(text, BIG)
  assert.equal(measure(text, BIG), long)
  const short = measure(text, withDetails({ big: 'Made up' }))
  assert.ok(long - short >= 32_700 / 8 && short < 20, `${long} ${short}`)
  assert.ok(
    measure('event.tags.exists(t, t == "nope")') <
      measure('event.event_subtypes.exists(t, t == "nope")'),
  )
  const list = withDetails({ list: Array.from({ length: 1_000 }, (_, at) => `u${at}`) })
  assert.ok(measure('"x" in event.details.list', list) > 1_000)
  assert.ok(measure('event.details.list == ["x"]', list) > 1_000)
  assert.ok(measure('event.details.nothing == 1') > 100, 'an error costs more than an answer')
})

test('the text of a duration has a bound, since the library reads it in cubic time', () => {
  const answer = compileCondition('duration(event.details.digits) == duration("1h")').ask(
    BIG,
    new WorkBudget(Infinity),
  )
  assert.ok(answer.kind === 'failed' && answer.cause === 'error')
  assert.match(answer.reason, /at most 64 characters/)
  assert.equal(ask('duration("90m") == duration("1h30m")'), 'match')
})

test('without long texts every condition that is accepted stays within the work of one evaluation', () => {
  const body = Array(40).fill('t.lowerAscii().startsWith("x")').join(' || ')
  const tags = Array.from({ length: 50 }, (_, at) => `tag-${at}`)
  const input = buildConditionInput({ ...EVENT, tags }, OWNER, nothingKnown)
  for (const text of [
    `event.tags.exists(t, ${Array(19).fill('t.lowerAscii() == "x"').join(' || ')})`,
    `event.event_subtypes.exists(t, ${body})`,
    `event.ip in [${Array.from({ length: 200 }, (_, at) => `"${at}"`).join()}]`,
  ]) {
    assert.equal(parseCondition(text).kind, 'condition', text.slice(0, 60))
    assert.ok(measure(text, input) < EVALUATION_UNITS_MAX)
  }
})

test('an event whose work is used up asks no further condition', () => {
  const budget = new WorkBudget(3)
  assert.equal(compileCondition('event.event_type == "x"').ask(INPUT, budget).kind, 'failed')
  assert.equal(budget.left, 0)
  const answer = compileCondition('true').ask(INPUT, budget)
  assert.ok(answer.kind === 'failed' && answer.cause === 'work')
})

test('conditions see what intel knows of the address and the domain, and empty values of the unknown', () => {
  const briefItem = (text: string) =>
    text === EVENT.ip
      ? { ...EMPTY_BRIEF, listed: true, intent: 'malicious' as const, tags: ['scan:port'] }
      : EMPTY_BRIEF
  const input = buildConditionInput(EVENT, OWNER, briefItem)
  for (const text of [
    'intel.ip.listed && intel.ip.intent == "malicious" && "scan:port" in intel.ip.tags',
    'intel.ip.tags.exists(t, t.startsWith("scan:")) && !intel.ip.activity',
    '!intel.domain.listed && intel.domain.intent == "unknown" && size(intel.domain.tags) == 0',
  ]) {
    assert.equal(parseCondition(text).kind, 'condition', text)
    assert.equal(ask(text, input), 'match', text)
  }
  const noItem = buildConditionInput({ ...EVENT, ip: null, domain: null }, OWNER, briefItem)
  assert.equal(ask('intel.ip.intent == "unknown" && !intel.domain.listed', noItem), 'match')
  assert.equal(parseCondition('intel.url.listed').kind, 'problem')
})
