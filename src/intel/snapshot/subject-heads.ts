// The subjects of a snapshot under construction, each with the head of its chain of facts
// (fact-chains.ts).

import { type Ipv4Range, type Ipv6Range, type Subject, singleAddress } from '../../values/range.ts'
import { GrowingDomainTable, GrowingIpv4Table, GrowingIpv6Table } from './hash-tables.ts'

export interface RangeHead<Range> {
  readonly range: Range
  /** The last fact added, start of its chain. */
  head: number
}

export class SubjectHeads {
  readonly seed: number
  readonly ipv4: GrowingIpv4Table
  readonly ipv6: GrowingIpv6Table
  readonly domains: GrowingDomainTable
  /** By their texts. */
  readonly ipv4Ranges = new Map<string, RangeHead<Ipv4Range>>()
  readonly ipv6Ranges = new Map<string, RangeHead<Ipv6Range>>()

  constructor(seed: number) {
    this.seed = seed
    this.ipv4 = new GrowingIpv4Table(seed)
    this.ipv6 = new GrowingIpv6Table(seed)
    this.domains = new GrowingDomainTable(seed)
  }

  get count(): number {
    return (
      this.ipv4.count +
      this.ipv6.count +
      this.domains.count +
      this.ipv4Ranges.size +
      this.ipv6Ranges.size
    )
  }

  /** The head of its chain, or -1 when the subject was not added. */
  find(subject: Subject): number {
    switch (subject.kind) {
      case 'ipv4':
        return this.ipv4.find(subject.value)
      case 'ipv6':
        return this.ipv6.find(subject.words)
      case 'domain':
        return this.domains.find(subject.text)
      case 'ipv4-range':
        return this.ipv4Ranges.get(subject.text)?.head ?? -1
      case 'ipv6-range':
        return this.ipv6Ranges.get(subject.text)?.head ?? -1
    }
  }

  /** Makes the fact the head of its subject's chain and gives the former head, or -1. */
  exchange(subject: Subject, fact: number): number {
    switch (subject.kind) {
      case 'ipv4':
        return this.ipv4.exchange(subject.value, fact)
      case 'ipv6':
        return this.ipv6.exchange(subject.words, fact)
      case 'domain':
        return this.domains.exchange(subject.text, fact)
      case 'ipv4-range': {
        const item = singleAddress(subject)
        if (item !== null) return this.exchange(item, fact)
        return exchangeRangeHead(this.ipv4Ranges, subject, fact)
      }
      case 'ipv6-range': {
        const item = singleAddress(subject)
        if (item !== null) return this.exchange(item, fact)
        return exchangeRangeHead(this.ipv6Ranges, subject, fact)
      }
    }
  }
}

function exchangeRangeHead<Range extends { readonly text: string }>(
  entries: Map<string, RangeHead<Range>>,
  range: Range,
  fact: number,
): number {
  const entry = entries.get(range.text)
  if (entry === undefined) {
    entries.set(range.text, { range, head: fact })
    return -1
  }
  const former = entry.head
  entry.head = fact
  return former
}
