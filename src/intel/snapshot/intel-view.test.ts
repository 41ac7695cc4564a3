// The snapshot with its overlay against a model of arrays and loops, and the edges that random data
// seldom meets.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { parentDomains } from '../../values/domain.ts'
import { type Item, parseItem } from '../../values/item.ts'
import { parseSubject, rangeHolds, type Subject } from '../../values/range.ts'
import { classify, type IntelPolicy } from '../facts/classify-item.ts'
import type { MatchedFacts, SubjectFacts } from '../facts/facts.ts'
import type { TagIntent } from '../facts/intent.ts'
import { CHECK_ACTIVITY, CHECK_LISTED, intentOfCheck } from './fact-bits.ts'
import { IntelView } from './intel-view.ts'
import { mergeSnapshots } from './merge-snapshots.ts'
import type { Snapshot } from './snapshot.ts'
import { SnapshotBuilder } from './snapshot-builder.ts'

const NOW = 1_800_000_000
const POLICY: IntelPolicy = {
  lookBackSeconds: 1000,
  // Beyond what the small space below can hold: the roll-up has a test of its own.
  ipv6RollupMin: 65_535,
  tagIntents: new Map<string, TagIntent>([
    ['good', 'benign'],
    ['bad', 'malicious'],
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
      types: ['probe'],
      countMin: 4,
      sourcesMin: 1,
      tags: ['odd', 'plain'],
    },
    {
      name: 'rule-3',
      kind: 'spamtrap',
      types: ['attack', 'probe'],
      countMin: 1,
      sourcesMin: 2,
      tags: ['bad'],
    },
    {
      name: 'rule-4',
      kind: 'spamtrap',
      types: ['probe'],
      services: ['smtp'],
      countMin: 1,
      sourcesMin: 1,
      withinSeconds: 500,
      tags: ['good'],
    },
  ],
}

const NO_FACTS: SubjectFacts = { listings: [], taggings: [], sightings: [], allowances: [] }

function subject(text: string): Subject {
  const parsed = parseSubject(text)
  assert.equal(parsed.kind, 'subject', text)
  return parsed.kind === 'subject' ? parsed.subject : assert.fail()
}

function item(text: string): Item {
  return parseItem(text) ?? assert.fail(`${text} is no item`)
}

function listed(list: string): SubjectFacts {
  const times = { firstSeenSeconds: NOW - 10, lastSeenSeconds: NOW, expiresSeconds: 0 }
  return { ...NO_FACTS, listings: [{ list, source: 'test', ...times }] }
}

type Known = ReadonlyMap<string, SubjectFacts>

/** The model: every subject is looked at, one after the other. */
function matchNaively(known: Known, asked: Item): MatchedFacts {
  const parents = asked.kind === 'domain' ? parentDomains(asked.text) : []
  const hits: { match: { subject: string; isOwn: boolean }; facts: SubjectFacts; near: number }[] =
    []
  for (const [text, facts] of known) {
    const is = subject(text)
    const isOwn = is.text === asked.text
    const isRange = is.kind === 'ipv4-range' || is.kind === 'ipv6-range'
    const covers = isRange ? rangeHolds(is, asked) : parents.includes(is.text)
    if (!isOwn && !covers) continue
    const near = isRange ? is.prefixLength : is.text.length
    hits.push({ match: { subject: is.text, isOwn }, facts, near: isOwn ? 1000 : near })
  }
  hits.sort((a, b) => b.near - a.near)
  return {
    listings: hits.flatMap((hit) => hit.facts.listings.map((fact) => ({ ...fact, ...hit.match }))),
    taggings: hits.flatMap((hit) => hit.facts.taggings.map((fact) => ({ ...fact, ...hit.match }))),
    sightings: hits.flatMap((hit) =>
      hit.facts.sightings.map((fact) => ({ ...fact, ...hit.match })),
    ),
    allowances: hits.flatMap((hit) =>
      hit.facts.allowances.map((fact) => ({ ...fact, ...hit.match })),
    ),
  }
}

function viewOf(
  before: Known,
  changes: ReadonlyMap<string, SubjectFacts | null>,
  builtAtSeconds = NOW - 2000,
  lookBackSeconds = POLICY.lookBackSeconds,
): IntelView {
  const built = { builtAtSeconds, lookBackSeconds }
  const snapshot = snapshotOf(before, built)
  const layer = snapshotOf(changes, built)
  return new IntelView(snapshot, changes.size === 0 ? [] : [layer], POLICY)
}

