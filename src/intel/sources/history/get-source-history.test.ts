import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withApp } from '../../../../test/harness.ts'
import { query } from '../../../../test/query.ts'

const DAY_MS = 86_400_000

function dateOf(daysAgo: number): string {
  return new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)
}

describe('GET /beta/sources/{kind}/{name}/history', () => {
  let token: string
  const app = withApp({}, async (opened) => {
    token = await opened.createToken()
  })
  const replace = async (path: string, items: readonly string[]) => {
    const answer = await app.send('PUT', `/beta/sources/${path}/entries?allowShrink=true`, {
      token,
      json: items.map((item) => ({ item })),
    })
    assert.equal(answer.status, 200, answer.text)
  }
  const get = (path: string) => app.send('GET', `/beta/sources/${path}`, { token })
  const history = async (path: string) => {
    const answer = await get(path)
    assert.equal(answer.status, 200, answer.text)
    return answer.json().result
  }
  /** Moves what there is of the source back in time. */
  const age = async (name: string, days: number) => {
    await query(
      app.connection,
      `update source_history set day = day - ${days} where source_id = (select id from intel_source where name = '${name}')`,
    )
  }

  it('200 with the entries after the syncs of a day, and what they added and removed', async () => {
    const path = 'mail-blocklist/counted'
    await replace(path, ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
    assert.deepEqual(await history(`${path}/history`), {
      from: dateOf(89),
      to: dateOf(0),
      days: [{ date: dateOf(0), entries: 3, added: 3, removed: 0, syncs: 1 }],
    })
    await age('counted', 2)
    await replace(path, ['192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5'])
    await replace(path, ['192.0.2.5', '192.0.2.5'])
    const { days } = await history(`${path}/history`)
    assert.deepEqual(days, [
      { date: dateOf(2), entries: 3, added: 3, removed: 0, syncs: 1 },
      { date: dateOf(0), entries: 1, added: 2, removed: 4, syncs: 2 },
    ])
  })

  it('begins with the newest day before the period, whose entries still hold', async () => {
    const path = 'allow-list/rare'
    await replace(path, ['192.0.2.1'])
    await age('rare', 40)
    await replace(path, ['192.0.2.1', '192.0.2.2'])
    await age('rare', 20)
    const { from, days } = await history(`${path}/history?days=10`)
    assert.equal(from, dateOf(9))
    assert.deepEqual(days, [{ date: dateOf(20), entries: 2, added: 1, removed: 0, syncs: 1 }])
    assert.equal((await history(`${path}/history`)).days.length, 2)
  })

  it('keeps 400 days, and goes with its source', async () => {
    const path = 'network/kept'
    await replace(path, ['198.51.100.0/24'])
    await age('kept', 401)
    await replace(path, ['198.51.100.0/24', '203.0.113.0/24'])
    assert.deepEqual((await history(`${path}/history?days=400`)).days, [
      { date: dateOf(0), entries: 2, added: 1, removed: 0, syncs: 1 },
    ])
    assert.equal((await app.send('DELETE', `/beta/sources/${path}`, { token })).status, 204)
    await replace(path, ['198.51.100.0/24'])
    const { days } = await history(`${path}/history`)
    assert.deepEqual(
      days.map(({ added }: { added: number }) => added),
      [1],
    )
  })

  it('is empty for a sensor, and 409 changes nothing in it', async () => {
    const json = [{ item: '192.0.2.1', kind: 'honeypot', type: 'probe', source: 'pot' }].map(
      (row) => ({ ...row, lastSeen: new Date().toISOString() }),
    )
    await app.send('POST', '/beta/sightings', { token, json })
    assert.deepEqual((await history('honeypot/pot/history')).days, [])
    const path = 'tag-list/refused'
    await replace(path, [])
    const refused = { token, json: [] }
    await app.send('PUT', `/beta/sources/${path}/entries`, refused)
    const { days } = await history(`${path}/history`)
    assert.deepEqual(days, [{ date: dateOf(0), entries: 0, added: 0, removed: 0, syncs: 2 }])
  })

  it('404 for no source, 400 for a wrong period, 401 and 403 without the scope', async () => {
    assert.equal((await get('mail-blocklist/nobody/history')).status, 404)
    assert.equal((await get('mail-blocklist/counted/history?days=401')).status, 400)
    const path = '/beta/sources/mail-blocklist/counted/history'
    assert.equal((await app.send('GET', path)).status, 401)
    const weak = await app.createToken({ scopes: ['intel:write'] })
    assert.equal((await app.send('GET', path, { token: weak })).status, 403)
  })
})
