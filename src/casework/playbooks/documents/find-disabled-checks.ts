// Nodes of a document that would look at other systems, for a tenant that has not switched that on:
// they always take the path unknown.

import type { Db } from '../../../kernel/db/database.ts'
import type { FieldProblem } from '../../../values/field-problem.ts'
import { isJsonObject } from '../../../values/json-value.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { mayVerifyTargets } from '../verify-setting-store.ts'

export async function findDisabledChecks(
  db: Db,
  scope: TenantScope,
  nodes: readonly unknown[],
): Promise<readonly FieldProblem[]> {
  const checks = nodes.flatMap((node, at) => {
    if (!isJsonObject(node) || node['kind'] !== 'verify') return []
    const { id, config } = node
    // Our own blocklists ask nobody.
    if (isJsonObject(config) && config['check'] === 'blocklist') return []
    return [{ path: `/nodes/${at}/config/check`, node: typeof id === 'string' ? id : '' }]
  })
  if (checks.length === 0 || (await mayVerifyTargets(db, scope))) return []
  const reason =
    'looks at other systems, which the tenant setting verify_targets does not allow yet; until then its path is unknown'
  return checks.map((place) => ({ ...place, field: 'config/check', reason }))
}
