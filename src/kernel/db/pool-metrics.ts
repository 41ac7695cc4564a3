// The metric of the connections to the database: a pool without idle ones, and with callers that
// wait, is too small or has slow statements.

import type { Pool } from 'pg'
import { Gauge, type Registry } from 'prom-client'

export function createPoolMetrics(
  registry: Registry,
  pool: Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>,
): void {
  const gauge = new Gauge({
    name: 'casework_database_pool',
    help: 'Connections to the database that are used and idle, and callers that wait for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      gauge.set({ state: 'used' }, pool.totalCount - pool.idleCount)
      gauge.set({ state: 'idle' }, pool.idleCount)
      gauge.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
}
