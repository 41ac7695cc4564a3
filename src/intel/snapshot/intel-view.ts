// A look-up reads this: one snapshot, the overlay over it and the policy. A view is cheap to make,
// so every change makes a new one, swapped in by one assignment. The overlay is a few small
// snapshots of later changes, the newest first. Each holds all facts of its subjects and hides
// older ones.

import assert from 'node:assert/strict'
import type { Ipv4Item, Ipv6Item } from '../../values/address.ts'
import { registrableDomain } from '../../values/domain.ts'
import type { DomainItem, Item } from '../../values/item.ts'
import { classify, type IntelPolicy } from '../facts/classify-item.ts'
import type { MatchedFacts } from '../facts/facts.ts'
import { rollUpCounts } from '../facts/ipv6-rollup.ts'
import { answerOfBits, answerOfClassification, bitsOfRecord, needsRules } from './fact-bits.ts'
import { mix32, stepNameHigh, stepNameLow } from './hashing.ts'
import { Ipv6RollUps } from './ipv6-roll-ups.ts'
import { decodeRecord, emptyFacts } from './record.ts'
import { NO_RANGE } from './segments.ts'
import type { Snapshot } from './snapshot.ts'
import { NO_SHAPES, type Reading, readUnder } from './snapshot-reading.ts'

const DOT = 46

// 256 items × one line of 64 bytes = 16 KiB, half of a first-level cache.
const TOUCH_ITEMS = 256

const NO_FACTS: MatchedFacts = Object.freeze(emptyFacts())

/**
 * One record that covers the item of a check. The objects are used again, so that a check allocates
 * nothing.
 */
interface Hit {
  reading: Reading
  at: number
  isOwn: boolean
  /** Number of the snapshot's range, or start of the parent's name in the item. */
  place: number
  /** Prefix length of the range, or length of the parent's name: the higher, the nearer. */
  nearness: number
}

/** For one thread: it keeps working space between calls, and no call may begin inside another. */
export class IntelView {
  readonly snapshot: Snapshot
  /** The overlay, the newest first. */
  readonly overlay: readonly Snapshot[]
  readonly policy: IntelPolicy
  /** The sightings of single IPv6 addresses, summed up by /64. */
  readonly rollUps: Ipv6RollUps
  /** The newest first, the snapshot last. */
  readonly #readings: readonly Reading[]
  readonly #base: Reading
  readonly #hasDomains: boolean
  readonly #hits: Hit[] = []
  // The bits of the shape of the item's own record.
  #shapeBits = 0
  /** Has no meaning: its use keeps V8 from dropping the prefetch of `checkMany`. */
  touched = 0
  #hitCount = 0
  readonly #moment = { nowSeconds: 0, seenSinceSeconds: 0 }

  /** All snapshots must have one seed, since a domain is hashed once for all of them. */
  constructor(snapshot: Snapshot, overlay: readonly Snapshot[], policy: IntelPolicy) {
    assert.ok(overlay.every((layer) => layer.seed === snapshot.seed))
    this.snapshot = snapshot
    this.overlay = overlay
    this.policy = policy
    this.rollUps = new Ipv6RollUps([...overlay, snapshot], policy.ipv6RollupMin)
    this.#base = readUnder(snapshot, policy)
    this.#readings = [...overlay.map((layer) => readUnder(layer, policy)), this.#base]
    this.#hasDomains = this.#readings.some((reading) => reading.snapshot.hasDomains)
  }

