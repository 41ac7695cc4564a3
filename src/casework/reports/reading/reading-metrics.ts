// Metrics of reading reports.

import { Counter, Histogram, type Registry } from 'prom-client'
import type { LossReason } from '../../../kernel/async/worker-host.ts'

export type ReadingEnd = 'read' | 'failed' | Exclude<LossReason, 'not_started' | 'closed'>

/** `in_thread`: plain JSON, read in the serving thread. `refused`: the queue was full. */
type ReadingOutcome = ReadingEnd | 'in_thread' | 'refused'

export interface ReadingMetrics {
  /** `seconds` since the report was given to a thread, including the start of that thread. */
  readonly count: (outcome: ReadingOutcome, seconds?: number) => void
}

export function createReadingMetrics(registry: Registry): ReadingMetrics {
  const readings = new Counter({
    name: 'casework_report_readings_total',
    help: 'Reports that were read or given up, by how it ended.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  const duration = new Histogram({
    name: 'casework_report_reading_seconds',
    help: 'How long reading a report took in its own thread.',
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2],
    registers: [registry],
  })
  return {
    count(outcome, seconds) {
      readings.inc({ outcome })
      if (seconds !== undefined) duration.observe(seconds)
    },
  }
}
