// The watchdog of playbook runs: looks from time to time whether every token can still be woken, a
// bounded number of runs a time, and says where that is not so.

import { Gauge, type Registry } from 'prom-client'
import type { Db } from '../../../kernel/db/database.ts'
import { workOrPassOver } from '../../../kernel/db/pass-over-tenant.ts'
import { inTenant } from '../../../kernel/db/row-scope.ts'
import type { Log } from '../../../kernel/log.ts'
import type { ReadinessFinding } from '../../../kernel/readiness.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import {
  findStuckTokens,
  listTenantIds,
  type RunFault,
  type StuckToken,
  type WatchedPage,
} from './stuck-token-store.ts'

export interface RunWatchdog {
  /** One pass; the next one continues where it has ended. */
  readonly look: (db: Db) => Promise<void>
  readonly check: () => ReadinessFinding
}

// A page of 5,000 runs takes some 30 ms. A million runs are looked at in ten minutes.
const PAGE_RUNS = 5_000
const PAGES_MAX = 20
const TENANTS_MAX = 1_000
const LOGGED_MAX = 20

/** What an operator does about a fault. */
export const REPAIRS: Readonly<Record<RunFault, string>> = {
  no_live_token: 'Nothing of the run can move. Cancel it: POST /beta/casework/runs/{runId}/cancel.',
  lease_expired: 'No worker takes the token. See that a node with the role worker runs.',
  timer_overdue: 'No worker rings the timer. See that a node with the role worker runs.',
  waits_for_nothing:
    'Let its node decide again: pause the run, and resume it (POST /beta/casework/runs/{runId}/pause, /resume).',
  child_gone:
    'The run that it waits for has ended. Cancel it: POST /beta/casework/runs/{runId}/cancel.',
  state_mismatch:
    'Cancel the run, or pause and resume it: POST /beta/casework/runs/{runId}/cancel, /pause, /resume.',
}

export function createRunWatchdog({
  log,
  metrics,
}: {
  readonly log: Log
  readonly metrics: Registry
}): RunWatchdog {
  const gauge = new Gauge({
    name: 'casework_runs_stuck',
    help: 'Playbook runs and tokens that nothing can wake, by fault, as the last complete look of this worker found them. Any is a defect: see casework doctor --recount.',
    labelNames: ['fault'],
    aggregator: 'max',
    registers: [metrics],
  })
  for (const fault of Object.keys(REPAIRS)) gauge.set({ fault }, 0)
  let position: { readonly tenantId: string; readonly runId: string | null } | null = null
  let found: StuckToken[] = []
  let known: readonly StuckToken[] | null = null
  const finish = (): void => {
    known = found
    found = []
    position = null
    for (const fault of Object.keys(REPAIRS)) {
      gauge.set({ fault }, known.filter((one) => one.fault === fault).length)
    }
  }
  const note = (stuck: readonly StuckToken[]): void => {
    found.push(...stuck)
    for (const { tenantId, runId, tokenId, node, fault } of stuck.slice(0, LOGGED_MAX)) {
      log.error('A playbook run is stuck', {
        tenant_id: tenantId,
        run_id: runId,
        token: tokenId,
        node,
        fault,
      })
    }
  }
  const lookAt = async (db: Db, scope: TenantScope, after: string | null): Promise<WatchedPage> => {
    const message = 'The watchdog could not look at the runs of a tenant'
    const find = () => findStuckTokens(db, scope, after, PAGE_RUNS)
    return (await workOrPassOver(log, scope, message, find)) ?? { stuck: [], last: null }
  }
  return {
    async look(db) {
      let pages = 0
      const others = await listTenantIds(db, position?.tenantId ?? '', TENANTS_MAX)
      // The last pass may have ended in the middle of the runs of a tenant.
      const isUnfinished = position !== null && position.runId !== null
      const tenants = isUnfinished ? [position?.tenantId ?? '', ...others] : others
      for (const tenantId of tenants) {
        let after = position?.tenantId === tenantId ? position.runId : null
        do {
          if (pages === PAGES_MAX) return
          pages += 1
          // oxlint-disable-next-line eslint/no-await-in-loop
          const page = await inTenant({ tenantId }, () => lookAt(db, { tenantId }, after))
          note(page.stuck)
          after = page.last
          position = { tenantId, runId: after }
        } while (after !== null)
      }
      if (others.length < TENANTS_MAX) finish()
    },
    check() {
      if (known === null) return { state: 'ok', detail: 'Not looked at yet.' }
      if (known.length === 0) return { state: 'ok', detail: 'Every run can move or waits.' }
      const [first] = known
      const repair = first === undefined ? '' : ` ${REPAIRS[first.fault]}`
      return {
        state: 'degraded',
        detail: `${known.length} tokens of runs are stuck, the first with ${first?.fault}.${repair} "npx casework doctor --recount" lists all.`,
      }
    },
  }
}
