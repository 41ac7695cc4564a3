import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withApp } from '../../../../test/harness.ts'
import { listingRow, NOON_MS, sightingRow, taggingRow } from '../../../../test/intel-fixtures.ts'
import { pruneChanges } from '../../index/serial-store.ts'

const NOON = new Date(NOON_MS).toISOString()

describe('GET /beta/changes', () => {
  let token: string
  const app = withApp({}, async (opened) => {
    token = await opened.createToken()
  })

  const get = (query: string) => app.send('GET', `/beta/changes?${query}`, { token })
  const page = async (query: string) => {
    const answer = await get(query)
    assert.equal(answer.status, 200, answer.text)
    return answer.json().result
  }
  const push = async (path: string, rows: readonly object[]) => {
    const answer = await app.send('POST', `/beta/${path}`, { token, json: rows })
    assert.deepEqual(answer.json().result, { accepted: rows.length, rejected: [] })
  }
  const replace = async (...items: readonly string[]) => {
    const json = items.map((item) => ({ item }))
    const path = '/beta/sources/mail-blocklist/replaced/entries?allowShrink=true'
    const answer = await app.send('PUT', path, { token, json })
    assert.equal(answer.status, 200, answer.text)
  }
  const newest = async (): Promise<number> => (await page('after=0&limit=1')).serial

  const tell = async (start: number) =>
    (await page(`after=${start}&limit=1000`)).changes.map(
      ({ serial, subject, entries }: { serial: number; subject: string; entries: object[] }) => [
        serial - start,
        subject,
        entries.length,
      ],
    )

  it('200 with what each push changed, in the order of the serials, and what holds of it by now', async () => {
    const start = await newest()
    await push('listings', [
      listingRow('192.0.2.1', { firstSeen: NOON, lastSeen: NOON, expires: NOON }),
    ])
    await push('taggings', [
      taggingRow('198.51.100.0/24', 'scan:port', { firstSeen: NOON, lastSeen: NOON }),
    ])
    await push('sightings', [sightingRow('host.example', { count: 3 })])
    const { changes, ...rest } = await page(`after=${start}`)
    assert.deepEqual(rest, { next: String(start + 3), more: false, serial: start + 3 })
    const times = { firstSeen: NOON, lastSeen: NOON }
    assert.deepEqual(
      changes.map(({ at, ...change }: { at: string }) => {
        assert.ok(Date.parse(at) > NOON_MS)
        return change
      }),
      [
        {
          serial: start + 1,
          subject: '192.0.2.1',
          kinds: ['listing'],
          entries: [
            {
              kind: 'listing',
              source: { name: 'desk', kind: 'mail-blocklist' },
              list: 'spam',
              active: true,
              ...times,
              expires: NOON,
            },
          ],
          cut: false,
        },
        {
          serial: start + 2,
          subject: '198.51.100.0/24',
          kinds: ['tagging'],
          entries: [
            {
              kind: 'tagging',
              source: { name: 'desk', kind: 'tag-list' },
              tag: 'scan:port',
              active: true,
              ...times,
            },
          ],
          cut: false,
        },
        {
          serial: start + 3,
          subject: 'host.example',
          kinds: ['sighting'],
          entries: [
            {
              kind: 'sighting',
              source: { name: 'trap-1', kind: 'honeypot' },
              type: 'login-attack',
              service: 'ssh',
              count: 3,
              active: true,
              ...times,
            },
          ],
          cut: false,
        },
      ],
    )
  })

  it('tells what was withdrawn as no longer active, and what left a list that was replaced without an entry', async () => {
    await push('listings', [listingRow('192.0.2.2', { source: 'withdrawer' })])
    const start = await newest()
    await push('listings', [listingRow('192.0.2.2', { source: 'withdrawer', status: 'inactive' })])
    const [withdrawn] = (await page(`after=${start}`)).changes
    assert.deepEqual([withdrawn.subject, withdrawn.entries[0].active], ['192.0.2.2', false])

    await replace('192.0.2.3', '192.0.2.4')
    const middle = await newest()
    await replace('192.0.2.4', '192.0.2.5')
    const { changes } = await page(`after=${middle}`)
    const held = new Map(
      changes.map((change: { subject: string; entries: { active: boolean }[] }) => [
        change.subject,
        change.entries.some(({ active }) => active),
      ]),
    )
    assert.deepEqual([held.get('192.0.2.3'), held.get('192.0.2.5')], [false, true])
    assert.deepEqual(new Set(changes.map((change: { serial: number }) => change.serial)).size, 1)
  })

  it('gives every subject of a large push exactly once, whatever the size of the page', async () => {
    const start = await newest()
    const items = Array.from({ length: 23 }, (_, at) => `203.0.113.${at}`)
    await push(
      'listings',
      items.map((item) => listingRow(item)),
    )
    await push('taggings', [taggingRow('203.0.113.200', 'scan:port')])
    for (const limit of [1, 7, 23, 1_000]) {
      const told: string[] = []
      let next = String(start)
      for (let more = true; more; ) {
        const result = await page(`after=${next}&limit=${limit}`)
        assert.ok(result.changes.length <= limit)
        told.push(...result.changes.map((change: { subject: string }) => change.subject))
        ;({ next, more } = result)
      }
      assert.equal(next, String(start + 2))
      assert.equal(told.length, 24)
      assert.deepEqual(new Set(told), new Set([...items, '203.0.113.200']))
    }
    // Who has read everything is told so, and where to go on.
    const { changes, more, next } = await page(`after=${start + 2}`)
    assert.deepEqual([changes, more, next], [[], false, String(start + 2)])
  })

  it('tells a subject once per serial, whichever rows and statements of the push changed it', async () => {
    // Two sources and two types of one item: three rows of one statement.
    let start = await newest()
    await push('sightings', [
      sightingRow('192.0.2.51'),
      sightingRow('192.0.2.51', { source: 'trap-2' }),
      sightingRow('192.0.2.51', { type: 'port-scan' }),
      sightingRow('192.0.2.52'),
    ])
    assert.deepEqual(await tell(start), [
      [1, '192.0.2.51', 3],
      [1, '192.0.2.52', 1],
    ])
    // A list that is replaced takes the entry of one name away and adds that of another: two
    // statements. A given time and an assumed one are two statements as well.
    const path = '/beta/sources/mail-blocklist/renamed/entries?allowShrink=true'
    const put = async (json: readonly object[]) => {
      const answer = await app.send('PUT', path, { token, json })
      assert.equal(answer.status, 200, answer.text)
      return answer.json().result
    }
    await put([{ item: '192.0.2.53', list: 'old' }])
    start = await newest()
    const replaced = await put([
      { item: '192.0.2.53', list: 'new' },
      { item: '192.0.2.53', list: 'newer', lastSeen: NOON },
      { item: '192.0.2.54', list: 'new' },
    ])
    assert.deepEqual([replaced.accepted, replaced.removed], [3, 1])
    assert.deepEqual(await tell(start), [
      [1, '192.0.2.53', 2],
      [1, '192.0.2.54', 1],
    ])
    // The count of removed entries is that of entries, not of subjects.
    assert.equal((await put([])).removed, 3)
  })

  it('begins at the oldest change without an after', async () => {
    const first = await page('limit=3')
    assert.equal(first.changes[0].serial, 1)
    assert.deepEqual(first, await page('after=0&limit=3'))
  })

  it('cuts the entries of a subject past 100 of a kind, and says so', async () => {
    const start = await newest()
    await push(
      'listings',
      Array.from({ length: 101 }, (_, at) => listingRow('192.0.2.100', { list: `list-${at}` })),
    )
    const { changes } = await page(`after=${start}&limit=1`)
    assert.equal(changes[0].cut, true)
    assert.equal(changes[0].entries.length, 100)
  })

  it('400 for an after that is malformed, and for a limit outside 1 to 1000', async () => {
    for (const query of [
      'after=',
      'after=x',
      'after=-1',
      'after=1.',
      'after=1e3',
      'after=0&after=1',
      'after=0&limit=0',
      'after=0&limit=1001',
    ]) {
      const answer = await get(query)
      assert.equal(answer.status, 400, query)
      assert.equal(answer.json().statusCode, 400)
    }
  })

  it('400 for a position that lies in no change of the log', async () => {
    const start = await newest()
    const items = ['192.0.2.171', '192.0.2.172', '192.0.2.173']
    await push(
      'listings',
      items.map((item) => listingRow(item)),
    )
    assert.equal((await get(`after=${start}.2`)).status, 200)
    for (const after of [`${start}.3`, `${start}.5`, `${start + 1}.1`, `${start + 7}.5`]) {
      const answer = await get(`after=${after}`)
      assert.equal(answer.status, 400, after)
      assert.match(answer.json().errors.$, /\/after/)
    }
  })

  it('401 without a token and 403 without intel:read, though look-ups are open', async () => {
    const open = await app.send('GET', '/beta/changes?after=0')
    assert.deepEqual([open.status, open.json().status], [401, 'failure'])
    const other = await app.createToken({ scopes: ['intel:write'] })
    assert.equal((await app.send('GET', '/beta/changes?after=0', { token: other })).status, 403)
  })

  it('410 INTEL_CHANGES_NOT_KEPT for an after that the log does not go back to, or has not come to', async () => {
    await push('listings', [listingRow('192.0.2.150')])
    const last = await newest()
    const { database } = app.services.foundation
    await database.pool.query(`update intel_push set created_at = now() - interval '8 days'`)
    await pruneChanges(database.kysely)
    assert.equal((await get('after=0')).status, 410)
    const answer = await get(`after=${last - 2}`)
    assert.deepEqual([answer.status, answer.json().statusCode], [410, 410])
    assert.match(answer.json().errors.$, new RegExp(`continue after ${last}\\.$`))
    assert.equal((await page(`after=${last - 1}`)).changes[0].subject, '192.0.2.150')
    assert.equal((await get(`after=${last + 1}`)).status, 410)
  })
})
