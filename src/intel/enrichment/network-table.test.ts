import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { type Ipv6Words, ipv4Item, ipv6Item, parseIpv6 } from '../../values/address.ts'
import { type Item, parseItem } from '../../values/item.ts'
import {
  loadNetworkTable,
  lookupNetwork,
  NetworkTable,
  type NetworkTableState,
} from './network-table.ts'
import {
  buildNetworkTable,
  findNetworkPackageDirs,
  type NetworkPackageDirs,
  openNetworkTable,
} from './network-table-build.ts'
import { IPV4_FAMILY, NetworkDataError, readSegments } from './network-table-rows.ts'

const NO_PACKAGES: NetworkPackageDirs = { asn: null, country: null }

let folder = ''
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'network-'))
})
after(() => rm(folder, { recursive: true }))

type Files = Readonly<Record<string, string>>

async function makePackage(files: Files, version = '2.3.2026061719'): Promise<string> {
  const made = await mkdtemp(path.join(folder, 'package-'))
  await writeFile(path.join(made, 'package.json'), JSON.stringify({ version }))
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(made, name), text)
  return made
}

function numberOf(text: string): string {
  const item = parseItem(text)
  if (item?.kind === 'ipv4') return String(item.value)
  if (item?.kind === 'ipv6') return String(bigOf(item.words))
  return assert.fail(text)
}

function bigOf(words: Ipv6Words): bigint {
  return words.reduce((sum, word) => (sum << 32n) | BigInt(word), 0n)
}

function csv(...rows: readonly (readonly [string, string, string])[]): string {
  return rows
    .map(([first, last, rest]) => `${numberOf(first)},${numberOf(last)},${rest}\n`)
    .join('')
}

const ASN_FILES: Files = {
  'asn-ipv4-num.csv': csv(
    ['192.0.2.0', '192.0.2.255', '64496,"Example ""One"", Inc."'],
    ['198.51.100.0', '198.51.100.127', '64497,Ünïcode Netz'],
    ['255.255.255.0', '255.255.255.255', '4294967295,'],
  ),
  'asn-ipv6-num.csv': csv([
    '2001:db8::',
    '2001:db8:0:ffff:ffff:ffff:ffff:ffff',
    '64496,"Example ""One"", Inc."',
  ]),
}
const COUNTRY_FILES: Files = {
  'geo-whois-asn-country-ipv4-num.csv': csv(
    ['192.0.2.0', '192.0.2.255', 'DE'],
    ['192.0.2.16', '192.0.2.31', 'FR'],
    ['192.0.2.20', '192.0.2.20', 'SE'],
    ['203.0.113.0', '203.0.113.255', 'NL'],
  ),
  'geo-whois-asn-country-ipv6-num.csv': csv(
    ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', 'AT'],
    ['2001:db8:0:1::', '2001:db8:0:1:ffff:ffff:ffff:ffff', 'CH'],
  ),
}

function findIn(state: NetworkTableState): (text: string) => unknown {
  return (text) => lookupNetwork(state, parseItem(text) ?? assert.fail(text))
}

async function smallTable(): Promise<NetworkTableState> {
  const packageDirs = {
    asn: await makePackage(ASN_FILES),
    country: await makePackage(COUNTRY_FILES),
  }
  const own = await mkdtemp(path.join(folder, 'data-'))
  const state = await buildNetworkTable({ packageDirs, targetFile: path.join(own, 'network') })
  assert.deepEqual(await readdir(own), ['network'])
  return state
}

test('an address has the number and name of its system and the country of its own row', async () => {
  const find = findIn(await smallTable())
  const one = { asn: 'AS64496', name: 'Example "One", Inc.' }
  assert.deepEqual(find('192.0.2.0'), { ...one, countryCode: 'DE' })
  assert.deepEqual(find('192.0.2.15'), { ...one, countryCode: 'DE' })
  assert.deepEqual(find('192.0.2.16'), { ...one, countryCode: 'FR' })
  assert.deepEqual(find('192.0.2.20'), { ...one, countryCode: 'SE' })
  assert.deepEqual(find('192.0.2.21'), { ...one, countryCode: 'FR' })
  assert.deepEqual(find('192.0.2.32'), { ...one, countryCode: 'DE' })
  assert.deepEqual(find('192.0.2.255'), { ...one, countryCode: 'DE' })
  assert.deepEqual(find('2001:db8::1'), { ...one, countryCode: 'AT' })
  assert.deepEqual(find('2001:db8:0:1::1'), { ...one, countryCode: 'CH' })
})

