// The lists of columns against the schema of a migrated database.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withApp } from '../../../../test/harness.ts'
import { COLUMNS_WITHOUT_PERSONS, PERSONAL_TABLES, TABLES_NOT_ERASED } from './personal-columns.ts'

const app = withApp()

interface TextColumn {
  readonly table: string
  readonly name: string
  readonly kind: string
}

interface Schema {
  readonly texts: readonly TextColumn[]
  /** Primary keys without the tenant, by table. */
  readonly keys: ReadonlyMap<string, Readonly<Record<string, string>>>
  readonly columns: ReadonlyMap<string, readonly string[]>
  /** Columns whose words a check lists. */
  readonly checked: ReadonlySet<string>
}

async function readSchema(): Promise<Schema> {
  const { pool } = app.services.foundation.database
  const read = async <Row extends object>(text: string): Promise<readonly Row[]> =>
    (await pool.query<Row>(text)).rows
  const ofTables = `c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`
  // A new type for texts or documents is found by its category.
  const texts = await read<TextColumn>(`
    select c.relname::text as table, a.attname::text as name,
      case when t.typname in ('json', 'jsonb') then 'json' when t.typcategory = 'A' then 'list' else 'text' end as kind
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    join pg_type t on t.oid = a.atttypid left join pg_type of on of.oid = t.typelem and t.typcategory = 'A'
    where ${ofTables} and a.attname <> 'tenant_id' and (t.typcategory = 'S' or of.typcategory = 'S'
      or t.typname in ('json', 'jsonb', 'xml', 'hstore') or of.typname in ('json', 'jsonb'))
    order by 1, a.attnum`)
  const primary = await read<{ table: string; key: Record<string, string> }>(`
    select c.relname::text as table, coalesce((
        select json_object_agg(a.attname, case format_type(a.atttypid, null) when 'timestamp with time zone' then 'timestamptz'
          else format_type(a.atttypid, null) end order by part.at)
        from unnest(i.indkey::int2[]) with ordinality as part (attnum, at)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = part.attnum
        where part.at <= i.indnkeyatts and a.attname <> 'tenant_id'), '{}') as key
    from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary where ${ofTables}`)
  const named = await read<{ table: string; columns: string[] }>(`
    select c.relname::text as table, array_agg(a.attname::text) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 where ${ofTables} group by 1`)
  const checked = await read<{ name: string }>(`
    select c.relname || '.' || a.attname as name
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
    where ${ofTables} and k.contype = 'c' and cardinality(k.conkey) = 1 and pg_get_constraintdef(k.oid) ~ '= ANY \\(ARRAY'`)
  return {
    texts,
    keys: new Map(primary.map(({ table, key }) => [table, key])),
    columns: new Map(named.map(({ table, columns }) => [table, columns])),
    checked: new Set(checked.map(({ name }) => name)),
  }
}

const personal = (): readonly string[] =>
  PERSONAL_TABLES.flatMap(({ name, columns }) =>
    Object.keys(columns).map((column) => `${name}.${column}`),
  )
const impersonal = (): readonly string[] => COLUMNS_WITHOUT_PERSONS.flatMap((one) => one.columns)
const notErased = (): readonly string[] => TABLES_NOT_ERASED.flatMap(({ tables }) => tables)

describe('every column of text', () => {
  test('may hold a person and is listed for erasures, or is listed with the reason why not', async () => {
    const { texts } = await readSchema()
    assert.ok(texts.length > 200)
    const listed = new Set([...personal(), ...impersonal()])
    const unlisted = texts.filter(
      ({ table, name }) => !notErased().includes(table) && !listed.has(`${table}.${name}`),
    )
    assert.deepEqual(unlisted, [], 'name it in personal-columns.ts')
  })

  test('is listed once, and is there', async () => {
    const { texts } = await readSchema()
    const there = new Set(texts.map(({ table, name }) => `${table}.${name}`))
    const listed = [...personal(), ...impersonal()]
    assert.deepEqual(
      listed.filter((name) => !there.has(name)),
      [],
    )
    assert.equal(new Set(listed).size, listed.length)
    const tables = new Set(texts.map(({ table }) => table))
    const named = [...PERSONAL_TABLES.map(({ name }) => name), ...notErased()]
    assert.deepEqual(
      named.filter((name) => !tables.has(name)),
      [],
    )
    assert.equal(new Set(named).size, named.length)
  })

  test('whose words a check is said to list has such a check', async () => {
    const { checked } = await readSchema()
    const [first] = COLUMNS_WITHOUT_PERSONS
    assert.match(first?.reason ?? '', /^A check of the table/)
    assert.deepEqual(
      first?.columns.filter((name) => !checked.has(name)),
      [],
    )
  })
})

describe('a table with personal columns', () => {
  test('is listed with its key, and the kinds of its columns', async () => {
    const { texts, keys } = await readSchema()
    const kinds = new Map(texts.map(({ table, name, kind }) => [`${table}.${name}`, kind]))
    for (const { name, key, columns } of PERSONAL_TABLES) {
      assert.deepEqual(Object.entries(key), Object.entries(keys.get(name) ?? {}), name)
      for (const [column, listed] of Object.entries(columns)) {
        const kind = listed.replace('kept ', '')
        assert.equal(kinds.get(`${name}.${column}`), kind, `${name}.${column}`)
      }
    }
  })

  test('is listed with the column that binds its rows to a case on legal hold', async () => {
    const schema = await readSchema()
    const byThemselves = ['abuse_case', 'case_merge', 'report']
    for (const { name, belongsTo } of PERSONAL_TABLES) {
      const columns = schema.columns.get(name) ?? []
      const first = ['case_id', 'run_id', 'event_id', 'report_id'].find((one) =>
        columns.includes(one),
      )
      assert.equal(belongsTo, byThemselves.includes(name) ? undefined : first, name)
    }
  })

  test('keeps its ids and keys, to which other rows refer', () => {
    for (const { name, use, key, columns } of PERSONAL_TABLES) {
      if (use !== undefined) continue
      for (const [column, kind] of Object.entries(columns)) {
        const isId = column === 'id' || (column.endsWith('_id') && column !== 'assignee_user_id')
        assert.equal(kind.startsWith('kept '), isId || column in key, `${name}.${column}`)
      }
    }
  })

  test('comes in the order of the names', () => {
    const names = PERSONAL_TABLES.map(({ name }) => name)
    assert.deepEqual(
      names,
      names.toSorted((one, other) => (one < other ? -1 : 1)),
    )
  })
})
