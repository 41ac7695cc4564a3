// The plans that the tricks are for, on the PostgreSQL of the tests: on tables of several sizes,
// without statistics or with old ones, as right after an import, and with true ones.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import type { PoolClient } from 'pg'
import { openTestApp, type TestApp } from '../../../test/harness.ts'
import {
  inTheirOrder,
  metByHalf,
  ONE_BY_ONE,
  oneByOne,
  PLANNED_ALONE,
  PROBES_FOR_TRANSACTION,
} from './planner.ts'
import { writeWords } from './write-arrays.ts'

const SIZES = [10, 50, 150, 500, 3_000, 20_000]
const WHOLE_TABLE = /Hash|Merge|Seq Scan on of_some_size/

interface Sized {
  readonly size: number
  /** The plan, a line each, of a statement. */
  readonly plan: (statement: RawBuilder<unknown>) => Promise<readonly string[]>
  readonly client: PoolClient
}

function give(count: number): RawBuilder<unknown> {
  const ids = Array.from({ length: count }, (_, at) => `C-${String(at).padStart(36, '0')}`)
  return sql`unnest(${writeWords(ids)}::text[]) as given (id)`
}

function findEach(count: number, end: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select given.id, found.rest from ${give(count)}
    left join lateral (
      select rest from of_some_size where tenant_id = ${'default'} and id = given.id ${end}
    ) as found on true`
}

function listBy(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select id from of_some_size where tenant_id = ${'default'} and ${condition} order by id limit 10`
}

function assertProbes(lines: readonly string[], what: string): void {
  const text = lines.join('\n')
  assert.match(text, /Nested Loop/, `${what}:\n${text}`)
  assert.doesNotMatch(text, WHOLE_TABLE, `${what}:\n${text}`)
}

