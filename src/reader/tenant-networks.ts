// Answers whether an address or a host is the tenant's own or a customer's: whoever a report was
// sent to is responsible for those, and hardly for any other.

import { type AddressItem, ipv4Mask, maskIpv6, parseAddress } from '../values/address.ts'
import { parseAddressSpan } from '../values/address-span.ts'
import { parentDomains, parseDomain } from '../values/domain.ts'
import { ipv4Range, ipv6Range, type Range } from '../values/range.ts'

export class TenantNetworks {
  readonly #texts: readonly string[]
  #index: NetworkIndex | null = null

  /** `texts` as in `ReportContext`; what is neither a network nor a domain counts for nothing. */
  constructor(texts: readonly string[]) {
    this.#texts = texts
  }

  get isEmpty(): boolean {
    return this.#texts.length === 0
  }

  hasAddress(ip: string): boolean {
    if (this.isEmpty) return false
    const address = parseAddress(ip)
    if (address === null) return false
    const { ranges, lengths } = this.#read()
    return lengths[address.kind].some((length) => ranges.has(blockOf(address, length).text))
  }

  hasHost(host: string): boolean {
    if (this.isEmpty) return false
    const { domains } = this.#read()
    return parentDomains(host).some((name) => domains.has(name))
  }

  // Most reports name one side only, and then nobody asks.
  #read(): NetworkIndex {
    this.#index ??= buildIndex(this.#texts)
    return this.#index
  }
}

interface NetworkIndex {
  readonly ranges: ReadonlySet<string>
  /** The lengths of all prefixes: one look-up each, however many ranges there are. */
  readonly lengths: Readonly<Record<AddressItem['kind'], readonly number[]>>
  readonly domains: ReadonlySet<string>
}

function buildIndex(texts: readonly string[]): NetworkIndex {
  const ranges = new Set<string>()
  const lengths = { ipv4: new Set<number>(), ipv6: new Set<number>() }
  const domains = new Set<string>()
  for (const text of texts) {
    const found = listRanges(text)
    for (const range of found) {
      ranges.add(range.text)
      lengths[range.kind === 'ipv4-range' ? 'ipv4' : 'ipv6'].add(range.prefixLength)
    }
    const domain = found.length === 0 ? parseDomain(text) : null
    if (domain !== null) domains.add(domain)
  }
  return { ranges, lengths: { ipv4: [...lengths.ipv4], ipv6: [...lengths.ipv6] }, domains }
}

function listRanges(text: string): readonly Range[] {
  const span = parseAddressSpan(text)
  return typeof span === 'string' ? [] : span.ranges
}

function blockOf(address: AddressItem, length: number): Range {
  return address.kind === 'ipv4'
    ? ipv4Range((address.value & ipv4Mask(length)) >>> 0, length)
    : ipv6Range(maskIpv6(address.words, length), length)
}
