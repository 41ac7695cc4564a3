import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { withApp } from '../../../test/harness.ts'
import { query } from '../../../test/query.ts'
import { createSourceMetrics } from './source-metrics.ts'

const app = withApp()

test('sources are counted by their state, and a state without sources is 0', async () => {
  await query(
    app.connection,
    `insert into intel_source (kind, name, heard_at, ttl_seconds) values
       ('tag-list', 'one', now(), 3600), ('tag-list', 'two', now() - interval '2 hours', 3600),
       ('tag-list', 'three', now() - interval '1 year', null), ('tag-list', 'four', null, null)`,
  )
  const registry = new Registry()
  const { clock, database } = app.services.foundation
  await createSourceMetrics(registry, clock).refresh(database.kysely)
  const text = await registry.metrics()
  const counts = [...text.matchAll(/^casework_sources\{state="(\w+)"\} (\d+)$/gm)]
  assert.deepEqual(
    counts.map(([, state, count]) => `${state} ${count}`),
    ['fresh 2', 'stale 1', 'failed 0', 'never 1'],
  )
})
