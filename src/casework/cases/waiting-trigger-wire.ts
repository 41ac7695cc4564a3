// A node at which a case waits to be triggered, with the paths to choose from (design section 5.5).

import { type Static, Type } from 'typebox'
import type { WaitingNode } from './case-progress.ts'

export const WaitingTrigger = Type.Object({
  run_id: Type.String(),
  playbook_id: Type.String(),
  version: Type.Integer(),
  node: Type.String(),
  paths: Type.Array(Type.String()),
  since: Type.String({ format: 'date-time' }),
})

export function presentWaitingNode(waiting: WaitingNode): Static<typeof WaitingTrigger> {
  return {
    run_id: waiting.runId,
    playbook_id: waiting.playbookId,
    version: waiting.version,
    node: waiting.node,
    paths: [...waiting.paths],
    since: waiting.since.toISOString(),
  }
}
