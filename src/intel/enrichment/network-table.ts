// The table of AS number, AS name and country of addresses, shared by all threads (design 4.4: this
// enricher sends no question).

import type { Ipv6Words } from '../../values/address.ts'
import type { Item } from '../../values/item.ts'
import { BinaryFileError, readBinaryFile } from '../snapshot/binary-file.ts'
import { type BinaryLayout, bytesOf, decodeText, openSections } from '../snapshot/binary-layout.ts'

const SECTIONS = [
  'meta',
  // Segments as in `network-table-build.ts`: sorted starts, and for each a number of `systems` or a
  // country, 0 = none.
  'ipv4SystemStarts',
  'ipv4Systems',
  'ipv4CountryStarts',
  'ipv4Countries',
  'ipv6SystemStarts',
  'ipv6Systems',
  'ipv6CountryStarts',
  'ipv6Countries',
  // [AS number, start of its name] for each system; number 0 is no system, and one more entry ends
  // the last name.
  'systems',
  'names',
] as const

export const NETWORK_TABLE_LAYOUT: BinaryLayout<(typeof SECTIONS)[number]> = {
  magic: 0x544e_5743, // "CWNT"
  version: 1,
  sections: SECTIONS,
}

/** Words of an entry of `systems`. */
export const SYSTEM_WORDS = 2

export interface NetworkTableMeta {
  /** Versions of the data packages or MMDB files of the build; null for what was not there. */
  readonly asnVersion: string | null
  readonly countryVersion: string | null
  /**
   * Day of the older data, "2026-06-17"; null when the versions do not contain it.
   */
  readonly dataDate: string | null
}

/** The network of an address. Unknown members are left out; at least one is present. */
export interface NetworkRecord {
  /** "AS" and the number. */
  readonly asn?: string
  /** Name of the autonomous system. */
  readonly name?: string
  /** Country of the address, not of the autonomous system: two capital letters (ISO 3166-1). */
  readonly countryCode?: string
}

/**
 * `no-data`: no package is installed, no table was built, or the file is damaged. Look-ups then
 * find no network, which is not a failure.
 */
export type NetworkTableState =
  | { readonly kind: 'ready'; readonly table: NetworkTable }
  | {
      readonly kind: 'no-data'
      readonly reason: 'no-packages' | 'no-file' | 'damaged-file'
      readonly cause?: unknown
    }

/** Reads a file that `buildNetworkTable` wrote. */
export async function loadNetworkTable(file: string): Promise<NetworkTableState> {
  try {
    const buffer = await readBinaryFile(NETWORK_TABLE_LAYOUT, file)
    return { kind: 'ready', table: NetworkTable.fromBuffer(buffer) }
  } catch (cause) {
    if (!(cause instanceof BinaryFileError)) throw cause
    return {
      kind: 'no-data',
      reason: cause.reason === 'missing' ? 'no-file' : 'damaged-file',
      cause,
    }
  }
}

/** As `NetworkTable.find`; also null without a table. */
export function lookupNetwork(state: NetworkTableState, item: Item): NetworkRecord | null {
  return state.kind === 'ready' ? state.table.find(item) : null
}

export class NetworkTable {
  /** What another thread needs for `NetworkTable.fromBuffer`. */
  readonly buffer: SharedArrayBuffer
  readonly meta: NetworkTableMeta
  readonly #ipv4SystemStarts: Uint32Array
  readonly #ipv4Systems: Uint32Array
  readonly #ipv4CountryStarts: Uint32Array
  readonly #ipv4Countries: Uint32Array
  readonly #ipv6SystemStarts: Uint32Array
  readonly #ipv6Systems: Uint32Array
  readonly #ipv6CountryStarts: Uint32Array
  readonly #ipv6Countries: Uint32Array
  readonly #systems: Uint32Array
  readonly #names: Uint8Array
  readonly #ipv4SystemsFrom: Uint32Array
  readonly #ipv4CountriesFrom: Uint32Array
  // Cache of records by system and country: most look-ups are about the same few thousand networks.
  readonly #records = new Map<number, NetworkRecord>()

  private constructor(buffer: SharedArrayBuffer) {
    const section = openSections(NETWORK_TABLE_LAYOUT, buffer)
    this.buffer = buffer
    this.meta = readMeta(bytesOf(section('meta')))
    this.#ipv4SystemStarts = section('ipv4SystemStarts')
    this.#ipv4Systems = section('ipv4Systems')
    this.#ipv4CountryStarts = section('ipv4CountryStarts')
    this.#ipv4Countries = section('ipv4Countries')
    this.#ipv6SystemStarts = section('ipv6SystemStarts')
    this.#ipv6Systems = section('ipv6Systems')
    this.#ipv6CountryStarts = section('ipv6CountryStarts')
    this.#ipv6Countries = section('ipv6Countries')
    this.#systems = section('systems')
    this.#names = bytesOf(section('names'))
    this.#ipv4SystemsFrom = indexIpv4(this.#ipv4SystemStarts)
    this.#ipv4CountriesFrom = indexIpv4(this.#ipv4CountryStarts)
  }