  /**
   * The answer of a quick check as bits: `CHECK_LISTED`, `CHECK_ACTIVITY` and the intent
   * (`intentOfCheck`). It changes with the clock, when a listing expires or a sighting leaves the
   * look-back. It has the same meaning as `classify(lookup(item))`.
   */
  check(item: Item, nowSeconds: number): number {
    if (item.kind === 'ipv6' && this.#isRolledUp(item, nowSeconds)) {
      return answerOfClassification(classify(this.lookup(item), this.policy, nowSeconds * 1000))
    }
    this.#collect(item, nowSeconds)
    if (this.#hitCount === 0 && this.#shapeBits === 0) return 0
    this.#moment.nowSeconds = nowSeconds
    this.#moment.seenSinceSeconds = nowSeconds - this.policy.lookBackSeconds
    let bits = this.#shapeBits
    for (let at = 0; at < this.#hitCount; at += 1) {
      const hit = this.#hits[at]
      if (hit === undefined) break
      const { snapshot, bits: origins } = hit.reading
      bits |= bitsOfRecord(snapshot.records, hit.at, origins, hit.isOwn, this.#moment)
    }
    if (!needsRules(bits)) return answerOfBits(bits)
    return answerOfBits(bits, classify(this.lookup(item), this.policy, nowSeconds * 1000).intent)
  }

  // Few /64s have so many sighted addresses, so reading those in full is cheap enough.
  #isRolledUp({ words }: Ipv6Item, nowSeconds: number): boolean {
    const rollUp = this.rollUps.find(words)
    if (rollUp === null) return false
    const { ipv6RollupMin, lookBackSeconds } = this.policy
    return rollUpCounts(rollUp, ipv6RollupMin, nowSeconds - lookBackSeconds)
  }

  /**
   * `check` for each item, in order, into `answers`; for null the answer stays as it is. The table
   * entries of many items are fetched before the first is answered, so that the processor waits for
   * memory once and not for each item. In a set larger than its cache that wait is most of a check.
   */
  checkMany(items: readonly (Item | null)[], nowSeconds: number, answers: Uint8Array): void {
    for (let from = 0; from < items.length; from += TOUCH_ITEMS) {
      const to = Math.min(from + TOUCH_ITEMS, items.length)
      let sum = 0
      for (let at = from; at < to; at += 1) {
        const item = items[at]
        if (item?.kind === 'ipv4') sum += this.snapshot.touchIpv4(item.value)
      }
      this.touched = sum
      for (let at = from; at < to; at += 1) {
        const item = items[at]
        if (item !== undefined && item !== null) answers[at] = this.check(item, nowSeconds)
      }
    }
  }

  /** All facts that hold for the item, each with its subject. */
  lookup(item: Item): MatchedFacts {
    const facts = this.#lookupRecords(item)
    const rollUp = item.kind === 'ipv6' ? this.rollUps.find(item.words) : null
    return rollUp === null ? facts : { ...facts, rollUp }
  }

  #lookupRecords(item: Item): MatchedFacts {
    this.#collect(item, NO_SHAPES)
    if (this.#hitCount === 0) return NO_FACTS
    const hits = this.#hits.slice(0, this.#hitCount)
    if (hits.length > 1) hits.sort((a, b) => nearness(b) - nearness(a))
    const facts = emptyFacts()
    for (const hit of hits) {
      const { records, origins } = hit.reading.snapshot
      const match = { subject: this.#subjectText(item, hit), isOwn: hit.isOwn }
      decodeRecord(records, hit.at, origins, match, facts)
    }
    return facts
  }

  #subjectText(item: Item, hit: Hit): string {
    if (hit.isOwn) return item.text
    switch (item.kind) {
      case 'ipv4':
        return hit.reading.snapshot.ipv4RangeText(hit.place)
      case 'ipv6':
        return hit.reading.snapshot.ipv6RangeText(hit.place)
      case 'domain':
        return item.text.slice(hit.place)
    }
  }

  // Where a shape holds at `shapesAtSeconds`, its bits stand for the hit.
  #collect(item: Item, shapesAtSeconds: number): void {
    this.#hitCount = 0
    this.#shapeBits = 0
    switch (item.kind) {
      case 'ipv4':
        this.#collectIpv4(item, shapesAtSeconds)
        return
      case 'ipv6':
        this.#collectIpv6(item)
        return
      case 'domain':
        if (this.#hasDomains) this.#collectDomain(item)
    }
  }

  #collectIpv4({ value }: Ipv4Item, shapesAtSeconds: number): void {
    for (const reading of this.#readings) {
      const slot = reading.snapshot.findIpv4(value)
      if (slot < 0) continue
      this.#hitSlot(reading, slot, shapesAtSeconds)
      break
    }
    const own = this.#hitCount
    for (const reading of this.#readings) {
      const { snapshot } = reading
      for (let range = snapshot.innermostIpv4(value); range !== NO_RANGE; ) {
        const length = snapshot.ipv4PrefixLength(range)
        if (!this.#hasRangeHit(own, length)) {
          this.#hit(reading, snapshot.ipv4Record(range), false, range, length)
        }
        range = snapshot.ipv4Parent(range)
      }
    }
  }

