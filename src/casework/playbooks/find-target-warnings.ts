// Nodes whose requests the guarded client would refuse, by the settings of now: most often plain
// HTTP to an address that only a range of CASEWORK_OUTBOUND_ALLOW opens. Each takes its path error
// in every run, so this is told before one finds out. The operator may open the target later.

import type { AllowList } from '../../kernel/outbound/allow-list.ts'
import { findTargetTrouble } from '../../kernel/outbound/check-target.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import { isJsonObject } from '../../values/json-value.ts'
import { readNode } from './read-node.ts'

/** Takes any value; what is no valid node has no warning. */
export function findTargetWarnings(
  nodes: readonly unknown[],
  allow: AllowList,
): readonly FieldProblem[] {
  return nodes.flatMap((node, at) => {
    const path = `/nodes/${at}`
    const target = readTarget(node, path)
    const reason = target === null ? null : findTargetTrouble(target.url, allow)
    if (target === null || reason === null) return []
    return [{ path: `${path}/config/url`, reason, node: target.node, field: 'config/url' }]
  })
}

function readTarget(
  node: unknown,
  path: string,
): { readonly node: string; readonly url: string } | null {
  if (!isJsonObject(node) || typeof node['id'] !== 'string') return null
  const read = readNode(node, path, [])
  const url = read?.kind.targetUrl?.(read.config)
  return url === undefined ? null : { node: node['id'], url }
}
