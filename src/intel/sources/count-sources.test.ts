import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withApp } from '../../../test/harness.ts'
import { holdClock, listingRow } from '../../../test/intel-fixtures.ts'
import { SourceCounts } from './count-sources.ts'
import { listSources } from './source-store.ts'

describe('the counts of the sources of a large set', () => {
  const clock = holdClock()
  let token: string
  const app = withApp({ clock }, async (opened) => {
    token = await opened.createToken()
  })

  const push = async (source: string, ...items: string[]) => {
    const json = items.map((item) => listingRow(item, { source }))
    const answer = await app.send('POST', '/beta/listings', { token, json })
    assert.equal(answer.json().result.accepted, items.length, answer.text)
  }
  const count = async (counts: SourceCounts) => {
    const sources = await listSources(app.services.foundation.database.kysely)
    const entriesOf = await counts.read(sources)
    return Object.fromEntries(sources.map((source) => [source.name, entriesOf(source)]))
  }

  it('are a minute old at most, and know at once a source that says its first and one just fetched', async () => {
    const counts = new SourceCounts({ clock, index: app.services.intel.index, others: [] }, 1)
    await push('old', '192.0.2.1')
    assert.deepEqual(await count(counts), { old: 1 })
    await push('old', '192.0.2.2')
    assert.deepEqual(await count(counts), { old: 1 })
    await push('new', '192.0.2.3', '192.0.2.4')
    assert.deepEqual(await count(counts), { new: 2, old: 2 })
    await push('old', '192.0.2.5')
    assert.deepEqual(await count(counts), { new: 2, old: 2 })

    const fetch = {
      url: 'https://lists.example.org/list.txt',
      format: 'plain',
      intervalSeconds: 3_600,
      enabled: false,
    }
    await app.send('PUT', '/beta/sources/mail-blocklist/old', { token, json: { fetch } })
    assert.deepEqual(await count(counts), { new: 2, old: 2 })
    clock.set(clock.nowMs() + 1_000)
    await app.services.foundation.database.pool.query(`update source_fetch set tried_at = $1`, [
      new Date(clock.nowMs()),
    ])
    assert.deepEqual(await count(counts), { new: 2, old: 3 })
    await push('new', '192.0.2.6')
    clock.set(clock.nowMs() + 60_000)
    assert.deepEqual(await count(counts), { new: 3, old: 3 })
  })
})
