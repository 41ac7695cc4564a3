// Hands the changes of the outbox to those who act on them, in one transaction: what they write,
// such as the deliveries of webhooks, is stored exactly when the change leaves the outbox. Any
// number of nodes may feed at the same time.

import { Counter, type Registry } from 'prom-client'
import { type Db, inTransaction, type Tx } from '../../kernel/db/database.ts'
import { listDueTenants } from '../../kernel/db/due-tenants.ts'
import { inInstance } from '../../kernel/db/instance-acts.ts'
import { workOrPassOver } from '../../kernel/db/pass-over-tenant.ts'
import type { Log } from '../../kernel/log.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { Change, ChangeKind } from './change.ts'
import {
  DUE_CHANGES,
  type NotedChange,
  postponeChange,
  removeChange,
  takeChange,
  takeChanges,
} from './outbox-store.ts'

/** Something that acts on changes. It writes in the given transaction only. */
export interface ChangeListener {
  readonly kinds: readonly ChangeKind[]
  /** Changes of its kinds and of one tenant, in their order. */
  readonly consume: (tx: Tx, changes: readonly Change[]) => Promise<void>
}

export interface ChangeFeedDeps {
  readonly db: Db
  readonly log: Log
  readonly metrics: Registry
  readonly listeners: readonly ChangeListener[]
}

export interface ChangeFeed {
  /** Hands on what is due, up to `passes` batches of each tenant. True when there may be more. */
  readonly feed: (passes: number) => Promise<boolean>
}

const BATCH = 500
// While a tenant has a long backlog, the others are looked for again after so many passes.
const PASSES_OF_LIST = 10
// Nine pauses that double, from 1 s to 256 s: some 9 minutes.
const ATTEMPTS_MAX = 10

export function createChangeFeed({ db, log, metrics, listeners }: ChangeFeedDeps): ChangeFeed {
  const handled = new Counter({
    name: 'casework_changes_total',
    help: 'Changes of cases, events, reports and runs, by what became of them: handed on, or given up after many attempts.',
    labelNames: ['outcome'] as const,
    registers: [metrics],
  })
  const handOn = async (tx: Tx, changes: readonly Change[]): Promise<void> => {
    for (const { kinds, consume } of listeners) {
      const own = changes.filter(({ kind }) => kinds.includes(kind))
      // One after the other: they share the transaction.
      // oxlint-disable-next-line eslint/no-await-in-loop
      if (own.length > 0) await consume(tx, own)
    }
  }
  const handOnOne = async (change: NotedChange): Promise<void> => {
    try {
      const isTaken = await inTransaction(db, async (tx) => {
        const taken = await takeChange(tx, change)
        if (taken !== null) await handOn(tx, [taken])
        return taken !== null
      })
      if (isTaken) handled.inc({ outcome: 'handed_on' })
    } catch (error) {
      const { tenantId, id, kind, what } = change
      const isLast = change.attempts + 1 >= ATTEMPTS_MAX
      log.warn(isLast ? 'A change was given up' : 'A change could not be handed on', {
        tenant_id: tenantId,
        change_id: id,
        change: `${kind} ${what}`,
        attempt: change.attempts + 1,
        error: String(error),
      })
      if (isLast) await removeChange(db, change)
      else await postponeChange(db, change, 2 ** change.attempts)
      if (isLast) handled.inc({ outcome: 'given_up' })
    }
  }
  const feedBatch = async (scope: TenantScope): Promise<boolean> => {
    let taken: readonly NotedChange[] = []
    try {
      await inTransaction(db, async (tx) => {
        taken = await takeChanges(tx, scope, BATCH)
        await handOn(tx, taken)
      })
      if (taken.length > 0) handled.inc({ outcome: 'handed_on' }, taken.length)
    } catch (error) {
      // Nothing was taken: none of them is at fault.
      if (taken.length === 0) throw error
      // One bad change must not hold the others back.
      for (const change of taken) {
        // oxlint-disable-next-line eslint/no-await-in-loop
        await handOnOne(change)
      }
    }
    return taken.length === BATCH
  }
  const feedTenant = async (scope: TenantScope): Promise<boolean> => {
    const message = 'Changes of a tenant could not be handed on'
    return (await workOrPassOver(log, scope, message, () => feedBatch(scope))) ?? false
  }
  return {
    async feed(passes) {
      let tenants: readonly string[] = []
      for (let pass = 0; pass < passes; pass += 1) {
        // oxlint-disable eslint/no-await-in-loop
        if (tenants.length === 0 || pass % PASSES_OF_LIST === 0) {
          tenants = await inInstance('hand on changes', () => listDueTenants(db, DUE_CHANGES))
          if (tenants.length === 0) return false
        }
        const withMore: string[] = []
        for (const tenantId of tenants) {
          if (await feedTenant({ tenantId })) withMore.push(tenantId)
        }
        tenants = withMore
        // oxlint-enable eslint/no-await-in-loop
      }
      return true
    },
  }
}