describe('plans of statements', () => {
  let app: TestApp
  before(async () => {
    app = await openTestApp()
  })
  after(() => app.close())

  /** Each size of a table twice: with what is known of it before its last rows, and after. */
  const forEachSize = async (
    sizes: readonly number[],
    work: (table: Sized) => Promise<void>,
  ): Promise<void> => {
    const { pool, kysely } = app.services.foundation.database
    const client = await pool.connect()
    const plan: Sized['plan'] = async (statement) => {
      const { sql: text, parameters } = sql`explain ${statement}`.compile(kysely)
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(text, [...parameters])
      return rows.map((row) => row['QUERY PLAN'])
    }
    try {
      await client.query('begin')
      await client.query(
        `create table of_some_size (tenant_id text, id text, name text, rest text, primary key (tenant_id, id));
         create index of_some_name on of_some_size (tenant_id, name)`,
      )
      let former = 0
      for (const size of sizes) {
        // oxlint-disable-next-line eslint/no-await-in-loop
        await client.query(
          `insert into of_some_size
           select 'default', 'C-' || lpad(place::text, 36, '0'), 'name ' || (place % 10), repeat('x', 300)
           from generate_series($1::integer, $2::integer) as place`,
          [former + 1, size],
        )
        former = size
        // oxlint-disable-next-line eslint/no-await-in-loop
        await work({ size, plan, client })
        // oxlint-disable-next-line eslint/no-await-in-loop
        await client.query('analyze of_some_size')
        // oxlint-disable-next-line eslint/no-await-in-loop
        await work({ size, plan, client })
      }
    } finally {
      await client.query('rollback')
      client.release()
    }
  }

  test('PLANNED_ALONE: a sub-select beside rows is a probe for each row, which it is not without', async () => {
    const joined: string[] = []
    await forEachSize([3_000, 20_000], async ({ size, plan }) => {
      for (const count of [2, 1_000, 10_000]) {
        const what = `${count} of ${size}`
        // oxlint-disable-next-line eslint/no-await-in-loop
        assertProbes(await plan(findEach(count, PLANNED_ALONE)), what)
        // oxlint-disable-next-line eslint/no-await-in-loop
        const without = (await plan(findEach(count, sql``))).join('\n')
        if (WHOLE_TABLE.test(without)) joined.push(what)
      }
    })
    assert.notDeepEqual(joined, [], 'the planner needs no help any more')
  })

  test('PLANNED_ALONE: a sub-select in front of an order is read by its own condition', async () => {
    const named = sql`
      select id from (
        select id from of_some_size where tenant_id = ${'default'} and name = ${'name 7'} ${PLANNED_ALONE}
      ) as named
      order by id limit 10`
    await forEachSize([20_000], async ({ plan }) => {
      const text = (await plan(named)).join('\n')
      assert.match(text, /of_some_name/, text)
      assert.doesNotMatch(text, /of_some_size_pkey|Seq Scan/, text)
    })
  })

  test('metByHalf: a list is read in its order, and filtered on the way', async () => {
    const isRare = sql`name = ${'name of nobody'}`
    await forEachSize([20_000], async ({ plan }) => {
      const text = (await plan(listBy(metByHalf(isRare)))).join('\n')
      assert.match(text, /using of_some_size_pkey/, text)
      assert.doesNotMatch(text, /Sort/, text)
      assert.match((await plan(listBy(isRare))).join('\n'), /Sort/)
    })
  })

  test('ONE_BY_ONE: an ordered list of which a page takes the first rows is not sorted', async () => {
    const page = sql`
      select one.* from (
        select id from of_some_size where tenant_id = ${'default'} order by id desc ${ONE_BY_ONE}
      ) as named
      cross join lateral (
        select rest from of_some_size where tenant_id = ${'default'} and id > named.id order by id limit 3
      ) as one
      limit 10`
    await forEachSize([20_000], async ({ plan }) => {
      const text = (await plan(page)).join('\n')
      assert.match(text, /Scan Backward using of_some_size_pkey/, text)
      assert.doesNotMatch(text, /Sort|Seq Scan/, text)
    })
  })

  test('oneByOne: rows of a batch are looked up by their key', async () => {
    await forEachSize([3_000, 20_000], async ({ size, plan }) => {
      for (const count of [2, 100, 1_000]) {
        // oxlint-disable-next-line eslint/no-await-in-loop
        const lines = await plan(sql`
          update of_some_size as one set rest = '' from (select id from ${give(count)} where ${oneByOne('id')}) as given
          where one.tenant_id = ${'default'} and one.id = given.id`)
        assertProbes(lines, `${count} of ${size}`)
      }
    })
  })

  test('PROBES_FOR_TRANSACTION: the rows of many keys are looked up, whatever is known of the table', async () => {
    const joined = sql`
      select rest from ${give(10_000)} join of_some_size as one on one.tenant_id = ${'default'} and one.id = given.id`
    await forEachSize([20_000], async ({ plan, client }) => {
      await client.query(PROBES_FOR_TRANSACTION.join(';'))
      assertProbes(await plan(joined), 'many')
    })
  })

  test('inTheirOrder: rows of a batch are locked in their order, since the planner begins with them', async () => {
    await forEachSize(SIZES, async ({ size, plan }) => {
      for (const count of [2, 1_000, 10_000]) {
        const rows = inTheirOrder(sql`select id from ${give(count)}`)
        // oxlint-disable-next-line eslint/no-await-in-loop
        const lines = await plan(sql`
          update of_some_size as one set rest = '' from (${rows}) as given
          where one.tenant_id = ${'default'} and one.id = any (array[given.id])`)
        const [batch = 0, table = 0] = ['Function Scan', 'on of_some_size one'].map((words) =>
          lines.findIndex(
            (line) => line.includes(words) && line.includes('->') && !line.startsWith('Update'),
          ),
        )
        assert.ok(batch < table, `${count} of ${size}: ${lines.join('\n')}`)
        assert.doesNotMatch(lines.join('\n'), /Hash/)
      }
    })
  })
})
