// The entry in the history of the case for each change of a mitigation. It also wakes the runs that
// wait for it.

import type { Clock } from '../../kernel/clock.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { addHistory } from '../cases/case-history-store.ts'
import type { Actor } from '../cases/case-tables.ts'
import type { MitigationKind } from './mitigation.ts'

export interface NotedMitigation {
  readonly tenantId: string
  readonly id: string
  readonly caseId: string
  readonly kind: MitigationKind
  readonly target: string
  readonly port: number
  readonly adapter: string
  readonly state: string
  readonly reason: string | null
}

export async function noteMitigation(
  tx: Tx,
  { ids, clock }: { readonly ids: IdSource; readonly clock: Clock },
  one: NotedMitigation,
  { actor, causeId }: { readonly actor: Actor; readonly causeId: string | null },
): Promise<void> {
  const { tenantId, id, caseId, kind, target, port, adapter, state, reason } = one
  await addHistory(tx, ids, { tenantId }, [
    {
      caseId,
      kind: 'mitigation',
      actor,
      at: new Date(clock.nowMs()),
      reason: null,
      causeId,
      changes: {
        mitigation_id: id,
        kind,
        target,
        ...(port === 0 ? {} : { port }),
        adapter,
        state,
        ...(reason === null ? {} : { failure: reason }),
      },
    },
  ])
}
