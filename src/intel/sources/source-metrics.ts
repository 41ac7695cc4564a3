// The metric of sources of intel by state. Workers count them from time to time, since a scrape
// asks no database.

import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/db/database.ts'
import { listSources } from './source-store.ts'
import { sourceState } from './source-wire.ts'

export interface SourceMetrics {
  /** Counts the sources and shows them from then on. */
  readonly refresh: (db: Db) => Promise<void>
}

export function createSourceMetrics(registry: Registry, clock: Clock): SourceMetrics {
  const gauge = new Gauge({
    name: 'casework_sources',
    help: 'Sources of intel by state: fresh, stale, failed, never; counted once a minute by each worker.',
    labelNames: ['state'],
    aggregator: 'max',
    registers: [registry],
  })
  return {
    async refresh(db) {
      const counts = { fresh: 0, stale: 0, failed: 0, never: 0 }
      for (const source of await listSources(db)) counts[sourceState(source, clock.nowMs())] += 1
      for (const [state, count] of Object.entries(counts)) gauge.set({ state }, count)
    },
  }
}
