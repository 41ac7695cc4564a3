// The graph of a new version: stored as it was sent, once it is found valid.

import type { FieldProblem } from '../../values/field-problem.ts'
import { findUnstorableText } from '../../values/json-value.ts'
import { parsePlaybookGraph } from './playbook-graph.ts'
import { listStartConditions, type StartConditions } from './start-conditions.ts'

export interface NewGraph {
  /** As it was sent. */
  readonly graph: unknown
  readonly startNode: string
  readonly starts: StartConditions
}

/** Null for a graph that is not valid; every problem is then among `problems`. */
export function parseNewGraph(input: unknown, problems: FieldProblem[]): NewGraph | null {
  const result = parsePlaybookGraph(input)
  if (result.kind === 'invalid') {
    problems.push(...result.problems)
    return null
  }
  const path = findUnstorableText(input)
  if (path === null) {
    const starts = listStartConditions(result.graph)
    return { graph: input, startNode: result.graph.startId, starts }
  }
  problems.push({ path, reason: 'has U+0000 or a lone surrogate' })
  return null
}
