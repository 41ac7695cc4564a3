import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { classify, type IntelPolicy, LOOK_BACK_SECONDS_DEFAULT } from './classify-item.ts'
import type { Listing, Match, MatchedFacts, Sighting, Tagging } from './facts.ts'
import type { TagIntent } from './intent.ts'
import { rollUpSightings } from './ipv6-rollup.ts'
import { DEFAULT_SIGHTING_RULES } from './sighting-rules.ts'

const CATALOGUE: readonly { name: string; intent: TagIntent }[] = JSON.parse(
  readFileSync(new URL('../../../resources/default-tags.json', import.meta.url), 'utf8'),
)

const POLICY: IntelPolicy = {
  lookBackSeconds: LOOK_BACK_SECONDS_DEFAULT,
  tagIntents: new Map(CATALOGUE.map((tag) => [tag.name, tag.intent])),
  sightingRules: DEFAULT_SIGHTING_RULES,
  ipv6RollupMin: 3,
}
const NOW = 1_800_000_000
const DAY = 86_400
const NONE: MatchedFacts = { listings: [], taggings: [], sightings: [], allowances: [] }
const OWN: Match = { subject: '192.0.2.1', isOwn: true }
const RANGE: Match = { subject: '192.0.2.0/24', isOwn: false }

function listing(expiresSeconds = 0, match = OWN): Listing & Match {
  return {
    list: 'drop',
    source: 'example-list',
    firstSeenSeconds: NOW - DAY,
    lastSeenSeconds: NOW,
    expiresSeconds,
    ...match,
  }
}

function tagging(tag: string, expiresSeconds = 0, match = OWN): Tagging & Match {
  return {
    tag,
    source: 'analyst',
    firstSeenSeconds: NOW - 2 * DAY,
    lastSeenSeconds: NOW - DAY,
    expiresSeconds,
    ...match,
  }
}

function sighting(change: Partial<Sighting & Match> = {}): Sighting & Match {
  return {
    kind: 'honeypot',
    service: 'ssh',
    type: 'login-attack',
    source: 'pot-1',
    firstSeenSeconds: NOW - 3 * DAY,
    lastSeenSeconds: NOW - DAY,
    count: 1,
    ...OWN,
    ...change,
  }
}

function read(facts: Partial<MatchedFacts>, nowSeconds = NOW) {
  return classify({ ...NONE, ...facts }, POLICY, nowSeconds * 1000 + 999)
}

test('an item never seen is unknown, without tags, times or activity', () => {
  assert.deepEqual(read({}), {
    serviceMailBlocklist: 'INACTIVE',
    tags: [],
    intent: 'unknown',
    activity: false,
    firstSeenSeconds: undefined,
    lastSeenSeconds: undefined,
    observedActivity: {},
  })
})

test('a listing is active until the second it expires', () => {
  assert.equal(read({ listings: [listing()] }).serviceMailBlocklist, 'ACTIVE')
  assert.equal(read({ listings: [listing(NOW + 1)] }).serviceMailBlocklist, 'ACTIVE')
  assert.equal(read({ listings: [listing(NOW)] }).serviceMailBlocklist, 'INACTIVE')
  assert.equal(read({ listings: [listing(0, RANGE)] }).serviceMailBlocklist, 'ACTIVE')
})

test('the allow-list wins over listings as long as it is live', () => {
  const allowance = { ...listing(0, RANGE), list: 'own mail servers' }
  assert.equal(
    read({ listings: [listing()], allowances: [allowance] }).serviceMailBlocklist,
    'INACTIVE',
  )
  const over = { ...allowance, expiresSeconds: NOW }
  assert.equal(read({ listings: [listing()], allowances: [over] }).serviceMailBlocklist, 'ACTIVE')
})

test('tags are sorted, each once, and only while live', () => {
  const { tags } = read({
    taggings: [
      tagging('tool:zmap'),
      tagging('anonymizer:vpn', 0, RANGE),
      tagging('tool:zmap', 0, RANGE),
      tagging('spam:complaint', NOW),
    ],
  })
  assert.deepEqual(tags, ['anonymizer:vpn', 'tool:zmap'])
})

function intent(...tags: string[]) {
  return read({ taggings: tags.map((tag) => tagging(tag)) }).intent
}

test('benign overrides, then malicious, then suspicious, and describing tags change nothing', () => {
  assert.equal(intent('anonymizer:vpn', 'actor:ai-crawler', 'not:in-the-catalogue'), 'unknown')
  assert.equal(intent('anonymizer:vpn', 'tool:zmap'), 'suspicious')
  assert.equal(intent('tool:zmap', 'spam:complaint'), 'malicious')
  assert.equal(intent('spam:complaint', 'actor:search-engine', 'tool:zmap'), 'benign')
})

