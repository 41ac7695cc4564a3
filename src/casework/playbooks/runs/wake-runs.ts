// What changes of cases and events mean for runs: nodes that watch a case decide again, and runs
// begin. What a run has written itself begins none, or two playbooks would start each other for
// ever.

import type { Tx } from '../../../kernel/db/database.ts'
import { collectByTenant } from '../../../kernel/db/due-tenants.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { Change } from '../../changes/change.ts'
import type { ChangeListener } from '../../changes/feed-changes.ts'
import { noteStarts, type StartingChange } from './pending-start-store.ts'
import { wakeWatchers } from './timer-store.ts'

export interface RunWakerDeps {
  /** By event id; null for an event without a case. Playbooks do not import events. */
  readonly findCasesOfEvents: (
    tx: Tx,
    scope: TenantScope,
    eventIds: readonly string[],
  ) => Promise<ReadonlyMap<string, string | null>>
}

export function createRunWaker({ findCasesOfEvents }: RunWakerDeps): ChangeListener {
  return {
    kinds: ['case', 'event'],
    async consume(tx, changes) {
      const starts = await collectByTenant(changes, async (tenantId, own) => {
        const events = own.filter(({ kind }) => kind === 'event')
        const eventIds = events.map(({ subjectId }) => subjectId)
        const cases = await findCasesOfEvents(tx, { tenantId }, eventIds)
        const ofCases = own.flatMap((change) => {
          const caseId = change.caseId ?? cases.get(change.subjectId) ?? null
          return caseId === null ? [] : [{ ...change, caseId }]
        })
        const seen = ofCases.filter((change) => !isNoticeThatWaits(change))
        const caseIds = new Set(seen.map(({ caseId }) => caseId))
        await wakeWatchers(tx, { tenantId }, [...caseIds].toSorted())
        return ofCases.flatMap(listStarts)
      })
      await noteStarts(tx, starts)
    },
  }
}

/**
 * Its end wakes the node that sends it. That it began to wait is no news for any node, least of all
 * for the one that made it.
 */
function isNoticeThatWaits({ kind, what, data }: Change): boolean {
  if (kind !== 'case' || what !== 'notice') return false
  const changes = data?.['changes']
  return typeof changes === 'object' && changes !== null && 'state' in changes
    ? changes.state === 'waiting'
    : false
}

function listStarts(change: Change & { readonly caseId: string }): readonly StartingChange[] {
  const { tenantId, caseId, kind, what, actorKind, data } = change
  if (actorKind === 'run') return []
  if (kind === 'event') return what === 'stored' ? [{ tenantId, caseId, toState: null }] : []
  const from = data?.['from_state']
  const to = data?.['to_state']
  // A new case has no state before.
  const isMove = typeof from === 'string' && typeof to === 'string' && from !== to
  return isMove ? [{ tenantId, caseId, toState: to }] : []
}
