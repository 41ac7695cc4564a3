// The life of the snapshot: its file, the change log behind it, the threads that share it, and a
// database that goes away.

import assert from 'node:assert/strict'
import { readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openDatabaseProxy } from '../../../test/database-proxy.ts'
import { openTestApp, type TestApp } from '../../../test/harness.ts'
import { holdClock, NOON_MS, openSecondNode } from '../../../test/intel-fixtures.ts'
import { waitUntil } from '../../../test/wait.ts'
import { parseItem } from '../../values/item.ts'
import { BinaryFileError } from '../snapshot/binary-file.ts'
import { CHECK_LISTED } from '../snapshot/fact-bits.ts'
import { readSnapshotFile } from '../snapshot/snapshot-file.ts'
import { pushStatements } from '../sources/push/push-store.ts'
import type { StatementRow } from '../sources/push/staged-rows.ts'
import { type IntelIndex, openIntelIndex } from './intel-index.ts'
import { SNAPSHOT_FILE } from './own-snapshot-file.ts'
import { pruneChanges } from './serial-store.ts'

const NOON_SECONDS = NOON_MS / 1_000
// More than an overlay holds over an empty snapshot, so that they go into a new one and into the
// file.
const MANY = 20_100

function listing(subject: string, isActive = true): StatementRow {
  const row = { subject, name: 'spam', source: 'desk', isActive, reason: null }
  const times = { firstSeenMs: NOON_MS, lastSeenMs: NOON_MS, hasLastSeen: true, expiresMs: null }
  return { ...row, ...times }
}

const address = (at: number): string => `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`

function isListed(index: IntelIndex, text: string): boolean {
  const item = parseItem(text) ?? assert.fail(text)
  return (index.view().check(item, NOON_SECONDS) & CHECK_LISTED) !== 0
}

async function serialOfFile(file: string): Promise<number> {
  try {
    return (await readSnapshotFile(file)).serial
  } catch (error) {
    if (error instanceof BinaryFileError) return -1
    throw error
  }
}

describe('a start from the file', () => {
  let app: TestApp
  let index: IntelIndex
  let file = ''
  let whole: Buffer
  before(async () => {
    app = await openTestApp({ clock: holdClock() })
    index = app.services.intel.index
    file = join(app.services.foundation.config.dataDir, SNAPSHOT_FILE)
    await push(Array.from({ length: MANY }, (_, at) => listing(address(at))))
    await waitUntil(async () => (await serialOfFile(file)) === 1)
    whole = await readFile(file)
    await push([listing('198.51.100.1'), listing(address(7), false)])
  })
  after(() => app.close())
  beforeEach(() => writeFile(file, whole))
  const push = async (rows: readonly StatementRow[]) => {
    await pushStatements(app.services.foundation.database, 'listing', rows)
    await index.refreshNow()
  }
  // The seed of the hashes is drawn for each snapshot read from the database, so it tells where one
  // came from.
  const openBesides = async (): Promise<{ isFromFile: boolean }> => {
    const node = await openSecondNode(app)
    try {
      const opened = node.services.intel.index
      assert.ok(isListed(opened, '198.51.100.1'))
      assert.ok(isListed(opened, address(MANY - 1)))
      assert.ok(!isListed(opened, address(7)))
      assert.ok(!isListed(opened, address(MANY)))
      const isFromFile = opened.view().snapshot.seed === index.view().snapshot.seed
      // What was read from the database replaces the file.
      if (!isFromFile) await waitUntil(async () => (await serialOfFile(file)) >= 2)
      return { isFromFile }
    } finally {
      await node.close()
    }
  }

  it('takes what came later from the change log', async () => {
    assert.deepEqual(await openBesides(), { isFromFile: true })
  })

  it('reads the database instead of a torn, damaged or foreign file, and replaces it', async () => {
    await truncate(file, whole.length - 4_096)
    assert.deepEqual(await openBesides(), { isFromFile: false })
    const changed = Buffer.from(whole)
    changed.writeUInt8((whole[5_000] ?? 0) ^ 1, 5_000)
    await writeFile(file, changed)
    assert.deepEqual(await openBesides(), { isFromFile: false })
    await writeFile(file, 'nothing of ours')
    assert.deepEqual(await openBesides(), { isFromFile: false })
  })

  it('reads the database when the file is of another one, or of a history that was not', async () => {
    const { pool } = app.services.foundation.database
    const { rows } = await pool.query('select id, mark from intel_push where serial = 1')
    await pool.query('update intel_push set mark = gen_random_uuid() where serial = 1')
    assert.deepEqual(await openBesides(), { isFromFile: false })
    await writeFile(file, whole)
    // As after a restore: the serial of the file was never reached.
    await pool.query('delete from intel_push where serial = 1')
    assert.deepEqual(await openBesides(), { isFromFile: false })
    await pool.query(
      'insert into intel_push (serial, id, mark, subject_count) values (1, $1, $2, 0)',
      [rows[0].id, rows[0].mark],
    )
  })

  it('reads the database when the changes since the file were pruned', async () => {
    const { pool, kysely } = app.services.foundation.database
    await pool.query(`update intel_push set created_at = now() - interval '8 days'`)
    assert.ok((await pruneChanges(kysely)) > 0)
    const { rows } = await pool.query('select serial from intel_push')
    assert.deepEqual(
      rows.map((row) => row.serial),
      [index.state().serial],
    )
    assert.deepEqual(await openBesides(), { isFromFile: false })
    // A node that is up to date goes on from where it is.
    const { seed } = index.view().snapshot
    await push([listing('198.51.100.2')])
    assert.ok(isListed(index, '198.51.100.2'))
    assert.equal(index.view().snapshot.seed, seed)
  })
})