  #hitSlot(reading: Reading, slot: number, shapesAtSeconds: number): void {
    const { snapshot } = reading
    const holds =
      shapesAtSeconds >= reading.shapesFromSeconds &&
      shapesAtSeconds < snapshot.liveUntilOfSlot(slot)
    if (holds) this.#shapeBits = reading.bitsOfShapes[snapshot.shapeOfSlot(slot)] ?? 0
    else this.#hit(reading, snapshot.recordOfSlot(slot), true, 0, 0)
  }

  // Of the ranges that hold an address there is one of each length, so a newer layer's is the same
  // range.
  #hasRangeHit(from: number, length: number): boolean {
    if (this.#readings.length === 1) return false
    for (let at = from; at < this.#hitCount; at += 1) {
      if (this.#hits[at]?.nearness === length) return true
    }
    return false
  }

  #collectIpv6({ words }: Ipv6Item): void {
    for (const reading of this.#readings) {
      const record = reading.snapshot.findIpv6(words)
      if (record < 0) continue
      this.#hit(reading, record, true, 0, 0)
      break
    }
    const own = this.#hitCount
    for (const reading of this.#readings) {
      const { snapshot } = reading
      for (let range = snapshot.innermostIpv6(words); range !== NO_RANGE; ) {
        const length = snapshot.ipv6PrefixLength(range)
        if (!this.#hasRangeHit(own, length)) {
          this.#hit(reading, snapshot.ipv6Record(range), false, range, length)
        }
        range = snapshot.ipv6Parent(range)
      }
    }
  }

  // From the end of the name to its start, asking at every dot for the name behind it. Nothing is
  // stored under a single label. A hit on a parent above the registrable name, such as a public
  // suffix, is taken back: it does not cover the item.
  #collectDomain({ text }: DomainItem): void {
    let low = this.snapshot.seed
    let high = ~this.snapshot.seed
    let labels = 0
    let lastCoveringStart = -1
    for (let at = text.length - 1; at >= -1; at -= 1) {
      const code = at < 0 ? DOT : text.charCodeAt(at)
      if (code === DOT) {
        labels += 1
        const before = this.#hitCount
        if (labels > 1) this.#hitName(text, at + 1, mix32(low), mix32(high))
        if (at >= 0 && this.#hitCount > before) {
          // Only a hit on a parent needs the public suffix list, which costs a microsecond.
          if (lastCoveringStart < 0) lastCoveringStart = registrableStart(text)
          if (at + 1 > lastCoveringStart) this.#hitCount = before
        }
      }
      low = stepNameLow(low, code)
      high = stepNameHigh(high, code)
    }
  }

  #hitName(text: string, start: number, low: number, high: number): void {
    for (const reading of this.#readings) {
      const record = reading.snapshot.findDomain(low, high, text, start)
      if (record < 0) continue
      this.#hit(reading, record, start === 0, start, text.length - start)
      return
    }
  }

  #hit(reading: Reading, at: number, isOwn: boolean, place: number, length: number): void {
    const hit = this.#hits[this.#hitCount]
    if (hit === undefined) {
      this.#hits.push({ reading, at, isOwn, place, nearness: length })
    } else {
      hit.reading = reading
      hit.at = at
      hit.isOwn = isOwn
      hit.place = place
      hit.nearness = length
    }
    this.#hitCount += 1
  }
}

function nearness(hit: Hit): number {
  return hit.isOwn ? Number.POSITIVE_INFINITY : hit.nearness
}

/**
 * The start of the registrable name; a parent that begins later does not cover the item. 0 for a
 * public or private suffix itself.
 */
function registrableStart(domain: string): number {
  const registrable = registrableDomain(domain)
  return registrable === null ? 0 : domain.length - registrable.length
}
