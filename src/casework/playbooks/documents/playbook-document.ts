// The document of a playbook: one version as a file, without ids and without secrets, so that it
// can be kept beside code, compared, and taken to another tenant. The guide "Write a playbook"
// shows one; get-document-schema.ts describes it to editors.

import type { FieldProblem } from '../../../values/field-problem.ts'
import { addProblem, isJsonObject, isStorableText } from '../../../values/json-value.ts'
import { findNodeKind } from '../nodes/node-kinds.ts'
import { readPlaybookName } from '../playbook-name.ts'
import type { StoredGraph } from '../playbook-wire.ts'
import { arrangeBySchema, arrangeMembers, type Reference } from './arrange-by-schema.ts'

/** The first member of a document. Another number will be another form. */
export const DOCUMENT_FORMAT = 'casework-playbook/1'
export const DESCRIPTION_LENGTH_MAX = 10_000

export interface PlaybookDocument {
  readonly name: string
  readonly description: string
  /** As a graph has them, but for playbooks, which stand here by name. */
  readonly nodes: readonly unknown[]
}

/** A document as it is written: its members in their order, the empty ones left out. */
export function presentDocument(document: PlaybookDocument): Record<string, unknown> {
  const { name, description, nodes } = document
  return {
    format: DOCUMENT_FORMAT,
    name,
    ...(description === '' ? {} : { description }),
    nodes,
  }
}

/**
 * What a document says apart from its nodes, of which only the list is checked. Null when there is
 * a problem.
 */
export function readDocument(input: unknown, problems: FieldProblem[]): PlaybookDocument | null {
  if (!isJsonObject(input)) {
    addProblem(problems, '/', 'must be an object')
    return null
  }
  const before = problems.length
  const { format, name: givenName, description: givenDescription, nodes, ...others } = input
  for (const other of Object.keys(others)) {
    addProblem(problems, `/${other.slice(0, 100)}`, 'is not known here')
  }
  if (format !== undefined && format !== DOCUMENT_FORMAT) {
    addProblem(problems, '/format', `must be ${DOCUMENT_FORMAT}`)
  }
  const name = readPlaybookName(givenName, problems)
  const description = readDescription(givenDescription, problems)
  if (!Array.isArray(nodes)) addProblem(problems, '/nodes', 'must be a list of nodes')
  if (problems.length > before || name === null || description === null) return null
  return { name, description, nodes: Array.isArray(nodes) ? nodes : [] }
}

/** Null when there is a problem; the empty text when there is no description. */
export function readDescription(given: unknown, problems: FieldProblem[]): string | null {
  if (given === undefined) return ''
  const isSound =
    typeof given === 'string' && given.length <= DESCRIPTION_LENGTH_MAX && isStorableText(given)
  if (isSound) return given
  addProblem(
    problems,
    '/description',
    `must be a text of at most ${DESCRIPTION_LENGTH_MAX} characters`,
  )
  return null
}

const NODE_ORDER = ['id', 'kind', 'note', 'position', 'config', 'paths', 'retry'] as const

/** A reference, with the place of it in the graph, such as `/nodes/3/config/secret`. */
export interface NodeReference extends Reference {
  readonly node: string
}

/**
 * The nodes with their members in one order, so that equal graphs are equal texts, and with each
 * name of a secret, template or playbook replaced by what `replace` gives. Takes any value: what is
 * no node stays as it is.
 */
export function arrangeNodes(
  nodes: readonly unknown[],
  replace: (reference: NodeReference) => string = ({ name }) => name,
): StoredGraph['nodes'] {
  const arranged = nodes.map((node, at) => {
    if (!isJsonObject(node)) return node
    const members = NODE_ORDER.flatMap((name) => {
      if (!Object.hasOwn(node, name)) return []
      return [
        [name, name === 'config' ? arrangeConfig(node, at, replace) : arrangeMembers(node[name])],
      ]
    })
    const others = Object.entries(node).filter(([name]) => !NODE_ORDER.some((one) => one === name))
    return Object.fromEntries([...members, ...others])
  })
  // The parser of graphs says whether they are nodes.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return arranged as StoredGraph['nodes']
}

function arrangeConfig(
  node: Record<string, unknown>,
  at: number,
  replace: (reference: NodeReference) => string,
): unknown {
  const kind = findNodeKind(node['kind'])
  const id = typeof node['id'] === 'string' ? node['id'] : ''
  if (typeof kind === 'string') return node['config']
  return arrangeBySchema(kind.config, node['config'], `/nodes/${at}/config`, (reference) =>
    replace({ ...reference, node: id }),
  )
}

/** What the nodes name and a tenant must have, each name once for each place. */
export function listReferences(nodes: readonly unknown[]): readonly NodeReference[] {
  const found: NodeReference[] = []
  arrangeNodes(nodes, (reference) => {
    found.push(reference)
    return reference.name
  })
  return found
}

/** The ids of nodes that a graph has beside another, lacks, or has otherwise. */
export interface GraphDifference {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
}

/** Both arranged. */
export function compareGraphs(
  former: StoredGraph['nodes'],
  latter: StoredGraph['nodes'],
): GraphDifference {
  const before = new Map(former.map((node) => [node.id, JSON.stringify(node)]))
  const after = new Map(latter.map((node) => [node.id, JSON.stringify(node)]))
  const ids = [...after.keys()]
  return {
    added: ids.filter((id) => !before.has(id)),
    changed: ids.filter((id) => before.has(id) && before.get(id) !== after.get(id)),
    removed: [...before.keys()].filter((id) => !after.has(id)),
  }
}
