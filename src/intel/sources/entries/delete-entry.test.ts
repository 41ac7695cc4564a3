import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withApp } from '../../../../test/harness.ts'
import { listingRow, sightingRow } from '../../../../test/intel-fixtures.ts'

describe('DELETE /beta/sources/{kind}/{name}/entries/{entry}', () => {
  let token: string
  const app = withApp({}, async (opened) => {
    token = await opened.createToken()
  })

  const push = async (path: string, rows: readonly object[]) => {
    const answer = await app.send('POST', `/beta/${path}`, { token, json: rows })
    assert.deepEqual(answer.json().result, { accepted: rows.length, rejected: [] })
  }
  const del = (path: string) => app.send('DELETE', `/beta/sources/${path}`, { token })
  const check = async (item: string) => {
    const answer = await app.send('POST', '/beta/quick-check', { json: [item] })
    return answer.json().result[0]
  }
  const serial = () => app.services.intel.index.state().serial

  it('200 and the look-up sees it at once, in one serial; entries of other sources stay', async () => {
    await push('listings', [
      listingRow('192.0.2.1'),
      listingRow('192.0.2.1', { list: 'second' }),
      listingRow('192.0.2.2'),
    ])
    await push('sightings', [sightingRow('192.0.2.1')])
    const before = serial()
    const answer = await del('mail-blocklist/desk/entries/192.0.2.1')
    assert.equal(answer.status, 200, answer.text)
    const { note, ...result } = answer.json().result
    assert.deepEqual(result, { item: '192.0.2.1', removed: 2, fetched: false })
    assert.match(note, /pushed again.*\/beta\/allowances/)
    assert.equal(serial(), before + 1)
    const { serviceMailBlocklist, activity } = await check('192.0.2.1')
    assert.equal(serviceMailBlocklist, 'INACTIVE')
    assert.equal((await check('192.0.2.2')).serviceMailBlocklist, 'ACTIVE')
    assert.equal((await del('honeypot/trap-1/entries/192.0.2.1')).json().result.removed, 1)
    assert.equal((await check('192.0.2.1')).activity, false)
    assert.equal(typeof activity, 'boolean')
  })

  it('takes a range with %2F and as it is, an IPv6 address and a domain', async () => {
    const items = ['198.51.100.0/24', '203.0.113.0/24', '2001:db8::1', 'host.example']
    await push(
      'listings',
      items.map((item) => listingRow(item, { source: 'forms' })),
    )
    for (const entry of ['198.51.100.0%2F24', '203.0.113.0/24', '2001:DB8:0::1', 'Host.Example.']) {
      const answer = await del(`mail-blocklist/forms/entries/${entry}`)
      assert.equal(answer.status, 200, answer.text)
    }
    const path = '/beta/sources/mail-blocklist/forms/entries'
    assert.deepEqual((await app.send('GET', path, { token })).json().result.entries, [])
  })

  it('says that a fetched list brings it back, and what keeps it away', async () => {
    await push('listings', [listingRow('192.0.2.9', { source: 'drop' })])
    const fetch = {
      url: 'https://lists.example.org/drop.txt',
      format: 'plain',
      intervalSeconds: 3_600,
      enabled: false,
    }
    await app.send('PUT', '/beta/sources/mail-blocklist/drop', { token, json: { fetch } })
    const { fetched, note } = (await del('mail-blocklist/drop/entries/192.0.2.9')).json().result
    assert.equal(fetched, true)
    assert.match(note, /next fetch brings it back.*POST \/beta\/allowances/)
    // The advice holds: an allowance wins when the list has the item again.
    const allow = { item: '192.0.2.9', list: 'delisted', source: 'desk' }
    await push('allowances', [allow])
    await push('listings', [listingRow('192.0.2.9', { source: 'drop' })])
    assert.equal((await check('192.0.2.9')).serviceMailBlocklist, 'INACTIVE')
  })

  it('takes one contact away, and look-ups show the wider one', async () => {
    const json = [
      contact('192.0.2.0/24', 'net@example.com'),
      contact('192.0.2.7', 'host@example.com'),
    ]
    await app.send('PUT', '/beta/contacts', { token, json })
    assert.equal((await del('contact/people/entries/192.0.2.7')).json().result.removed, 1)
    const answer = await app.send('GET', '/beta/query/192.0.2.7')
    assert.equal(answer.json().result.abuseContact.email, 'net@example.com')
  })

  it('404 for an entry that is not there, naming the one that covers it (INTEL_ENTRY_UNKNOWN)', async () => {
    await push('listings', [
      listingRow('198.51.100.0/24', { source: 'wide' }),
      listingRow('198.51.0.0/16', { source: 'wide' }),
      listingRow('shop.example.org', { source: 'wide' }),
      listingRow('2001:db8::/32', { source: 'wide' }),
    ])
    for (const [entry, covering] of [
      ['198.51.100.7', '198.51.100.0/24'],
      ['198.51.101.0%2F24', '198.51.0.0/16'],
      ['www.shop.example.org', 'shop.example.org'],
      ['2001:db8:1::/48', '2001:db8::/32'],
    ] as const) {
      const answer = await del(`mail-blocklist/wide/entries/${entry}`)
      assert.equal(answer.status, 404)
      assert.match(answer.json().errors.$, new RegExp(`covered by the entry ${covering}\\.`))
    }
    const answer = await del('mail-blocklist/wide/entries/203.0.113.1')
    assert.equal(answer.status, 404)
    assert.match(answer.json().errors.$, /has no entry 203\.0\.113\.1; GET/)
    assert.equal((await del('mail-blocklist/nobody/entries/203.0.113.1')).status, 404)
  })

  it('400 for what is no address, range or domain (INTEL_ENTRY_NOT_READABLE), 401 and 403', async () => {
    const path = 'mail-blocklist/wide/entries/198.51.100.7%2F24'
    assert.equal((await del(path)).status, 400)
    assert.equal((await del('mail-blocklist/wide/entries/nothing')).status, 400)
    assert.equal((await app.send('DELETE', `/beta/sources/${path}`)).status, 401)
    const reader = await app.createToken({ scopes: ['intel:read', 'intel:write'] })
    assert.equal((await app.send('DELETE', `/beta/sources/${path}`, { token: reader })).status, 403)
  })
})

function contact(range: string, email: string): object {
  return { range, email, source: 'people' }
}
