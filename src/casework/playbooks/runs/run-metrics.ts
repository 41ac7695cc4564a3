// Metrics of playbook runs: how many are active, failed, waiting and due, over all tenants. Workers
// count them from time to time, since a scrape asks no database.

import { sql } from 'kysely'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Db } from '../../../kernel/db/database.ts'

export interface RunMetrics {
  /** Runs that this process has seen fail. */
  readonly countFailed: (runs: number) => void
  /** Counts the rows of all tenants and shows them from then on. */
  readonly refresh: (db: Db) => Promise<void>
}

export function createRunMetrics(registry: Registry): RunMetrics {
  const registers = [registry]
  const failed = new Counter({
    name: 'casework_runs_failed_total',
    help: 'Playbook runs that this process has seen fail. Each needs a person: GET /beta/casework/runs?state=failed.',
    registers,
  })
  const runs = new Gauge({
    name: 'casework_runs',
    help: 'Playbook runs of all tenants that are active, paused, and that have failed; counted once a minute by each worker.',
    labelNames: ['state'],
    aggregator: 'max',
    registers,
  })
  const tokens = new Gauge({
    name: 'casework_run_tokens',
    help: 'Tokens of active runs of all tenants: waiting at a node, and due for a step; counted once a minute by each worker.',
    labelNames: ['state'],
    aggregator: 'max',
    registers,
  })
  const oldest = new Gauge({
    name: 'casework_run_token_due_age_seconds',
    help: 'How long the oldest due token of a playbook run has waited for a step, 0 when none is due; counted once a minute by each worker.',
    aggregator: 'max',
    registers,
  })
  return {
    countFailed: (count) => failed.inc(count),
    async refresh(db) {
      const counts = await countRuns(db)
      runs.set({ state: 'active' }, counts.active)
      runs.set({ state: 'paused' }, counts.paused)
      runs.set({ state: 'failed' }, counts.failed)
      tokens.set({ state: 'waiting' }, counts.waiting)
      tokens.set({ state: 'due' }, counts.due)
      oldest.set(counts.oldest)
    },
  }
}

interface RunCounts {
  readonly active: number
  readonly paused: number
  readonly failed: number
  readonly waiting: number
  readonly due: number
  /** Seconds; 0 when none is due. */
  readonly oldest: number
}

// Each count reads an index that holds these rows only.
async function countRuns(db: Db): Promise<RunCounts> {
  const result = await sql<RunCounts>`
    with due as (
      select count(*) as number, min(wake_at) as oldest from run_token where state = 'ready' and not calls and wake_at <= now()
      union all
      select count(*), min(wake_at) from run_token where state = 'ready' and calls and wake_at <= now()
    )
    select running.active, running.paused,
      (select count(*) from run where state = 'failed') as failed,
      (select count(*) from run_token where state = 'waiting') as waiting,
      (select sum(number)::bigint from due) as due,
      coalesce((select extract(epoch from now() - min(oldest)) from due), 0)::float8 as oldest
    from (
      select count(*) filter (where state = 'active') as active, count(*) filter (where state = 'paused') as paused
      from run where state in ('active', 'paused')
    ) as running`.execute(db)
  const [counts] = result.rows
  if (counts === undefined) throw new Error('a count has no row')
  return counts
}
