// What following the change log must not lose: facts of kinds that a push did not touch, and what a
// stop leaves for the next start.

import assert from 'node:assert/strict'
import { readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness.ts'
import { holdClock, NOON_MS, openSecondNode } from '../../../test/intel-fixtures.ts'
import { type Item, parseItem } from '../../values/item.ts'
import type { StatementTable } from '../facts/source-kinds.ts'
import { BinaryFileError } from '../snapshot/binary-file.ts'
import { readSnapshotFile } from '../snapshot/snapshot-file.ts'
import { pushSightings, pushStatements } from '../sources/push/push-store.ts'
import type { StatementRow } from '../sources/push/staged-rows.ts'
import type { IntelIndex } from './intel-index.ts'
import { SNAPSHOT_FILE } from './own-snapshot-file.ts'

function statement(subject: string, more: Partial<StatementRow> = {}): StatementRow {
  const row = { subject, name: 'spam', source: 'desk', isActive: true, reason: null }
  const times = { firstSeenMs: NOON_MS, lastSeenMs: NOON_MS, hasLastSeen: true, expiresMs: null }
  return { ...row, ...times, ...more }
}

// More than are read by the serving thread, of every kind of subject.
const NUMBERS = Array.from({ length: 120 }, (_, at) => at)
const ADDRESSES = NUMBERS.flatMap((at) => [`10.1.${at}.7`, `2001:db8:${at.toString(16)}::1`])
const DOMAINS = NUMBERS.map((at) => `host-${at}.example.com`)
const RANGES = NUMBERS.flatMap((at) => [`10.1.${at}.0/24`, `2001:db8:${at.toString(16)}::/48`])
const SUBJECTS = [...ADDRESSES, ...DOMAINS, ...RANGES]
const ASKED = [...ADDRESSES, ...DOMAINS, '10.1.5.9', '2001:db8:5::9', '10.2.0.1'].map(
  (text): Item => parseItem(text) ?? assert.fail(text),
)

function sorted(facts: readonly object[] = []): string[] {
  return facts.map((fact) => JSON.stringify(fact, Object.keys(fact).toSorted())).toSorted()
}

/** Everything the index says of the items, in an order of its own. */
function describeFacts(index: IntelIndex): unknown {
  const view = index.view()
  return ASKED.map((item) => {
    const { listings, taggings, sightings, allowances } = view.lookup(item)
    return [item.text, ...[listings, taggings, sightings, allowances].map((facts) => sorted(facts))]
  })
}

describe('following the change log', () => {
  let app: TestApp
  let index: IntelIndex
  before(async () => {
    app = await openTestApp({ clock: holdClock() })
    index = app.services.intel.index
  })
  after(() => app.close())
  const push = (table: StatementTable, rows: readonly StatementRow[]) =>
    pushStatements(app.services.foundation.database, table, rows)
  const see = (times: number) =>
    pushSightings(
      app.services.foundation.database,
      ADDRESSES.map((subject) => ({
        subject,
        kind: 'honeypot',
        service: 'ssh',
        type: 'login-attack',
        source: 'trap',
        firstSeenMs: NOON_MS - times * 1_000,
        lastSeenMs: NOON_MS - times * 1_000,
        count: times,
      })),
    )
  /** The same as a node that reads everything from the database. */
  const assertWhole = async () => {
    await index.refreshNow()
    // A node before this one may have left it.
    await rm(join(app.services.foundation.config.dataDir, SNAPSHOT_FILE), { force: true })
    const fresh = await openSecondNode(app)
    try {
      assert.equal(fresh.services.intel.index.view().overlay.length, 0)
      assert.deepEqual(describeFacts(index), describeFacts(fresh.services.intel.index))
    } finally {
      await fresh.close()
    }
  }

  it('keeps what is known in other kinds when one kind of many subjects changes', async () => {
    await push(
      'listing',
      SUBJECTS.map((subject) => statement(subject)),
    )
    await index.refreshNow()
    await push(
      'tagging',
      SUBJECTS.map((subject) => statement(subject, { name: 'scan:port' })),
    )
    await index.refreshNow()
    await see(1)
    await assertWhole()
    await push(
      'allowance',
      SUBJECTS.slice(3).map((subject) => statement(subject)),
    )
    await assertWhole()
  })

  it('takes back what was withdrawn, and only that', async () => {
    const withdrawn = SUBJECTS.slice(100).map((subject) => statement(subject, { isActive: false }))
    await push('listing', withdrawn)
    await assertWhole()
    await push(
      'tagging',
      SUBJECTS.map((subject) => statement(subject, { source: 'other' })),
    )
    await assertWhole()
  })

  it('takes in several kinds at once, and a push of which the table is not known', async () => {
    await see(2)
    await push(
      'listing',
      SUBJECTS.map((subject) => statement(subject, { name: 'second' })),
    )
    await assertWhole()
    await push(
      'allowance',
      SUBJECTS.map((subject) => statement(subject, { isActive: false })),
    )
    await see(3)
    await app.services.foundation.database.pool.query('update intel_push set fact_table = null')
    await assertWhole()
  })
})

describe('a stop', () => {
  let app: TestApp
  let file = ''
  before(async () => {
    app = await openTestApp({ clock: holdClock() })
    file = join(app.services.foundation.config.dataDir, SNAPSHOT_FILE)
  })
  after(() => app.close())
  const push = (third: number, count: number) =>
    pushStatements(
      app.services.foundation.database,
      'listing',
      Array.from({ length: count }, (_, at) => statement(`10.${third}.${at >> 8}.${at & 255}`)),
    )
  const serialOfFile = async (): Promise<number | string> => {
    try {
      return (await readSnapshotFile(file)).serial
    } catch (error) {
      assert.ok(error instanceof BinaryFileError)
      return error.reason
    }
  }

  it('writes nothing for what a start reads in no time', async () => {
    const node = await openSecondNode(app)
    await push(1, 1_900)
    await node.close()
    assert.equal(await serialOfFile(), 'missing')
  })

  it('leaves a file with everything that is committed, from which the next start goes on', async () => {
    const node = await openSecondNode(app)
    await push(2, 2_100)
    // Not asked to look: the stop takes it in.
    await node.close()
    assert.equal(await serialOfFile(), 2)
    const next = await openSecondNode(app)
    try {
      const { view, state } = next.services.intel.index
      assert.equal(state().serial, 2)
      assert.equal(view().snapshot.seed, (await readSnapshotFile(file)).seed)
      assert.equal(view().snapshot.meta.subjectCount, 4_000)
    } finally {
      await next.close()
    }
  })

  it('removes what a killed process began to write long ago, and nothing else', async () => {
    const { dataDir } = app.services.foundation.config
    const old = join(dataDir, `${SNAPSHOT_FILE}.00000000.tmp`)
    const young = join(dataDir, `${SNAPSHOT_FILE}.11111111.tmp`)
    await writeFile(old, 'a part')
    await writeFile(young, 'a part')
    await utimes(old, 0, 0)
    const node = await openSecondNode(app)
    await node.close()
    const names = await readdir(dataDir)
    assert.deepEqual(
      names.filter((name) => name.endsWith('.tmp')),
      [`${SNAPSHOT_FILE}.11111111.tmp`],
    )
    assert.ok(names.includes(SNAPSHOT_FILE))
  })
})
