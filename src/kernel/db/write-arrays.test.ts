import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { openTestApp, type TestApp } from '../../../test/harness.ts'
import { readWords, writeLists, writeTexts, writeWords } from './write-arrays.ts'

// What is no storable text (U+0000, lone surrogates) is refused at the door
// (values/json-value.ts).
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }).map((value) => value.replaceAll('\0', '')),
  fc.constantFrom('', 'NULL', 'null', '{', '}', '{}', ',', '"', '\\', '\\"', ' a ', '\n\t', "'"),
  // What separates lists.
  fc.string({ unit: fc.constantFrom('\u001E', '\u001F', 'a') }),
)

describe('columns of a batch', () => {
  let app: TestApp
  before(async () => {
    app = await openTestApp()
  })
  after(() => app.close())

  const read = async (columns: readonly [string, string][]): Promise<unknown[]> => {
    const names = columns.map((_, at) => `c${at}`)
    const given = columns.map(([, type], at) => `$${at + 1}::${type}[]`)
    const found = await app.services.foundation.database.pool.query({
      text: `select ${names.join()} from unnest(${given.join()}) as given (${names.join()})`,
      values: columns.map(([written]) => written),
      rowMode: 'array',
    })
    return found.rows
  }

  test('texts arrive as they are, nulls among them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(text, fc.constant(null)), { minLength: 1 }),
        async (values) => {
          const places = values.map((_, at) => at)
          const rows = await read([
            [writeWords(places), 'integer'],
            [writeTexts(values), 'text'],
          ])
          assert.deepEqual(
            rows,
            values.map((value, at) => [at, value]),
          )
        },
      ),
      { numRuns: 200 },
    )
  })

  test('lists arrive as they are, and an empty one as null', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(text), { minLength: 1 }), async (lists) => {
        const { written, read: readList } = writeLists(lists)
        const found = await sql<{ list: string[] }>`
          select coalesce(${readList('list')}, '{}') as list
          from unnest(${writeWords(lists.map((_, at) => at))}::integer[], ${written}::text[]) as given (place, list)`.execute(
          app.services.foundation.database.kysely,
        )
        assert.deepEqual(
          found.rows.map((row) => row.list),
          lists,
        )
      }),
      { numRuns: 200 },
    )
  })

  test('ids, times, numbers and nulls arrive as they are, and a column of nothing is filled with nulls', async () => {
    const id = '01910000-0000-7000-8000-000000000001'
    const rows = await read([
      [writeWords([id, null]), 'uuid'],
      [writeWords([7, -1]), 'bigint'],
      [writeWords([true, false]), 'boolean'],
      [writeWords([null, null]), 'text'],
    ])
    assert.deepEqual(rows, [
      [id, 7, true, null],
      [null, -1, false, null],
    ])
  })

  test('words that the database writes are read in their order, with nulls; none of no rows', async () => {
    const words = fc.array(fc.oneof(fc.stringMatching(/^[\w.:@+-]+$/), fc.constant(null)))
    await fc.assert(
      fc.asyncProperty(words, async (values) => {
        // As a text that is a null is written in quotes, which no word is.
        fc.pre(values.every((value) => value?.toLowerCase() !== 'null'))
        const found = await app.services.foundation.database.pool.query<{ written: string | null }>(
          `select array_agg(word order by place)::text as written
           from unnest($1::text[]) with ordinality as given (word, place)`,
          [values],
        )
        assert.deepEqual(readWords(found.rows[0]?.written ?? null), values)
      }),
      { numRuns: 100 },
    )
    assert.deepEqual(readWords('{}'), [])
  })
})
