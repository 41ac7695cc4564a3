// A small push is seen at once, whatever large one is being read meanwhile. The reading is held up
// for as long as the test wants by holding the connection that it opens.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type DatabaseProxy, openDatabaseProxy } from '../../../../test/database-proxy.ts'
import { openTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  holdClock,
  NOON_MS,
  openSecondNode,
  type SecondNode,
} from '../../../../test/intel-fixtures.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { type Item, parseItem } from '../../../values/item.ts'
import type { IntelIndex } from '../../index/intel-index.ts'
import { pushSightings, pushStatements } from './push-store.ts'

function itemOf(text: string): Item {
  return parseItem(text) ?? assert.fail(text)
}

const MANY = Array.from({ length: 600 }, (_, at) => `host-${at}.example.com`)
const LARGE = itemOf('host-7.example.com')
const SMALL = itemOf('192.0.2.7')

describe('a small push while a large one is read', () => {
  let app: TestApp
  let proxy: DatabaseProxy
  let node: SecondNode
  let index: IntelIndex
  before(async () => {
    app = await openTestApp({ clock: holdClock() })
    proxy = await openDatabaseProxy(app.connection)
    node = await openSecondNode(app, proxy.connection)
    index = node.services.intel.index
    // What the node itself asks with is open before new connections are held.
    const { pool } = node.services.foundation.database
    await Promise.all(MANY.slice(0, 6).map(() => pool.query('select pg_sleep(0.1)')))
  })
  after(async () => {
    proxy.thaw()
    await node.close()
    await proxy.close()
    await app.close()
  })
  const list = (subjects: readonly string[], name: string): Promise<boolean> =>
    pushStatements(
      app.services.foundation.database,
      'listing',
      subjects.map((subject) => {
        const said = { subject, name, source: 'desk', isActive: true, reason: null }
        const times = { firstSeenMs: NOON_MS, lastSeenMs: NOON_MS, hasLastSeen: true }
        return { ...said, ...times, expiresMs: null }
      }),
    )
  const see = (count: number): Promise<boolean> => {
    const origin = { kind: 'honeypot', service: 'ssh', type: 'login-attack', source: 'trap' }
    const times = { firstSeenMs: NOON_MS - count, lastSeenMs: NOON_MS - count, count }
    return pushSightings(app.services.foundation.database, [
      { subject: SMALL.text, ...origin, ...times },
      { subject: LARGE.text, ...origin, ...times },
    ])
  }
  const lists = (item: Item): string[] =>
    index
      .view()
      .lookup(item)
      .listings.map((listing) => listing.list)
      .toSorted()
  const counts = (item: Item): number[] =>
    index
      .view()
      .lookup(item)
      .sightings.map((sighting) => sighting.count)

  it('is seen before it, also the next one, and under no serial that promises more', async () => {
    proxy.holdNew()
    const { serial } = index.state()
    await list(MANY, 'large')
    await list([SMALL.text, LARGE.text], 'small')
    await waitUntil(() => lists(SMALL).includes('small'))
    // Of a subject of both, all is seen that is true of it by then.
    assert.deepEqual(lists(LARGE), ['large', 'small'])
    assert.deepEqual(lists(itemOf('host-8.example.com')), [])
    assert.equal(index.state().serial, serial)
    await see(3)
    await waitUntil(() => counts(SMALL).length > 0)
    assert.deepEqual(counts(LARGE), [3])
    // The reading that is held up gives up after a while and is begun again; who waits for it then
    // hears of it.
    const isSeen = (): Promise<boolean> =>
      index.seeSoon(1).then(
        () => true,
        () => false,
      )
    await waitUntil(isSeen)
    assert.deepEqual(lists(itemOf('host-8.example.com')), [])
  })

  it('is still there when the large one is, and counted once', async () => {
    proxy.thaw()
    await index.refreshNow()
    await app.services.intel.index.refreshNow()
    assert.equal(index.state().serial, app.services.intel.index.state().serial)
    assert.deepEqual(lists(itemOf('host-8.example.com')), ['large'])
    assert.deepEqual(lists(LARGE), ['large', 'small'])
    assert.deepEqual(lists(SMALL), ['small'])
    await see(4)
    await index.refreshNow()
    assert.deepEqual([counts(SMALL), counts(LARGE)], [[7], [7]])
  })

  it('that follows is not hidden by what was read before its turn', async () => {
    await list([SMALL.text], 'other')
    await index.refreshNow()
    assert.deepEqual(lists(SMALL), ['other', 'small'])
  })
})
