// What is counted of events on their way into cases, beside the requests that bring them.

import { Counter, Gauge, type Registry } from 'prom-client'
import { type ConditionFailures } from '../rules/choose-rules.ts'

/** Of one batch that was stored. */
export interface IntakeTally {
  readonly muted: number
  readonly below: number
  /** Arrivals of events that were stored already, or come twice in the batch. */
  readonly duplicates: number
  /** Slots that named no open case, and were taken as free. */
  readonly slotsHealed: number
  /** Conditions that failed for an event, which then counts as one that does not match. */
  readonly failures: ConditionFailures
}

export const NO_TALLY: IntakeTally = {
  muted: 0,
  below: 0,
  duplicates: 0,
  slotsHealed: 0,
  failures: { caseGroup: 0, muteRule: 0 },
}

/**
 * Adds up what was stored; to be called after the commit, or a transaction that is tried again
 * counts twice.
 */
export type CountIntake = (tally: IntakeTally) => void

export function createIntakeMetrics(registry: Registry): CountIntake {
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
    help: 'Events that came again: they are counted on the one that is stored.',
    registers,
  })
  const healed = new Counter({
    name: 'casework_slots_healed_total',
    help: 'Slots of a key that named a case that was gone or had ended, and were taken as free; casework doctor --recount lists such slots.',
    registers,
  })
  const failures = new Counter({
    name: 'casework_condition_failures_total',
    help: 'Conditions that failed for an event, such as for a detail that it does not have; it then does not match.',
    labelNames: ['rule'],
    registers,
  })
  return (tally) => {
    muted.inc(tally.muted)
    below.inc(tally.below)
    duplicates.inc(tally.duplicates)
    healed.inc(tally.slotsHealed)
    failures.inc({ rule: 'case_group' }, tally.failures.caseGroup)
    failures.inc({ rule: 'mute_rule' }, tally.failures.muteRule)
  }
}

/** Adds events to those that wait for their turn to be stored; a negative number takes some off. */
export type CountWaiting = (events: number) => void

/** One for each way in. */
export function createWaitingGauge(
  registry: Registry,
): Readonly<Record<'single' | 'bulk', CountWaiting>> {
  const waiting = new Gauge({
    name: 'casework_events_waiting',
    help: 'Pushed events that wait until others are stored. More than 5,000 that are pushed singly, or 20,000 of one tenant in bulk, are answered with 503.',
    labelNames: ['way'],
    registers: [registry],
  })
  const count = (way: string): CountWaiting => {
    waiting.set({ way }, 0)
    return (events) => waiting.inc({ way }, events)
  }
  return { single: count('single'), bulk: count('bulk') }
}
