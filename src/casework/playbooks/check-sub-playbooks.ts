// Whether the playbooks that a graph runs are there, and whether one of them runs the playbook of
// the graph again: such a ring has no end. Asked before a version is active.

import type { Tx } from '../../kernel/db/database.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { listReferences, type NodeReference } from './documents/playbook-document.ts'
import { type ActiveGraph, listActiveGraphs } from './playbook-store.ts'
import type { StoredGraph } from './playbook-wire.ts'

/** The nodes that run another playbook. */
export function listPlaybookCalls(graph: StoredGraph): readonly NodeReference[] {
  return listReferences(graph.nodes).flatMap((reference) =>
    reference.kind === 'playbook' ? [{ ...reference, name: reference.name.toLowerCase() }] : [],
  )
}

/**
 * Children run the active versions of their playbooks, so these are followed. The caller keeps
 * other activations away.
 */
export async function findCallTrouble(
  tx: Tx,
  scope: TenantScope,
  playbook: { readonly id: string; readonly name: string },
  graph: StoredGraph,
): Promise<readonly FieldProblem[]> {
  const calls = listPlaybookCalls(graph)
  const known = await loadCalled(tx, scope, calls)
  return calls.flatMap(({ name: id, path, node }) => {
    const reason = explainCall(playbook, id, known)
    return reason === null
      ? []
      : [{ path, reason, node, field: path.split('/').slice(3).join('/') }]
  })
}

/** Playbooks by id; every one is loaded once, so that a ring ends. */
type Called = ReadonlyMap<string, ActiveGraph>

async function loadCalled(
  tx: Tx,
  scope: TenantScope,
  calls: readonly NodeReference[],
): Promise<Called> {
  const known = new Map<string, ActiveGraph>()
  const asked = new Set<string>()
  let open = calls.map(({ name }) => name)
  while (open.length > 0) {
    for (const id of open) asked.add(id)
    // One level of calls after the other.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const found = await listActiveGraphs(tx, scope, open)
    for (const one of found) known.set(one.id, one)
    const next = found.flatMap(listCallsOf).map(({ name }) => name)
    open = [...new Set(next)].filter((id) => !asked.has(id))
  }
  return known
}

function listCallsOf({ graph }: ActiveGraph): readonly NodeReference[] {
  return graph === null ? [] : listPlaybookCalls(graph)
}

function explainCall(
  playbook: { readonly id: string; readonly name: string },
  id: string,
  known: Called,
): string | null {
  if (id === playbook.id) return 'runs this playbook itself again, without end'
  if (!known.has(id)) return `names the playbook ${id}, which is not there`
  const way = findWay(id, playbook.id, known)
  if (way === null) return null
  return `leads back to this playbook: ${[...way, playbook.name].join(' → ')}`
}

interface Step {
  readonly id: string
  /** The playbooks before, each with the node that runs the next. */
  readonly way: readonly string[]
}

/** The shortest way by active versions; null when there is none. */
function findWay(from: string, to: string, known: Called): readonly string[] | null {
  const seen = new Set([from])
  const open: Step[] = [{ id: from, way: [] }]
  for (let step = open.shift(); step !== undefined; step = open.shift()) {
    const playbook = known.get(step.id)
    if (playbook === undefined) continue
    for (const { name: next, node } of listCallsOf(playbook)) {
      const way = [...step.way, `${playbook.name} (node ${node})`]
      if (next === to) return way
      if (!seen.has(next)) open.push({ id: next, way })
      seen.add(next)
    }
  }
  return null
}
