// Counts the cases that simulations of this process have worked, and how long simulations took.

import { Counter, Histogram, type Registry } from 'prom-client'
import type { SimulatedCase } from './simulate-case.ts'

export type CountSimulation = (seconds: number, cases: readonly SimulatedCase[]) => void

// A simulation ends after 20 s.
const BUCKETS_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]

export function createSimulationMetrics(registry: Registry): CountSimulation {
  const registers = [registry]
  const cases = new Counter({
    name: 'casework_simulated_cases_total',
    help: 'Cases that simulations of playbooks worked: ended, waiting, failed, stopped, skipped.',
    labelNames: ['outcome'] as const,
    registers,
  })
  const duration = new Histogram({
    name: 'casework_simulation_seconds',
    help: 'How long simulations of playbooks took; its count is how many there were.',
    buckets: BUCKETS_SECONDS,
    registers,
  })
  return (seconds, simulated) => {
    duration.observe(seconds)
    for (const { end } of simulated) cases.inc({ outcome: end.kind })
  }
}