const SEED = 7

interface Built {
  readonly builtAtSeconds: number
  readonly lookBackSeconds: number
}

function snapshotOf(
  known: ReadonlyMap<string, SubjectFacts | null>,
  { builtAtSeconds, lookBackSeconds }: Built,
): Snapshot {
  const builder = new SnapshotBuilder({ seed: SEED })
  for (const [text, facts] of known) {
    builder.addNothing(subject(text))
    if (facts !== null) builder.add(subject(text), facts)
  }
  return builder.build({ serial: 1, builtAtMs: builtAtSeconds * 1000, lookBackSeconds })
}

function assertSame(view: IntelView, known: Known, asked: Item, nowSeconds: number): void {
  const expected = matchNaively(known, asked)
  assert.deepEqual(view.lookup(asked), expected, asked.text)
  const reading = classify(expected, POLICY, nowSeconds * 1000)
  const answer = view.check(asked, nowSeconds)
  assert.equal((answer & CHECK_LISTED) !== 0, reading.serviceMailBlocklist === 'ACTIVE', asked.text)
  assert.equal((answer & CHECK_ACTIVITY) !== 0, reading.activity, asked.text)
  assert.equal(intentOfCheck(answer), reading.intent, asked.text)
}

// Few values in a small space, so that subjects repeat, nest and meet the questions.
const SMALL_IPV4 = fc
  .tuple(fc.constantFrom(0, 10, 192, 255), fc.constantFrom(0, 1, 255), fc.nat(3), fc.nat(255))
  .map((parts) => parts.join('.'))
const SMALL_IPV6 = fc
  .tuple(fc.constantFrom('', '2001:db8', 'ffff:ffff'), fc.constantFrom('0', '1', 'ffff'), fc.nat(9))
  .map(([head, middle, tail]) => (head === '' ? `::${tail}` : `${head}:${middle}::${tail}`))
const DOMAINS = fc
  .tuple(
    fc.constantFrom('', 'a.', 'b.', 'a.b.', '_x.a.b.'),
    fc.constantFrom('host.example', 'example.com', 'github.io', 'co.uk', 'someone.github.io'),
  )
  .map((parts) => parts.join(''))
const ITEMS = fc.oneof(SMALL_IPV4, SMALL_IPV6, DOMAINS).map(item)
const RANGES = fc.oneof(
  fc.tuple(SMALL_IPV4, fc.nat(32)).map(([text, length]) => `${text}/${length}`),
  fc.tuple(SMALL_IPV6, fc.nat(128)).map(([text, length]) => `${text}/${length}`),
)
const SUBJECTS = fc.oneof(
  ITEMS.map(({ text }) => text),
  RANGES.map((text) => {
    const parsed = parseSubject(text, 'clear')
    return parsed.kind === 'subject' ? parsed.subject.text : assert.fail(text)
  }),
)

const SECONDS = fc.integer({ min: NOW - 1500, max: NOW + 500 })
const SEEN = { firstSeenSeconds: SECONDS, lastSeenSeconds: SECONDS }
const EXPIRING = { ...SEEN, expiresSeconds: fc.oneof(fc.constant(0), SECONDS) }
const SOURCE = fc.constantFrom('s1', 's2', 's3')
const LISTING = fc.record({ list: fc.constantFrom('l1', 'l2'), source: SOURCE, ...EXPIRING })
const FACTS: fc.Arbitrary<SubjectFacts> = fc.record({
  listings: fc.array(LISTING, { maxLength: 2 }),
  taggings: fc.array(
    fc.record({
      tag: fc.constantFrom('good', 'bad', 'odd', 'plain', 'gone'),
      source: SOURCE,
      ...EXPIRING,
    }),
    { maxLength: 2 },
  ),
  sightings: fc.array(
    fc.record({
      kind: fc.constantFrom('honeypot', 'spamtrap'),
      service: fc.constantFrom('', 'smtp'),
      type: fc.constantFrom('attack', 'probe', 'other'),
      source: SOURCE,
      ...SEEN,
      count: fc.nat(3),
    }),
    { maxLength: 3 },
  ),
  allowances: fc.array(LISTING, { maxLength: 1 }),
})

