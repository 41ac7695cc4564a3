// Metrics of events on their way into cases, beside the metrics of requests.

import { Counter, Gauge, type Registry } from 'prom-client'
import { type ConditionFailures } from '../rules/choose-rules.ts'

/** The counts of one batch that was stored. */
export interface IngestTally {
  readonly muted: number
  readonly below: number
  /** Arrivals of events that were stored already, or come twice in the batch. */
  readonly duplicates: number
  /** Keys whose case was gone or had ended; they counted as free. */
  readonly staleKeys: number
  /** Conditions that failed for an event, which then counts as one that does not match. */
  readonly failures: ConditionFailures
}

export const NO_TALLY: IngestTally = {
  muted: 0,
  below: 0,
  duplicates: 0,
  staleKeys: 0,
  failures: { caseGroup: 0, muteRule: 0, exceeded: 0 },
}

/** Called after the commit; in a transaction that is tried again a batch would count twice. */
export type CountIngest = (tally: IngestTally) => void

export function createIngestMetrics(registry: Registry): CountIngest {
  const registers = [registry]
  const muted = new Counter({
    name: 'casework_events_muted_total',
    help: 'Events that a mute rule kept out of every case.',
    registers,
  })
  const below = new Counter({
    name: 'casework_events_below_threshold_total',
    help: 'Events that were stored below the threshold of their case group.',
    registers,
  })
  const duplicates = new Counter({
    name: 'casework_events_duplicate_total',
    help: 'Events that arrived again; each is counted on the stored event.',
    registers,
  })
  const stale = new Counter({
    name: 'casework_slots_healed_total',
    help: 'Correlation keys whose case was gone or had ended, and which counted as free; npx casework doctor --recount lists them.',
    registers,
  })
  const failures = new Counter({
    name: 'casework_condition_failures_total',
    help: 'Conditions that failed for an event, such as for a detail that it does not have. A failed condition does not match.',
    labelNames: ['rule'],
    registers,
  })
  const exceeded = new Counter({
    name: 'casework_conditions_exceeded_total',
    help: 'Conditions that failed since they, or those before them, took more work than an event may cost. They count as failures too.',
    registers,
  })
  return (tally) => {
    muted.inc(tally.muted)
    below.inc(tally.below)
    duplicates.inc(tally.duplicates)
    stale.inc(tally.staleKeys)
    failures.inc({ rule: 'case_group' }, tally.failures.caseGroup)
    failures.inc({ rule: 'mute_rule' }, tally.failures.muteRule)
    exceeded.inc(tally.failures.exceeded)
  }
}

/** Changes the number of waiting events; negative when events leave the queue. */
export type CountWaiting = (events: number) => void

/** Events that wait in the queues of this thread. */
export type WaitingEvents = Readonly<Record<'single' | 'bulk', number>>

export interface WaitingGauge extends Readonly<Record<'single' | 'bulk', CountWaiting>> {
  readonly read: () => WaitingEvents
}

/** One for single events, one for bulk pushes. */
export function createWaitingGauge(registry: Registry): WaitingGauge {
  const waiting = new Gauge({
    name: 'casework_events_waiting',
    help: 'Pushed events that wait until others are stored. Over 5,000 single events, or 20,000 bulk events of one tenant, the answer is 503.',
    labelNames: ['way'],
    registers: [registry],
  })
  const counts = { single: 0, bulk: 0 }
  const count = (way: keyof WaitingEvents): CountWaiting => {
    waiting.set({ way }, 0)
    return (events) => {
      counts[way] += events
      waiting.set({ way }, counts[way])
    }
  }
  return { single: count('single'), bulk: count('bulk'), read: () => ({ ...counts }) }
}
