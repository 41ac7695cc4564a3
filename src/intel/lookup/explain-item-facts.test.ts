import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { classify, type IntelPolicy } from '../facts/classify-item.ts'
import type { Match, MatchedFacts, Sighting } from '../facts/facts.ts'
import { rollUpSightings } from '../facts/ipv6-rollup.ts'
import { explain } from './explain-item-facts.ts'

const NOW = 1_800_000_000
const DAY = 86_400
const POLICY: IntelPolicy = {
  lookBackSeconds: 30 * DAY,
  tagIntents: new Map([
    ['good', 'benign'],
    ['bad', 'malicious'],
    ['worse', 'malicious'],
    ['odd', 'suspicious'],
    ['plain', 'none'],
  ]),
  sightingRules: [
    {
      name: 'rule-1',
      kind: 'honeypot',
      types: ['attack'],
      countMin: 1,
      sourcesMin: 1,
      tags: ['bad'],
    },
    {
      name: 'rule-2',
      kind: 'honeypot',
      types: ['probe', 'scan'],
      services: ['ssh'],
      countMin: 3,
      sourcesMin: 2,
      withinSeconds: 7 * DAY,
      tags: ['odd', 'plain'],
    },
  ],
  ipv6RollupMin: 3,
}
const NONE: MatchedFacts = { listings: [], taggings: [], sightings: [], allowances: [] }
const OWN: Match = { subject: 'www.host.example', isOwn: true }
const PARENT: Match = { subject: 'host.example', isOwn: false }
const RANGE: Match = { subject: '192.0.2.0/24', isOwn: false }
const TIMES = { firstSeenSeconds: NOW - DAY, lastSeenSeconds: NOW - DAY, expiresSeconds: 0 }

function sighting(change: Partial<Sighting & Match> = {}): Sighting & Match {
  return {
    kind: 'honeypot',
    service: 'ssh',
    type: 'attack',
    source: 'pot-1',
    firstSeenSeconds: NOW - DAY,
    lastSeenSeconds: NOW - DAY,
    count: 1,
    ...OWN,
    ...change,
  }
}

const read = (facts: Partial<MatchedFacts>) => explain({ ...NONE, ...facts }, POLICY, NOW * 1_000)

test('the sentence about the blocklist names the listing, and the allow-list that wins', () => {
  assert.match(read({}).mailBlocklistBecause, /^No blocklist names/)
  const listing = { list: 'drop', source: 'x', ...TIMES, ...RANGE }
  assert.equal(
    read({ listings: [listing] }).mailBlocklistBecause,
    '"drop" lists the range 192.0.2.0/24.',
  )
  const expired = { ...listing, expiresSeconds: NOW }
  assert.match(read({ listings: [expired] }).mailBlocklistBecause, /^Every listing .* expired/)
  const allowance = { list: 'ours', source: 'x', ...TIMES, ...OWN }
  assert.match(
    read({ listings: [listing], allowances: [allowance] }).mailBlocklistBecause,
    /"ours" allows the item itself, and an allow-list wins/,
  )
  // An allowance that has expired wins nothing.
  const over = { ...allowance, expiresSeconds: NOW }
  assert.equal(
    read({ listings: [listing], allowances: [over] }).mailBlocklistBecause,
    '"drop" lists the range 192.0.2.0/24.',
  )
})

function intent(...tags: string[]): string {
  const taggings = tags.map((tag) => ({ tag, source: 'desk', ...TIMES, ...OWN }))
  return read({ taggings }).intentBecause
}

test('the sentence about the intent names every tag that decides it', () => {
  assert.equal(intent(), 'The item has no live tag.')
  assert.match(intent('plain'), /only describe/)
  assert.match(intent('odd', 'plain'), /^The tag "odd" is of intent suspicious/)
  assert.match(intent('odd', 'bad'), /^The tag "bad" is of intent malicious/)
  assert.match(intent('bad', 'worse'), /^The tags "bad", "worse" are of intent malicious/)
  assert.match(intent('bad', 'good'), /^The tag "good" is vetted as benign/)
})

