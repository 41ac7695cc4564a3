// Imported abuse contacts in memory, so that a look-up never asks SQL. For an address the most specific range wins, for a domain the
// nearest name on the way up to the registrable one.

import { parentDomains } from '../model/domain-name.ts'
import { IPV4_BITS, ipv4Mask } from '../model/ipv4.ts'
import { IPV6_BITS, type Ipv6Words, maskIpv6 } from '../model/ipv6.ts'
import type { Item } from '../model/item.ts'
import type { Subject } from '../model/range.ts'

/** One contact of an address, a range or a domain. */
export interface SubjectContact {
  readonly subject: Subject
  readonly email: string
}

export interface ContactIndex {
  /** The later of two about one subject holds. */
  readonly add: (contact: SubjectContact) => void
  /** The e-mail address of whoever answers for the item, or null when no contact covers it. */
  readonly find: (item: Item) => string | null
  readonly size: () => number
}

/** Blocks by their first address, one map for each prefix length, the longest first. */
interface BlockMaps<Key> {
  readonly length: number
  readonly emails: Map<Key, string>
}

/**
 * Filled contact by contact, so that reading 200,000 of them need not hold up anybody: there is nothing to sort or to build at the end.
 * A look-up tries each length that is in use (at most 33 and 129, in practice about ten; 50 ns each).
 */
export function createContactIndex(): ContactIndex {
  const ipv4: BlockMaps<number>[] = []
  const ipv6: BlockMaps<string>[] = []
  const domains = new Map<string, string>()
  const addIpv4 = (first: number, length: number, email: string): void => {
    mapOf(ipv4, length).set(first, email)
  }
  const addIpv6 = (first: Ipv6Words, length: number, email: string): void => {
    mapOf(ipv6, length).set(keyOf(first), email)
  }
  return {
    add({ subject, email }) {
      switch (subject.kind) {
        case 'ipv4':
          return addIpv4(subject.value, IPV4_BITS, email)
        case 'ipv4-range':
          return addIpv4(subject.first, subject.prefixLength, email)
        case 'ipv6':
          return addIpv6(subject.words, IPV6_BITS, email)
        case 'ipv6-range':
          return addIpv6(subject.first, subject.prefixLength, email)
        case 'domain':
          domains.set(subject.text, email)
      }
    },
    find(item) {
      switch (item.kind) {
        case 'ipv4':
          return findIpv4(ipv4, item.value)
        case 'ipv6':
          return findIpv6(ipv6, item.words)
        case 'domain':
          return domains.size === 0 ? null : findDomain(domains, item.text)
      }
    },
    size: () => countOf(ipv4) + countOf(ipv6) + domains.size,
  }
}

function mapOf<Key>(maps: BlockMaps<Key>[], length: number): Map<Key, string> {
  const present = maps.find((each) => each.length === length)
  if (present !== undefined) return present.emails
  const emails = new Map<Key, string>()
  maps.push({ length, emails })
  maps.sort((a, b) => b.length - a.length)
  return emails
}

function keyOf(words: Ipv6Words): string {
  return `${words[0]},${words[1]},${words[2]},${words[3]}`
}

function findIpv4(maps: readonly BlockMaps<number>[], value: number): string | null {
  for (const { length, emails } of maps) {
    const email = emails.get((value & ipv4Mask(length)) >>> 0)
    if (email !== undefined) return email
  }
  return null
}

function findIpv6(maps: readonly BlockMaps<string>[], words: Ipv6Words): string | null {
  for (const { length, emails } of maps) {
    const email = emails.get(keyOf(maskIpv6(words, length)))
    if (email !== undefined) return email
  }
  return null
}

function findDomain(domains: ReadonlyMap<string, string>, domain: string): string | null {
  for (const name of parentDomains(domain)) {
    const email = domains.get(name)
    if (email !== undefined) return email
  }
  return null
}

function countOf(maps: readonly BlockMaps<unknown>[]): number {
  return maps.reduce((count, { emails }) => count + emails.size, 0)
}
