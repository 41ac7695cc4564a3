// Anybody can send a report of 25 MB. None of them ends an erasure or an export for its tenant: a
// report is searched, or it is named and the search goes on.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { writeZip } from '../../../../test/fixtures/zip-writer.ts'
import { withApp } from '../../../../test/harness.ts'
import {
  ANA,
  CASEWORK,
  erase,
  exportAll,
  fillWithAddress,
  findTables,
  openTenant,
  sendMail,
  type Tenant,
} from '../../../../test/privacy-kit.ts'
import { type Log, silentLog } from '../../../kernel/log.ts'
import { EXPORT_START, exportPart } from './collect-export.ts'
import { readErasedAddresses, repeatErasedAddresses } from './erased-address.ts'
import {
  openRawSearcher,
  RAW_SEARCH_LIMITS,
  type RawSearcher,
  type RawSearcherOptions,
} from './raw-searcher.ts'
import { eraseAddresses } from './run-erasure.ts'

const app = withApp()
const MEBIBYTE = 1_048_576
const SENTENCE = ` Write to ${ANA}, please.`
const SECRET = Buffer.alloc(32, 7)

const searchers: RawSearcher[] = []
after(() => Promise.all(searchers.map((searcher) => searcher.close())))

function open(options: Partial<RawSearcherOptions> = {}): RawSearcher {
  const searcher = openRawSearcher({ log: silentLog, ...options })
  searchers.push(searcher)
  return searcher
}

function readAna(tenantId: string) {
  const read = readErasedAddresses([ANA], tenantId, SECRET)
  assert.ok(read !== null)
  return read
}

/** This many bytes of this text, and the end behind them. */
function fillBytes(length: number, text: string, end: string | Buffer): Buffer {
  const bytes = Buffer.alloc(length, text)
  Buffer.from(end).copy(bytes, length - end.length)
  return bytes
}
const encodeWords = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `=${byte.toString(16)}`).join('')
const toBase64 = (text: string): string => Buffer.from(text).toString('base64')

interface Hostile {
  readonly name: string
  readonly text: string
  readonly end: string | Buffer
  readonly isFound: boolean
}

const HOSTILE: readonly Hostile[] = [
  { name: 'one letter', text: 'A', end: SENTENCE, isFound: true },
  { name: 'one letter, nothing else', text: 'A', end: '', isFound: false },
  { name: 'quoted-printable', text: '=41', end: encodeWords(SENTENCE), isFound: true },
  {
    name: 'quoted-printable with soft breaks within codes',
    text: '=4=\r\n1',
    end: encodeWords(SENTENCE).replaceAll('=', '==\r\n'),
    isFound: true,
  },
  { name: 'base64 in one line', text: 'QUJD', end: toBase64(SENTENCE), isFound: true },
  {
    name: 'base64 in lines',
    text: `${'QUJD'.repeat(19)}\r\n`,
    end: `\r\n\r\n${toBase64(SENTENCE)}`,
    isFound: true,
  },
  {
    name: 'base64 in short runs, two million in 25 MB',
    text: 'QUJDQUJDQUJD ',
    end: ` ${toBase64(SENTENCE)}`,
    isFound: true,
  },
  // Documented: one layer of base64 is opened.
  { name: 'base64 in base64', text: 'A', end: toBase64(toBase64(SENTENCE)), isFound: false },
  { name: 'UTF-16', text: 'A\0', end: Buffer.from(SENTENCE, 'utf16le'), isFound: true },
  {
    // Documented: archives are not opened.
    name: 'a zip',
    text: '\0',
    end: writeZip([{ path: 'a.txt', content: SENTENCE.repeat(20) }]),
    isFound: false,
  },
  { name: 'at signs', text: '@', end: SENTENCE, isFound: true },
  { name: 'encoded at signs', text: 'a%40b', end: SENTENCE, isFound: true },
]

// The work grows with the bytes and no faster: what 25 MB may cost, a tenth may cost a tenth of.
const SHARE = 10

/** What the search finds in these, each stored with this many bytes. */
async function searchHostile(
  list: readonly Hostile[],
  length: number,
  options: Partial<RawSearcherOptions>,
): Promise<readonly string[]> {
  const tenant = await openTenant(app, `hostile-${length}`)
  const names = new Map<string, string>()
  for (const { name, text, end } of list) {
    names.set(await storeBytes(tenant, fillBytes(length, text, end)), name)
  }
  const { wanted } = readAna(tenant.id).addresses
  const { log, lines } = openLog()
  const searcher = open({ log, ...options })
  const found: string[] = []
  for (let afterKey: string | null = ''; afterKey !== null; ) {
    const slice: Awaited<ReturnType<RawSearcher['searchNext']>> = await searcher.searchNext(
      app.services.foundation.database.kysely,
      { scope: { tenantId: tenant.id }, afterKey, rowsMax: 200, query: { wanted, name: null } },
    )
    // The bytes belong to no report here, so the log alone tells of those that were given up.
    assert.deepEqual(lines, [], names.get(slice.lastKey ?? '') ?? '')
    found.push(...slice.found.map(({ sha256 }) => names.get(sha256.toString('hex')) ?? ''))
    afterKey = slice.lastKey
  }
  return found.toSorted()
}

async function storeBytes(tenant: Tenant, bytes: Buffer): Promise<string> {
  const sha256 = createHash('sha256').update(bytes).digest()
  await app.services.foundation.database.pool.query(
    'insert into report_raw (tenant_id, sha256, bytes) values ($1, $2, $3)',
    [tenant.id, sha256, bytes],
  )
  return sha256.toString('hex')
}

