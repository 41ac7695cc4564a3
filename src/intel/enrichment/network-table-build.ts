// Converts MMDB files of the operator, or else the CSV files of the data packages, to the binary
// table: at the first start, and whenever a file or a package has another version.

import { readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { writeBinaryFile } from '../snapshot/binary-file.ts'
import {
  allocateSections,
  bytesOf,
  encodeJson,
  openSections,
  wordsFor,
} from '../snapshot/binary-layout.ts'
import { type MmdbNetworks, readMmdb, readMmdbCountry, readMmdbSystem } from './network-mmdb.ts'
import {
  loadNetworkTable,
  NETWORK_TABLE_LAYOUT,
  type NetworkTableMeta,
  type NetworkTableState,
  SYSTEM_WORDS,
} from './network-table.ts'
import {
  IPV4_FAMILY,
  IPV6_FAMILY,
  NetworkDataError,
  type NetworkSegments,
  readSegments,
} from './network-table-rows.ts'

/** Folders of the installed data packages; null: not installed. */
export interface NetworkPackageDirs {
  /** `@ip-location-db/asn` (CC BY 4.0: RouteViews, DB-IP). */
  readonly asn: string | null
  /** `@ip-location-db/geo-whois-asn-country` (CC0). */
  readonly country: string | null
}

/** MMDB files of the operator; null: the data package stands in for it. May be one file. */
export interface NetworkMmdbFiles {
  readonly asn: string | null
  readonly country: string | null
}

export const NO_MMDB_FILES: NetworkMmdbFiles = { asn: null, country: null }

export interface BuildNetworkTableOptions {
  readonly packageDirs: NetworkPackageDirs
  readonly mmdbFiles?: NetworkMmdbFiles
  readonly targetFile: string
}

/** Both packages are optional dependencies, so either may be missing. */
export function findNetworkPackageDirs(): NetworkPackageDirs {
  return {
    asn: findPackageDir('@ip-location-db/asn'),
    country: findPackageDir('@ip-location-db/geo-whois-asn-country'),
  }
}

function findPackageDir(name: string): string | null {
  try {
    return path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
  } catch {
    // Resolving a file of a package fails only when the package is not installed.
    return null
  }
}

/**
 * Loads the table. Builds it first when the file is missing, damaged or of other versions of the
 * packages. Throws `NetworkDataError` when the content of a package is not as expected, and the
 * error of the file system when the file cannot be written.
 */
export async function openNetworkTable(
  options: BuildNetworkTableOptions,
): Promise<NetworkTableState> {
  const wanted = await readMeta(options.packageDirs, options.mmdbFiles)
  const loaded = await loadNetworkTable(options.targetFile)
  // When the packages were removed, the table built from them stays in use.
  if (wanted.asnVersion === null && wanted.countryVersion === null) {
    return loaded.kind === 'ready' ? loaded : { kind: 'no-data', reason: 'no-packages' }
  }
  if (loaded.kind === 'ready' && isSame(loaded.table.meta, wanted)) return loaded
  return await buildNetworkTable(options)
}

/** True when both name the same versions of packages and files. */
export function isSame(a: NetworkTableMeta, b: NetworkTableMeta): boolean {
  return a.asnVersion === b.asnVersion && a.countryVersion === b.countryVersion
}

/**
 * Builds the table, replaces the file atomically and loads it from there. Throws as
 * `openNetworkTable`.
 */
export async function buildNetworkTable({
  packageDirs,
  mmdbFiles = NO_MMDB_FILES,
  targetFile,
}: BuildNetworkTableOptions): Promise<NetworkTableState> {
  // The versions are read first: a file that is replaced meanwhile is then seen as changed.
  const meta = await readMeta(packageDirs, mmdbFiles)
  if (meta.asnVersion === null && meta.countryVersion === null) {
    return { kind: 'no-data', reason: 'no-packages' }
  }
  const systems = new SystemCollector()
  const systemNetworks =
    mmdbFiles.asn === null
      ? await readSystemPackage(packageDirs.asn, systems)
      : await readMmdb(mmdbFiles.asn, systems.valueOfRecord)
  const countryNetworks =
    mmdbFiles.country === null
      ? await readCountryPackage(packageDirs.country)
      : await readMmdb(mmdbFiles.country, (record) => packCountry(readMmdbCountry(record) ?? ''))
  const tables = {
    ipv4Systems: systemNetworks.ipv4,
    ipv6Systems: systemNetworks.ipv6,
    ipv4Countries: countryNetworks.ipv4,
    ipv6Countries: countryNetworks.ipv6,
  }
  const dates = [meta.dataDate, systemNetworks.date, countryNetworks.date]
  const dataDate = dates.filter((date) => date !== null).toSorted()[0] ?? null
  writeBinaryFile(pack({ ...meta, dataDate }, tables, systems), targetFile)
  return await loadNetworkTable(targetFile)
}

/** The date of a package is in its version. */
type Networks = Omit<MmdbNetworks, 'date'> & { readonly date: string | null }

async function readSystemPackage(
  folder: string | null,
  systems: SystemCollector,
): Promise<Networks> {
  return {
    date: null,
    ipv4: await readCsv(folder, 'asn-ipv4-num.csv', IPV4_FAMILY, systems.valueOf),
    ipv6: await readCsv(folder, 'asn-ipv6-num.csv', IPV6_FAMILY, systems.valueOf),
  }
}

async function readCountryPackage(folder: string | null): Promise<Networks> {
  return {
    date: null,
    ipv4: await readCsv(folder, 'geo-whois-asn-country-ipv4-num.csv', IPV4_FAMILY, packCountry),
    ipv6: await readCsv(folder, 'geo-whois-asn-country-ipv6-num.csv', IPV6_FAMILY, packCountry),
  }
}

interface Tables {
  readonly ipv4Systems: NetworkSegments<number>
  readonly ipv4Countries: NetworkSegments<number>
  readonly ipv6Systems: NetworkSegments<bigint>
  readonly ipv6Countries: NetworkSegments<bigint>
}

async function readCsv<Address extends number | bigint>(
  folder: string | null,
  name: string,
  family: Parameters<typeof readSegments<Address>>[2],
  valueOf: (rest: string) => number,
): Promise<NetworkSegments<Address>> {
  if (folder === null) return { starts: [], values: [] }
  const file = path.join(folder, name)
  return readSegments(file, await readFile(file, 'utf8'), family, valueOf)
}

/**
 * The versions of the files and folders; the date is that of the packages alone. Throws
 * `NetworkDataError` when a package.json has no version, and the error of the file system when an
 * MMDB file is missing.
 */
export async function readMeta(
  packageDirs: NetworkPackageDirs,
  mmdbFiles: NetworkMmdbFiles = NO_MMDB_FILES,
): Promise<NetworkTableMeta> {
  const asnVersion = await readVersion(mmdbFiles.asn, packageDirs.asn)
  const countryVersion = await readVersion(mmdbFiles.country, packageDirs.country)
  const dates = [asnVersion, countryVersion].flatMap((version) => dateOfVersion(version) ?? [])
  return { asnVersion, countryVersion, dataDate: dates.toSorted()[0] ?? null }
}

/** The version of the MMDB file or, when none is set, of the package. */
async function readVersion(mmdbFile: string | null, folder: string | null): Promise<string | null> {
  if (mmdbFile === null) return await readPackageVersion(folder)
  // A file has no version that could be read without its content. Tools replace it as a whole,
  // which gives it another number in the file system.
  const { ino, size, mtimeMs } = await stat(mmdbFile)
  return `mmdb ${ino} ${size} ${mtimeMs}`
}

async function readPackageVersion(folder: string | null): Promise<string | null> {
  if (folder === null) return null
  const file = path.join(folder, 'package.json')
  const content: unknown = JSON.parse(await readFile(file, 'utf8'))
  if (typeof content === 'object' && content !== null && 'version' in content) {
    if (typeof content.version === 'string') return content.version
  }
  throw new NetworkDataError(file, 1, 'there is no version')
}

// The versions of the packages contain the day and hour of the data: 2.3.2026061719.
function dateOfVersion(version: string | null): string | null {
  const match = /\.(\d{4})(\d{2})(\d{2})\d{0,2}$/.exec(version ?? '')
  return match === null ? null : `${match[1]}-${match[2]}-${match[3]}`
}

/** The two letters of a country as a number; 0 for another text. */
function packCountry(rest: string): number {
  return /^[A-Z]{2}$/.test(rest) ? (rest.charCodeAt(0) << 8) | rest.charCodeAt(1) : 0
}

/**
 * Numbers the autonomous systems from 1 in order of appearance; an AS number with two names counts
 * as two.
 */
class SystemCollector {
  readonly numbers: number[] = [0]
  readonly names: string[] = ['']
  readonly #known = new Map<string, number>()

  /** Reads `number,name`, the name possibly quoted; 0 when the text is not of this form. */
  readonly valueOf = (rest: string): number => {
    const known = this.#known.get(rest)
    if (known !== undefined) return known
    const match = /^(\d{1,10}),(.*)$/.exec(rest)
    if (match === null) return 0
    const number = Number(match[1])
    return number > 0xffff_ffff ? 0 : this.#add(rest, number, unquote(match[2] ?? ''))
  }

  /** The same for a record of an MMDB file. */
  readonly valueOfRecord = (record: object): number => {
    const system = readMmdbSystem(record)
    if (system === null) return 0
    const key = `${system.number},${system.name}`
    return this.#known.get(key) ?? this.#add(key, system.number, system.name)
  }

  #add(key: string, number: number, name: string): number {
    const system = this.numbers.length
    this.numbers.push(number)
    this.names.push(name)
    this.#known.set(key, system)
    return system
  }
}

