// What a simulation assumes where nobody is asked: the path that a call comes back by, or that a
// person or another system chooses.

import type { FieldProblem } from '../../../values/field-problem.ts'
import { joinPointer } from '../../../values/json-value.ts'
import type { PlaybookGraph, PlaybookNode } from '../playbook-graph.ts'

export interface Assumption {
  readonly path: string
  /** Added to the vars of the token, as a call or a form would. */
  readonly vars: Readonly<Record<string, unknown>>
}

interface NodeAssumptions {
  readonly inOrder: readonly Assumption[]
  /** One assumption holds for every visit, and those of a list for one visit each. */
  readonly isForAll: boolean
}

/** By node; that of a node of another playbook is `<playbook id>/<node id>`. */
export type Assumptions = ReadonlyMap<string, NodeAssumptions>

type Given = string | { readonly path: string; readonly vars?: Readonly<Record<string, unknown>> }

/** Adds a problem for each node and path that the graph does not have. */
export function readAssumptions(
  given: Readonly<Record<string, Given | readonly Given[]>>,
  graph: PlaybookGraph,
  problems: FieldProblem[],
): Assumptions {
  const read = new Map<string, NodeAssumptions>()
  for (const [name, entry] of Object.entries(given)) {
    const place = joinPointer('/assume', name)
    const inOrder = (isList(entry) ? entry : [entry]).map((one) =>
      typeof one === 'string' ? { path: one, vars: {} } : { path: one.path, vars: one.vars ?? {} },
    )
    read.set(name, { inOrder, isForAll: !isList(entry) })
    // The version of a child is known only when it begins.
    if (name.includes('/')) continue
    const node = graph.nodes.get(name)
    if (node === undefined) problems.push({ path: place, reason: 'names no node of the playbook' })
    else if (inOrder.some(({ path }) => !node.paths.has(path))) {
      const paths = [...node.paths.keys()].join(', ')
      const reason =
        paths === '' ? 'is a node that ends the token' : `names no path of the node: ${paths}`
      problems.push({ path: place, reason })
    }
  }
  return read
}

// As a type guard of the language it would lose that the list is read-only.
function isList(entry: Given | readonly Given[]): entry is readonly Given[] {
  return Array.isArray(entry)
}

/** The assumption for this visit of the node, counted from 0; null when there is none. */
export function findAssumption(
  assumptions: Assumptions,
  name: string,
  visitsBefore: number,
): Assumption | null {
  const found = assumptions.get(name)
  if (found === undefined) return null
  return found.inOrder[found.isForAll ? 0 : visitsBefore] ?? null
}

// The good end of a call or an effect, in the words of the kinds.
const GOOD_PATHS: readonly string[] = ['success', 'sent', 'clean', 'done', 'next']

/** Where nothing is assumed: all goes well. */
export function chooseGoodPath({ paths }: PlaybookNode): string {
  const names = [...paths.keys()]
  return GOOD_PATHS.find((path) => paths.has(path)) ?? names[0] ?? 'next'
}
