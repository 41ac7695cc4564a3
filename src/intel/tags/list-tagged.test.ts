import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withApp } from '../../../test/harness.ts'
import {
  holdClock,
  NOON_MS,
  openSecondNode,
  sightingRow,
  taggingRow,
} from '../../../test/intel-fixtures.ts'
import { waitUntil } from '../../../test/wait.ts'
import { LOOK_BACK_SECONDS_DEFAULT } from '../facts/classify-item.ts'

const TAG = 'scan:port'
const PATH = `/beta/tags/${TAG}/ips`

describe('GET /beta/tags/{name}/ips', () => {
  const clock = holdClock()
  let token: string
  const app = withApp({ clock }, async (opened) => {
    token = await opened.createToken()
  })

  const get = (query = '', path = PATH) => app.send('GET', `${path}${query}`, { token })
  const page = async (query = '', path = PATH) => {
    const answer = await get(query, path)
    assert.equal(answer.status, 200, answer.text)
    return answer.json().result
  }
  const push = async (path: string, rows: readonly object[]) => {
    const answer = await app.send('POST', `/beta/${path}`, { token, json: rows })
    assert.deepEqual(answer.json().result, { accepted: rows.length, rejected: [] })
  }

  it('200 with what carries the tag itself: live taggings and what sensors saw, each once', async () => {
    assert.deepEqual((await page()).entries, [])
    await push('taggings', [
      taggingRow('192.0.2.1', TAG),
      taggingRow('192.0.2.1', TAG, { source: 'other' }),
      taggingRow('192.0.2.2', 'phishing:host'),
      taggingRow('192.0.2.4', TAG, { expires: new Date(NOON_MS).toISOString() }),
      taggingRow('198.51.100.0/24', TAG),
      taggingRow('2001:db8::1', TAG),
      taggingRow('host.example', TAG),
    ])
    await push('sightings', [
      sightingRow('192.0.2.1', { type: 'port-scan' }),
      sightingRow('192.0.2.5', { type: 'port-scan' }),
      sightingRow('192.0.2.6', { type: 'login-attack' }),
    ])
    const { entries, snapshot, lastUpdate, ...rest } = await page()
    const expected = ['192.0.2.1', '192.0.2.5', '198.51.100.0/24', '2001:db8::1', 'host.example']
    assert.deepEqual(entries, expected)
    assert.deepEqual(rest, { tag: TAG, total: 5 })
    assert.match(snapshot, /^\d+\.\d+$/)
    assert.equal(Number(snapshot.split('.')[0]), app.services.intel.index.state().serial)
    assert.ok(Date.parse(lastUpdate) > 0)
    for (const item of ['192.0.2.5', '192.0.2.6']) {
      const looked = await app.send('GET', `/beta/explain/${item}`)
      const names = looked.json().result.tags.map((tag: { name: string }) => tag.name)
      assert.equal(names.includes(TAG), entries.includes(item), item)
    }
  })

  it('counts sightings as a look-up does: thresholds, and only those within the look-back', async () => {
    const trap = 'spam:recycled-trap'
    const old = NOON_MS - (LOOK_BACK_SECONDS_DEFAULT + 1) * 1_000
    await push('sightings', [
      recycled('203.0.113.1', 3),
      recycled('203.0.113.2', 2),
      recycled('203.0.113.3', 5, old),
    ])
    assert.deepEqual((await page('', `/beta/tags/${trap}/ips`)).entries, ['203.0.113.1'])
  })

  it('gives pages of one moment, on every node, whatever is pushed between them', async () => {
    const tag = 'botnet:member'
    const path = `/beta/tags/${encodeURIComponent(tag)}/ips`
    const items = Array.from({ length: 25 }, (_, at) => `192.0.2.${at + 100}`)
    await push(
      'taggings',
      items.map((item) => taggingRow(item, tag)),
    )
    const first = await page('?limit=10', path)
    assert.equal(first.total, 25)
    await push('taggings', [
      taggingRow('192.0.2.1', tag),
      taggingRow('192.0.2.110', tag, { expires: new Date(NOON_MS).toISOString() }),
    ])
    const node = await openSecondNode(app)
    try {
      const walked = [...first.entries]
      for (const offset of [10, 20, 30]) {
        const query = `?limit=10&offset=${offset}&snapshot=${first.snapshot}`
        const answer = await node.send('GET', path + query, undefined, { 'x-api-key': token })
        assert.equal(answer.json().result.snapshot, first.snapshot)
        walked.push(...answer.json().result.entries)
      }
      assert.deepEqual(walked, items.toSorted())
    } finally {
      await node.close()
    }
    const anew = await page('?limit=100', path)
    assert.notEqual(anew.snapshot, first.snapshot)
    assert.deepEqual([anew.entries.includes('192.0.2.110'), anew.total], [false, 25])
  })

  it('cuts pages across the rows in which a list is kept', async () => {
    const tag = 'tool:nmap'
    const path = `/beta/tags/${tag}/ips`
    const database = app.services.foundation.database.pool
    await database.query(
      `insert into tagging select '10.' || (n / 65536) || '.' || (n / 256 % 256) || '.' || (n % 256),
         (select min(id) from intel_source), $1, true, null, now(), now(), null
       from generate_series(0, 20499) as made (n)`,
      [tag],
    )
    const whole = new Set<string>()
    const { snapshot, total } = await page('?limit=1', path)
    assert.equal(total, 20_500)
    for (let offset = 0; offset < total; offset += 6_000) {
      const { entries } = await page(`?offset=${offset}&limit=6000&snapshot=${snapshot}`, path)
      assert.equal(entries.length, Math.min(6_000, total - offset))
      for (const entry of entries) whole.add(entry)
    }
    assert.equal(whole.size, total)
    // A list of this size is not made anew while it is fresh.
    await push('taggings', [taggingRow('192.0.2.9', tag)])
    assert.equal((await page('?limit=1', path)).snapshot, snapshot)
    clock.set(NOON_MS + 61_000)
    assert.equal((await page('?limit=1', path)).total, 20_501)
    clock.set(NOON_MS)
  })

  it('410 for a snapshot that is no longer kept, of another tag, or made up', async () => {
    const { snapshot } = await page()
    for (const query of ['?snapshot=999.999', `?snapshot=1${snapshot}`]) {
      // INTEL_TAG_LIST_GONE
      const answer = await get(query)
      assert.deepEqual([answer.status, answer.json().status], [410, 'failure'], query)
    }
    assert.equal((await get(`?snapshot=${snapshot}`, '/beta/tags/phishing:host/ips')).status, 410)
    clock.set(NOON_MS + 3_600_001)
    await page()
    await page('', '/beta/tags/phishing:host/ips')
    assert.equal((await get(`?snapshot=${snapshot}`)).status, 410)
    clock.set(NOON_MS)
  })

  it('400 for a tag that is none and for parameters out of bounds, 401 and 403 without the scope', async () => {
    assert.equal((await get('', '/beta/tags/no:tag/ips')).status, 400)
    for (const query of ['?limit=0', '?limit=10001', '?offset=-1', '?snapshot=x', '?snapshot=1']) {
      assert.equal((await get(query)).status, 400, query)
    }
    assert.equal((await get('?unknown=1')).status, 200)
    assert.equal((await app.send('GET', PATH)).status, 401)
    const weak = await app.createToken({ scopes: ['intel:write'] })
    assert.equal((await app.send('GET', PATH, { token: weak })).status, 403)
  })

  it('503 while lists of two other tags are being made (INTEL_TAG_LISTS_BUSY)', async () => {
    const { pool } = app.services.foundation.database
    const holder = await pool.connect()
    try {
      await holder.query('begin')
      await holder.query('lock table tagging in access exclusive mode')
      const waiting = ['ddos:source', 'scan:amplifier'].map((tag) =>
        get('', `/beta/tags/${tag}/ips`),
      )
      await waitUntil(async () => {
        const { rows } = await holder.query<{ count: number }>(
          `select count(*) from pg_locks where not granted and relation = 'tagging'::regclass`,
        )
        return rows[0]?.count === 2
      })
      const refused = await get('', '/beta/tags/web:sql-injection/ips')
      assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '5'])
      await holder.query('rollback')
      for (const answer of await Promise.all(waiting)) assert.equal(answer.status, 200)
    } finally {
      holder.release(true)
    }
  })
})

function recycled(item: string, count: number, seenMs = NOON_MS): object {
  const lastSeen = new Date(seenMs).toISOString()
  return { item, kind: 'spamtrap', type: 'recycled-spamtrap', source: 'trap', count, lastSeen }
}
