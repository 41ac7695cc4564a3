// Writes runs of a playbook into the database, which over HTTP would take far longer.

import type { Stage } from './stage.ts'

let seeds = 0

/**
 * Adds runs of a playbook, each with a case of its own, at one place: `due` at the start, `parked`
 * at the node `pause` with a timer in 90 days, `trigger` at the node `ask`. Gives the mark that
 * they have as `run.started_by`.
 */
export async function seedRuns(
  stage: Stage,
  playbookId: string,
  count: number,
  place: 'due' | 'parked' | 'trigger',
): Promise<string> {
  seeds += 1
  const mark = `bench:${seeds}`
  const client = await stage.pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    const values = [playbookId, count, mark, place]
    await client.query(
      `with made as (
         select 'C-' || upper(uuidv7()::text) as case_id, uuidv7() as run_id from generate_series(1, $2::integer) as at
       ), cases as (
         insert into abuse_case (tenant_id, id, case_group_id, key_hash, state, created_at, updated_at, customer_id,
           first_event_date, last_event_date, event_count, event_types, event_ips, event_reporters, event_tags)
         select 'default', case_id, 'default', sha256(case_id::bytea), 'NEW', now(), now(), 'customer', now(), now(), 1,
           '{}', '{}', '{}', '{}' from made
       ), runs as (
         insert into run (tenant_id, id, case_id, playbook_id, version, state, started_by)
         select 'default', run_id, case_id, $1::uuid, 1, 'active', $3 from made
       )
       insert into run_token (tenant_id, run_id, id, case_id, state, node, waits_for, timer_at)
       select 'default', run_id, 1, case_id, case when $4 = 'due' then 'ready' else 'waiting' end,
         case $4 when 'due' then 'begin' when 'parked' then 'pause' else 'ask' end,
         case $4 when 'due' then null when 'parked' then 'timer' else 'third_party' end,
         case when $4 = 'parked' then now() + interval '90 days' end
       from made`,
      values,
    )
    await client.query('analyze run, run_token')
    return mark
  } finally {
    client.release()
  }
}