describe('changes under look-ups', () => {
  let app: TestApp
  let index: IntelIndex
  before(async () => {
    app = await openTestApp({ clock: holdClock() })
    index = app.services.intel.index
  })
  after(() => app.close())
  const push = (rows: readonly StatementRow[]) =>
    pushStatements(app.services.foundation.database, 'listing', rows)

  it('never gives a wrong answer while layers come, are merged and become a new snapshot', async () => {
    await push(Array.from({ length: 400 }, (_, at) => listing(address(at))))
    await index.refreshNow()
    const state = { isDone: false }
    const pushing = (async () => {
      for (let part = 1; part <= 30; part += 1) {
        const first = part * 1_000
        // The middle of the standing ones are sent again, so that newer layers have them too.
        const again = Array.from({ length: 20 }, (_, at) => listing(address(100 + at)))
        const fresh = Array.from({ length: 1_000 }, (_, at) => listing(address(first + at)))
        await push([...again.map((row) => ({ ...row, lastSeenMs: NOON_MS + part })), ...fresh])
        await index.refreshNow()
        assert.ok(isListed(index, address(first)) && isListed(index, address(first + 999)))
        // Withdrawn in the next layer, and for good.
        await push([listing(address(first), false)])
        await index.refreshNow()
        assert.ok(!isListed(index, address(first)))
      }
      state.isDone = true
    })()
    const shapes = new Set<number>()
    while (!state.isDone) {
      for (let at = 0; at < 400; at += 7) assert.ok(isListed(index, address(at)))
      for (let at = 900_000; at < 900_050; at += 7) assert.ok(!isListed(index, address(at)))
      shapes.add(index.view().overlay.length)
      await nextTurn()
    }
    await pushing
    await waitUntil(() => index.view().snapshot.meta.subjectCount > MANY)
    assert.ok(shapes.size > 1)
    assert.ok(index.view().overlay.length < 8)
    for (let part = 1; part <= 30; part += 1) {
      assert.ok(!isListed(index, address(part * 1_000)))
      assert.ok(isListed(index, address(part * 1_000 + 1)))
    }
  })

  it('is seen by every thread, in the same memory', async () => {
    const { foundation } = app.services
    const { kysely: db, connection } = foundation.database
    const followers = await Promise.all(
      [1, 2].map(() => openIntelIndex({ ...foundation, db, connection }, index.openPort())),
    )
    try {
      for (const follower of followers) {
        assert.equal(follower.state().serial, index.state().serial)
        assert.deepEqual(follower.headers(), index.headers())
        assert.deepEqual(follower.tags().fingerprint, index.tags().fingerprint)
        // One byte written through one buffer is read through the other.
        const own = new Uint8Array(index.view().snapshot.buffer)
        const shared = new Uint8Array(follower.view().snapshot.buffer)
        const last = own.length - 1
        const former = own[last] ?? 0
        own[last] = former ^ 0xff
        assert.equal(shared[last], former ^ 0xff)
        own[last] = former
      }
      await push([listing('203.0.113.77')])
      for (const follower of followers) {
        await follower.refreshNow()
        assert.ok(isListed(follower, '203.0.113.77'))
      }
      await push([listing('203.0.113.78')])
      await waitUntil(() => followers.every((follower) => isListed(follower, '203.0.113.78')))
    } finally {
      for (const follower of followers) await follower.close()
    }
  })
})

