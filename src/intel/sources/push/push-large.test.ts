// Pushes that are read beside the serving thread: everything that holds for small ones holds for
// them.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withApp } from '../../../../test/harness.ts'
import { holdClock, listingRow, NOON_MS, sightingRow } from '../../../../test/intel-fixtures.ts'
import { PushWorker } from './push-worker.ts'

const NDJSON = 'application/x-ndjson'
const address = (at: number): string => `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`
const hour = (hours: number): string => new Date(NOON_MS + hours * 3_600_000).toISOString()
// About 700 KiB: three pieces, cut in the middle of lines.
const MANY = 10_000

describe('a large push', () => {
  let token: string
  const app = withApp({ clock: holdClock() }, async (opened) => {
    token = await opened.createToken({ scopes: ['intel:write', 'sources:manage'] })
  })

  const stream = (
    path: string,
    rows: readonly (object | string)[],
    method: 'POST' | 'PUT' = 'POST',
  ) =>
    app.send(method, path, {
      token,
      body: rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n'),
      headers: { 'content-type': NDJSON },
    })
  const entriesOf = async (item: string) =>
    (await app.send('GET', `/beta/explain/${item}`)).json().result.entries
  const query = (text: string) => app.services.foundation.database.pool.query(text)
  const serial = async (): Promise<number> =>
    (await query('select serial from intel_serial')).rows[0].serial

  it('200 with each refused line under its place, the others kept in one change', async () => {
    const rows: (object | string)[] = Array.from({ length: MANY }, (_, at) =>
      listingRow(address(at)),
    )
    rows[0] = 'no JSON'
    rows[4_321] = listingRow('no item')
    rows[MANY - 1] = '{"item":'
    const former = await serial()
    const { status, json } = await stream('/beta/listings', rows)
    assert.equal(status, 200)
    const { accepted, rejected } = json().result
    assert.equal(accepted, MANY - 3)
    assert.deepEqual(
      rejected.map((one: { index: number }) => one.index),
      [0, 4_321, MANY - 1],
    )
    assert.equal(await serial(), former + 1)
    const { rows: kept } = await query('select count(*) from listing')
    assert.equal(kept[0].count, MANY - 3)
    await stream('/beta/listings', rows)
    assert.equal(await serial(), former + 1)
  })

  it('joins rows of one key as if they had come one after the other', async () => {
    const filler = Array.from({ length: 1_000 }, (_, at) => listingRow(address(20_000 + at)))
    const item = '192.0.2.1'
    const listed = await stream('/beta/listings', [
      listingRow(item, { lastSeen: hour(-2), reason: 'first' }),
      ...filler,
      // Without a time of its own: the ones that were given count.
      listingRow(item, { reason: 'second' }),
      listingRow(item, { firstSeen: hour(-9), lastSeen: hour(-5), reason: 'last' }),
    ])
    assert.equal(listed.status, 200, listed.text)
    assert.deepEqual(listed.json().result, { accepted: 1_003, rejected: [] })
    await app.services.intel.index.refreshNow()
    const [entry] = await entriesOf(item)
    assert.deepEqual([entry.firstSeen, entry.lastSeen, entry.reason], [hour(-9), hour(-2), 'last'])
    await stream('/beta/sightings', [
      sightingRow(item, { count: 3 }),
      ...Array.from({ length: 1_000 }, (_, at) => sightingRow(address(20_000 + at))),
      sightingRow(item, { count: 5 }),
      sightingRow(item, { count: 4 }),
    ])
    const { rows } = await query(`select count from sighting where subject = '${item}'`)
    assert.deepEqual(rows, [{ count: 5 }])
  })

  it('keeps texts that COPY would read as something else', async () => {
    const odd = 'back\\slash \\N \\. and ünïcode'
    const filler = Array.from({ length: 1_000 }, (_, at) => listingRow(address(30_000 + at)))
    const { json } = await stream('/beta/listings', [
      ...filler,
      listingRow('192.0.2.2', { list: odd, source: odd, reason: odd }),
    ])
    assert.deepEqual(json().result.rejected, [])
    await app.services.intel.index.refreshNow()
    const [entry] = await entriesOf('192.0.2.2')
    assert.deepEqual([entry.list, entry.source.name, entry.reason], [odd, odd, odd])
  })

  it('400 for bytes that are no UTF-8 behind many good lines, and nothing is kept', async () => {
    const good = Array.from({ length: 5_000 }, (_, at) => JSON.stringify(listingRow(address(at))))
    const body = Buffer.concat([Buffer.from(good.join('\n')), Buffer.from([0x0a, 0xff, 0x0a])])
    const former = await serial()
    const headers = { 'content-type': NDJSON }
    const answer = await app.send('POST', '/beta/allowances', { token, body, headers })
    assert.equal(answer.status, 400)
    assert.match(answer.json().errors.$, /not valid UTF-8/)
    assert.equal(await serial(), former)
  })

  it('400 for a large array that is cut, 413 for one row too many, 200 for all that it may have', async () => {
    const rows = Array.from({ length: MANY + 1 }, (_, at) => listingRow(address(40_000 + at)))
    const text = JSON.stringify(rows.slice(0, MANY))
    const headers = { 'content-type': 'application/json' }
    const cut = await app.send('POST', '/beta/listings', {
      token,
      body: text.slice(0, -1),
      headers,
    })
    assert.equal(cut.status, 400)
    assert.match(cut.json().errors.$, /not valid JSON/)
    const tooMany = await app.send('POST', '/beta/listings', { token, json: rows })
    assert.equal(tooMany.status, 413)
    const whole = await app.send('POST', '/beta/listings', { token, body: text, headers })
    assert.deepEqual(whole.json().result, { accepted: MANY, rejected: [] })
  })

  it('200 for a whole list and for contacts of the same size', async () => {
    const path = '/beta/sources/tag-list/whole/entries'
    const entries = Array.from({ length: MANY }, (_, at) => ({
      item: address(at),
      tag: at === 5 ? 'no:such-tag' : 'scan:port',
    }))
    const replaced = await stream(path, entries, 'PUT')
    assert.equal(replaced.json().result.accepted, MANY - 1)
    assert.deepEqual(replaced.json().result.rejected, [
      { index: 5, reason: 'tag names no tag of the catalogue; GET /beta/tags lists them.' },
    ])
    const contacts = Array.from({ length: MANY }, (_, at) => ({
      range: address(at),
      email: `abuse-${at % 7}@example.com`,
      source: 'import',
    }))
    const put = await app.send('PUT', '/beta/contacts', { token, json: contacts })
    assert.deepEqual(put.json().result, { accepted: MANY, rejected: [] })
  })
})