describe('the search of raw reports', () => {
  test('goes through anything within its limits, and finds what is behind it', async () => {
    const found = await searchHostile(HOSTILE, (25 * MEBIBYTE) / SHARE, {
      cpuLimitMs: RAW_SEARCH_LIMITS.cpuLimitMs / SHARE,
    })
    const expected = HOSTILE.filter(({ isFound }) => isFound).map(({ name }) => name)
    assert.deepEqual(found, expected.toSorted())
  })

  test('goes through 25 MB within its limits', async () => {
    // One of them needs the most memory, one the most time.
    const some = HOSTILE.filter(({ name }) => /UTF-16|short runs/.test(name))
    const found = await searchHostile(some, 25 * MEBIBYTE, {})
    assert.deepEqual(found, some.map(({ name }) => name).toSorted())
  })

  test('is ended by its processor time, not by the clock of a busy machine', () => {
    const { cpuLimitMs, waitLimitMs } = RAW_SEARCH_LIMITS
    assert.ok(waitLimitMs >= 60 * cpuLimitMs)
  })

  test('503 when too many requests wait, and after its end', async () => {
    const tenant = await openTenant(app, 'waiting')
    const searcher = open({ queueMax: 0 })
    const { wanted } = readAna(tenant.id).addresses
    const search = () =>
      searcher.searchNext(app.services.foundation.database.kysely, {
        scope: { tenantId: tenant.id },
        afterKey: '',
        rowsMax: 1,
        query: { wanted, name: null },
      })
    const first = search()
    await assert.rejects(search(), { code: 'CASEWORK_RAW_SEARCH_BUSY', status: 503 })
    assert.equal((await first).lastKey, null)
    await searcher.close()
    await assert.rejects(search(), { code: 'CASEWORK_RAW_SEARCH_BUSY' })
  })
})

describe('a mail of seven million letters', () => {
  test('200 for erasure, preview, repeat and export of its tenant', async () => {
    const tenant = await openTenant(app, 'letters')
    await fillWithAddress(tenant)
    await sendMail(tenant, ['From: x@example.net', 'Subject: x', '', 'A'.repeat(7_000_000)])
    const exported = await exportAll(tenant, { address: ANA })
    assert.ok(exported.length > 3)
    const tried = await erase(tenant, { preview: true })
    const done = await erase(tenant)
    assert.deepEqual([done.changed, done.unsearched_reports], [tried.changed, undefined])
    assert.deepEqual(await findTables(tenant), ['customer'])
    const again = await erase(tenant, {}, { repeats: done.id })
    assert.deepEqual([again.state, again.unsearched_reports], ['done', undefined])
  })
})

// Far below what these 10 MB cost, and far above what any other report of these tests costs.
const CPU_LIMIT_MS = 100
const COSTLY = 'a%40b'.repeat(2_000_000)

function openLog(): { readonly log: Log; readonly lines: unknown[] } {
  const lines: unknown[] = []
  return { log: { ...silentLog, warn: (_, fields) => lines.push(fields) }, lines }
}

describe('a report that is too costly to search', () => {
  test('is named in the erasure, its preview and the log, and everything else is erased', async () => {
    const tenant = await openTenant(app, 'costly')
    await fillWithAddress(tenant)
    const bad = await sendMail(tenant, ['From: x@example.net', '', COSTLY])
    const { log, lines } = openLog()
    const { database, ids } = app.services.foundation
    const rawSearcher = open({ log, cpuLimitMs: CPU_LIMIT_MS })
    const deps = { db: database.kysely, log, ids, rawSearcher }
    const scope = { tenantId: tenant.id }
    const { subjects } = readAna(tenant.id)
    // By their replacements: what the job that repeats erasures does, and the search that costs
    // the most.
    const task = {
      addresses: repeatErasedAddresses(subjects, tenant.id, SECRET),
      subjects,
      replacedBy: 'one',
      repeats: [],
      requestedBy: 'test',
      budgetMs: 600_000,
    }
    for (const isPreview of [true, false]) {
      const erasure = await eraseAddresses(deps, scope, { ...task, isPreview })
      assert.ok(erasure.finishedAt !== null)
      assert.deepEqual(erasure.unsearched, [bad])
      assert.equal(erasure.changed['report_raw'], 3)
    }
    assert.deepEqual(await findTables(tenant), ['customer'])
    assert.deepEqual(lines[0], { tenant: tenant.id, reports: [bad], why: 'too_slow' })
    const raw = await app.send('GET', `${CASEWORK}/reports/${bad}/raw`, { token: tenant.token })
    assert.equal(raw.status, 200)
    const listed = (await tenant.send('GET', '/erasures')).json().items
    assert.deepEqual(listed[0].unsearched_reports, [bad])
  })

  test('is named in the export beside what was found', async () => {
    const tenant = await openTenant(app, 'too-long')
    await fillWithAddress(tenant)
    const bad = await sendMail(tenant, ['From: x@example.net', '', COSTLY])
    const rawSearcher = open({ cpuLimitMs: CPU_LIMIT_MS })
    const { addresses } = readAna(tenant.id)
    const request = { addresses, name: null, position: EXPORT_START, budgetMs: 600_000 }
    const db = app.services.foundation.database.kysely
    const part = await exportPart({ db, rawSearcher }, { tenantId: tenant.id }, request)
    assert.deepEqual(part.unsearched, [bad])
    assert.equal(part.next, null)
    assert.equal(part.rows.filter(({ table }) => table === 'report_raw').length, 3)
  })
})
