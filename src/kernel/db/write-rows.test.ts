import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { openTestApp, type TestApp } from '../../../test/harness.ts'
import { defineRows, type WrittenColumns } from './write-rows.ts'

interface Row {
  readonly id: string
  readonly at: string
  readonly isDone: boolean
  readonly count: number | null
  readonly text: string | null
  readonly tags: readonly string[]
  readonly hash: string | null
  readonly details: unknown
}

// In another order than the types, so that each value must find its own column.
const COLUMNS: WrittenColumns<Row> = {
  details: ['jsonb', ({ details }) => details],
  tags: ['text[]', ({ tags }) => tags],
  id: ['uuid', ({ id }) => id],
  hash: ['bytea', ({ hash }) => hash],
  text: ['text', ({ text }) => text],
  at: ['timestamptz', ({ at }) => at],
  is_done: ['boolean', ({ isDone }) => isDone],
  count: ['bigint', ({ count }) => count],
}

const ROWS: readonly Row[] = [
  {
    id: '01910000-0000-7000-8000-000000000001',
    at: '2026-01-02T03:04:05.678Z',
    isDone: true,
    count: 7,
    text: 'a "quoted", {braced} text \\ \n NULL',
    tags: ['one', '', 'with, comma'],
    hash: '00ff10',
    details: { a: ['null', 1] },
  },
  {
    id: '01910000-0000-7000-8000-000000000002',
    at: '2026-01-02T03:04:05.000Z',
    isDone: false,
    count: null,
    text: null,
    tags: [],
    hash: null,
    details: undefined,
  },
]

describe('rows of a batch', () => {
  let app: TestApp
  before(async () => {
    app = await openTestApp()
  })
  after(() => app.close())

  const store = async (
    rows: readonly Row[],
    columns: WrittenColumns<Row>,
  ): Promise<readonly object[]> => {
    const { names, values, given } = defineRows(columns)(rows)
    return await app.services.foundation.database.kysely.transaction().execute(async (tx) => {
      await sql`
        create table written (details jsonb, tags text[], id uuid, hash bytea, text text, at timestamptz,
          is_done boolean, count bigint)`.execute(tx)
      await sql`insert into written (${names}) select ${values} from ${given}`.execute(tx)
      const found = await sql<object>`
        select id, at, is_done as "isDone", count, text, tags, encode(hash, 'hex') as hash, details
        from written order by id`.execute(tx)
      await sql`drop table written`.execute(tx)
      return found.rows
    })
  }

  test('arrive each in its column, with texts, lists, documents and nulls', async () => {
    const expected = ROWS.map((row) => ({
      ...row,
      at: new Date(row.at),
      details: row.details ?? null,
    }))
    assert.deepEqual(await store(ROWS, COLUMNS), expected)
  })

  test('a column that has no value in any row is null in all, and one without documents needs none', async () => {
    const { details: _, ...columns } = COLUMNS
    const bare = ROWS.map((row) => ({ ...row, text: null, count: null, hash: null, tags: [] }))
    const found = await store(bare, columns)
    assert.deepEqual(
      found,
      bare.map((row) => ({ ...row, at: new Date(row.at), details: null })),
    )
  })

  test('a value that its column cannot take is refused as a whole', async () => {
    const wrong = ROWS.map((row) => ({ ...row, id: 'none' }))
    await assert.rejects(store(wrong, COLUMNS), /invalid input syntax for type uuid/)
  })
})
