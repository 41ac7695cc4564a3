// Cases of an earlier version after the upgrade: legal deadlines, and whom waiting runs wait for.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { Pool } from 'pg'
import { ROWS_OF_ALL_TENANTS } from '../../../test/harness.ts'
import { createEmptyDatabase } from '../../../test/query.ts'
import { migrate, readMigrations } from '../../kernel/db/migrate.ts'
import { findPackageRoot } from '../../values/resources.ts'

test('a tenant that used legal deadlines keeps them, any other has none, and a waiting run shows on its case', async (t) => {
  const pool = new Pool({ ...(await createEmptyDatabase(t)), options: ROWS_OF_ALL_TENANTS })
  const migrations = readMigrations(join(findPackageRoot(), 'migrations'))
  const first = migrations.findIndex(({ name }) => name.includes('waiting-runs'))
  try {
    await migrate(pool, migrations.slice(0, first))
    await pool.query(`
      insert into tenant (id, name) values ('user', 'user'), ('other', 'other');
      insert into abuse_case (tenant_id, id, case_group_id, key_hash, state, created_at, updated_at, customer_id, severity,
        first_event_date, last_event_date, event_count, event_types, event_ips, event_reporters, event_tags, deadlines_met)
      select tenant, 'C-' || tenant || n, 'default', sha256(n::text::bytea), 'NEW', '2026-01-01Z', now(), 'c', 'high', now(), now(), 1,
        '{}', '{}', '{}', '{}', case when tenant = 'user' and n = 1 then array['receipt'] else '{}' end
      from unnest(array['user', 'other']) as tenant, generate_series(1, 3) as n where tenant = 'other' or n < 3;
      insert into playbook (tenant_id, id, name, latest_version) values ('other', '01890000-0000-7000-8000-000000000001', 'p', 1);
      insert into playbook_version (tenant_id, playbook_id, version, state, graph, start_node) values
        ('other', '01890000-0000-7000-8000-000000000001', 1, 'active',
         '{"nodes": [{"id": "ask", "kind": "manual"}, {"id": "wait", "kind": "trigger"}]}', 'ask');
      insert into run (tenant_id, id, case_id, playbook_id, version, state) select 'other', id::uuid, case_id,
        '01890000-0000-7000-8000-000000000001', 1, 'active'
      from (values ('01890000-0000-7000-8000-00000000000a', 'C-other1'), ('01890000-0000-7000-8000-00000000000b', 'C-other2'),
        ('01890000-0000-7000-8000-00000000000c', 'C-other3'))
        as given (id, case_id);
      insert into run_token (tenant_id, run_id, id, case_id, state, node) select tenant_id, id, 1, case_id, 'waiting',
        case when case_id = 'C-other1' then 'ask' else 'wait' end from run;
      update run set state = 'failed', failure = 'gave_up' where case_id = 'C-other3';
      update run_token set state = 'dead' where case_id = 'C-other3'`)
    await migrate(pool, migrations)
    const tenants = await pool.query(
      `select id, settings from tenant where id <> 'default' order by id`,
    )
    assert.deepEqual(tenants.rows, [
      { id: 'other', settings: {} },
      { id: 'user', settings: { legal_deadlines: ['dsa', 'nis2'] } },
    ])
    const cases = await pool.query(
      'select id, laws, due_at, waiting_on, run_waits_for from abuse_case order by id',
    )
    const due = new Date('2026-01-02T00:00:00Z')
    const kept = { laws: ['dsa', 'nis2'], due_at: due, waiting_on: 'none', run_waits_for: null }
    const none = { laws: [], due_at: null, waiting_on: 'none', run_waits_for: null }
    assert.deepEqual(cases.rows, [
      { id: 'C-other1', ...none, waiting_on: 'agent', run_waits_for: 'agent' },
      { id: 'C-other2', ...none },
      { id: 'C-other3', ...none, waiting_on: 'agent', run_waits_for: 'agent' },
      { id: 'C-user1', ...kept },
      { id: 'C-user2', ...kept },
    ])
  } finally {
    await pool.end()
  }
})
