// The metrics of the audit log: entries by the kind of their object, and how long the oldest entry
// has waited for a signed checkpoint.

import { Counter, Gauge, type Registry } from 'prom-client'

/** Counts an entry when it is written; one that is rolled back is counted as well. */
export function createEntryCounter(registry: Registry): (objectKind: string) => void {
  const counter = new Counter({
    name: 'casework_audit_entries_total',
    help: 'Entries of the audit log that this node wrote, by the kind of the object.',
    labelNames: ['object'],
    registers: [registry],
  })
  return (object) => counter.inc({ object })
}

/** Only where jobs run, so that no thread reports a zero that it did not see. */
export function createSigningGauge(registry: Registry): (ms: number) => void {
  const gauge = new Gauge({
    name: 'casework_audit_unsigned_seconds',
    help: 'Age of the oldest entry of the audit log that no signed checkpoint covers; 0 when all are covered.',
    registers: [registry],
  })
  return (ms) => gauge.set(ms / 1_000)
}
