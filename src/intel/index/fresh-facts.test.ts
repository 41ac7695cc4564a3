// What a process pushed itself it takes into its set from memory: the set must be that which the
// database would give.

import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness.ts'
import { holdClock, NOON_MS, openSecondNode } from '../../../test/intel-fixtures.ts'
import { type Item, parseItem } from '../../values/item.ts'
import { STATEMENT_SOURCE_KINDS, type StatementTable } from '../facts/source-kinds.ts'
import { FactLogWriter } from '../snapshot/fact-log.ts'
import { pushStagedSightings, pushStagedStatements } from '../sources/push/push-store.ts'
import { RowStager, type SightingRow, type StatementRow } from '../sources/push/staged-rows.ts'
import { FreshFacts, type FreshPush } from './fresh-facts.ts'
import type { IntelIndex } from './intel-index.ts'
import { SNAPSHOT_FILE } from './own-snapshot-file.ts'

// So many rows are tried as new ones; addresses of both kinds, domains and ranges.
const NUMBERS = Array.from({ length: 400 }, (_, at) => at)
const ADDRESSES = NUMBERS.flatMap((at) => [
  `10.3.${at % 250}.${at}`.replace(/\d{3}$/, (part) => String(Number(part) % 256)),
  `2001:db8:${at.toString(16)}::1`,
])
const ITEMS = [...new Set([...ADDRESSES, ...NUMBERS.map((at) => `host-${at}.example.com`)])]
const SUBJECTS = [...ITEMS, ...NUMBERS.slice(0, 200).map((at) => `10.3.${at}.0/24`)]
const ASKED = [...ITEMS, '10.3.7.201', '10.200.0.1'].map(
  (text): Item => parseItem(text) ?? assert.fail(text),
)

function sorted(facts: readonly object[] = []): string[] {
  return facts.map((fact) => JSON.stringify(fact, Object.keys(fact).toSorted())).toSorted()
}

function describeFacts(index: IntelIndex): unknown {
  const view = index.view()
  return ASKED.map((item) => {
    const { listings, taggings, sightings, allowances } = view.lookup(item)
    return [item.text, ...[listings, taggings, sightings, allowances].map((facts) => sorted(facts))]
  })
}