// RFC 4180: a field in quotes doubles the quotes inside it.
function unquote(field: string): string {
  return field.startsWith('"') && field.endsWith('"') && field.length > 1
    ? field.slice(1, -1).replaceAll('""', '"')
    : field
}

function pack(meta: NetworkTableMeta, tables: Tables, systems: SystemCollector): SharedArrayBuffer {
  const json = encodeJson(meta)
  const names = systems.names.map((name) => Buffer.from(name, 'utf8'))
  const nameBytes = names.reduce((sum, name) => sum + name.length, 0)
  const { ipv4Systems, ipv4Countries, ipv6Systems, ipv6Countries } = tables
  const buffer = allocateSections(NETWORK_TABLE_LAYOUT, {
    meta: wordsFor(json.length),
    ipv4SystemStarts: ipv4Systems.starts.length,
    ipv4Systems: ipv4Systems.values.length,
    ipv4CountryStarts: ipv4Countries.starts.length,
    ipv4Countries: ipv4Countries.values.length,
    ipv6SystemStarts: ipv6Systems.starts.length * 4,
    ipv6Systems: ipv6Systems.values.length,
    ipv6CountryStarts: ipv6Countries.starts.length * 4,
    ipv6Countries: ipv6Countries.values.length,
    systems: (names.length + 1) * SYSTEM_WORDS,
    names: wordsFor(nameBytes),
  })
  const section = openSections(NETWORK_TABLE_LAYOUT, buffer)
  bytesOf(section('meta')).set(json)
  section('ipv4SystemStarts').set(ipv4Systems.starts)
  section('ipv4Systems').set(ipv4Systems.values)
  section('ipv4CountryStarts').set(ipv4Countries.starts)
  section('ipv4Countries').set(ipv4Countries.values)
  setIpv6(section('ipv6SystemStarts'), ipv6Systems.starts)
  section('ipv6Systems').set(ipv6Systems.values)
  setIpv6(section('ipv6CountryStarts'), ipv6Countries.starts)
  section('ipv6Countries').set(ipv6Countries.values)
  packSystems(section('systems'), bytesOf(section('names')), systems.numbers, names)
  return buffer
}

function setIpv6(words: Uint32Array, starts: readonly bigint[]): void {
  for (const [at, start] of starts.entries()) {
    words[at * 4] = Number(start >> 96n)
    words[at * 4 + 1] = Number((start >> 64n) & 0xffff_ffffn)
    words[at * 4 + 2] = Number((start >> 32n) & 0xffff_ffffn)
    words[at * 4 + 3] = Number(start & 0xffff_ffffn)
  }
}

function packSystems(
  systems: Uint32Array,
  bytes: Uint8Array,
  numbers: readonly number[],
  names: readonly Buffer[],
): void {
  let offset = 0
  for (const [at, name] of names.entries()) {
    systems[at * SYSTEM_WORDS] = numbers[at] ?? 0
    systems[at * SYSTEM_WORDS + 1] = offset
    bytes.set(name, offset)
    offset += name.length
  }
  systems[names.length * SYSTEM_WORDS + 1] = offset
}
