// The work of conditions in one thread that serves: an event may cost so much, a batch of events so
// much, and a tenant so much a second. An answer depends on the event and the rules alone, never on
// what else goes on: a tenant that is over its rate waits, or is told to come again.
//
// 50 ns a unit at the most (condition-meter.ts), so:
//
//   an evaluation    20,000 units    1 ms    compile-condition.ts
//   an event         50,000 units  2.5 ms    ten looks through a long text, or 200 rules of 250
//   a batch      50,000,000 units  2.5 s     1,000 such events; an event of a larger one has less
//   a turn           10,000 units  0.5 ms    then other requests have theirs
//   a tenant      4,000,000 units a second   a fifth of the thread, and a second of it at once

import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { BriefItem } from '../../intel/lookup/item-brief.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { WorkBudget } from './condition-meter.ts'
import { conditionsBusy } from './errors.ts'

export const EVENT_UNITS_MAX = 50_000
const BATCH_UNITS_MAX = 50_000_000
const TURN_UNITS = 10_000
const UNITS_A_SECOND = 4_000_000
// As long as a caller bears to wait for a single event (batcher.ts).
const WAIT_MS_MAX = 5_000

/** What conditions need beside the event: what intel knows, and the work they may do. */
export interface ConditionDeps {
  readonly briefItem: BriefItem
  readonly conditionWork: ConditionWork
}

export interface ConditionWork {
  /** Until the tenant may work again; 0 when it may now. */
  readonly waitMs: (scope: TenantScope) => number
  /** Throws the operating error of 503 for a tenant that would wait for long. */
  readonly requireRoom: (scope: TenantScope) => void
  /** Waits until the tenant may work again; before a transaction, never in it. */
  readonly waitForRoom: (scope: TenantScope) => Promise<void>
  readonly openBatch: (scope: TenantScope, events: number) => BatchWork
}

/** The conditions of one batch of events. */
export interface BatchWork {
  readonly openEvent: () => WorkBudget
  /** Counts what a rule used of the budget of its event. */
  readonly spend: (units: number) => void
  /** True when other requests should have their turn. */
  readonly isTurnOver: () => boolean
  readonly giveTurn: () => Promise<void>
}

/** What a tenant has used beyond its rate. */
interface Account {
  units: number
  atMs: number
}

export function createConditionWork(clock: Clock): ConditionWork {
  // One entry for each tenant whose conditions did any work.
  const accounts = new Map<string, Account>()
  const settle = ({ tenantId }: TenantScope): Account => {
    const atMs = clock.nowMs()
    const account = accounts.get(tenantId) ?? { units: 0, atMs }
    accounts.set(tenantId, account)
    const elapsedMs = Math.max(0, atMs - account.atMs)
    account.units = Math.max(0, account.units - (elapsedMs * UNITS_A_SECOND) / 1_000)
    account.atMs = atMs
    return account
  }
  const waitMs = (scope: TenantScope): number =>
    Math.max(0, Math.ceil(((settle(scope).units - UNITS_A_SECOND) * 1_000) / UNITS_A_SECOND))
  return {
    waitMs,
    requireRoom(scope) {
      const ms = waitMs(scope)
      if (ms > WAIT_MS_MAX) throw conditionsBusy(Math.ceil(ms / 1_000))
    },
    async waitForRoom(scope) {
      const ms = waitMs(scope)
      if (ms > 0) await delay(ms)
    },
    openBatch(scope, events) {
      const account = settle(scope)
      return openBatch(Math.min(EVENT_UNITS_MAX, Math.floor(BATCH_UNITS_MAX / events)), account)
    },
  }
}

function openBatch(eventUnits: number, account: Account): BatchWork {
  let turnUnits = 0
  return {
    openEvent: () => new WorkBudget(eventUnits),
    spend(units) {
      turnUnits += units
      account.units += units
    },
    isTurnOver: () => turnUnits >= TURN_UNITS,
    async giveTurn() {
      turnUnits = 0
      await nextTurn()
    },
  }
}
