// Nodes at which a case waits, as the wire shows them (design sections 9 and 10).

import type { WaitingNode } from './list-waiting-nodes.ts'

export function presentWaitingNode(waiting: WaitingNode): object {
  return {
    run_id: waiting.runId,
    playbook_id: waiting.playbookId,
    version: waiting.version,
    node: waiting.node,
    paths: waiting.paths,
    since: waiting.since.toISOString(),
  }
}
