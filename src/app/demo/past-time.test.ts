import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/harness.ts'
import { query } from '../../../test/query.ts'
import { openPastTime } from './past-time.ts'

const START_MS = Date.UTC(2026, 0, 1)

test('the time of the demo is set on the host that serves, whichever host comes first', async (t) => {
  const { connection, drop } = await createTestDatabase()
  t.after(drop)
  const { user, host, port, database } = connection
  // Nobody listens on the first one.
  const hosts = `127.0.0.1:1,${encodeURIComponent(host)}:${port}`
  const connectionString = `postgres://${user}@${hosts}/${database}`
  const time = await openPastTime({ connectionString }, START_MS, ['demo'])
  const [row] = await query(connection, 'select public.now() as now')
  assert.equal(Number(row?.['now']), START_MS)
  await time.end()
  const left = `select from pg_proc where proname = 'date_demo_rows'`
  assert.deepEqual(await query(connection, left), [])
})
