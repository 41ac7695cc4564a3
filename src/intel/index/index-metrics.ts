// Metrics of the set that look-ups read: its serial, and the age of its last comparison with the
// database. With several threads the one that is furthest behind counts.

import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../../kernel/clock.ts'
import type { IntelIndex } from './intel-index.ts'

export function createIndexMetrics({
  registry,
  index,
  clock,
}: {
  readonly registry: Registry
  readonly index: Pick<IntelIndex, 'state'>
  readonly clock: Clock
}): void {
  const serial = new Gauge({
    name: 'casework_intel_serial',
    help: 'The number of the change log up to which look-ups of this node see everything.',
    aggregator: 'min',
    registers: [registry],
    collect() {
      serial.set(index.state().serial)
    },
  })
  const age = new Gauge({
    name: 'casework_intel_age_seconds',
    help: 'Time since the set of look-ups was last compared with the primary database.',
    aggregator: 'max',
    registers: [registry],
    // A clock that was set back makes no negative age.
    collect() {
      age.set(Math.max(0, clock.nowMs() - index.state().checkedAtMs) / 1_000)
    },
  })
}
