import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { Pool } from 'pg'
import { openTestApp, readTestNodes, SUPERUSER, withApp } from '../../../../test/harness.ts'
import {
  ANA,
  CASEWORK,
  erase,
  fillWithAddress,
  findTables,
  openTenant,
} from '../../../../test/privacy-kit.ts'
import { recountCases } from '../../cases/recount/recount-cases.ts'
import { createErasureLog, readErasureLog } from './erasure-log.ts'

const folder = mkdtempSync(join(tmpdir(), 'casework-erasures-'))
const app = withApp({ environment: { CASEWORK_ERASURE_LOG: join(folder, 'log') } })
after(() => rmSync(folder, { recursive: true }))

const EVENT = { event_type: 'PortScan', event_date: '2026-04-01T00:00:00Z', ip: '192.0.2.1' }

describe('many addresses', () => {
  test('200 for all in one erasure, each by its own replacement', async () => {
    const tenant = await openTenant(app, 'many')
    await fillWithAddress(tenant)
    const others = Array.from({ length: 20 }, (_, index) => `nobody-${index}@example.com`)
    const addresses = [...others, 'B@example.net', ANA.toUpperCase(), ANA]
    const tried = await erase(tenant, { preview: true }, { addresses })
    const done = await erase(tenant, {}, { addresses })
    assert.deepEqual([done.addresses, done.replaced_by], [22, undefined])
    assert.deepEqual([done.changed, done.kept], [tried.changed, tried.kept])
    assert.deepEqual(await findTables(tenant), ['customer'])
    assert.deepEqual(await findTables(tenant, 'b@example.net'), [])
    assert.deepEqual(await findTables(tenant, 'c@example.net'), ['abuse_case', 'event'])
    // Each is still known from the others.
    const one = await erase(tenant)
    const reporters = await tenant.send('GET', '/events')
    assert.ok(reporters.text.includes(one.replaced_by))
  })

  test('that were erased are not found in any file of the database after a vacuum', async (t) => {
    // Files of the database are the superuser's. On a Citus cluster each node has its own, and
    // hides its shards from the catalogue.
    const own = { user: SUPERUSER, max: 1, options: '-c citus.override_table_visibility=off' }
    const pools = readTestNodes().map(
      ({ host, port }) => new Pool({ ...app.connection, host, port, ...own }),
    )
    t.after(() => Promise.all(pools.map((pool) => pool.end())))
    const onNodes = (text: string) => Promise.all(pools.map((pool) => pool.query(text)))
    const tenant = await openTenant(app, 'files')
    const { reports } = await fillWithAddress(tenant)
    assert.equal(reports.length, 4)
    // An id is kept, and this one is the address; so is that of the test before.
    await pools[0]?.query('delete from customer where id = $1', [ANA])
    const find = async () => {
      await onNodes('checkpoint')
      const found = await onNodes(
        `select relname as name, pg_read_binary_file(pg_relation_filepath(oid)) as bytes from pg_class
         where relkind in ('r', 'i', 't', 'm') and pg_relation_filepath(oid) like 'base/%'`,
      )
      const files = found.flatMap(({ rows }: { rows: { name: string; bytes: Buffer }[] }) => rows)
      assert.ok(files.length > 200)
      return files.flatMap(({ name, bytes }) =>
        new RegExp(`(?<![a-z])${RegExp.escape(ANA)}(?!\\.uk)`, 'i').test(bytes.toString('latin1'))
          ? [name]
          : [],
      )
    }
    // With the statistics of the planner, which hold common values.
    await onNodes('analyze')
    const first = await find()
    assert.ok(
      first.some((name) => /^event_until_[0-9_]+$/.test(name)) &&
        first.some((name) => /^report_raw(?:_\d+)?$/.test(name)),
      first.join(),
    )
    await erase(tenant)
    await onNodes('analyze')
    // What another connection may still see is left by a vacuum, and the program has some that ask
    // by themselves.
    let left: readonly string[] = ['all']
    for (let attempt = 0; attempt < 20 && left.length > 0; attempt += 1) {
      // One node after the other: Citus vacuums the tables of its workers from the coordinator too.
      // oxlint-disable-next-line eslint/no-await-in-loop
      for (const pool of pools) await pool.query('vacuum full')
      left = await find()
    }
    assert.deepEqual(left, [])
  })

  test('leave a full list of reporters as long as a recount finds it', async () => {
    const tenant = await openTenant(app, 'full')
    const others = Array.from({ length: 110 }, (_, index) => `r${index}@example.com`)
    const senders = [ANA, 'b@example.net', ANA.toUpperCase(), ...others]
    const events = senders.map((sender, index) => ({
      ...EVENT,
      sender_email: sender,
      report_id: `r-${index}`,
    }))
    const pushed = await tenant.send('POST', '/events', events)
    const path = `/cases/${pushed.json().items[0].case_id}`
    assert.equal((await tenant.send('GET', path)).json().event_reporters.length, 100)
    const { replaced_by: replacement } = await erase(tenant)
    const { event_reporters: reporters } = (await tenant.send('GET', path)).json()
    assert.deepEqual(reporters, [replacement, 'b@example.net', ...others.slice(0, 98)])
    const db = app.services.foundation.database.kysely
    assert.deepEqual((await recountCases(db, { tenantId: tenant.id })).differences, [])
  })

  test('400 without one way to say which, 404 for a repeat of what is not there or another tenant’s', async () => {
    const tenant = await openTenant(app, 'refused')
    const stranger = await openTenant(app, 'strange')
    const { id } = await erase(stranger)
    const send = (json: object) =>
      app.send('POST', `${CASEWORK}/erasures`, { token: tenant.token, json })
    for (const json of [
      {},
      { address: ANA, addresses: [ANA] },
      { addresses: [ANA, 'no address'] },
    ]) {
      const answer = await send(json)
      assert.deepEqual([answer.status, answer.json().code], [400, 'CASEWORK_ERASURE_NOT_VALID'])
    }
    assert.equal((await send({ addresses: [] })).status, 400)
    for (const repeats of [id, '01900000-0000-7000-8000-000000000000', 'x', '']) {
      const answer = await send({ repeats })
      assert.deepEqual([answer.status, answer.json().code], [404, 'CASEWORK_ERASURE_NOT_FOUND'])
    }
  })
})