test('a tag names its taggings and the rules that hold, and no rule that does not', () => {
  const tagging = { tag: 'odd', source: 'desk', ...TIMES, ...PARENT }
  const one = read({ taggings: [tagging], sightings: [sighting({ type: 'probe', count: 9 })] })
  assert.deepEqual(one.tags, [
    {
      name: 'odd',
      intent: 'suspicious',
      because: ['"desk" tagged the parent domain host.example.'],
    },
  ])
  const sightings = [
    sighting({ type: 'probe', count: 2 }),
    sighting({ type: 'scan', source: 'pot-2' }),
    // Too old for the rule, so not named.
    sighting({ type: 'scan', source: 'pot-3', lastSeenSeconds: NOW - 8 * DAY }),
  ]
  const two = read({ taggings: [tagging], sightings })
  assert.deepEqual(two.tags[0]?.because.slice(1), [
    'Rule "rule-2": honeypot sightings of probe or scan on ssh within 7 days, at least 3 from 2 sources; met by "pot-1", "pot-2".',
  ])
  assert.deepEqual(
    two.tags.map(({ name }) => name),
    ['odd', 'plain'],
  )
})

test('entries say whose they are and whether they count', () => {
  const { entries } = read({
    listings: [{ list: 'drop', source: 'x', ...TIMES, ...RANGE, expiresSeconds: NOW }],
    sightings: [sighting(), sighting({ ...PARENT, lastSeenSeconds: NOW - 31 * DAY })],
  })
  assert.deepEqual(
    entries.map(({ kind, subject, relation, isLive }) => [kind, subject, relation, isLive]),
    [
      ['listing', '192.0.2.0/24', 'range', false],
      ['sighting', 'www.host.example', 'itself', true],
      ['sighting', 'host.example', 'parent', false],
    ],
  )
})

test('the sentence about activity tells own sightings, old ones, neighbours and none apart', () => {
  assert.match(read({ sightings: [sighting()] }).activityBecause, /^The item itself was sighted/)
  const old = sighting({ lastSeenSeconds: NOW - 31 * DAY })
  assert.match(read({ sightings: [old] }).activityBecause, /last sighted before the look-back/)
  assert.match(read({}).activityBecause, /^No sensor/)
  const rollUp = rollUpSightings([0x2001_0db8, 0, 0, 1], [[sighting()], [sighting()], [sighting()]])
  const rolledUp = read({ rollUp })
  assert.match(rolledUp.activityBecause, /^At least 3 addresses of 2001:db8::\/64/)
  assert.equal(rolledUp.entries[0]?.relation, 'prefix')
  assert.match(rolledUp.tags[0]?.because[0] ?? '', /^Rule "rule-1": honeypot sightings of attack/)
})

test('it tells what classify says, and every tag has a ground', () => {
  const seconds = fc.integer({ min: NOW - 40 * DAY, max: NOW })
  const match = fc.constantFrom(OWN, PARENT, RANGE)
  const statement = fc
    .tuple(
      fc.constantFrom('good', 'bad', 'odd', 'plain'),
      seconds,
      fc.constantFrom(0, NOW, NOW + 1),
      match,
    )
    .map(([tag, seen, expiresSeconds, of]) => ({
      tag,
      list: tag,
      source: 'desk',
      firstSeenSeconds: seen,
      lastSeenSeconds: seen,
      expiresSeconds,
      ...of,
    }))
  const seen = fc
    .tuple(
      fc.constantFrom('attack', 'probe', 'scan'),
      fc.constantFrom('a', 'b'),
      seconds,
      fc.integer({ min: 1, max: 3 }),
      match,
    )
    .map(([type, source, lastSeenSeconds, count, of]) =>
      sighting({ type, source, lastSeenSeconds, count, ...of }),
    )
  const lists = fc.array(statement, { maxLength: 4 })
  fc.assert(
    fc.property(
      lists,
      lists,
      lists,
      fc.array(seen, { maxLength: 5 }),
      (listings, allowances, taggings, sightings) => {
        const facts = { listings, allowances, taggings, sightings }
        const explained = explain(facts, POLICY, NOW * 1_000)
        assert.deepEqual(explained.classification, classify(facts, POLICY, NOW * 1_000))
        const names = explained.tags.map(({ name }) => name)
        assert.deepEqual(names, explained.classification.tags)
        for (const tag of explained.tags) assert.ok(tag.because.length > 0, tag.name)
        const isListed = explained.classification.serviceMailBlocklist === 'ACTIVE'
        assert.equal(isListed, /^"\w+" lists [^,]*\.$/.test(explained.mailBlocklistBecause))
      },
    ),
  )
})