  /** Throws `BinaryLayoutError` when the buffer is not a table of this version. */
  static fromBuffer(buffer: SharedArrayBuffer): NetworkTable {
    return new NetworkTable(buffer)
  }

  /** Day of the data, "2026-06-17"; null when it is not known. */
  get dataDate(): string | null {
    return this.meta.dataDate
  }

  /** Null for a domain and for an address that is neither announced nor allocated. */
  find(item: Item): NetworkRecord | null {
    switch (item.kind) {
      case 'ipv4':
        return this.#record(
          this.#ipv4Systems[lastIpv4(this.#ipv4SystemStarts, this.#ipv4SystemsFrom, item.value)] ??
            0,
          this.#ipv4Countries[
            lastIpv4(this.#ipv4CountryStarts, this.#ipv4CountriesFrom, item.value)
          ] ?? 0,
        )
      case 'ipv6':
        return this.#record(
          this.#ipv6Systems[lastIpv6(this.#ipv6SystemStarts, item.words)] ?? 0,
          this.#ipv6Countries[lastIpv6(this.#ipv6CountryStarts, item.words)] ?? 0,
        )
      case 'domain':
        return null
    }
  }

  #record(system: number, country: number): NetworkRecord | null {
    if (system === 0 && country === 0) return null
    // A country is two letters, 16 bits; systems are numbered from 1 and fewer than 2^32, so the
    // key is exact.
    const key = system * 65_536 + country
    const known = this.#records.get(key)
    if (known !== undefined) return known
    const record = this.#readRecord(system, country)
    if (this.#records.size >= RECORDS_MAX) this.#records.clear()
    this.#records.set(key, record)
    return record
  }

  #readRecord(system: number, country: number): NetworkRecord {
    return {
      ...(system === 0 ? {} : this.#system(system)),
      ...(country === 0 ? {} : { countryCode: String.fromCharCode(country >>> 8, country & 255) }),
    }
  }

  #system(system: number): NetworkRecord {
    const at = system * SYSTEM_WORDS
    const asn = `AS${this.#systems[at] ?? 0}`
    const from = this.#systems[at + 1] ?? 0
    const to = this.#systems[at + SYSTEM_WORDS + 1] ?? from
    return from === to ? { asn } : { asn, name: decodeText(this.#names.subarray(from, to)) }
  }
}

// 5,000 records × some 200 bytes = 1 MB in each thread.
const RECORDS_MAX = 5_000

// Written by the builder and protected by a checksum, so it needs no validation.
function readMeta(bytes: Uint8Array): NetworkTableMeta {
  const meta: NetworkTableMeta = JSON.parse(decodeText(bytes))
  return meta
}

const IPV4_INDEX_BITS = 16

/**
 * For each first half of an address the number of segments that start before it: 256 KiB that save
 * most steps of a search.
 */
function indexIpv4(starts: Uint32Array): Uint32Array {
  const index = new Uint32Array((1 << IPV4_INDEX_BITS) + 1)
  let segment = 0
  for (let half = 0; half < index.length; half += 1) {
    const first = half * (1 << IPV4_INDEX_BITS)
    while (segment < starts.length && (starts[segment] ?? 0) < first) segment += 1
    index[half] = segment
  }
  return index
}

/** The last segment that starts at or before the address; -1 before the first. */
function lastIpv4(starts: Uint32Array, index: Uint32Array, value: number): number {
  const half = value >>> IPV4_INDEX_BITS
  let low = index[half] ?? 0
  let high = index[half + 1] ?? starts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((starts[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}

function lastIpv6(starts: Uint32Array, words: Ipv6Words): number {
  let low = 0
  let high = starts.length / 4
  while (low < high) {
    const middle = (low + high) >>> 1
    if (startsAtOrBefore(starts, middle * 4, words)) low = middle + 1
    else high = middle
  }
  return low - 1
}

function startsAtOrBefore(starts: Uint32Array, at: number, words: Ipv6Words): boolean {
  for (let word = 0; word < 4; word += 1) {
    const start = starts[at + word] ?? 0
    const value = words[word] ?? 0
    if (start !== value) return start < value
  }
  return true
}
