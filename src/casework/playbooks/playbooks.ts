// What the playbook endpoints, intake and the workers of one process share.

import { createDueHint, type DueHint } from './due-hint.ts'
import { createGraphCache, type GraphCache } from './graph-cache.ts'

export interface Playbooks {
  readonly hint: DueHint
  readonly graphs: GraphCache
  readonly close: () => void
}

export function openPlaybooks(): Playbooks {
  const hint = createDueHint()
  return { hint, graphs: createGraphCache(), close: hint.close }
}
