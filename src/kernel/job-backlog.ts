// What the tables of pg-boss say of scheduled jobs over all nodes: whether a worker takes them, how
// long they wait, and which failed. jobs.ts runs them.

import type { Pool } from 'pg'

export interface JobBacklog {
  /** Since any worker began a job; since the first schedule when none ever did. */
  readonly begunAgoSeconds: number
  /** Jobs that are due and that no worker has taken. */
  readonly waiting: number
  /** Null when none waits. */
  readonly oldestWaitingSeconds: number | null
  /** The jobs whose last run failed, by name. */
  readonly failing: readonly string[]
}

interface BacklogRow {
  readonly begun_ago: number | null
  readonly waiting: number
  readonly oldest: number | null
  readonly failing: readonly string[] | null
}

// Jobs are kept for a day: a dozen a minute are 20,000 rows. Those of pg-boss itself begin with two
// underscores.
const READ = `
  with job as (
    select name, state::text as state, start_after, started_on, completed_on
    from pgboss.job where not starts_with(name, '__')
  ), last_run as (
    select distinct on (name) name, state from job
    where state in ('completed', 'failed') order by name, completed_on desc
  )
  select extract(epoch from now() - coalesce(max(started_on), (select min(created_on) from pgboss.schedule)))::float8 as begun_ago,
    count(*) filter (where state in ('created', 'retry') and start_after <= now())::integer as waiting,
    extract(epoch from now() - min(start_after) filter (where state in ('created', 'retry') and start_after <= now()))::float8 as oldest,
    (select array_agg(name order by name) from last_run where state = 'failed') as failing
  from job`

/** Null while no worker has ever started on this database. */
export async function readJobBacklog(pool: Pick<Pool, 'query'>): Promise<JobBacklog | null> {
  const found = await pool.query<{ is_there: boolean }>(
    `select to_regclass('pgboss.job') is not null and to_regclass('pgboss.schedule') is not null as is_there`,
  )
  if (found.rows[0]?.is_there !== true) return null
  const { rows } = await pool.query<BacklogRow>(READ)
  const [row] = rows
  if (row === undefined || row.begun_ago === null) return null
  return {
    begunAgoSeconds: row.begun_ago,
    waiting: row.waiting,
    oldestWaitingSeconds: row.oldest,
    failing: row.failing ?? [],
  }
}
