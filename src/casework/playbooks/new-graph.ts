// The graph of a new version: stored as it was sent, once it is found valid.

import type { FieldProblem } from '../../values/field-problem.ts'
import { findUnstorableText, isJsonObject } from '../../values/json-value.ts'
import { readDescription } from './documents/playbook-document.ts'
import { parsePlaybookGraph } from './playbook-graph.ts'
import type { StoredGraph } from './playbook-wire.ts'
import { listStartConditions, type StartConditions } from './start-conditions.ts'

export interface NewGraph {
  /** What the version is for; empty when nobody says. */
  readonly description: string
  /** As it was sent. */
  readonly graph: StoredGraph
  readonly startNode: string
  readonly starts: StartConditions
}

/** Null for a graph that is not valid; every problem is then among `problems`. */
export function parseNewGraph(input: unknown, problems: FieldProblem[]): NewGraph | null {
  const { description: given, ...members } = isJsonObject(input) ? input : {}
  const description = readDescription(given, problems)
  const result = parsePlaybookGraph(isJsonObject(input) ? members : input)
  if (result.kind === 'invalid') {
    problems.push(...result.problems)
    return null
  }
  if (description === null) return null
  const path = findUnstorableText(members)
  if (path !== null) {
    problems.push({ path, reason: 'has U+0000 or a lone surrogate' })
    return null
  }
  // The parser has just found that it is one.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const graph = members as StoredGraph
  const starts = listStartConditions(result.graph)
  return { description, graph, startNode: result.graph.startId, starts }
}
