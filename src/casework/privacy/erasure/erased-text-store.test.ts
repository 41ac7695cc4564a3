import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withApp } from '../../../../test/harness.ts'
import { fillWithAddress, openTenant } from '../../../../test/privacy-kit.ts'
import { findSliceEnd, type RowKey, readRecords, readRowTexts } from './erased-text-store.ts'
import { PERSONAL_TABLES } from './personal-columns.ts'

const app = withApp()

test('slices of two rows have each row of each table once, and none of another tenant', async () => {
  const tenant = await openTenant(app, 'walked')
  await fillWithAddress(tenant)
  await fillWithAddress(await openTenant(app, 'beside'))
  const { kysely: db, pool } = app.services.foundation.database
  const scope = { tenantId: tenant.id }
  let slices = 0
  for (const table of PERSONAL_TABLES) {
    const seen: RowKey[] = []
    for (let after: RowKey | null = null, isEnd = false; !isEnd; ) {
      const until: RowKey | null = await findSliceEnd(db, scope, table, after, 2)
      const rows = await readRowTexts(db, scope, table, { after, until }, ['%'])
      assert.ok(rows.length <= 2, table.name)
      const records = await readRecords(
        db,
        scope,
        table,
        rows.map(({ key }) => key),
      )
      assert.equal(records.length, rows.length, table.name)
      seen.push(...rows.map(({ key }) => key))
      slices += 1
      isEnd = until === null
      after = until
    }
    const { rows } = await pool.query<{ count: number }>(
      `select count(*) from ${table.name} where tenant_id = $1`,
      [tenant.id],
    )
    assert.equal(seen.length, rows[0]?.count, table.name)
    assert.equal(new Set(seen.map((key) => JSON.stringify(key))).size, seen.length, table.name)
  }
  assert.ok(slices > PERSONAL_TABLES.length + 5)
})
