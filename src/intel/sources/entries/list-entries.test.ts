import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withApp } from '../../../../test/harness.ts'
import { listingRow, NOON_MS, sightingRow, taggingRow } from '../../../../test/intel-fixtures.ts'

const NOON = new Date(NOON_MS).toISOString()
const PLAIN = { accept: 'text/plain' }

describe('GET /beta/sources/{kind}/{name}/entries', () => {
  let token: string
  let reader: string
  const app = withApp({}, async (opened) => {
    token = await opened.createToken()
    reader = await opened.createToken({ scopes: ['intel:read'] })
  })

  const push = async (path: string, rows: readonly object[]) => {
    const answer = await app.send('POST', `/beta/${path}`, { token, json: rows })
    assert.deepEqual(answer.json().result, { accepted: rows.length, rejected: [] })
  }
  const get = (path: string, headers: Record<string, string> = {}) =>
    app.send('GET', `/beta/sources/${path}`, { token: reader, headers })
  const read = async (path: string) => {
    const answer = await get(path)
    assert.equal(answer.status, 200, answer.text)
    return answer.json().result
  }

  it('200 with the live entries of the source, and nothing of other sources', async () => {
    await push('listings', [
      listingRow('198.51.100.0/24', { source: 'own', firstSeen: NOON, lastSeen: NOON }),
      listingRow('198.51.100.0/24', { source: 'own', list: 'other', reason: 'Spam.' }),
      listingRow('host.example', { source: 'own' }),
      listingRow('192.0.2.1', { source: 'own', expires: NOON }),
      listingRow('192.0.2.2', { source: 'own', status: 'inactive' }),
      listingRow('192.0.2.3', { source: 'another' }),
    ])
    const { entries, next } = await read('mail-blocklist/own/entries')
    assert.equal(next, '')
    assert.deepEqual(
      entries.map(({ item, list, reason }: Record<string, string>) => [item, list, reason]),
      [
        ['198.51.100.0/24', 'other', 'Spam.'],
        ['198.51.100.0/24', 'spam', undefined],
        ['host.example', 'spam', undefined],
      ],
    )
    assert.deepEqual(entries[1], {
      item: '198.51.100.0/24',
      list: 'spam',
      firstSeen: NOON,
      lastSeen: NOON,
    })
  })

  it('gives every entry once, whatever the size of the page, of lists, tags, sensors and contacts', async () => {
    await push('taggings', [
      taggingRow('192.0.2.4', 'scan:port', { source: 'tags' }),
      taggingRow('192.0.2.4', 'scan:vulnerability', { source: 'tags' }),
      taggingRow('2001:db8::/48', 'scan:port', { source: 'tags' }),
    ])
    await push('sightings', [
      sightingRow('192.0.2.5', { source: 'sensor', count: 2 }),
      sightingRow('192.0.2.5', { source: 'sensor', lastSeen: '2026-01-30T12:00:00Z', count: 3 }),
      sightingRow('192.0.2.5', { source: 'sensor', type: 'port-scan' }),
      sightingRow('192.0.2.6', { source: 'sensor', service: undefined }),
    ])
    const contacts = ['198.51.100.0/24', '192.0.2.0/24'].map((range) => ({ range }))
    const json = [...contacts, { domain: 'example.com' }].map((about) => ({
      ...about,
      email: 'abuse@example.com',
      source: 'people',
    }))
    assert.equal((await app.send('PUT', '/beta/contacts', { token, json })).status, 200)
    for (const [source, count] of [
      ['mail-blocklist/own', 3],
      ['tag-list/tags', 3],
      ['honeypot/sensor', 3],
      ['contact/people', 3],
    ] as const) {
      const whole = (await read(`${source}/entries`)).entries
      assert.equal(whole.length, count, source)
      for (const limit of [1, 2]) {
        const told: object[] = []
        let next = ''
        do {
          const after = encodeURIComponent(next)
          const page = await read(`${source}/entries?limit=${limit}&after=${after}`)
          assert.ok(page.entries.length <= limit)
          told.push(...page.entries)
          next = page.next
        } while (next !== '')
        assert.deepEqual(told, whole, source)
      }
    }
    const [login] = (await read('honeypot/sensor/entries')).entries
    assert.deepEqual(login, {
      item: '192.0.2.5',
      type: 'login-attack',
      service: 'ssh',
      count: 5,
      firstSeen: '2026-01-30T12:00:00.000Z',
      lastSeen: NOON,
    })
    const [contact] = (await read('contact/people/entries')).entries
    assert.deepEqual(contact, { item: '192.0.2.0/24', email: 'abuse@example.com' })
  })

  it('200 with the whole list as plain text, an item a line, when that is asked for', async () => {
    const answer = await get('mail-blocklist/own/entries?limit=1', PLAIN)
    assert.match(String(answer.headers['content-type']), /^text\/plain/)
    assert.equal(answer.text, '198.51.100.0/24\nhost.example\n')
    // It can be put back as it is.
    const json = answer.text
      .trim()
      .split('\n')
      .map((item) => ({ item }))
    const path = '/beta/sources/mail-blocklist/copy/entries'
    const put = await app.send('PUT', path, { token, json })
    assert.equal(put.json().result.accepted, 2)
    assert.equal((await get('mail-blocklist/copy/entries', PLAIN)).text, answer.text)
    const both = await get('mail-blocklist/own/entries', { accept: 'application/json, text/plain' })
    assert.match(String(both.headers['content-type']), /^application\/json/)
  })

  it('401, 403 without intel:read, 404 for no such source, 400 for a wrong limit', async () => {
    const path = '/beta/sources/mail-blocklist/own/entries'
    assert.equal((await app.send('GET', path)).status, 401)
    const writer = await app.createToken({ scopes: ['intel:write'] })
    assert.equal((await app.send('GET', path, { token: writer })).status, 403)
    const gone = await get('mail-blocklist/nobody/entries', PLAIN)
    assert.deepEqual([gone.status, gone.json().status], [404, 'failure'])
    assert.equal((await get('mail-blocklist/own/entries?limit=0')).status, 400)
  })
})
