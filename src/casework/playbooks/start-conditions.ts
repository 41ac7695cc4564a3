// What a version asks of the changes of cases: which of them begin a run, and whether one of its
// nodes watches its case. Stored with the version, so that writers need not read graphs.

import type { StartConfig } from './nodes/start.ts'
import type { PlaybookGraph } from './playbook-graph.ts'

export interface StartConditions extends StartConfig {
  readonly watchesCases: boolean
}

export function listStartConditions({ nodes, startId }: PlaybookGraph): StartConditions {
  const watchesCases = [...nodes.values()].some(({ kind }) => kind.watchesCases === true)
  // The config of a start node is what its `read` returned.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const config = nodes.get(startId)?.config as StartConfig
  return { ...config, watchesCases }
}
