// Whether the nodes of a graph name assignees of the tenant. Asked before a version is active: a
// draft may be written, or imported, before its people are there.

import { findUnknownAssigneeIds } from '../../access/groups/assignee-store.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { parsePlaybookGraph } from './playbook-graph.ts'

export async function findUnknownAssignees(
  tx: Tx,
  { tenantId }: TenantScope,
  stored: unknown,
): Promise<readonly FieldProblem[]> {
  const result = parsePlaybookGraph(stored)
  // The check of calendars has told its problems.
  if (result.kind === 'invalid') return []
  const named = [...result.graph.nodes.values()].flatMap(({ id, kind, config }, at) =>
    (kind.assignees?.(config) ?? []).map((assignee) => ({ id, at, assignee })),
  )
  const ids = named.map(({ assignee }) => assignee)
  const unknown = await findUnknownAssigneeIds(tx, tenantId, ids)
  return named
    .filter(({ assignee }) => unknown.has(assignee))
    .map(({ id, at, assignee }) => ({
      path: `/nodes/${at}/config/assignee_user_id`,
      reason: `names ${assignee}, which is no user and no group of this tenant; see GET /beta/casework/assignees`,
      node: id,
      field: 'config/assignee_user_id',
    }))
}