test('what is not known is left out, and null when nothing is', async () => {
  const find = findIn(await smallTable())
  assert.deepEqual(find('198.51.100.1'), { asn: 'AS64497', name: 'Ünïcode Netz' })
  assert.deepEqual(find('255.255.255.255'), { asn: 'AS4294967295' })
  assert.deepEqual(find('203.0.113.1'), { countryCode: 'NL' })
  assert.deepEqual(find('2001:db8:1::1'), { countryCode: 'AT' })
  for (const text of ['0.0.0.0', '192.0.1.255', '192.0.3.0', '198.51.100.128', '::', 'ff02::1']) {
    assert.equal(find(text), null, text)
  }
  assert.equal(find('host.example'), null)
})

test('another thread’s table on the same buffer answers the same', async () => {
  const state = await smallTable()
  assert.equal(state.kind, 'ready')
  const shared = NetworkTable.fromBuffer(state.table.buffer)
  const item = parseItem('192.0.2.20') ?? assert.fail()
  assert.deepEqual(shared.find(item), state.table.find(item))
  assert.equal(shared.dataDate, '2026-06-17')
})

test('without the packages there is no data, and look-ups find nothing', async () => {
  const targetFile = path.join(folder, 'none')
  const state = await openNetworkTable({ packageDirs: NO_PACKAGES, targetFile })
  assert.deepEqual(state, { kind: 'no-data', reason: 'no-packages' })
  assert.equal(findIn(state)('192.0.2.1'), null)
  assert.deepEqual(await buildNetworkTable({ packageDirs: NO_PACKAGES, targetFile }), state)
  const loaded = await loadNetworkTable(targetFile)
  assert.equal(loaded.kind === 'no-data' && loaded.reason, 'no-file')
})

test('one package alone gives its half', async () => {
  const country = await makePackage(COUNTRY_FILES)
  const targetFile = path.join(folder, 'half')
  const state = await openNetworkTable({ packageDirs: { asn: null, country }, targetFile })
  assert.deepEqual(findIn(state)('192.0.2.20'), { countryCode: 'SE' })
})

test('the table is built once, again for another version, again when damaged, and kept without packages', async () => {
  const own = await mkdtemp(path.join(folder, 'data-'))
  const targetFile = path.join(own, 'network')
  const asn = await makePackage(ASN_FILES)
  const options = { packageDirs: { asn, country: null }, targetFile }
  await openNetworkTable(options)
  const { ino } = await stat(targetFile)
  await openNetworkTable(options)
  assert.equal((await stat(targetFile)).ino, ino)

  await writeFile(path.join(asn, 'package.json'), JSON.stringify({ version: '2.3.2026070100' }))
  const newer = await openNetworkTable(options)
  assert.equal(newer.kind === 'ready' && newer.table.dataDate, '2026-07-01')

  const whole = await readFile(targetFile)
  await writeFile(targetFile, whole.subarray(0, -4))
  const damaged = await loadNetworkTable(targetFile)
  assert.equal(damaged.kind === 'no-data' && damaged.reason, 'damaged-file')
  assert.equal((await openNetworkTable(options)).kind, 'ready')

  const kept = await openNetworkTable({ packageDirs: NO_PACKAGES, targetFile })
  assert.deepEqual(findIn(kept)('198.51.100.1'), { asn: 'AS64497', name: 'Ünïcode Netz' })
})

test('a row that is not understood stops the build with file and line, and the old table stays', async () => {
  const own = await mkdtemp(path.join(folder, 'data-'))
  const targetFile = path.join(own, 'network')
  const good = await makePackage(ASN_FILES)
  await openNetworkTable({ packageDirs: { asn: good, country: null }, targetFile })
  for (const bad of ['1,2', 'x,2,64496,a', '2,1,64496,a', '1,4294967296,64496,a', '1,2,AS1,a']) {
    const text = `${ASN_FILES['asn-ipv4-num.csv']}${bad}\n`
    const asn = await makePackage({ ...ASN_FILES, 'asn-ipv4-num.csv': text }, '9.9.2026080100')
    await assert.rejects(
      openNetworkTable({ packageDirs: { asn, country: null }, targetFile }),
      (error: unknown) =>
        error instanceof NetworkDataError && error.message.includes('asn-ipv4-num.csv, line 4'),
      bad,
    )
  }
  assert.deepEqual(await readdir(own), ['network'])
  assert.equal((await loadNetworkTable(targetFile)).kind, 'ready')
  const empty = await mkdtemp(path.join(folder, 'empty-'))
  await mkdir(path.join(empty, 'asn'))
  await assert.rejects(
    openNetworkTable({ packageDirs: { asn: path.join(empty, 'asn'), country: null }, targetFile }),
    { code: 'ENOENT' },
  )
})

