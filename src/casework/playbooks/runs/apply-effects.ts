// Applies the effects of a round to their cases, in the transaction: all nodes of one tenant that
// share an `apply` together, in the order of the list of kinds.

import type { Tx } from '../../../kernel/db/database.ts'
import { forEachTenant } from '../../../kernel/db/due-tenants.ts'
import type { ApplyDeps, Due, NodeKind, Outcome } from '../node-kind.ts'
import { NODE_KINDS } from '../nodes/node-kinds.ts'

export interface DueEffect {
  readonly kind: NodeKind
  readonly due: Due<object>
}

type Apply = NonNullable<NodeKind['apply']>

const IN_ORDER: readonly Apply[] = [
  ...new Set(NODE_KINDS.flatMap(({ apply }) => (apply === undefined ? [] : [apply]))),
]

/** The outcomes by the key of the effect. */
export async function applyEffects(
  tx: Tx,
  deps: ApplyDeps,
  effects: readonly DueEffect[],
): Promise<ReadonlyMap<string, Outcome>> {
  const outcomes = new Map<string, Outcome>()
  if (effects.length === 0) return outcomes
  let { isFirst } = deps
  const keyed = effects.map((effect) => ({ ...effect, tenantId: effect.due.scope.tenantId }))
  await forEachTenant(keyed, async (_, own) => {
    const byApply = Map.groupBy(own, ({ kind }) => kind.apply)
    for (const apply of IN_ORDER) {
      const dues = byApply.get(apply)?.map(({ due }) => due) ?? []
      if (dues.length === 0) continue
      // One after the other on one connection.
      // oxlint-disable-next-line eslint/no-await-in-loop
      const done = await apply(tx, { ...deps, isFirst }, dues)
      isFirst = false
      for (const [at, outcome] of done.entries()) outcomes.set(dues[at]?.key ?? '', outcome)
    }
  })
  return outcomes
}
