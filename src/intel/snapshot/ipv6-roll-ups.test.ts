// The roll-up of the snapshot with its overlay against a model that reads every address, under a
// clock that moves.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { type Ipv6Item } from '../../values/address.ts'
import { parseItem } from '../../values/item.ts'
import { ipv6Range } from '../../values/range.ts'
import type { IntelPolicy } from '../facts/classify-item.ts'
import type { Sighting, SubjectFacts } from '../facts/facts.ts'
import { CHECK_ACTIVITY, intentOfCheck } from './fact-bits.ts'
import { IntelView } from './intel-view.ts'
import type { Snapshot } from './snapshot.ts'
import { SnapshotBuilder } from './snapshot-builder.ts'

const NOW = 1_800_000_000
const LOOK_BACK = 1_000
const MIN = 3
const POLICY: IntelPolicy = {
  lookBackSeconds: LOOK_BACK,
  tagIntents: new Map([['bad', 'malicious']]),
  sightingRules: [
    {
      name: 'rule-1',
      kind: 'honeypot',
      types: ['attack'],
      countMin: 1,
      sourcesMin: 1,
      tags: ['bad'],
    },
  ],
  ipv6RollupMin: MIN,
}

type Known = ReadonlyMap<string, SubjectFacts>

function facts(sightings: readonly Sighting[]): SubjectFacts {
  return { listings: [], taggings: [], sightings, allowances: [] }
}

function attack(lastSeenSeconds: number, source = 'pot-1', type = 'attack'): Sighting {
  return {
    kind: 'honeypot',
    service: 'ssh',
    type,
    source,
    firstSeenSeconds: lastSeenSeconds - 100,
    lastSeenSeconds,
    count: 1,
  }
}

function ipv6(text: string): Ipv6Item {
  const item = parseItem(text)
  return item?.kind === 'ipv6' ? item : assert.fail(text)
}

function snapshotOf(known: Known): Snapshot {
  const builder = new SnapshotBuilder({ seed: 7 })
  for (const [text, said] of known) {
    builder.addNothing(ipv6(text))
    builder.add(ipv6(text), said)
  }
  return builder.build({ serial: 1, builtAtMs: NOW * 1_000, lookBackSeconds: LOOK_BACK })
}

function viewOf(before: Known, changes: Known): IntelView {
  const snapshot = snapshotOf(before)
  return new IntelView(snapshot, changes.size === 0 ? [] : [snapshotOf(changes)], POLICY)
}

/** The model: the sighted addresses of the range, each looked at. */
function lastSeenNaively(known: Known, asked: Ipv6Item, bits: number): number[] {
  const range = ipv6Range(asked.words, bits).text
  return [...known]
    .filter(([text]) => ipv6Range(ipv6(text).words, bits).text === range)
    .filter(([, { sightings }]) => sightings.length > 0)
    .map(([, { sightings }]) => Math.max(...sightings.map((one) => one.lastSeenSeconds)))
    .toSorted((a, b) => b - a)
}

const ADDRESSES = fc
  .tuple(
    fc.constantFrom('2001:db8:0:0', '2001:db8:0:1', '2001:db8:0:100', '2001:db8:1:0'),
    fc.nat(5),
  )
  .map(([prefix, host]) => ipv6(`${prefix}::${host}`).text)
const SIGHTINGS = fc.array(
  fc
    .tuple(
      fc.integer({ min: NOW - 1_500, max: NOW }),
      fc.constantFrom('pot-1', 'pot-2'),
      fc.constantFrom('attack', 'connection'),
    )
    .map(([last, source, type]) => attack(last, source, type)),
  { maxLength: 2 },
)
const KNOWN = fc
  .array(fc.tuple(ADDRESSES, SIGHTINGS.map(facts)), { maxLength: 16 })
  .map((entries) => new Map(entries))

