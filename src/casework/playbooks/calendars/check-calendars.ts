// Whether there are all calendars that the nodes of a graph name. Asked before a version is active
// and before a failed run is resumed; they stay until it is.

import type { Tx } from '../../../kernel/db/database.ts'
import type { FieldProblem } from '../../../values/field-problem.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { type PlaybookGraph, parsePlaybookGraph } from '../playbook-graph.ts'
import { keepCalendars } from './calendar-store.ts'

export async function findMissingCalendars(
  tx: Tx,
  scope: TenantScope,
  stored: unknown,
): Promise<readonly FieldProblem[]> {
  const result = parsePlaybookGraph(stored)
  if (result.kind === 'invalid') return result.problems
  const missing = await listMissing(tx, scope, result.graph)
  return missing.map(({ id, at, name }) => ({
    path: `/nodes/${at}/config`,
    reason: `names the calendar ${name}, which there is not`,
    node: id,
    field: 'config',
  }))
}

/**
 * The name of a calendar that a node of the graph names and that there is not; null for none. The
 * others stay until the transaction ends.
 */
export async function findMissingCalendar(
  tx: Tx,
  scope: TenantScope,
  graph: PlaybookGraph,
): Promise<string | null> {
  const [first] = await listMissing(tx, scope, graph)
  return first?.name ?? null
}

async function listMissing(tx: Tx, scope: TenantScope, graph: PlaybookGraph) {
  const named = [...graph.nodes.values()].flatMap(({ id, kind, config }, at) =>
    (kind.calendars?.(config) ?? []).map((name) => ({ id, at, name })),
  )
  if (named.length === 0) return []
  const there = await keepCalendars(tx, scope, [...new Set(named.map(({ name }) => name))])
  return named.filter(({ name }) => !there.has(name))
}