test('of overlapping rows the one that starts closest holds, of two with one start the shorter', () => {
  const row = fc.tuple(fc.nat(30), fc.nat(12), fc.integer({ min: 1, max: 4 }))
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12 }), (drawn) => {
      // Two rows of one extent have no order of their own.
      const rows = [...new Map(drawn.map((one) => [`${one[0]},${one[1]}`, one])).values()]
      const text = rows
        .map(([first, size, value]) => `${first},${first + size},${value}`)
        .join('\n')
      const { starts, values } = readSegments('test', text, IPV4_FAMILY, Number)
      assert.deepEqual(
        starts,
        starts.toSorted((a, b) => a - b),
      )
      for (let address = 0; address < 50; address += 1) {
        const [best] = rows
          .filter(([first, size]) => first <= address && address <= first + size)
          .toSorted((a, b) => b[0] - a[0] || a[1] - b[1])
        const at = starts.findLastIndex((start) => start <= address)
        assert.equal(values[at] ?? 0, best?.[2] ?? 0, `${address} in ${text}`)
      }
    }),
  )
})

// Compares the whole table with the published rows, one by one, for a sample of addresses.
function expectations(text: string, sample: ReadonlySet<bigint>): Map<bigint, string> {
  const found = new Map<bigint, { first: bigint; last: bigint; rest: string }>()
  for (const line of text.split('\n')) {
    const [firstText = '', lastText = '', ...rest] = line.split(',')
    if (firstText === '') continue
    const first = BigInt(firstText)
    const last = BigInt(lastText)
    for (const address of sample) {
      if (address < first || address > last) continue
      const known = found.get(address)
      if (known !== undefined && known.first === first && known.last <= last) continue
      found.set(address, { first, last, rest: rest.join(',') })
    }
  }
  return new Map([...found].map(([address, { rest }]) => [address, rest]))
}

function sampleOf(text: string, lines: number): Set<bigint> {
  const sample = new Set<bigint>()
  const rows = text.split('\n').slice(0, lines)
  for (const [at, line] of rows.entries()) {
    const [first = '', last = ''] = line.split(',')
    if (first === '') continue
    // Both edges of a row, and beside them what may be a gap.
    if (at % 3 === 0) sample.add(BigInt(first))
    else if (at % 3 === 1) sample.add(BigInt(last) + 1n)
    else sample.add((BigInt(first) + BigInt(last)) / 2n)
  }
  return sample
}

async function slice(dir: string | null, name: string, lines: number): Promise<string> {
  const text = await readFile(path.join(dir ?? '', name), 'utf8')
  return text.split('\n').slice(0, lines).join('\n')
}

const installed = findNetworkPackageDirs()

test('the installed packages give for 1,000 addresses what a scan of their rows gives', {
  skip: installed.asn === null || installed.country === null ? 'not installed' : false,
}, async () => {
  const targetFile = path.join(folder, 'real')
  const state = await buildNetworkTable({ packageDirs: installed, targetFile })
  const asnV4 = await slice(installed.asn, 'asn-ipv4-num.csv', 600)
  const countryV4 = await slice(installed.country, 'geo-whois-asn-country-ipv4-num.csv', 2000)
  const asnV6 = await slice(installed.asn, 'asn-ipv6-num.csv', 600)
  const countryV6 = await slice(installed.country, 'geo-whois-asn-country-ipv6-num.csv', 4000)
  const compare = (asnText: string, countryText: string, toItem: (a: bigint) => Item): number => {
    const limit = BigInt(asnText.split('\n').at(-1)?.split(',')[0] ?? '0')
    const countryLimit = BigInt(countryText.split('\n').at(-1)?.split(',')[0] ?? '0')
    const sample = sampleOf(asnText, 600)
    for (const address of sample) {
      if (address >= limit || address >= countryLimit) sample.delete(address)
    }
    const systems = expectations(asnText, sample)
    const countries = expectations(countryText, sample)
    for (const address of sample) {
      const found = lookupNetwork(state, toItem(address))
      assert.equal(found?.countryCode, countries.get(address), String(address))
      assert.equal(found?.asn?.slice(2), systems.get(address)?.split(',')[0], String(address))
    }
    return sample.size
  }
  const ipv4 = compare(asnV4, countryV4, (address) => ipv4Item(Number(address)))
  const ipv6 = compare(asnV6, countryV6, (address) => {
    const hex = address.toString(16).padStart(32, '0')
    const words = parseIpv6(hex.replaceAll(/(.{4})(?!$)/g, '$1:')) ?? assert.fail(hex)
    return ipv6Item(words)
  })
  assert.ok(ipv4 + ipv6 >= 1000, `${ipv4} and ${ipv6} addresses were compared`)
})