const file = () => join(folder, 'log')

describe('the log of erasures', () => {
  test('has each erasure that is done once, and no address', async () => {
    const tenant = await openTenant(app, 'logged')
    await erase(tenant, { preview: true })
    const erasure = await erase(tenant)
    const many = await erase(tenant, {}, { addresses: [ANA, 'b@example.net'] })
    // Another node, which looks at what is there.
    await createErasureLog(app.services.foundation.database.kysely, file()).write()
    const logged = (await readErasureLog(file())) ?? []
    const own = logged.filter((entry) => entry.tenantId === tenant.id)
    assert.deepEqual(
      own.map(({ id, subjects }) => [id, subjects.length]),
      [
        [erasure.id, 1],
        [many.id, 2],
      ],
    )
    assert.equal(own[0]?.finishedAt.toISOString(), erasure.finished_at)
    const lines = readFileSync(file(), 'utf8').trimEnd().split('\n')
    assert.equal(lines.length, logged.flatMap((entry) => entry.subjects).length)
    assert.ok(!/ana|b@example/i.test(lines.join()))
  })

  test('goes on after a line that a crash cut off, and is refused when it is something else', async () => {
    const tenant = await openTenant(app, 'cut')
    const text = readFileSync(file(), 'utf8')
    writeFileSync(file(), `${text}{"tenant":"cut","era`)
    const { id } = await erase(tenant)
    assert.ok((await readErasureLog(file()))?.some((entry) => entry.id === id))
    writeFileSync(file(), 'something else\n')
    await assert.rejects(readErasureLog(file()), { code: 'CASEWORK_ERASURE_LOG_NOT_READABLE' })
    const writes = createErasureLog(app.services.foundation.database.kysely, file()).write()
    await assert.rejects(writes, { code: 'CASEWORK_ERASURE_LOG_NOT_WRITABLE' })
    assert.equal(readFileSync(file(), 'utf8'), 'something else\n')
    writeFileSync(file(), text)
    assert.equal(await readErasureLog(join(folder, 'none')), null)
  })

  test('503 when it cannot be written, and the next one writes both', async (t) => {
    const place = join(folder, 'later', 'log')
    const other = await openTestApp({ environment: { CASEWORK_ERASURE_LOG: place } })
    t.after(() => other.close())
    const tenant = await openTenant(other, 'unlogged')
    const request = { token: tenant.token, json: { address: ANA } }
    const send = () => other.send('POST', `${CASEWORK}/erasures`, request)
    let refused = await send()
    while (refused.status === 200 && refused.json().state !== 'done') refused = await send()
    assert.deepEqual(
      [refused.status, refused.json().code],
      [503, 'CASEWORK_ERASURE_LOG_NOT_WRITABLE'],
    )
    assert.ok(!refused.text.includes(folder))
    mkdirSync(join(folder, 'later'))
    await erase(tenant)
    assert.equal((await readErasureLog(place))?.length, 2)
  })
})
