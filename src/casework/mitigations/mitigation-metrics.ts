// Metrics of mitigations: attempts on this node, and how many there are in each state, over all
// tenants. Workers count them from time to time, since a scrape asks no database.

import { sql } from 'kysely'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Db } from '../../kernel/db/database.ts'

export interface MitigationMetrics {
  readonly count: Pick<Counter<'action' | 'outcome'>, 'inc'>
  /** Counts the rows of all tenants and shows them from then on. */
  readonly refresh: (db: Db) => Promise<void>
}

export function createMitigationMetrics(registry: Registry): MitigationMetrics {
  const registers = [registry]
  const count = new Counter({
    name: 'casework_mitigation_attempts_total',
    help: 'Requests to adapters of mitigations, by action (execute, undo) and outcome: done, accepted, refused, postponed.',
    labelNames: ['action', 'outcome'] as const,
    registers,
  })
  const states = new Gauge({
    name: 'casework_mitigations',
    help: 'Mitigations of all tenants: pending, active, removing, and stuck, whose removal does not get on and needs a person; counted once a minute by each worker.',
    labelNames: ['state'],
    aggregator: 'max',
    registers,
  })
  return {
    count,
    async refresh(db) {
      for (const [state, number] of Object.entries(await countStates(db))) {
        states.set({ state }, number)
      }
    },
  }
}

interface StateCounts {
  readonly pending: number
  readonly active: number
  readonly removing: number
  readonly stuck: number
}

// Reads an index that holds these rows only.
async function countStates(db: Db): Promise<StateCounts> {
  const found = await sql<StateCounts>`
    select count(*) filter (where state = 'pending') as pending, count(*) filter (where state = 'active') as active,
      count(*) filter (where state = 'removing') as removing, count(*) filter (where state = 'removing' and reason is not null) as stuck
    from mitigation where state in ('pending', 'active', 'removing')`.execute(db)
  const [counts] = found.rows
  if (counts === undefined) throw new Error('a count has no row')
  return counts
}
