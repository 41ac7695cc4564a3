import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { openTestApp, type TestApp } from '../../../test/harness.ts'
import { fetchRawBytes } from './raw-bytes.ts'

const TENANT = 'default'
let app: TestApp
before(async () => {
  app = await openTestApp()
})
after(() => app.close())

// Around one slice and two, and no bytes at all.
for (const byteLength of [0, 1, 524_287, 524_288, 524_289, 1_048_577]) {
  test(`${byteLength} bytes come back as they were stored, and only to their tenant`, async () => {
    const db = app.services.foundation.database.kysely
    const bytes = Buffer.from(Uint8Array.from({ length: byteLength }, (_, at) => (at * 31) % 251))
    const sha256 = createHash('sha256').update(bytes).digest()
    await sql`insert into report_raw values (${TENANT}, ${sha256}, ${bytes})`.execute(db)
    const fetched = await fetchRawBytes(db, { tenantId: TENANT, sha256, byteLength })
    assert.ok(fetched?.equals(bytes))
    assert.equal(await fetchRawBytes(db, { tenantId: 'other', sha256, byteLength }), null)
  })
}
