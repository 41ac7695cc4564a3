// Proves that the text of a look-up is the JSON that the contract describes, whatever sources and
// networks are called.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Check } from 'typebox/value'
import { partialSuccessOf, successOf } from '../../vocabulary/envelope-wire.ts'
import type { EnrichmentAnswer } from '../enrichment/enrich.ts'
import type { Classification, Interactions } from '../facts/classify-item.ts'
import { LookupResult } from './lookup-result-wire.ts'
import { type LookedUp, presentLookup, quoteText } from './present-lookup-result.ts'

const OFF = { kind: 'off' } as const
const anyText = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 })
const anySeconds = fc.integer({ min: 1, max: 4_000_000_000 })
const anyTime = fc.option(anySeconds, { nil: undefined })

const anyObservation = fc.record({
  service: fc.option(anyText, { nil: undefined }),
  type: anyText,
  firstSeenSeconds: anySeconds,
  lastSeenSeconds: anySeconds,
})
const anyInteractions: fc.Arbitrary<Interactions | undefined> = fc.option(
  fc.record({
    firstSeenSeconds: anySeconds,
    lastSeenSeconds: anySeconds,
    observations: fc.array(anyObservation, { minLength: 1, maxLength: 3 }),
  }),
  { nil: undefined },
)
const anyClassification: fc.Arbitrary<Classification> = fc.record({
  serviceMailBlocklist: fc.constantFrom('ACTIVE', 'INACTIVE'),
  tags: fc.array(anyText, { maxLength: 3 }),
  intent: fc.constantFrom('benign', 'malicious', 'suspicious', 'unknown'),
  activity: fc.boolean(),
  firstSeenSeconds: anyTime,
  lastSeenSeconds: anyTime,
  observedActivity: fc.record({
    honeypotInteractions: anyInteractions,
    spamtrapInteractions: anyInteractions,
  }),
})
const anyEnrichment: fc.Arbitrary<EnrichmentAnswer> = fc.record({
  reverseDns: fc.oneof(
    fc.record({ kind: fc.constant('found' as const), value: fc.array(anyText, { maxLength: 3 }) }),
    fc.constantFrom({ kind: 'absent' } as const, OFF),
  ),
  abuseContact: fc.oneof(
    fc.record({
      kind: fc.constant('found' as const),
      value: fc.record({
        email: fc.constant('abuse@example.net'),
        status: fc.constantFrom('UNKNOWN', 'OK', 'MX_FAILED'),
        lastVerification: fc.option(fc.constant(new Date(0)), { nil: null }),
      }),
    }),
    fc.constant(OFF),
  ),
  asn: fc.oneof(
    fc.constantFrom(
      {
        kind: 'found',
        value: { asn: 'AS64496', name: 'Example "Networks" \\ Ü', countryCode: 'DE' },
      } as const,
      { kind: 'found', value: { asn: 'AS64496' } } as const,
      OFF,
    ),
  ),
  isPartial: fc.boolean(),
})
const anyLookedUp: fc.Arbitrary<LookedUp> = fc.record({
  text: anyText,
  isDomain: fc.boolean(),
  bogon: fc.boolean(),
  classification: anyClassification,
  enrichment: anyEnrichment,
})

test('the text of a look-up is JSON of the documented shape, and repeats every name as it is', () => {
  fc.assert(
    fc.property(anyLookedUp, (looked) => {
      const { classification, enrichment } = looked
      const envelope = JSON.parse(presentLookup(looked))
      const schema = enrichment.isPartial ? partialSuccessOf(LookupResult) : successOf(LookupResult)
      assert.ok(Check(schema, envelope), JSON.stringify(envelope))
      const { result } = envelope
      assert.equal(result.item, looked.text)
      assert.deepEqual(result.tags, classification.tags)
      const observed = classification.observedActivity.honeypotInteractions?.observations ?? []
      const shown = result.observedActivity.honeypotInteractions?.observations ?? []
      assert.deepEqual(
        shown.map(({ service, type }: { service?: string; type: string }) => [service, type]),
        observed.map(({ service, type }) => [service, type]),
      )
      const names = enrichment.reverseDns.kind === 'found' ? enrichment.reverseDns.value : null
      assert.deepEqual(
        result.reverseDns?.current.map(({ entry }: { entry: string }) => entry) ?? null,
        names ?? (enrichment.reverseDns.kind === 'absent' ? [] : null),
      )
    }),
  )
})

function assertQuoted(text: string): void {
  const quoted = quoteText(text)
  assert.match(quoted, /^[ -~\u007f]*$/)
  assert.equal(JSON.parse(quoted), JSON.parse(JSON.stringify(text)))
}

test('any text is quoted in ASCII and read back as it was, plain or not', () => {
  for (const text of [
    '',
    'example.org',
    'a"b',
    'a\\b',
    '\u0000',
    '\u007f',
    'ü',
    '\ud800',
    '\u2028',
  ]) {
    assertQuoted(text)
  }
  assert.equal(quoteText('example.org'), '"example.org"')
  assert.equal(quoteText('ü\u{1f600}'), String.raw`"\u00fc\ud83d\ude00"`)
  fc.assert(fc.property(fc.string({ unit: 'binary' }), assertQuoted))
})
