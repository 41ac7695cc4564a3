import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { readResource } from '../values/resources.ts'
import {
  EVENT_TYPES,
  findLegacyXarfType,
  findXArfType,
  findXarfClass,
  findXarfMapping,
  isSubtypeSlug,
  isXarfCategory,
  parseVocabulary,
  toSubtypeSlug,
  XARF_CATEGORIES,
  XARF_PAIRS,
} from './event-types.ts'

test('the vocabulary has 45 event types in PascalCase, common ones and wire-only ones', () => {
  assert.equal(EVENT_TYPES.size, 45)
  for (const name of ['LoginAttack', 'DDos', 'CVE', 'Trap', 'IPReclamation', 'Unknown']) {
    assert.ok(EVENT_TYPES.has(name), name)
  }
  for (const name of ['login_attack', 'spam', '', 'constructor']) {
    assert.equal(EVENT_TYPES.has(name), false, name)
  }
})

test('all 32 pairs of XARF v4 map to an event type and keep their category', () => {
  assert.equal(XARF_PAIRS.length, 32)
  for (const pair of XARF_PAIRS) {
    const [category = '', type = ''] = pair.split('/')
    const mapping = findXarfMapping(category, type)
    assert.ok(mapping !== null && EVENT_TYPES.has(mapping.eventType), pair)
    assert.equal(mapping.xarfClass, category)
  }
  assert.deepEqual(findXarfMapping('connection', 'sql_injection'), {
    eventType: 'WebHack',
    eventSubtypes: ['sql-injection'],
    xarfClass: 'connection',
  })
})

test('a pair that XARF v4 does not have maps to nothing', () => {
  for (const [category, type] of [
    ['messaging', 'ddos'],
    ['', ''],
    ['connection', ''],
    ['__proto__', 'x'],
  ] as const) {
    assert.equal(findXarfMapping(category, type), null)
  }
})

test('the types of XARF v1 to v3 are known in every spelling, and by subtype where that matters', () => {
  assert.equal(findLegacyXarfType('LoginAttack', ''), 'LoginAttack')
  assert.equal(findLegacyXarfType('login-attack', 'ssh'), 'LoginAttack')
  assert.equal(findLegacyXarfType('DOS', ''), 'DDos')
  assert.equal(findLegacyXarfType('Spam', 'Trap'), 'Trap')
  assert.equal(findLegacyXarfType('Spam', 'Extortion'), 'Spam')
  assert.equal(findLegacyXarfType('WebHack', ''), 'WebHack')
  for (const type of ['', 'Weather', 'constructor', 'abuse/login-attack']) {
    assert.equal(findLegacyXarfType(type, ''), null, type)
  }
})

test('the types of X-ARF 0.x are known by their pair, else by the type alone', () => {
  assert.equal(findXArfType('abuse', 'login-attack'), 'LoginAttack')
  assert.equal(findXArfType('Fraud', 'Phishing'), 'Phishing')
  assert.equal(findXArfType('unusual', 'phishing'), 'Phishing')
  assert.equal(findXArfType('abuse', 'weather'), null)
  assert.equal(findXArfType('', ''), null)
})

test('an event type knows its category where it has one', () => {
  assert.equal(findXarfClass('Phishing'), 'content')
  assert.equal(findXarfClass('CompromisedServer'), 'infrastructure')
  assert.equal(findXarfClass('Unknown'), null)
  assert.equal(findXarfClass('Trap'), null)
  assert.ok(XARF_CATEGORIES.every(isXarfCategory))
  assert.equal(isXarfCategory('Content'), false)
})

test('slugs are lower-case words joined by single hyphens', () => {
  for (const slug of ['ssh', 'cve-2021-44228', 'p2p', 'a'.repeat(64)]) {
    assert.ok(isSubtypeSlug(slug), slug)
  }
  for (const text of ['', 'SSH', 'open_resolver', '-a', 'a-', 'a--b', 'é', 'a b', 'a'.repeat(65)]) {
    assert.equal(isSubtypeSlug(text), false, text)
  }
})

test('toSubtypeSlug makes a slug or nothing of any text', () => {
  assert.equal(toSubtypeSlug('CVE-2021-44228'), 'cve-2021-44228')
  assert.equal(toSubtypeSlug('  Open Resolver_2 '), 'open-resolver-2')
  assert.equal(toSubtypeSlug('!!'), null)
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const slug = toSubtypeSlug(text)
      assert.ok(slug === null || isSubtypeSlug(slug), `${text} gave ${slug}`)
    }),
  )
})

test('a file that is not the vocabulary stops the start', () => {
  const file = JSON.parse(readResource('event-types.json'))
  for (const broken of [
    [],
    { ...file, names: [] },
    { ...file, wire_only: [1] },
    { ...file, xarf4: { 'content/x': { type: 'NoSuchType', subtypes: [] } } },
    { ...file, xarf4: { 'nothing/x': { type: 'Spam', subtypes: [] } } },
    { ...file, xarf4: { 'content/x': { type: 'Spam', subtypes: ['Not A Slug'] } } },
    { ...file, names: { spam: { type: 'Spam', xarf_class: 'mail' } } },
  ]) {
    assert.throws(() => parseVocabulary(JSON.stringify(broken)), assert.AssertionError)
  }
})
