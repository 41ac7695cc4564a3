// Reads the networks of an MMDB file: the format of MaxMind, in which DB-IP and IPinfo publish too.
// The values may be AS numbers or countries, in the member names of any of the three.

import { readFile } from 'node:fs/promises'
import { Reader, type Response } from 'mmdb-lib'
import { formatIpv4 } from '../../values/address.ts'
import type { NetworkSegments } from './network-table-rows.ts'

/** The content cannot be read; the message names the file. */
export class MmdbError extends Error {
  constructor(file: string, reason: string, cause?: unknown) {
    super(`${file}: ${reason}.`, { cause })
    this.name = 'MmdbError'
  }
}

export interface MmdbNetworks {
  /** Day on which the file was made, "2026-06-17". */
  readonly date: string
  readonly ipv4: NetworkSegments<number>
  readonly ipv6: NetworkSegments<bigint>
}

// The largest public files have 3 million networks. A damaged tree may point to itself, and would
// have a network for each address.
const NETWORKS_MAX = 20_000_000

/**
 * All networks of the file. `valueOf` gives a number above 0 for a record, or 0 for a record
 * without such a value. Throws `MmdbError` when the file is damaged or has no value at all, and the
 * error of the file system when it cannot be read.
 */
export async function readMmdb(
  file: string,
  valueOf: (record: Response) => number,
): Promise<MmdbNetworks> {
  const bytes = await readFile(file)
  try {
    const reader = new Reader<Response>(bytes, { cache: new Map() })
    const { buildEpoch, ipVersion } = reader.metadata
    const networks = {
      date: buildEpoch.toISOString().slice(0, 10),
      ipv4: walkIpv4(reader, rememberValues(valueOf)),
      ipv6:
        ipVersion === 6 ? walkIpv6(reader, rememberValues(valueOf)) : { starts: [], values: [] },
    }
    const hasValue = [networks.ipv4, networks.ipv6].some(({ values }) =>
      values.some((value) => value !== 0),
    )
    if (!hasValue) throw new MmdbError(file, 'it has no value of the wanted kind')
    return networks
  } catch (error) {
    if (error instanceof MmdbError) throw error
    throw new MmdbError(file, 'it is no MMDB file, or is damaged', error)
  }
}

// Thousands of networks share one record, which the cache of the reader decodes once.
function rememberValues(
  valueOf: (record: Response) => number,
): (record: Response | null) => number {
  const known = new Map<Response, number>()
  return (record) => {
    if (record === null) return 0
    const value = known.get(record) ?? valueOf(record)
    known.set(record, value)
    return value
  }
}

type ValueOf = (record: Response | null) => number

function walkIpv4(reader: Reader<Response>, valueOf: ValueOf): NetworkSegments<number> {
  const segments = new SegmentCollector<number>()
  for (let at = 0; at <= 0xffff_ffff; ) {
    const [record, bits] = reader.getWithPrefixLength(formatIpv4(at))
    segments.add(at, valueOf(record))
    at += 2 ** (32 - bits)
  }
  return segments
}

// The IPv4 tree, which also stands at other places of an IPv6 tree: IPv4-mapped, Teredo, 6to4.
const IPV4_COPIES: readonly (readonly [first: bigint, end: bigint])[] = [
  [0n, 1n << 32n],
  [0xffffn << 32n, 0x1_0000n << 32n],
  [0x2001_0000n << 96n, 0x2001_0001n << 96n],
  [0x2002n << 112n, 0x2003n << 112n],
]

function walkIpv6(reader: Reader<Response>, valueOf: ValueOf): NetworkSegments<bigint> {
  const segments = new SegmentCollector<bigint>()
  for (let at = 0n; at < 1n << 128n; ) {
    const copy = IPV4_COPIES.find(([first, end]) => first <= at && at < end)
    if (copy === undefined) {
      const [record, bits] = reader.getWithPrefixLength(formatIpv6(at))
      segments.add(at, valueOf(record))
      const size = 1n << BigInt(128 - bits)
      at = (at / size + 1n) * size
    } else {
      segments.add(at, 0)
      at = copy[1]
    }
  }
  return segments
}

class SegmentCollector<Address> {
  readonly starts: Address[] = []
  readonly values: number[] = []
  #networks = 0

  /** A network with the value of the one before only prolongs its segment. */
  add(start: Address, value: number): void {
    this.#networks += 1
    if (this.#networks > NETWORKS_MAX) throw new Error(`more than ${NETWORKS_MAX} networks`)
    if ((this.values.at(-1) ?? 0) === value) return
    this.starts.push(start)
    this.values.push(value)
  }
}

function formatIpv6(value: bigint): string {
  return value
    .toString(16)
    .padStart(32, '0')
    .replaceAll(/(.{4})(?!$)/g, '$1:')
}

export interface MmdbSystem {
  readonly number: number
  readonly name: string
}

/** The AS number and name of a record; null when it has none. */
export function readMmdbSystem(record: object): MmdbSystem | null {
  const { autonomous_system_number, autonomous_system_organization, asn, as_name, name } =
    membersOf(record)
  // MaxMind and DB-IP: a number. IPinfo: text such as AS64496.
  const number = readNumber(autonomous_system_number ?? asn)
  if (!Number.isInteger(number) || number < 1 || number > 0xffff_ffff) return null
  const named = [autonomous_system_organization, as_name, name].find(
    (one) => typeof one === 'string',
  )
  return { number, name: typeof named === 'string' ? named : '' }
}

function readNumber(value: unknown): number {
  if (typeof value === 'number') return value
  const digits = typeof value === 'string' ? /^(?:AS)?(\d{1,10})$/.exec(value)?.[1] : undefined
  return Number(digits ?? 0)
}

/** The country of a record in two capital letters; null when it has none. */
export function readMmdbCountry(record: object): string | null {
  const { country, registered_country, country_code } = membersOf(record)
  // IPinfo has text in `country`, which in some of its files is a name; then the code is beside it.
  const codes = [
    country_code,
    membersOf(country)['iso_code'],
    country,
    membersOf(registered_country)['iso_code'],
  ]
  const found = codes.find((code) => typeof code === 'string' && /^[A-Z]{2}$/.test(code))
  return typeof found === 'string' ? found : null
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