test('check, look-up and counts agree with the model over snapshot, changes and clock', () => {
  const moments = fc.integer({ min: NOW - 200, max: NOW + 1_200 })
  fc.assert(
    fc.property(KNOWN, KNOWN, ADDRESSES, moments, (before, changes, text, nowSeconds) => {
      const known = new Map([...before, ...changes])
      const view = viewOf(before, changes)
      const asked = ipv6(text)
      for (const bits of [48, 56, 64]) {
        const lastSeen = view.rollUps.lastSeenWithin(ipv6Range(asked.words, bits))
        assert.deepEqual(
          lastSeen.toSorted((a, b) => b - a),
          lastSeenNaively(known, asked, bits),
        )
      }
      const since = nowSeconds - LOOK_BACK
      const inPrefix = lastSeenNaively(known, asked, 64)
      const isRolledUp = inPrefix.filter((last) => last >= since).length >= MIN
      const own = known.get(text)?.sightings ?? []
      const neighbours = [...known].filter(
        ([other]) => ipv6Range(ipv6(other).words, 64).text === ipv6Range(asked.words, 64).text,
      )
      const counted = isRolledUp ? neighbours.flatMap(([, one]) => one.sightings) : own
      const isBad = counted.some((one) => one.type === 'attack' && one.lastSeenSeconds >= since)
      const isActive = isRolledUp || own.some((one) => one.lastSeenSeconds >= since)
      const answer = view.check(asked, nowSeconds)
      assert.equal(intentOfCheck(answer), isBad ? 'malicious' : 'unknown')
      assert.equal((answer & CHECK_ACTIVITY) !== 0, isActive)
      // Where too few were ever sighted, a look-up has none to read.
      const rollUp = view.lookup(asked).rollUp
      assert.deepEqual(rollUp?.lastSeenSeconds ?? [], inPrefix.length < MIN ? [] : inPrefix)
    }),
    { numRuns: 300 },
  )
})

test('the third address makes the whole /64 malicious, and it ends with the clock alone', () => {
  const before = new Map([
    ['2001:db8::1', facts([attack(NOW - 10)])],
    ['2001:db8::2', facts([attack(NOW - 20)])],
  ])
  const asked = ipv6('2001:db8::dead:beef')
  const two = viewOf(before, new Map())
  assert.equal(two.check(asked, NOW), 0)
  const three = viewOf(before, new Map([['2001:db8::3', facts([attack(NOW - 30)])]]))
  assert.equal(intentOfCheck(three.check(asked, NOW)), 'malicious')
  assert.equal(intentOfCheck(three.check(asked, NOW - 30 + LOOK_BACK)), 'malicious')
  assert.equal(three.check(asked, NOW - 30 + LOOK_BACK + 1), 0)
  assert.equal(three.check(ipv6('2001:db8:0:1::1'), NOW), 0)
})

test('an address that loses its sightings no longer counts', () => {
  const before = new Map(
    ['2001:db8::1', '2001:db8::2', '2001:db8::3'].map((text) => [text, facts([attack(NOW)])]),
  )
  const view = viewOf(before, new Map([['2001:db8::2', facts([])]]))
  assert.equal(view.check(ipv6('2001:db8::9'), NOW), 0)
})

test('thousands of addresses and prefixes are told apart', () => {
  const known = new Map<string, SubjectFacts>()
  for (let prefix = 0; prefix < 2_000; prefix += 1) {
    for (let host = 1; host <= 1 + (prefix % 4); host += 1) {
      known.set(ipv6(`2001:db8:0:${prefix.toString(16)}::${host}`).text, facts([attack(NOW)]))
    }
  }
  const view = viewOf(known, new Map())
  // Enough /64s for the ways of asking for each and of walking all to be taken, for a /56 and a
  // /48.
  for (const bits of [56, 48]) {
    const asked = ipv6('2001:db8:0:7::1')
    const found = view.rollUps.lastSeenWithin(ipv6Range(asked.words, bits))
    assert.equal(found.length, lastSeenNaively(known, asked, bits).length)
  }
  for (let prefix = 0; prefix < 2_000; prefix += 1) {
    const answer = view.check(ipv6(`2001:db8:0:${prefix.toString(16)}::ffff`), NOW)
    assert.equal((answer & CHECK_ACTIVITY) !== 0, prefix % 4 >= 2)
  }
})

test('a /64 with more addresses than are gathered still speaks, by those that changed last', () => {
  const many = Array.from({ length: 40_000 }, (_, at) => `2001:db8::1:${at.toString(16)}`)
  const old = new Map(many.map((text) => [text, facts([attack(NOW - LOOK_BACK - 1)])]))
  const asked = ipv6('2001:db8::9:9')
  const quiet = viewOf(old, new Map())
  assert.equal(intentOfCheck(quiet.check(asked, NOW)), 'unknown')
  assert.ok((quiet.lookup(asked).rollUp?.lastSeenSeconds.length ?? 0) < many.length)
  const fresh = new Map(many.slice(-3).map((text) => [text, facts([attack(NOW - 1)])]))
  assert.equal(intentOfCheck(viewOf(old, fresh).check(asked, NOW)), 'malicious')
})