function lines(count: number): Uint8Array<ArrayBuffer> {
  const rows = Array.from({ length: count }, (_, at) => listingRow(address(at)))
  return new Uint8Array(Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')))
}

describe('the thread that reads pushes', () => {
  const context = { nowMs: NOON_MS, tags: [] }
  const listings = { kind: 'statements', table: 'listing' } as const

  it('reads several pushes side by side, and forgets one that is dropped', async () => {
    const worker = new PushWorker()
    try {
      const first = worker.open(listings, context)
      const second = worker.open(listings, context)
      const dropped = worker.open(listings, context)
      await dropped.take('lines', lines(10))
      dropped.drop()
      await first.take('lines', lines(100))
      await second.take('lines', lines(200))
      await first.take('lines', lines(50))
      const [one, two] = await Promise.all([first.finish(), second.finish()])
      assert.deepEqual([one.accepted, two.accepted], [150, 200])
      // Rows 0 to 49 came twice.
      assert.deepEqual([one.staged.mayRepeat, two.staged.mayRepeat], [true, false])
    } finally {
      await worker.close()
    }
  })

  it('fails what is under way when it is closed, and opens nothing more', async () => {
    const worker = new PushWorker()
    const session = worker.open(listings, context)
    await session.take('lines', lines(1_000))
    const finishing = assert.rejects(session.finish(), /closed/)
    await worker.close()
    await finishing
    await assert.rejects(session.take('lines', lines(1)), /closed/)
    assert.throws(() => worker.open(listings, context), /closed/)
  })
})