/** A promise that never settles would hold a test for ever. */
const refreshAtOnce = async (index: IntelIndex): Promise<unknown> =>
  Promise.race([index.refreshNow().catch(String), nextTurn('waits')])

describe('a thread that follows', () => {
  it('gets an error for a refresh after its end or that of the keeper, and waits for none', async () => {
    const app = await openTestApp()
    const open = (): Promise<IntelIndex> => {
      const { foundation, intel } = app.services
      const { kysely: db, connection } = foundation.database
      return openIntelIndex({ ...foundation, db, connection }, intel.index.openPort())
    }
    const followers = [await open(), await open()] as const
    try {
      await followers[0].close()
      assert.equal(await refreshAtOnce(followers[0]), 'Error: the index is closed')
    } finally {
      await app.close()
    }
    assert.equal(await refreshAtOnce(followers[1]), 'Error: the index is closed')
    await followers[1].close()
  })
})

describe('a database that goes away', () => {
  it('says on every answer up to which serial it knows everything, and catches up when it is back', async () => {
    const app = await openTestApp()
    const proxy = await openDatabaseProxy(app.connection)
    const node = await openSecondNode(app, proxy.connection)
    const push = (subject: string) =>
      pushStatements(app.services.foundation.database, 'listing', [listing(subject)])
    const ask = async (): Promise<[unknown, string]> => {
      const found = await node.send('GET', '/beta/query/192.0.2.8')
      const checked = await node.send('POST', '/beta/quick-check', ['192.0.2.8'])
      const serials = [found, checked].map((one) => one.headers['x-casework-serial'])
      assert.equal(serials[0], serials[1])
      return [serials[0], checked.json().result[0].serviceMailBlocklist]
    }
    // One request: the set may change between two of them.
    const isSeen = async (): Promise<boolean> => {
      const checked = await node.send('POST', '/beta/quick-check', ['192.0.2.8'])
      return checked.json().result[0].serviceMailBlocklist === 'ACTIVE'
    }
    try {
      await push('192.0.2.7')
      await node.services.intel.index.refreshNow()
      assert.deepEqual(await ask(), ['1', 'INACTIVE'])
      await proxy.cut()
      await push('192.0.2.8')
      await assert.rejects(node.services.intel.index.refreshNow())
      assert.deepEqual(await ask(), ['1', 'INACTIVE'])
      const ready = await node.send('GET', '/readyz')
      assert.deepEqual([ready.status, ready.json().status], [200, 'degraded'])
      assert.match(ready.text, /Look-ups answer from serial 1 /)
      await proxy.mend()
      await waitUntil(isSeen)
      assert.deepEqual(await ask(), ['2', 'ACTIVE'])
    } finally {
      await node.close()
      await proxy.close()
      await app.close()
    }
  })
})
