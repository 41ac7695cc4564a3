import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { buildMmdb, type MmdbFile } from '../../../test/mmdb-kit.ts'
import { parseItem } from '../../values/item.ts'
import { MmdbError, readMmdbCountry, readMmdbSystem } from './network-mmdb.ts'
import { lookupNetwork } from './network-table.ts'
import { buildNetworkTable } from './network-table-build.ts'

const FILE: MmdbFile = {
  ipVersion: 6,
  recordBits: 28,
  madeAt: '2026-11-01T00:00:00Z',
  rows: [
    ['192.0.2.0/24', { autonomous_system_number: 64_496, autonomous_system_organization: 'Älpha' }],
    ['192.0.2.128/25', { autonomous_system_number: 64_497 }],
    ['255.255.255.255/32', { autonomous_system_number: 4_294_967_295 }],
    ['2001:db8::/32', { autonomous_system_number: 64_498, autonomous_system_organization: 'Six' }],
    ['2002::/16', { autonomous_system_number: 64_499 }],
  ],
}

describe('an MMDB file', () => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'mmdb-'))
  })
  after(() => rm(folder, { recursive: true }))

  async function build(bytes: Buffer) {
    const made = await mkdtemp(path.join(folder, 'file-'))
    const asn = path.join(made, 'networks.mmdb')
    await writeFile(asn, bytes)
    const state = await buildNetworkTable({
      packageDirs: { asn: null, country: null },
      mmdbFiles: { asn, country: null },
      targetFile: path.join(made, 'table'),
    })
    assert.equal(state.kind, 'ready')
    return {
      date: state.table.dataDate,
      find: (text: string) => lookupNetwork(state, parseItem(text) ?? assert.fail(text)),
    }
  }

  for (const recordBits of [24, 28, 32] as const) {
    test(`of ${recordBits} bits gives the system of the narrowest network, and the day it was made`, async () => {
      const { find, date } = await build(buildMmdb({ ...FILE, recordBits }))
      assert.equal(date, '2026-11-01')
      assert.deepEqual(find('192.0.2.127'), { asn: 'AS64496', name: 'Älpha' })
      assert.deepEqual(find('192.0.2.128'), { asn: 'AS64497' })
      assert.deepEqual(find('255.255.255.255'), { asn: 'AS4294967295' })
      assert.deepEqual(find('2001:db8::1'), { asn: 'AS64498', name: 'Six' })
      for (const text of ['0.0.0.0', '192.0.1.255', '192.0.3.0', '2001:db9::', '::192.0.2.1']) {
        assert.equal(find(text), null, text)
      }
    })
  }

  test('repeats the IPv4 tree for 6to4, which is left out', async () => {
    const { find } = await build(buildMmdb(FILE))
    assert.equal(find('2002:c000:201::1'), null)
  })

  test('of IPv4 alone says nothing about IPv6', async () => {
    const rows = FILE.rows.slice(0, 3)
    const { find } = await build(buildMmdb({ ...FILE, ipVersion: 4, rows }))
    assert.deepEqual(find('192.0.2.1'), { asn: 'AS64496', name: 'Älpha' })
    assert.equal(find('c000:201::'), null)
  })

  for (const [fault, bytes] of [
    ['of other content', Buffer.from('no such file'.repeat(100))],
    ['of no content', Buffer.alloc(0)],
    ['that was cut off', buildMmdb(FILE).subarray(0, -30)],
    ['without its first half', buildMmdb(FILE).subarray(600)],
    ['without AS numbers', buildMmdb({ ...FILE, rows: [['192.0.2.0/24', { country: 'DE' }]] })],
  ] as const) {
    test(`is refused with its name when it is one ${fault}`, async () => {
      await assert.rejects(
        build(bytes),
        (error: unknown) => error instanceof MmdbError && /networks\.mmdb: /.test(error.message),
      )
    })
  }
})

test('AS numbers and names have the members of MaxMind, DB-IP and IPinfo', () => {
  const system = { number: 64_496, name: 'Example' }
  for (const record of [
    { autonomous_system_number: 64_496, autonomous_system_organization: 'Example' },
    { asn: 'AS64496', as_name: 'Example', as_domain: 'network.example' },
    { asn: 'AS64496', name: 'Example', domain: 'network.example' },
  ]) {
    assert.deepEqual(readMmdbSystem(record), system)
  }
  for (const asn of ['', 'AS', 'AS0', 'AS4294967296', '-1']) {
    assert.equal(readMmdbSystem({ asn }), null, asn)
  }
})

test('countries have the members of MaxMind, DB-IP and IPinfo', () => {
  for (const record of [
    { country: { iso_code: 'DE' }, registered_country: { iso_code: 'FR' } },
    { registered_country: { iso_code: 'DE' } },
    { country: 'DE', country_name: 'Germany' },
    { country: 'Germany', country_code: 'DE' },
  ]) {
    assert.equal(readMmdbCountry(record), 'DE')
  }
  for (const record of [{}, { country: 'Germany' }, { country: { iso_code: 'de' } }]) {
    assert.equal(readMmdbCountry(record), null)
  }
})
