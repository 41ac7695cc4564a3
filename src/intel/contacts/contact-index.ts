// Imported abuse contacts in memory, so that a look-up needs no SQL. An address gets the contact of
// the most specific range, a domain that of the nearest parent up to the registrable domain. Flat
// tables and bytes: half a million objects would delay look-ups at every garbage collection.

import { randomInt } from 'node:crypto'
import { IPV4_BITS, IPV6_BITS, type Ipv6Words, ipv4Mask, maskIpv6 } from '../../values/address.ts'
import { parentDomains } from '../../values/domain.ts'
import type { Item } from '../../values/item.ts'
import type { Subject } from '../../values/range.ts'
import { hashName } from '../snapshot/hashing.ts'
import { KeyTable } from './key-table.ts'
import { TextPool } from './text-pool.ts'

/** One contact of an address, a range or a domain. */
export interface SubjectContact {
  readonly subject: Subject
  readonly email: string
}

/** The expected number of contacts; more are possible. */
export interface ContactCounts {
  readonly ipv4: number
  readonly ipv6: number
  readonly domains: number
}

// First address and prefix length.
const IPV4_KEY_WORDS = 2
const IPV6_KEY_WORDS = 5
// Two hashes of the name. The name itself is compared after a match.
const DOMAIN_KEY_WORDS = 2
const NO_CONTACTS: ContactCounts = { ipv4: 0, ipv6: 0, domains: 0 }
// Separates name and e-mail address in the text of a domain; neither can contain it.
const END_OF_NAME = '\n'

/**
 * Filled contact by contact, without sorting at the end, so that reading half a million of them
 * delays no look-up. No table grows when the expected counts are right. A look-up tries each prefix
 * length in use: at most 33 and 129, in practice about ten.
 */
export class ContactIndex {
  readonly #ipv4: KeyTable
  readonly #ipv6: KeyTable
  readonly #domains: KeyTable
  readonly #texts = new TextPool()
  // Prefix lengths in use, the longest first.
  readonly #ipv4Lengths: number[] = []
  readonly #ipv6Lengths: number[] = []
  readonly #seed = randomInt(0x1_0000_0000)
  #size = 0
  // Reused for each look-up, so that none allocates.
  readonly #ipv4Key = new Uint32Array(IPV4_KEY_WORDS)
  readonly #ipv6Key = new Uint32Array(IPV6_KEY_WORDS)
  readonly #domainKey = new Uint32Array(DOMAIN_KEY_WORDS)

  constructor(counts: ContactCounts = NO_CONTACTS) {
    this.#ipv4 = new KeyTable(IPV4_KEY_WORDS, counts.ipv4)
    this.#ipv6 = new KeyTable(IPV6_KEY_WORDS, counts.ipv6)
    this.#domains = new KeyTable(DOMAIN_KEY_WORDS, counts.domains)
  }

  size(): number {
    return this.#size
  }

  /** A later contact of a subject replaces the former one. */
  add(contact: SubjectContact): void {
    this.#insert(contact)
    this.#size = this.#ipv4.count + this.#ipv6.count + this.#domains.count
  }

  #insert({ subject, email }: SubjectContact): void {
    switch (subject.kind) {
      case 'ipv4':
        return this.#addIpv4(subject.value, IPV4_BITS, email)
      case 'ipv4-range':
        return this.#addIpv4(subject.first, subject.prefixLength, email)
      case 'ipv6':
        return this.#addIpv6(subject.words, IPV6_BITS, email)
      case 'ipv6-range':
        return this.#addIpv6(subject.first, subject.prefixLength, email)
      case 'domain': {
        const text = `${subject.text}${END_OF_NAME}${email}`
        this.#domains.put(this.#keyOfDomain(subject.text), this.#texts.add(text))
      }
    }
  }

  #addIpv4(first: number, length: number, email: string): void {
    noteLength(this.#ipv4Lengths, length)
    this.#ipv4.put(this.#keyOfIpv4(first, length), this.#texts.add(email))
  }

  #addIpv6(first: Ipv6Words, length: number, email: string): void {
    noteLength(this.#ipv6Lengths, length)
    this.#ipv6.put(this.#keyOfIpv6(first, length), this.#texts.add(email))
  }

  /** The e-mail address of the contact that covers the item, or null. */
  find(item: Item): string | null {
    switch (item.kind) {
      case 'ipv4':
        return this.#findIpv4(item.value)
      case 'ipv6':
        return this.#findIpv6(item.words)
      case 'domain':
        return this.#domains.count === 0 ? null : this.#findDomain(item.text)
    }
  }

  #findIpv4(value: number): string | null {
    for (const length of this.#ipv4Lengths) {
      const found = this.#ipv4.find(this.#keyOfIpv4((value & ipv4Mask(length)) >>> 0, length))
      if (found !== 0) return this.#texts.read(found)
    }
    return null
  }

  #findIpv6(words: Ipv6Words): string | null {
    for (const length of this.#ipv6Lengths) {
      const found = this.#ipv6.find(this.#keyOfIpv6(maskIpv6(words, length), length))
      if (found !== 0) return this.#texts.read(found)
    }
    return null
  }

  #findDomain(domain: string): string | null {
    for (const name of parentDomains(domain)) {
      const found = this.#domains.find(this.#keyOfDomain(name))
      if (found === 0) continue
      const text = this.#texts.read(found)
      const end = text.indexOf(END_OF_NAME)
      if (text.slice(0, end) === name) return text.slice(end + 1)
    }
    return null
  }

  #keyOfIpv4(first: number, length: number): Uint32Array {
    this.#ipv4Key[0] = first
    this.#ipv4Key[1] = length
    return this.#ipv4Key
  }

  #keyOfIpv6(first: Ipv6Words, length: number): Uint32Array {
    this.#ipv6Key.set(first)
    this.#ipv6Key[IPV6_KEY_WORDS - 1] = length
    return this.#ipv6Key
  }

  #keyOfDomain(name: string): Uint32Array {
    const { low, high } = hashName(name, this.#seed)
    this.#domainKey[0] = low
    this.#domainKey[1] = high
    return this.#domainKey
  }
}

function noteLength(lengths: number[], length: number): void {
  if (lengths.includes(length)) return
  lengths.push(length)
  lengths.sort((a, b) => b - a)
}