test('a benign tag of a range overrides malicious tags and sightings of the item, until it expires', () => {
  const facts = {
    taggings: [tagging('spam:complaint'), tagging('actor:search-engine', NOW + 1, RANGE)],
    sightings: [sighting()],
  }
  assert.equal(read(facts).intent, 'benign')
  assert.equal(read(facts, NOW + 1).intent, 'malicious')
  // What was seen stays told.
  assert.equal(read(facts).activity, true)
  assert.ok(read(facts).tags.includes('credentials:brute-force'))
})

test('the order and number of tags do not matter, only their worst, and benign', () => {
  const tags = ['anonymizer:vpn', 'tool:zmap', 'spam:complaint', 'actor:search-engine']
  for (let from = 0; from < tags.length; from += 1) {
    const turned = [...tags.slice(from), ...tags.slice(0, from)]
    assert.equal(intent(...turned), 'benign')
    const withoutBenign = turned.filter((tag) => tag !== 'actor:search-engine')
    assert.equal(intent(...withoutBenign, ...withoutBenign), 'malicious')
  }
})

test('listings and allowances say nothing about the intent, tags nothing about the listing', () => {
  const allowance = { ...listing(), list: 'own' }
  assert.equal(read({ listings: [listing()] }).intent, 'unknown')
  const both = read({ allowances: [allowance], taggings: [tagging('spam:complaint')] })
  assert.equal(both.intent, 'malicious')
  assert.equal(both.serviceMailBlocklist, 'INACTIVE')
  const vetted = read({ listings: [listing()], taggings: [tagging('actor:search-engine')] })
  assert.equal(vetted.serviceMailBlocklist, 'ACTIVE')
})

test('the allow-list wins whether it is wider or more exact than the listing', () => {
  const wide: Match = { subject: '192.0.0.0/16', isOwn: false }
  for (const [list, allow] of [
    [OWN, wide],
    [wide, OWN],
    [RANGE, RANGE],
  ] as const) {
    const facts = { listings: [listing(0, list)], allowances: [listing(0, allow)] }
    assert.equal(read(facts).serviceMailBlocklist, 'INACTIVE')
  }
})

function neighbours(...daysAgo: number[]) {
  const addresses = daysAgo.map((days) => [
    sighting({ firstSeenSeconds: NOW - days * DAY, lastSeenSeconds: NOW - days * DAY }),
  ])
  return rollUpSightings([0x2001_0db8, 0, 0, 1], addresses)
}

test('a roll-up of two addresses is information, of three it is activity and tags of the whole /64', () => {
  const two = read({ rollUp: neighbours(1, 2) })
  assert.deepEqual([two.activity, two.intent, two.tags], [false, 'unknown', []])
  assert.equal(two.lastSeenSeconds, undefined)
  const three = read({ rollUp: neighbours(1, 2, 3) })
  assert.deepEqual([three.activity, three.intent], [true, 'malicious'])
  assert.equal(three.firstSeenSeconds, NOW - 3 * DAY)
  assert.equal(three.lastSeenSeconds, NOW - DAY)
  // It was not the item itself that was observed.
  assert.deepEqual(three.observedActivity, {})
})

test('a roll-up counts only addresses within the look-back, and ends with the clock', () => {
  assert.equal(read({ rollUp: neighbours(1, 2, 31) }).activity, false)
  const rollUp = neighbours(0, 0, 0)
  assert.equal(read({ rollUp }, NOW + LOOK_BACK_SECONDS_DEFAULT).activity, true)
  assert.equal(read({ rollUp }, NOW + LOOK_BACK_SECONDS_DEFAULT + 1).activity, false)
})

test('the own sightings of an address are not counted twice in the roll-up that holds them', () => {
  const own = trap(1, { lastSeenSeconds: NOW - DAY })
  const rollUp = rollUpSightings([0x2001_0db8, 0, 0, 1], [[own], [sighting()], [sighting()]])
  assert.ok(!read({ sightings: [own], rollUp }).tags.includes('spam:recycled-trap'))
  const more = rollUpSightings([0x2001_0db8, 0, 0, 1], [[own], [trap(1)], [trap(1)]])
  assert.ok(read({ sightings: [own], rollUp: more }).tags.includes('spam:recycled-trap'))
})

test('an SSH login attack makes its source malicious for as long as the look-back', () => {
  const attack = sighting({ lastSeenSeconds: NOW })
  const fresh = read({ sightings: [attack] })
  assert.deepEqual(fresh.tags, ['credentials:brute-force', 'credentials:ssh-brute-force'])
  assert.equal(fresh.intent, 'malicious')
  assert.equal(fresh.activity, true)
  const last = read({ sightings: [attack] }, NOW + LOOK_BACK_SECONDS_DEFAULT)
  assert.equal(last.intent, 'malicious')
  const old = read({ sightings: [attack] }, NOW + LOOK_BACK_SECONDS_DEFAULT + 1)
  assert.deepEqual(old.tags, [])
  assert.equal(old.intent, 'unknown')
  assert.equal(old.activity, false)
  // What was observed stays told, with its time.
  assert.equal(old.lastSeenSeconds, NOW)
  assert.equal(old.observedActivity.honeypotInteractions?.observations.length, 1)
})

