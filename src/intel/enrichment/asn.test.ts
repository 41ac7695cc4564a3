import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { buildMmdb } from '../../../test/mmdb-kit.ts'
import { silentLog } from '../../kernel/log.ts'
import { type Item, parseItem } from '../../values/item.ts'
import { type AsnLookup, type AsnOptions, NETWORK_TABLE_FILE, openAsn } from './asn.ts'
import type { NetworkPackageDirs } from './network-table-build.ts'

// 192.0.2.0 to 192.0.2.255.
const FIRST = 0xc0_00_02_00
const LAST = FIRST + 255
const RECORD = { asn: 'AS64496', name: 'Example Network', countryCode: 'ZZ' }

function item(text: string): Item {
  const parsed = parseItem(text)
  if (parsed === null) throw new Error(`${text} is no item`)
  return parsed
}

function buildOwnFile(asn: number, madeAt: string): Buffer {
  return buildMmdb({
    ipVersion: 4,
    recordBits: 24,
    madeAt,
    rows: [['192.0.2.0/24', { asn: `AS${asn}`, as_name: 'Own File', country: 'SE' }]],
  })
}

describe('the ASN of an address', () => {
  let folder = ''
  let dataDir = ''
  const opened: AsnLookup[] = []
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'casework-asn-'))
  })
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(folder, 'data-'))
  })
  afterEach(async () => {
    for (const lookup of opened.splice(0)) await lookup.close()
  })
  after(() => rm(folder, { recursive: true }))

  async function open(
    packageDirs: NetworkPackageDirs,
    options: Partial<AsnOptions> = {},
  ): Promise<AsnLookup> {
    const lookup = await openAsn({ dataDir, log: silentLog, packageDirs, ...options })
    opened.push(lookup)
    return lookup
  }

  async function makePackages(version: string, asnRows: string): Promise<NetworkPackageDirs> {
    const made = await mkdtemp(path.join(folder, 'packages-'))
    const country = 'geo-whois-asn-country'
    const files = {
      'asn/package.json': JSON.stringify({ version }),
      'asn/asn-ipv4-num.csv': asnRows,
      'asn/asn-ipv6-num.csv': '',
      'country/package.json': JSON.stringify({ version }),
      [`country/${country}-ipv4-num.csv`]: `${FIRST},${LAST},ZZ\n`,
      [`country/${country}-ipv6-num.csv`]: '',
    }
    await mkdir(path.join(made, 'asn'))
    await mkdir(path.join(made, 'country'))
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(made, name), text)
    return { asn: path.join(made, 'asn'), country: path.join(made, 'country') }
  }
  const makeUsual = () => makePackages('1.0.2026010100', `${FIRST},${LAST},64496,Example Network\n`)

  it('is left out at once while the table is built for the first time, and found after it', async () => {
    const lookup = await open(await makeUsual())
    assert.deepEqual(lookup.answerNow(item('192.0.2.1')), { kind: 'off' })
    assert.deepEqual(lookup.whenLate(), { kind: 'off' })
    assert.equal(lookup.check().state, 'off')
    assert.deepEqual(await lookup.ask(item('192.0.2.1')), { kind: 'found', value: RECORD })
    assert.equal(lookup.check().state, 'ok')
    assert.match(lookup.check().detail, /2026-01-01/)
  })

  it('is there at once at the next start', async () => {
    const packages = await makeUsual()
    await (await open(packages)).ask(item('192.0.2.1'))
    const lookup = await open(packages)
    assert.deepEqual(lookup.answerNow(item('192.0.2.1')), { kind: 'found', value: RECORD })
  })

  it('absent for an address that no network announces, off for a domain', async () => {
    const lookup = await open(await makeUsual())
    assert.deepEqual(await lookup.ask(item('198.51.100.1')), { kind: 'absent' })
    assert.deepEqual(lookup.answerNow(item('example.com')), { kind: 'off' })
  })

  it('serves the old table until that of newer packages is built', async () => {
    await (await open(await makeUsual())).ask(item('192.0.2.1'))
    const newer = await makePackages('1.0.2026020100', `${FIRST},${LAST},64497,Other Network\n`)
    const lookup = await open(newer)
    assert.deepEqual(lookup.answerNow(item('192.0.2.1')), { kind: 'found', value: RECORD })
    assert.deepEqual(await lookup.ask(item('192.0.2.1')), {
      kind: 'found',
      value: { ...RECORD, asn: 'AS64497', name: 'Other Network' },
    })
  })

  it('is found by a thread that follows the one which builds, in the same memory', async () => {
    const builder = await open(await makeUsual())
    const waiting = await open({ asn: null, country: null }, { feed: builder.openPort() })
    assert.deepEqual(waiting.answerNow(item('192.0.2.1')), { kind: 'off' })
    assert.deepEqual(await waiting.ask(item('192.0.2.1')), { kind: 'found', value: RECORD })
    assert.equal(waiting.check().state, 'ok')
    // A thread that comes later is told at once.
    const late = await open({ asn: null, country: null }, { feed: builder.openPort() })
    assert.deepEqual(late.answerNow(item('192.0.2.1')), { kind: 'found', value: RECORD })
  })

  it('is off in a thread that follows one which has no packages, with the same way out', async () => {
    const keeper = await open({ asn: null, country: null })
    const follower = await open({ asn: null, country: null }, { feed: keeper.openPort() })
    assert.deepEqual(follower.answerNow(item('192.0.2.1')), { kind: 'off' })
    assert.deepEqual(follower.check(), keeper.check())
  })

  it('absent for an address with a country and no AS number, so that look-ups leave asn out as a whole', async () => {
    const packages = await makePackages(
      '1.0.2026010100',
      `${FIRST},${FIRST + 127},64496,Example Network\n`,
    )
    const lookup = await open(packages)
    assert.deepEqual(await lookup.ask(item('192.0.2.127')), { kind: 'found', value: RECORD })
    assert.deepEqual(await lookup.ask(item('192.0.2.128')), { kind: 'absent' })
  })

  it('is built anew from a damaged file', async () => {
    await writeFile(path.join(dataDir, NETWORK_TABLE_FILE), 'damaged')
    const lookup = await open(await makeUsual())
    assert.deepEqual(await lookup.ask(item('192.0.2.1')), { kind: 'found', value: RECORD })
  })

  it('removes what a killed build left behind', async () => {
    await writeFile(path.join(dataDir, `${NETWORK_TABLE_FILE}.0000.tmp`), 'half')
    await (await open(await makeUsual())).ask(item('192.0.2.1'))
    assert.deepEqual(await readdir(dataDir), [NETWORK_TABLE_FILE])
  })

  it('is off without the packages, and says how to get them', async () => {
    const lookup = await open({ asn: null, country: null })
    assert.deepEqual(lookup.answerNow(item('192.0.2.1')), { kind: 'off' })
    assert.equal(lookup.check().state, 'off')
    assert.match(lookup.check().detail, /@ip-location-db\/asn/)
  })

  it('is off when the packages hold something else than expected', async () => {
    const lookup = await open(await makePackages('1.0.2026010100', 'no numbers at all\n'))
    assert.deepEqual(await lookup.ask(item('192.0.2.1')), { kind: 'off' })
    assert.deepEqual(lookup.answerNow(item('192.0.2.1')), { kind: 'off' })
    assert.equal(lookup.check().state, 'off')
    assert.match(lookup.check().detail, /could not be built/)
  })

  const clock = { nowMs: () => Date.parse('2026-11-20T12:00:00Z') }
  const ownRecord = { asn: 'AS64510', name: 'Own File', countryCode: 'ZZ' }

  it('comes from the MMDB file of the operator, the country from the package when there is no file for it', async () => {
    const asn = path.join(dataDir, 'networks.mmdb')
    await writeFile(asn, buildOwnFile(64_510, '2026-11-01T00:00:00Z'))
    const packages = await makePackages('1.0.2026111000', 'no numbers at all\n')
    const lookup = await open(packages, { mmdbFiles: { asn, country: null }, clock })
    assert.deepEqual(await lookup.ask(item('192.0.2.1')), { kind: 'found', value: ownRecord })
    assert.deepEqual(lookup.check(), {
      state: 'ok',
      detail: 'AS numbers and countries of addresses are those of 2026-11-01, 19 days ago.',
    })
    const both = await open(packages, { mmdbFiles: { asn, country: asn }, clock })
    const value = { ...ownRecord, countryCode: 'SE' }
    assert.deepEqual(await both.ask(item('192.0.2.1')), { kind: 'found', value })
  })

  it('follows the MMDB file: a newer one is read, a damaged or missing one keeps the former table and says so', async () => {
    const asn = path.join(dataDir, 'networks.mmdb')
    await writeFile(asn, buildOwnFile(64_510, '2026-11-01T00:00:00Z'))
    const mmdbFiles = { asn, country: null }
    const lookup = await open({ asn: null, country: null }, { mmdbFiles, clock })
    const find = async () => await lookup.ask(item('192.0.2.1'))
    const { countryCode: _, ...first } = ownRecord
    assert.deepEqual(await find(), { kind: 'found', value: first })

    // Tools write a new file and rename it.
    const replace = async (bytes: Buffer | string) => {
      await writeFile(`${asn}.new`, bytes)
      await rename(`${asn}.new`, asn)
      await lookup.refresh()
    }
    const second = { ...first, asn: 'AS64511' }
    await replace(buildOwnFile(64_511, '2026-11-08T00:00:00Z'))
    assert.deepEqual(await find(), { kind: 'found', value: second })
    assert.match(lookup.check().detail, /2026-11-08/)

    await replace('damaged')
    assert.deepEqual(await find(), { kind: 'found', value: second })
    assert.equal(lookup.check().state, 'degraded')
    assert.match(lookup.check().detail, /2026-11-08.*networks\.mmdb: it is no MMDB file/)

    await rm(asn)
    await lookup.refresh()
    assert.deepEqual(await find(), { kind: 'found', value: second })
    assert.match(lookup.check().detail, /ENOENT/)

    await replace(buildOwnFile(64_512, '2026-11-09T00:00:00Z'))
    assert.equal(lookup.check().state, 'ok')
    const third = { ...first, asn: 'AS64512' }
    assert.deepEqual(await find(), { kind: 'found', value: third })
    const late = await open({ asn: null, country: null }, { feed: lookup.openPort(), clock })
    assert.deepEqual(late.answerNow(item('192.0.2.1')), { kind: 'found', value: third })
    assert.deepEqual(late.check(), lookup.check())
  })

  it('is degraded, and logged, while the MMDB file is more than 45 days old or is not there', async () => {
    const asn = path.join(dataDir, 'networks.mmdb')
    const mmdbFiles = { asn, country: null }
    const none = await open({ asn: null, country: null }, { mmdbFiles, clock })
    assert.deepEqual(none.answerNow(item('192.0.2.1')), { kind: 'off' })
    assert.equal(none.check().state, 'degraded')
    assert.match(none.check().detail, /ENOENT/)
    await writeFile(asn, buildOwnFile(64_510, '2026-10-05T00:00:00Z'))
    const warnings: string[] = []
    const log = { ...silentLog, warn: (message: string) => warnings.push(message) }
    const lookup = await open({ asn: null, country: null }, { mmdbFiles, clock, log })
    await lookup.ask(item('192.0.2.1'))
    const detail =
      'AS numbers and countries of addresses are those of 2026-10-05, 46 days ago. Set both MMDB files, and replace the older one.'
    assert.deepEqual(lookup.check(), { state: 'degraded', detail })
    assert.deepEqual(warnings, [detail])
  })

  it('stops building when it is closed', async () => {
    const lookup = await open(await makeUsual())
    await lookup.close()
    assert.deepEqual(await lookup.ask(item('192.0.2.1')), { kind: 'off' })
  })
})