test('look-up and check agree with the model over addresses, ranges, domains and changes', () => {
  const known = fc.array(fc.tuple(SUBJECTS, FACTS), { maxLength: 40 })
  const changes = fc.array(fc.tuple(SUBJECTS, fc.option(FACTS)), { maxLength: 12 })
  // Some are built for another look-back, some later than they are asked (a clock may step back).
  const builds = fc.tuple(SECONDS, fc.constantFrom(1000, 1000, 1000, 300))
  const moments = fc.array(SECONDS, { minLength: 1, maxLength: 3 })
  const asked = fc.array(ITEMS, { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(known, changes, asked, moments, builds, (before, since, items, times, build) => {
      const first = new Map(before)
      // Every second change is to a subject that the snapshot has.
      const subjects = [...first.keys()]
      const changed = new Map(
        since.map(([text, facts], at) => [(at % 2 ? subjects[at] : text) ?? text, facts] as const),
      )
      const after = new Map(first)
      for (const [text, facts] of changed) after.set(text, facts ?? NO_FACTS)
      const view = viewOf(first, changed, ...build)
      const own = [...after.keys()].flatMap((text) => parseItem(text) ?? [])
      const all = [...items, ...own]
      for (const nowSeconds of times) {
        for (const one of all) assertSame(view, after, one, nowSeconds)
        const answers = new Uint8Array(all.length)
        view.checkMany(all, nowSeconds, answers)
        assert.deepEqual(
          [...answers],
          all.map((one) => view.check(one, nowSeconds)),
        )
      }
    }),
    { numRuns: 300 },
  )
})

function subjectsOf(view: IntelView, text: string): string[] {
  return view.lookup(item(text)).listings.map((fact) => fact.subject)
}

function viewOfListed(...subjects: readonly string[]): IntelView {
  return viewOf(new Map(subjects.map((text) => [text, listed(text)])), new Map())
}

test('an empty snapshot knows nothing', () => {
  const view = viewOfListed()
  for (const text of ['0.0.0.0', '255.255.255.255', '::', 'host.example']) {
    assert.equal(view.check(item(text), NOW), 0)
    assert.deepEqual(view.lookup(item(text)), NO_FACTS)
  }
})

test('the first and last addresses are found, alone and in the range of everything', () => {
  const last = 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'
  const view = viewOfListed('0.0.0.0', '255.255.255.255', '0.0.0.0/0', '::', last, '::/0')
  assert.deepEqual(subjectsOf(view, '0.0.0.0'), ['0.0.0.0', '0.0.0.0/0'])
  assert.deepEqual(subjectsOf(view, '255.255.255.255'), ['255.255.255.255', '0.0.0.0/0'])
  assert.deepEqual(subjectsOf(view, '128.0.0.0'), ['0.0.0.0/0'])
  assert.deepEqual(subjectsOf(view, '::'), ['::', '::/0'])
  assert.deepEqual(subjectsOf(view, last), [last, '::/0'])
  assert.deepEqual(subjectsOf(view, '2001:db8::1'), ['::/0'])
})

test('ranges that end with the address space or touch each other keep their edges', () => {
  const view = viewOfListed('255.255.255.0/24', '192.0.2.0/25', '192.0.2.128/25', 'ff00::/8')
  assert.deepEqual(subjectsOf(view, '255.255.255.255'), ['255.255.255.0/24'])
  assert.deepEqual(subjectsOf(view, '255.255.254.255'), [])
  assert.deepEqual(subjectsOf(view, '192.0.2.127'), ['192.0.2.0/25'])
  assert.deepEqual(subjectsOf(view, '192.0.2.128'), ['192.0.2.128/25'])
  assert.deepEqual(subjectsOf(view, '192.0.3.0'), [])
  assert.deepEqual(subjectsOf(view, 'feff:ffff::'), [])
  assert.deepEqual(subjectsOf(view, 'ffff::'), ['ff00::/8'])
})

test('a /32 or /128 is the address itself', () => {
  const builder = new SnapshotBuilder()
  for (const range of ['192.0.2.1/32', '2001:db8::1/128']) {
    const { range: parsed } = parseRangeOf(range)
    builder.add(parsed, listed(range))
  }
  const view = new IntelView(
    builder.build({ serial: 1, builtAtMs: 0, lookBackSeconds: 1000 }),
    [],
    POLICY,
  )
  assert.equal(view.lookup(item('192.0.2.1')).listings[0]?.isOwn, true)
  assert.equal(view.lookup(item('2001:db8::1')).listings[0]?.isOwn, true)
  assert.deepEqual(subjectsOf(view, '192.0.2.0'), [])
})

function parseRangeOf(text: string): { range: Subject } {
  const [address = '', length = ''] = text.split('/')
  const parsed = subject(address)
  const prefixLength = Number(length)
  if (parsed.kind === 'ipv4') {
    return { range: { kind: 'ipv4-range', text, first: parsed.value, prefixLength } }
  }
  if (parsed.kind === 'ipv6') {
    return { range: { kind: 'ipv6-range', text, first: parsed.words, prefixLength } }
  }
  return assert.fail(text)
}

test('ten ranges inside each other are all found, the longest first', () => {
  const ipv4 = Array.from({ length: 10 }, (_, at) => `192.0.2.0/${at + 20}`).map((text) => {
    const parsed = parseSubject(text, 'clear')
    return parsed.kind === 'subject' ? parsed.subject.text : assert.fail()
  })
  const ipv6 = Array.from({ length: 10 }, (_, at) => `2001:db8::/${at + 32}`)
  const view = viewOfListed(...ipv4, ...ipv6, '192.0.2.4/30')
  assert.deepEqual(subjectsOf(view, '192.0.2.1'), ipv4.toReversed())
  assert.deepEqual(subjectsOf(view, '192.0.2.5'), ['192.0.2.4/30', ...ipv4.toReversed()])
  assert.deepEqual(subjectsOf(view, '2001:db8::1'), ipv6.toReversed())
})

test('a parent domain covers names below it, a private suffix does not', () => {
  const view = viewOfListed('host.example', 'b.host.example', 'github.io', 'amazonaws.com')
  assert.deepEqual(subjectsOf(view, 'a.b.host.example'), ['b.host.example', 'host.example'])
  assert.deepEqual(subjectsOf(view, 'ab.host.example'), ['host.example'])
  assert.deepEqual(subjectsOf(view, 'ahost.example'), [])
  assert.deepEqual(subjectsOf(view, 'github.io'), ['github.io'])
  assert.deepEqual(subjectsOf(view, 'someone.github.io'), [])
  // The registrable name is below a private suffix that is itself below the listed one.
  assert.deepEqual(subjectsOf(view, 'bucket.s3.amazonaws.com'), [])
  assert.deepEqual(subjectsOf(view, 'www.amazonaws.com'), ['amazonaws.com'])
})

test('an answer changes with the clock and without a write', () => {
  const facts: SubjectFacts = {
    ...NO_FACTS,
    listings: [
      { list: 'l', source: 's', firstSeenSeconds: 1, lastSeenSeconds: 1, expiresSeconds: NOW + 10 },
    ],
    sightings: [
      {
        kind: 'honeypot',
        service: 'ssh',
        type: 'attack',
        source: 's',
        firstSeenSeconds: NOW,
        lastSeenSeconds: NOW,
        count: 1,
      },
    ],
  }
  const view = viewOf(new Map([['192.0.2.1', facts]]), new Map(), NOW)
  const at = (nowSeconds: number) => {
    const answer = view.check(item('192.0.2.1'), nowSeconds)
    return [answer & CHECK_LISTED, answer & CHECK_ACTIVITY, intentOfCheck(answer)]
  }
  assert.deepEqual(at(NOW + 9), [CHECK_LISTED, CHECK_ACTIVITY, 'malicious'])
  assert.deepEqual(at(NOW + 10), [0, CHECK_ACTIVITY, 'malicious'])
  assert.deepEqual(at(NOW + 1000), [0, CHECK_ACTIVITY, 'malicious'])
  assert.deepEqual(at(NOW + 1001), [0, 0, 'unknown'])
})

test('an overlay entry replaces the subject only, a removal uncovers what covers it', () => {
  const before = new Map([
    ['192.0.2.1', listed('exact')],
    ['192.0.2.0/24', listed('range')],
    ['192.0.0.0/16', listed('wide')],
  ])
  const lists = (changes: [string, SubjectFacts | null][]) =>
    viewOf(before, new Map(changes))
      .lookup(item('192.0.2.1'))
      .listings.map((fact) => fact.list)
  assert.deepEqual(lists([['192.0.2.1', listed('newer')]]), ['newer', 'range', 'wide'])
  assert.deepEqual(lists([['192.0.2.1', null]]), ['range', 'wide'])
  assert.deepEqual(lists([['192.0.2.0/24', null]]), ['exact', 'wide'])
  assert.deepEqual(lists([['192.0.2.0/24', NO_FACTS]]), ['exact', 'wide'])
  assert.deepEqual(lists([['192.0.2.0/28', listed('new range')]]), [
    'exact',
    'new range',
    'range',
    'wide',
  ])
})

test('the last second of each kind of fact is exact, whatever was read ahead', () => {
  const times = { firstSeenSeconds: NOW - 100, lastSeenSeconds: NOW - 50 }
  const seen = { ...times, kind: 'honeypot', service: '', type: 'attack', source: 's' }
  const ages = (facts: Partial<SubjectFacts>, nowSeconds: number, builtAtSeconds = NOW) =>
    viewOf(new Map([['192.0.2.1', { ...NO_FACTS, ...facts }]]), new Map(), builtAtSeconds).check(
      item('192.0.2.1'),
      nowSeconds,
    )
  const sighted = { sightings: [{ ...seen, count: 1 }] }
  assert.equal(intentOfCheck(ages(sighted, NOW + 950)), 'malicious')
  assert.equal(intentOfCheck(ages(sighted, NOW + 951)), 'unknown')
  // Asked for a time before the snapshot was built, when the sighting was not too old yet.
  assert.equal(intentOfCheck(ages(sighted, NOW + 950, NOW + 2000)), 'malicious')
  const uncounted = { sightings: [{ ...seen, count: 0 }] }
  assert.equal(ages(uncounted, NOW), CHECK_ACTIVITY)
  const tagged = {
    taggings: [{ ...times, tag: 'odd', source: 's', expiresSeconds: NOW + 5 }],
    sightings: [{ ...seen, count: 1, lastSeenSeconds: NOW - 5000 }],
  }
  assert.equal(intentOfCheck(ages(tagged, NOW + 4)), 'suspicious')
  assert.equal(ages(tagged, NOW + 5), 0)
})

test('many items are answered in order beyond one batch', () => {
  const view = viewOfListed('192.0.2.0/24', '198.51.100.7')
  const items = Array.from({ length: 1000 }, (_, at) =>
    item(at % 3 === 0 ? '198.51.100.7' : `192.0.${at % 5}.1`),
  )
  const answers = new Uint8Array(items.length)
  view.checkMany(items, NOW, answers)
  assert.deepEqual(
    [...answers],
    items.map((one) => view.check(one, NOW)),
  )
  assert.equal(answers[999], CHECK_LISTED)
})

test('any merging of layers, with and without the snapshot under them, answers as the model does', () => {
  const layer = fc.array(fc.tuple(SUBJECTS, fc.option(FACTS)), { maxLength: 15 })
  const layers = fc.array(layer, { minLength: 2, maxLength: 5 })
  const asked = fc.array(ITEMS, { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(
      layers,
      fc.nat(4),
      fc.nat(4),
      asked,
      SECONDS,
      (changes, from, count, items, now) => {
        const built = { builtAtSeconds: NOW - 2000, lookBackSeconds: POLICY.lookBackSeconds }
        const after = new Map<string, SubjectFacts>()
        for (const changed of changes) {
          for (const [text, facts] of new Map(changed)) after.set(text, facts ?? NO_FACTS)
        }
        const newestFirst = changes
          .map((changed) => snapshotOf(new Map(changed), built))
          .toReversed()
        const run = newestFirst.slice(from % newestFirst.length).slice(0, count + 1)
        const isWhole = run.at(-1) === newestFirst.at(-1)
        const builtAtMs = (NOW - 1000) * 1000
        const merged = mergeSnapshots(run, { ...POLICY, builtAtMs, isWhole })
        const all = [...newestFirst]
        all.splice(from % newestFirst.length, run.length, merged)
        const base = all.pop() ?? assert.fail()
        const view = new IntelView(base, all, POLICY)
        const own = [...after.keys()].flatMap((text) => parseItem(text) ?? [])
        for (const one of [...items, ...own]) assertSame(view, after, one, now)
      },
    ),
    { numRuns: 300 },
  )
})

test('a merge forgets removed subjects once nothing lies under it', () => {
  const built = { builtAtSeconds: NOW, lookBackSeconds: 1000 }
  const base = snapshotOf(new Map([['192.0.2.1', listed('l')]]), built)
  const removal = snapshotOf(new Map([['192.0.2.1', null]]), built)
  const options = { builtAtMs: NOW * 1000, lookBackSeconds: 1000 }
  const partly = mergeSnapshots([removal], { ...options, isWhole: false })
  assert.equal(new IntelView(base, [partly], POLICY).check(item('192.0.2.1'), NOW), 0)
  const once = mergeSnapshots([removal, base], { ...options, isWhole: true })
  const twice = mergeSnapshots([once], { ...options, isWhole: true })
  assert.equal(twice.meta.subjectCount, 0)
})