function trap(count: number, change: Partial<Sighting> = {}) {
  return sighting({ kind: 'spamtrap', service: '', type: 'recycled-spamtrap', count, ...change })
}

test('a threshold counts live sightings only, over all sources', () => {
  assert.deepEqual(read({ sightings: [trap(2)] }).tags, [])
  assert.deepEqual(read({ sightings: [trap(3)] }).tags, ['spam:recycled-trap'])
  assert.deepEqual(read({ sightings: [trap(2), trap(1, { source: 'trap-2' })] }).tags, [
    'spam:recycled-trap',
  ])
  const old = trap(1, { source: 'trap-2', lastSeenSeconds: NOW - LOOK_BACK_SECONDS_DEFAULT - 1 })
  assert.deepEqual(read({ sightings: [trap(2), old] }).tags, [])
})

function reported(source: string, daysAgo: number) {
  return sighting({
    kind: 'report',
    service: '',
    type: 'PortScan',
    source,
    count: 5,
    lastSeenSeconds: NOW - daysAgo * DAY,
  })
}

test('three unrelated reporters within seven days make a repeat offender, two or slower ones do not', () => {
  assert.deepEqual(read({ sightings: [reported('a', 1), reported('b', 2)] }).tags, ['scan:port'])
  assert.deepEqual(
    read({ sightings: [reported('a', 1), reported('b', 2), reported('c', 8)] }).tags,
    ['scan:port'],
  )
  const three = read({ sightings: [reported('a', 1), reported('b', 2), reported('c', 7)] })
  assert.deepEqual(three.tags, ['reports:repeat-offender', 'scan:port'])
  assert.equal(three.intent, 'malicious')
})

test('first and last seen are over all sightings and taggings, live or not, never over listings', () => {
  const seen = read({
    listings: [{ ...listing(), firstSeenSeconds: 1, lastSeenSeconds: NOW + 5 }],
    taggings: [{ ...tagging('tool:zmap', NOW - 1), firstSeenSeconds: NOW - 9 * DAY }],
    sightings: [sighting({ lastSeenSeconds: NOW - 5 })],
  })
  assert.equal(seen.firstSeenSeconds, NOW - 9 * DAY)
  assert.equal(seen.lastSeenSeconds, NOW - 5)
  const listedOnly = read({ listings: [listing()] })
  assert.equal(listedOnly.firstSeenSeconds, undefined)
  assert.equal(listedOnly.lastSeenSeconds, undefined)
})

test('observations are merged over sources, one per service and type, the latest first', () => {
  const { observedActivity } = read({
    sightings: [
      sighting({ source: 'pot-1', firstSeenSeconds: NOW - 50, lastSeenSeconds: NOW - 40 }),
      sighting({ source: 'pot-2', firstSeenSeconds: NOW - 90, lastSeenSeconds: NOW - 80 }),
      sighting({ service: '', type: 'probe', firstSeenSeconds: NOW - 9, lastSeenSeconds: NOW - 8 }),
      sighting({ kind: 'spamtrap', service: 'smtp', type: 'pristine-spamtrap' }),
      sighting({ kind: 'report', service: '', type: 'Spam' }),
    ],
  })
  assert.deepEqual(observedActivity, {
    honeypotInteractions: {
      firstSeenSeconds: NOW - 90,
      lastSeenSeconds: NOW - 8,
      observations: [
        {
          service: undefined,
          type: 'probe',
          firstSeenSeconds: NOW - 9,
          lastSeenSeconds: NOW - 8,
        },
        {
          service: 'ssh',
          type: 'login-attack',
          firstSeenSeconds: NOW - 90,
          lastSeenSeconds: NOW - 40,
        },
      ],
    },
    spamtrapInteractions: {
      firstSeenSeconds: NOW - 3 * DAY,
      lastSeenSeconds: NOW - DAY,
      observations: [
        {
          service: undefined,
          type: 'pristine-spamtrap',
          firstSeenSeconds: NOW - 3 * DAY,
          lastSeenSeconds: NOW - DAY,
        },
      ],
    },
  })
})

test('a sighting of a parent domain gives its tags but is no activity of the item', () => {
  const parent = sighting({ type: 'malware-distribution', subject: 'host.example', isOwn: false })
  const reading = read({ sightings: [parent] })
  assert.deepEqual(reading.tags, ['malware:distribution'])
  assert.equal(reading.activity, false)
  assert.equal(reading.observedActivity.honeypotInteractions, undefined)
})

test('every tag that a shipped rule sets is in the shipped catalogue', () => {
  for (const rule of DEFAULT_SIGHTING_RULES) {
    assert.ok(rule.tags.length > 0 && rule.types.length > 0)
    assert.ok(rule.countMin >= 1 && rule.sourcesMin >= 1)
    for (const tag of rule.tags) assert.ok(POLICY.tagIntents.has(tag), tag)
  }
})
