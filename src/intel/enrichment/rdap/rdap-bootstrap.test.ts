import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { silentLog } from '../../../kernel/log.ts'
import type { AddressItem } from '../../../values/address.ts'
import { ipv4Item } from '../../../values/address.ts'
import { parseItem } from '../../../values/item.ts'
import { isBogon } from '../../facts/bogon.ts'
import { openRdapBootstrap, parseBootstrapFile, RDAP_BOOTSTRAP_FOLDER } from './rdap-bootstrap.ts'

function address(text: string): AddressItem {
  const item = parseItem(text)
  if (item === null || item.kind === 'domain') throw new Error(`${text} is no address`)
  return item
}

describe('the list of RDAP servers', () => {
  let dataDir: string
  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'casework-rdap-'))
    await mkdir(path.join(dataDir, RDAP_BOOTSTRAP_FOLDER))
  })
  after(() => rm(dataDir, { recursive: true }))

  async function put(name: string, text: string): Promise<void> {
    await writeFile(path.join(dataDir, RDAP_BOOTSTRAP_FOLDER, name), text)
  }

  it('ships with a registry for every address that the Internet routes, and for no other /8', async () => {
    const bootstrap = await openRdapBootstrap(dataDir, silentLog)
    assert.match(bootstrap.publication, /^\d{4}-\d\d-\d\d$/)
    const without: number[] = []
    for (let byte = 1; byte < 256; byte += 1) {
      const item = ipv4Item((byte << 24) >>> 0)
      if (bootstrap.findServer(item) === null) without.push(byte)
      else assert.equal(isBogon(ipv4Item(((byte << 24) | 0xff_ff_00) >>> 0)), false, String(byte))
    }
    assert.deepEqual(without, [10, 127, ...Array.from({ length: 32 }, (_, at) => 224 + at)])
    for (const [text, host] of [
      ['8.8.8.8', 'rdap.arin.net'],
      ['193.0.6.139', 'rdap.db.ripe.net'],
      ['1.1.1.1', 'rdap.apnic.net'],
      ['200.3.13.10', 'rdap.lacnic.net'],
      ['196.216.2.1', 'rdap.afrinic.net'],
      ['2600::1', 'rdap.arin.net'],
      ['2a00::1', 'rdap.db.ripe.net'],
      ['2001:200::1', 'rdap.apnic.net'],
      ['2800::1', 'rdap.lacnic.net'],
      ['2c00::1', 'rdap.afrinic.net'],
    ] as const) {
      assert.equal(new URL(bootstrap.findServer(address(text)) ?? '').hostname, host, text)
    }
    assert.equal(bootstrap.findServer(address('fd00::1')), null)
  })

  it('gives way to a file of IANA in the data folder, whose smallest block wins', async () => {
    await put(
      'ipv4.json',
      JSON.stringify({
        version: '1.0',
        publication: '2026-01-02T03:04:05Z',
        services: [
          [['192.0.2.0/24'], ['http://plain.example/', 'https://safe.example/rdap']],
          [['192.0.2.128/25'], ['https://inner.example/']],
          'not a service',
          [['not a block'], ['https://x.example/']],
          [['198.51.100.0/24'], ['ftp://x.example/']],
        ],
      }),
    )
    const bootstrap = await openRdapBootstrap(dataDir, silentLog)
    assert.equal(bootstrap.findServer(address('192.0.2.1')), 'https://safe.example/rdap/')
    assert.equal(bootstrap.findServer(address('192.0.2.129')), 'https://inner.example/')
    assert.equal(bootstrap.findServer(address('198.51.100.1')), null)
    assert.equal(bootstrap.findServer(address('8.8.8.8')), null)
    // The shipped list of the other version is the older one.
    assert.notEqual(bootstrap.findServer(address('2600::1')), null)
    assert.equal(bootstrap.publication < '2026-01-02', true)
  })

  it('holds to the shipped list, and says so, when the file in the data folder cannot be read', async () => {
    const lines: string[] = []
    const log = { ...silentLog, warn: (message: string) => void lines.push(message) }
    for (const text of ['no json', '{}', '{"services": []}']) {
      lines.length = 0
      await put('ipv4.json', text)
      const bootstrap = await openRdapBootstrap(dataDir, log)
      assert.notEqual(bootstrap.findServer(address('8.8.8.8')), null)
      assert.equal(lines.length, 1, text)
    }
    assert.throws(() => parseBootstrapFile('[]'))
  })
})