describe('what this process pushed', () => {
  let app: TestApp
  let index: IntelIndex
  before(async () => {
    app = await openTestApp({ clock: holdClock() })
    index = app.services.intel.index
  })
  after(() => app.close())

  const say = async (
    table: StatementTable,
    subjects: readonly string[],
    more: Partial<StatementRow> = {},
  ): Promise<void> => {
    const stager = new RowStager({ keepsFacts: true })
    for (const [at, subject] of subjects.entries()) {
      const times = { firstSeenMs: NOON_MS - at * 1_001, lastSeenMs: NOON_MS + 999 }
      const said = { name: 'spam', source: 'desk', isActive: true, reason: null }
      const row = {
        subject,
        ...said,
        ...times,
        hasLastSeen: true,
        expiresMs: NOON_MS + at,
        ...more,
      }
      stager.addStatement(STATEMENT_SOURCE_KINDS[table], row)
    }
    const { database } = app.services.foundation
    await pushStagedStatements(database, table, stager.build(), index.freshPushes)
  }
  const see = async (subjects: readonly string[], more: Partial<SightingRow>): Promise<void> => {
    const stager = new RowStager({ keepsFacts: true })
    for (const subject of subjects) {
      const origin = { kind: 'honeypot', service: 'ssh', type: 'login-attack', source: 'trap' }
      const times = { firstSeenMs: NOON_MS, lastSeenMs: NOON_MS, count: 3 }
      stager.addSighting({ subject, ...origin, ...times, ...more })
    }
    const { database } = app.services.foundation
    await pushStagedSightings(database, stager.build(), index.freshPushes)
  }
  /** The same as a node that reads everything from the database. */
  const assertWhole = async (): Promise<void> => {
    await index.refreshNow()
    await rm(join(app.services.foundation.config.dataDir, SNAPSHOT_FILE), { force: true })
    const fresh = await openSecondNode(app)
    try {
      assert.deepEqual(describeFacts(index), describeFacts(fresh.services.intel.index))
      assert.equal(index.state().serial, fresh.services.intel.index.state().serial)
    } finally {
      await fresh.close()
    }
  }

  it('is taken over what is known of every kind of subject', async () => {
    await say('listing', SUBJECTS)
    await assertWhole()
    await say('tagging', SUBJECTS, { name: 'scan:port', expiresMs: null })
    await say('allowance', SUBJECTS.slice(5), { source: 'partner' })
    await see(ITEMS, {})
    await assertWhole()
  })

  it('counts observations of one origin together, within a push and over several', async () => {
    await see([...ITEMS, ...ITEMS.slice(3)].toSorted(), { service: 'telnet' })
    await see(ITEMS, { firstSeenMs: NOON_MS - 90_000, lastSeenMs: NOON_MS - 60_500, count: 7 })
    await see(ITEMS, { lastSeenMs: NOON_MS + 5_000, count: 0xffff_fff0 })
    await assertWhole()
  })

  it('is read from the database where a row was known, and where nothing is said any more', async () => {
    await say(
      'listing',
      [
        ...SUBJECTS.slice(0, 1),
        ...NUMBERS.flatMap((at) => [1, 2, 3].map((part) => `10.4.${part}.${at % 250}`)),
      ].filter((text, at, all) => all.indexOf(text) === at),
      { reason: 'again' },
    )
    await say('listing', SUBJECTS, { isActive: false })
    await say('tagging', SUBJECTS, { name: 'other', isActive: false })
    await assertWhole()
  })

  it('is not counted twice when a small push between two large ones was read later', async () => {
    await see(ITEMS, { type: 'scan' })
    await see(ITEMS.slice(0, 5), {
      type: 'scan',
      firstSeenMs: NOON_MS - 1,
      lastSeenMs: NOON_MS - 1,
    })
    await see(ITEMS, { type: 'scan', firstSeenMs: NOON_MS - 2_000 })
    await assertWhole()
    await see(ITEMS, { type: 'scan', firstSeenMs: NOON_MS - 3_000 })
    await assertWhole()
  })

  it('is not asked of the database', async () => {
    await say('tagging', SUBJECTS, { source: 'fresh', expiresMs: null })
    await app.services.foundation.database.pool.query(
      `delete from tagging where source_id in (select id from intel_source where name = 'fresh')`,
    )
    await index.refreshNow()
    const [item] = ASKED
    assert.ok(item !== undefined)
    const { taggings } = index.view().lookup(item)
    assert.ok(taggings.some(({ source }) => source === 'fresh'))
  })
})

function push(serial: number): FreshPush {
  return { serial, mark: '', log: new FactLogWriter().build() }
}

describe('what was pushed and is not taken yet', () => {
  it('is given in the order of serials without a gap, and forgotten once it is taken', () => {
    const fresh = new FreshFacts()
    for (const serial of [5, 4, 7]) fresh.add(push(serial))
    const serials = (since: number, upTo: number) =>
      fresh.listAfter(since, upTo).map(({ serial }) => serial)
    assert.deepEqual(serials(3, 9), [4, 5])
    assert.deepEqual(serials(3, 4), [4])
    assert.deepEqual(serials(2, 9), [])
    assert.equal(fresh.findNext(5), 7)
    fresh.forgetUpTo(5)
    assert.deepEqual(serials(3, 9), [])
    assert.deepEqual(serials(6, 9), [7])
    fresh.clear()
    assert.equal(fresh.findNext(0), null)
  })

  it('is bounded: the oldest goes, and is read from the database', () => {
    const fresh = new FreshFacts()
    for (let serial = 1; serial <= 40; serial += 1) fresh.add(push(serial))
    assert.equal(fresh.listAfter(0, 40).length, 0)
    assert.equal(fresh.findNext(0), 9)
  })

  it('is waited for when it is about to be committed, whether it comes or not', async () => {
    const fresh = new FreshFacts()
    const [first, second] = [fresh.expect(), fresh.expect()]
    const waiting = fresh.whenReported()
    first(push(1))
    const winner = await Promise.race([waiting.then(() => 'settled'), Promise.resolve('waits')])
    assert.equal(winner, 'waits')
    second(null)
    await waiting
    assert.deepEqual(
      fresh.listAfter(0, 2).map(({ serial }) => serial),
      [1],
    )
  })
})
