// Where the tokens of a run stand in another version of its playbook. Pure.

import type { Vars } from '../node-kind.ts'
import type { PlaybookGraph } from '../playbook-graph.ts'
import type { LockedToken, TokenMove } from './locked-run-store.ts'

/** The nodes of the new version by those of the old one; a node without an entry keeps its id. */
export type NewNodes = Readonly<Record<string, string>>

export type MigrationRefusal = 'under_way' | 'node_not_mapped' | 'node_not_compatible'

export type MigrationPlan =
  | { readonly kind: 'moves'; readonly moves: readonly TokenMove[] }
  | { readonly kind: 'refused'; readonly reason: MigrationRefusal; readonly node: string }

// A token at one of them stands for more than its place: other tokens of a fork, a run below.
const KEPT_KINDS: ReadonlySet<string> = new Set(['join', 'sub_playbook'])

/**
 * A node without an entry must be there with the same kind. Only tokens that are parked move: a
 * worker may be at work for one that is ready.
 */
export function planMigration(
  from: PlaybookGraph,
  to: PlaybookGraph,
  map: NewNodes,
  tokens: readonly LockedToken[],
): MigrationPlan {
  const moves: TokenMove[] = []
  for (const token of tokens) {
    const { node, state } = token
    const refuse = (reason: MigrationRefusal): MigrationPlan => ({ kind: 'refused', reason, node })
    const isChosen = token.chosenPath !== null || token.timerRang
    if (state === 'ready' || (isChosen && state !== 'dead')) return refuse('under_way')
    const toNode = Object.hasOwn(map, node) ? map[node] : undefined
    const target = to.nodes.get(toNode ?? node)
    if (target === undefined) return refuse('node_not_mapped')
    const oldKind = from.nodes.get(node)?.kind.kind
    const isSameKind = target.kind.kind === oldKind
    const isWaitingForOthers = state !== 'dead' && KEPT_KINDS.has(oldKind ?? '')
    if (!isSameKind && (toNode === undefined || isWaitingForOthers)) {
      return refuse('node_not_compatible')
    }
    moves.push({ token, toNode: target.id, isSameKind, vars: renameLoops(token.vars, map) })
  }
  return { kind: 'moves', moves }
}

/** for_each keeps its place in a list under the id of its node; null where nothing changes. */
function renameLoops(vars: Vars, map: NewNodes): Vars | null {
  const { loops } = vars
  if (typeof loops !== 'object' || loops === null) return null
  const renamed = Object.entries(loops).map(([node, place]) => [
    Object.hasOwn(map, node) ? map[node] : node,
    place,
  ])
  return { ...vars, loops: Object.fromEntries(renamed) }
}
