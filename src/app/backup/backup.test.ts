import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { nat, sample, string } from 'fast-check'
import { Client } from 'pg'
import {
  buildTestConfig,
  openTestApp,
  ROWS_OF_ALL_TENANTS,
  type SocketConnection,
  type TestApp,
} from '../../../test/harness.ts'
import { createEmptyDatabase, query } from '../../../test/query.ts'
import {
  applyMigrations,
  type Migration,
  prepareLedger,
  readMigrations,
} from '../../kernel/db/migrate.ts'
import { startOfMonth, writeMonth } from '../../kernel/db/months/months.ts'
import { buildUuidFloor } from '../../kernel/ids.ts'
import { silentLog } from '../../kernel/log.ts'
import { compose } from '../compose.ts'
import { buildHttp, createHttpParts } from '../http.ts'
import { MIGRATIONS_FOLDER } from '../migrations-folder.ts'
import { buildRoutes } from '../routes.ts'
import { orderByParents } from './catalogue.ts'
import { restoreBackup, verifyBackup } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

const MIGRATIONS = readMigrations(MIGRATIONS_FOLDER)
const signal = new AbortController().signal

let app: TestApp
let token: string
let folder: string
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'casework-backup-'))
  app = await openTestApp()
  token = await app.createToken()
})
after(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

function nameFile(): string {
  return join(folder, randomBytes(8).toString('hex'))
}

async function backUpApp(): Promise<string> {
  const file = nameFile()
  await writeBackup({ connection: app.connection, place: 'here', file, signal })
  return file
}

async function restoreTo(
  connection: SocketConnection,
  file: string,
  migrations: readonly Migration[] = MIGRATIONS,
) {
  await verifyBackup(file, migrations)
  return await restoreBackup({ connection, place: 'there', file, migrations })
}

async function pushEvent(number: number): Promise<void> {
  const answer = await app.send('POST', '/beta/casework/events', {
    token,
    json: {
      event_date: '2026-11-20T08:00:00Z',
      event_type: 'LoginAttack',
      ip: `198.51.100.${number % 5}`,
      sender_email: 'reporter@example.org',
      report_id: `report-${number}`,
    },
  })
  assert.equal(answer.status, 201, answer.text)
}

/** The partitions of all divided tables. */
function describeMonths(connection: SocketConnection) {
  return query(
    connection,
    `select t.relname as table, p.relname as name, pg_get_expr(p.relpartbound, p.oid) as bound, p.relforcerowsecurity as is_bound,
       (select count(*)::integer from pg_policy where polrelid = p.oid) as policies,
       (select count(*)::integer from pg_index where indrelid = p.oid) as indexes
     from pg_inherits join pg_class t on t.oid = inhparent join pg_class p on p.oid = inhrelid where t.relkind = 'p' order by 1, 2`,
  )
}

const nameMonth = (month: number): string => writeMonth(month).slice(0, 7).replace('-', '_')

describe('a backup', () => {
  test('restored into an empty database gives the same answers', async (t) => {
    for (const number of [1, 2]) await pushEvent(number)
    const listing = { item: '192.0.2.7', list: 'example-list', source: 'example-source' }
    await app.send('POST', '/beta/listings', { token, json: [listing] })
    // A lookup sees a push within a second, which the copy, opened later, has from the start.
    await app.services.intel.index.refreshNow()
    const target = await createEmptyDatabase(t)
    const summary = await restoreTo(target, await backUpApp())
    assert.equal(summary.schemaVersion, MIGRATIONS.length)

    const config = buildTestConfig({ CASEWORK_DATA_DIR: folder })
    const services = await compose({ config, connection: target, log: silentLog })
    const routes = buildRoutes(services)
    const copy = buildHttp(services, { routes, parts: createHttpParts(services) })
    t.after(async () => {
      await copy.close()
      await services.close()
    })
    const { next_cursor: cursor } = (
      await app.send('GET', '/beta/casework/events?limit=1', { token })
    ).json()
    // The key that signs cursors is in the database, so those that callers hold stay good.
    const next = `casework/events?limit=1&cursor=${cursor}`
    const lists = ['casework/cases', 'casework/events', next, 'tags', 'admin/tokens']
    const paths = [...lists, 'query/192.0.2.7']
    for (const path of paths) {
      const headers = { authorization: `Bearer ${token}` }
      const expected = await app.send('GET', `/beta/${path}`, { token })
      const found = await copy.inject({ method: 'GET', url: `/beta/${path}`, headers })
      assert.equal(found.statusCode, 200, path)
      assert.deepEqual(withoutUse(found.json()), withoutUse(expected.json()), path)
    }
  })

  test('taken while events arrive is one moment: every case has as many events as it says', async (t) => {
    const over = new AbortController()
    const write = async (lane: number): Promise<number> => {
      let number = 0
      for (; !over.signal.aborted; number += 1) await pushEvent(1_000_000 * lane + number)
      return number
    }
    const writers = [1, 2, 3, 4].map(write)
    const files = [await backUpApp(), await backUpApp(), await backUpApp()]
    over.abort()
    assert.ok((await Promise.all(writers)).every((count) => count > 0))

    const totals = await Promise.all(
      files.map(async (file) => {
        const target = await createEmptyDatabase(t)
        await restoreTo(target, file)
        const [row] = await query(
          target,
          `select count(*)::int as cases, sum(event_count)::int as told,
             sum((select count(*) from event e where e.tenant_id = c.tenant_id and e.case_id = c.id))::int as found,
             (select count(*)::int from event) as events,
             (select count(*)::int from event_fingerprint) as fingerprints
           from abuse_case c`,
        )
        assert.equal(row?.['told'], row?.['found'])
        assert.equal(row?.['told'], row?.['events'])
        assert.equal(row?.['events'], row?.['fingerprints'])
        return Number(row?.['events'])
      }),
    )
    assert.deepEqual(
      totals,
      totals.toSorted((a, b) => a - b),
    )
  })

  test('brings every value back, whatever characters it has and however long it is', async (t) => {
    const texts = sample(string({ unit: 'binary', maxLength: 40 }), { numRuns: 200, seed: 7 })
    const awkward = [
      '\\.',
      '\n\\.\n',
      '\\\\.\n',
      '\r\n\t\\N',
      '-- {"sha256":"x"}',
      'COPY x FROM stdin;',
      '\\.\n'.repeat(50_000),
    ]
    const storable = [...texts, ...awkward].map((text) => text.replaceAll('\0', ''))
    await query(
      app.connection,
      `insert into case_comment (tenant_id, case_id, id, text, author, created_at)
       select 'default', 'C-0', gen_random_uuid(), text, 'test', now() from unnest($1::text[]) as text`,
      [storable],
    )
    const target = await createEmptyDatabase(t)
    await restoreTo(target, await backUpApp())
    const select = 'select id, text, created_at from case_comment order by id'
    assert.deepEqual(await query(target, select), await query(app.connection, select))
  })

  test('restored, its rows lie in the partitions of their months, each with its policy', async (t) => {
    const month = startOfMonth(Date.now(), 5)
    const name = `event_${writeMonth(month).slice(0, 7).replace('-', '_')}`
    await query(app.connection, `select add_month('event', 'event_id', '${writeMonth(month)}')`)
    await query(
      app.connection,
      `insert into event (tenant_id, event_id, create_date, event_date, event_type, sender_email, event_subtypes, tags)
       select 'default', id, now(), now(), 'Spam', 'a@reporter.example', '{}', '{}' from unnest($1::uuid[]) as id`,
      [[buildUuidFloor(month), buildUuidFloor(startOfMonth(month, 1))]],
    )
    const target = await createEmptyDatabase(t)
    await restoreTo(target, await backUpApp())
    const expected = await describeMonths(app.connection)
    assert.ok(expected.some((one) => one['name'] === name))
    assert.deepEqual(await describeMonths(target), expected)
    const found = await query(
      target,
      `select tableoid::regclass::text as place, count(*)::integer as count from event where sender_email = 'a@reporter.example' group by 1 order by 1`,
    )
    assert.deepEqual(found, [
      { place: name, count: 1 },
      { place: 'event_other', count: 1 },
    ])
  })

  test('from before months were noted is restored into the months of its rows', async (t) => {
    const months = [-30, -29, -3].map((later) => startOfMonth(Date.now(), later))
    await query(
      app.connection,
      `insert into event (tenant_id, event_id, create_date, event_date, event_type, sender_email, event_subtypes, tags)
       select 'default', id, now(), now(), 'Spam', 'b@reporter.example', '{}', '{}' from unnest($1::uuid[]) as id`,
      [
        [
          '00000000-0000-4000-8000-000000000001',
          ...months.map((month) => buildUuidFloor(month + 1)),
        ],
      ],
    )
    const file = await backUpApp()
    const text = gunzipSync(readFileSync(file)).toString('latin1')
    const [first = ''] = text.split('\n', 1)
    const { months: noted, ...header } = JSON.parse(first.slice(3))
    assert.ok(noted.length >= 3)
    const rest = text.slice(first.length + 1)
    const body = `-- ${JSON.stringify(header)}\n${rest.slice(0, rest.lastIndexOf('-- {"sha256"'))}`
    const sha256 = createHash('sha256').update(body, 'latin1').digest('hex')
    const older = nameFile()
    writeFileSync(older, gzipSync(Buffer.from(`${body}-- {"sha256":"${sha256}"}\n`, 'latin1')))
    const target = await createEmptyDatabase(t)
    const { rows } = await restoreTo(target, older)
    assert.ok(rows > 0)
    const events = 'select count(*)::integer as count from event'
    assert.deepEqual(await query(target, events), await query(app.connection, events))
    const found = await query(
      target,
      `select tableoid::regclass::text as place from event where sender_email = 'b@reporter.example' order by event_id`,
    )
    assert.deepEqual(
      found.map(({ place }) => place),
      [
        `event_until_${nameMonth(months[0] ?? 0)}`,
        ...months.map((month) => `event_${nameMonth(month)}`),
      ],
    )
    const partitions = await describeMonths(target)
    assert.ok(partitions.some(({ name }) => name === `event_${nameMonth(Date.now())}`))
    const of = (name: string) => partitions.find((one) => one['name'] === name)
    for (const { name, is_bound, policies, indexes } of partitions) {
      assert.deepEqual([name, is_bound, policies], [name, true, 1])
      const other = String(name).replace(/_(until_)?\d{4}_\d{2}$/, '_other')
      assert.equal(indexes, of(other)?.['indexes'])
    }
  })

  test('goes on counting where the original was', async (t) => {
    const insert = `insert into intel_source (kind, name) values ('honeypot', $1) returning id`
    const [deleted] = await query(app.connection, insert, ['deleted'])
    await query(app.connection, `delete from intel_source where name = 'deleted'`)
    const target = await createEmptyDatabase(t)
    await restoreTo(target, await backUpApp())
    const [next] = await query(target, insert, ['next'])
    assert.equal(next?.['id'], Number(deleted?.['id']) + 1)
  })

  test('is a private file that holds no secret of a token, and never overwrites (BACKUP_FILE_EXISTS)', async () => {
    const file = await backUpApp()
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.ok(!existsSync(`${file}.partial`))
    assert.ok(!gunzipSync(readFileSync(file)).includes(token))
    const former = readFileSync(file)
    const again = writeBackup({ connection: app.connection, place: 'here', file, signal })
    await assert.rejects(again, { code: 'BACKUP_FILE_EXISTS' })
    assert.deepEqual(readFileSync(file), former)
  })

  test('carries secrets without their value, and the restore names the key that they need', async (t) => {
    const value = 'open sesame, said nobody'
    const path = '/beta/casework/secrets/backed-up'
    const put = await app.send('PUT', path, { token, json: { value } })
    assert.ok(put.status < 300, put.text)
    t.after(() => app.send('DELETE', path, { token }))
    const [stored] = await query(app.connection, 'select key_id from secret')
    const file = await backUpApp()
    assert.ok(!gunzipSync(readFileSync(file)).includes(value))
    const target = await createEmptyDatabase(t)
    const { secretKeys } = await restoreTo(target, file)
    assert.deepEqual(secretKeys, [stored?.['key_id']])
  })

  test('never writes into the partial file of another one', async () => {
    const file = nameFile()
    writeFileSync(`${file}.partial`, 'of another one')
    const second = writeBackup({ connection: app.connection, place: 'here', file, signal })
    await assert.rejects(second, { code: 'BACKUP_FILE_EXISTS' })
    assert.equal(readFileSync(`${file}.partial`, 'utf8'), 'of another one')
  })

  test('leaves nothing behind when it is interrupted', async () => {
    const file = nameFile()
    const given = AbortSignal.abort()
    await assert.rejects(
      writeBackup({ connection: app.connection, place: 'here', file, signal: given }),
      { name: 'AbortError' },
    )
    assert.ok(!existsSync(file) && !existsSync(`${file}.partial`))
  })

  test('says so when its file cannot be written (BACKUP_FILE_NOT_WRITABLE)', async () => {
    const file = join(folder, 'no-such-folder', 'file')
    await assert.rejects(writeBackup({ connection: app.connection, place: 'here', file, signal }), {
      code: 'BACKUP_FILE_NOT_WRITABLE',
    })
  })

  test('of a database without our tables is refused (APP_NO_DATA)', async (t) => {
    const connection = await createEmptyDatabase(t)
    await assert.rejects(writeBackup({ connection, place: 'here', file: nameFile(), signal }), {
      code: 'APP_NO_DATA',
    })
  })
})

describe('a restore', () => {
  test('refuses a file that was cut anywhere (BACKUP_FILE_NOT_READABLE)', async () => {
    const bytes = readFileSync(await backUpApp())
    const file = nameFile()
    const lengths = sample(nat(bytes.length - 1), { numRuns: 40, seed: 7 })
    for (const length of [0, 1, bytes.length - 1, ...lengths]) {
      writeFileSync(file, bytes.subarray(0, length))
      await assert.rejects(verifyBackup(file, MIGRATIONS), { code: 'BACKUP_FILE_NOT_READABLE' })
    }
  })

  test('refuses a file of which one byte was changed, in what was compressed too', async () => {
    const text = gunzipSync(readFileSync(await backUpApp()))
    const file = nameFile()
    for (const at of sample(nat(text.length - 1), { numRuns: 40, seed: 7 })) {
      const changed = Buffer.from(text)
      changed[at] = (changed[at] ?? 0) ^ 1
      writeFileSync(file, gzipSync(changed))
      await assert.rejects(verifyBackup(file, MIGRATIONS), (error: { code?: string }) =>
        ['BACKUP_FILE_NOT_READABLE', 'KERNEL_MIGRATION_WAS_EDITED'].includes(error.code ?? ''),
      )
    }
  })

  test('refuses what follows the end, another kind of file, and no file', async () => {
    const text = gunzipSync(readFileSync(await backUpApp()))
    const file = nameFile()
    for (const bytes of [
      gzipSync(Buffer.concat([text, Buffer.from('x')])),
      text,
      gzipSync('x\n'),
    ]) {
      writeFileSync(file, bytes)
      await assert.rejects(verifyBackup(file, MIGRATIONS), { code: 'BACKUP_FILE_NOT_READABLE' })
    }
    await assert.rejects(verifyBackup(nameFile(), MIGRATIONS), { code: 'BACKUP_FILE_NOT_READABLE' })
  })

  test('of a damaged file changes nothing, also when it was not verified before', async (t) => {
    const text = gunzipSync(readFileSync(await backUpApp()))
    const file = nameFile()
    writeFileSync(file, gzipSync(text.subarray(0, text.length - 10)))
    const connection = await createEmptyDatabase(t)
    await assert.rejects(
      restoreBackup({ connection, place: 'there', file, migrations: MIGRATIONS }),
      { code: 'BACKUP_FILE_NOT_READABLE' },
    )
    assert.deepEqual(await listTables(connection), [])
  })

  test('refuses a database that has been used (BACKUP_TARGET_HAS_DATA)', async () => {
    const file = await backUpApp()
    const former = await query(app.connection, 'select id from api_token order by id')
    await assert.rejects(restoreTo(app.connection, file), { code: 'BACKUP_TARGET_HAS_DATA' })
    assert.deepEqual(await query(app.connection, 'select id from api_token order by id'), former)
  })

  test('refuses a database of something else (BACKUP_TARGET_NOT_OURS)', async (t) => {
    const connection = await createEmptyDatabase(t)
    await query(connection, 'create table theirs (id integer)')
    await assert.rejects(restoreTo(connection, await backUpApp()), {
      code: 'BACKUP_TARGET_NOT_OURS',
    })
    assert.deepEqual(await listTables(connection), ['theirs'])
  })

  test('takes a database that was only migrated, and one of another schema version is refused (BACKUP_TARGET_VERSION)', async (t) => {
    const file = await backUpApp()
    const connection = await createEmptyDatabase(t)
    await migrateTo(connection, MIGRATIONS.length)
    await restoreTo(connection, file)
    const older = await createEmptyDatabase(t)
    await migrateTo(older, MIGRATIONS.length - 1)
    await assert.rejects(restoreTo(older, file), { code: 'BACKUP_TARGET_VERSION' })
  })

  test('of an older schema brings it up to date', async (t) => {
    const later: Migration = {
      version: (MIGRATIONS.at(-1)?.version ?? 0) + 1,
      name: 'later.sql',
      checksum: 'later',
      sql: `alter table tenant add column motto text; update tenant set motto = 'of ' || name`,
    }
    const connection = await createEmptyDatabase(t)
    const summary = await restoreTo(connection, await backUpApp(), [...MIGRATIONS, later])
    assert.equal(summary.schemaVersion, MIGRATIONS.length + 1)
    assert.deepEqual(await query(connection, 'select motto from tenant'), [{ motto: 'of Default' }])
  })

  test('of a newer schema is refused (BACKUP_IS_NEWER)', async () => {
    const file = await backUpApp()
    const older = MIGRATIONS.slice(0, -1)
    await assert.rejects(verifyBackup(file, older), { code: 'BACKUP_IS_NEWER' })
  })

  test('of a schema made by other migrations is refused', async () => {
    const edited = MIGRATIONS.map((migration) => ({ ...migration, checksum: 'edited' }))
    await assert.rejects(verifyBackup(await backUpApp(), edited), {
      code: 'KERNEL_MIGRATION_WAS_EDITED',
    })
  })
})

describe('the order of tables', () => {
  test('puts parents first', () => {
    const tables = [
      { name: 'a', parents: ['c'] },
      { name: 'b', parents: [] },
      { name: 'c', parents: ['b'] },
    ]
    assert.deepEqual(
      orderByParents(tables).map(({ name }) => name),
      ['b', 'c', 'a'],
    )
  })

  test('refuses a circle', () => {
    const tables = [
      { name: 'a', parents: ['b'] },
      { name: 'b', parents: ['a'] },
    ]
    assert.throws(() => orderByParents(tables), /refer to each other: a, b/)
  })
})

async function migrateTo(connection: SocketConnection, version: number): Promise<void> {
  const client = new Client({ ...connection, options: ROWS_OF_ALL_TENANTS })
  await client.connect()
  try {
    await prepareLedger(client)
    await applyMigrations(client, MIGRATIONS.slice(0, version))
  } finally {
    await client.end()
  }
}

async function listTables(connection: SocketConnection): Promise<readonly unknown[]> {
  const rows = await query(
    connection,
    `select relname::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  return rows.map(({ name }) => name)
}

// Reading the list of tokens is a use of the token, which is noted later.
function withoutUse(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, member: unknown) => (key === 'last_used_at' ? null : member)),
  )
}
