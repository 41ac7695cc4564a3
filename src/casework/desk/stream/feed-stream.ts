// Puts changes into the stream, in the transaction that takes them out of the outbox: no change is
// lost, and none is told twice.

import type { Tx } from '../../../kernel/db/database.ts'
import { inTenant } from '../../../kernel/db/row-scope.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { Change } from '../../changes/change.ts'
import type { ChangeListener } from '../../changes/feed-changes.ts'
import { STREAM_KINDS } from './stream-message.ts'
import { addStreamMessages, hasStream } from './stream-store.ts'

export interface StreamListenerDeps {
  /** By event id; null for an event without a case. */
  readonly findCasesOfEvents: (
    tx: Tx,
    scope: TenantScope,
    eventIds: readonly string[],
  ) => Promise<ReadonlyMap<string, string | null>>
}

export function createStreamListener({ findCasesOfEvents }: StreamListenerDeps): ChangeListener {
  // A stored event is noted before its case is certain; by now it is.
  const addCases = async (
    tx: Tx,
    scope: TenantScope,
    changes: readonly Change[],
  ): Promise<readonly Change[]> => {
    const eventIds = changes.flatMap(({ kind, caseId, subjectId }) =>
      kind === 'event' && caseId === null ? [subjectId] : [],
    )
    const cases = await findCasesOfEvents(tx, scope, eventIds)
    return changes.map((change) => ({
      ...change,
      caseId: change.caseId ?? cases.get(change.subjectId) ?? null,
    }))
  }
  return {
    kinds: STREAM_KINDS,
    async consume(tx, changes) {
      const tenants = Map.groupBy(changes, ({ tenantId }) => tenantId)
      // In one order, so that two feeders never wait for each other.
      for (const tenantId of [...tenants.keys()].toSorted()) {
        const scope = { tenantId }
        // oxlint-disable-next-line eslint/no-await-in-loop
        await inTenant(scope, async () => {
          const noted = tenants.get(tenantId) ?? []
          // Most tenants have no stream.
          if (!(await hasStream(tx, scope))) return
          await addStreamMessages(tx, scope, await addCases(tx, scope, noted))
        })
      }
    },
  }
}
