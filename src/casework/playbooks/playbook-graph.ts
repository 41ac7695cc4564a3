// The graph of a playbook version, `{nodes: [{id, kind, config?, paths?}]}`. It is checked
// completely before it is stored, so that a run never meets a broken one.

import type { FieldProblem } from '../../values/field-problem.ts'
import { addProblem, isJsonObject, joinPointer } from '../../values/json-value.ts'
import { type ChoiceDemands, NO_DEMANDS } from './choice-demands.ts'
import type { EarlyLeave, NodeKind, RetryPolicy, WaitingParty } from './node-kind.ts'
import { isNodeName, NODE_NAME_RULE } from './node-name.ts'
import { FORK } from './nodes/fork.ts'
import { JOIN } from './nodes/join.ts'
import { findNodeKind } from './nodes/node-kinds.ts'
import { START } from './nodes/start.ts'
import { NODE_MEMBERS, readNode } from './read-node.ts'

export interface PlaybookNode {
  readonly id: string
  readonly kind: NodeKind
  /** What `read` of the kind returned. */
  readonly config: object
  /**
   * The paths by name, in the author's order, with the node that each leads to. Null for a path
   * that is not connected: it ends the token.
   */
  readonly paths: ReadonlyMap<string, string | null>
  /** Null where the retry of the kind holds. */
  readonly retry: RetryPolicy | null
}

export interface PlaybookGraph {
  readonly startId: string
  readonly nodes: ReadonlyMap<string, PlaybookNode>
}

export type PlaybookGraphResult =
  | { readonly kind: 'valid'; readonly graph: PlaybookGraph }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }

// People draw smaller graphs. Every worker keeps the versions that it runs in memory.
export const NODES_MAX = 500
// Conditions are compiled when a version is checked and when a process first runs it, a millisecond
// for some 2,000 characters.
const ASKING_LENGTH_MAX = 200_000

/** The paths that a trigger may choose while a token waits at the node. */
export function listChoices({ kind, config }: PlaybookNode): readonly string[] {
  return kind.choices?.(config) ?? []
}

/** Whom the node waits for to which the path leads; null where it waits for nobody. */
export function findPartyBehind(
  { nodes }: PlaybookGraph,
  node: PlaybookNode | undefined,
  path: string,
): WaitingParty | null {
  const next = nodes.get(node?.paths.get(path) ?? '')
  return next?.kind.waitsFor?.(next.config) ?? null
}

/** A wait that somebody ends by a choice at the node behind it. */
export interface EarlyEnd extends EarlyLeave {
  readonly toNode: PlaybookNode
}

/** Null where the memo says of no such wait, or nobody has a choice at the node behind it. */
export function findEarlyEnd(
  { nodes }: PlaybookGraph,
  node: PlaybookNode | undefined,
  memo: object | null,
): EarlyEnd | null {
  const early = memo === null ? null : (node?.kind.leavesEarly?.(memo) ?? null)
  if (early === null) return null
  const toNode = nodes.get(node?.paths.get(early.path) ?? '')
  return toNode === undefined || listChoices(toNode).length === 0 ? null : { ...early, toNode }
}

/** What the node asks of those who choose. */
export function listDemands({ kind, config }: PlaybookNode): ChoiceDemands {
  return kind.asks?.(config) ?? NO_DEMANDS
}

/** Whether a trigger may begin a further token of the run at the node. */
export function isAnytime({ kind, config }: PlaybookNode): boolean {
  return kind.isAnytime?.(config) === true
}

/** The graph, or all problems of its nodes; when the nodes are valid, all problems of its shape. */
export function parsePlaybookGraph(input: unknown): PlaybookGraphResult {
  const problems: FieldProblem[] = []
  const drafts = readDrafts(input, problems)
  if (problems.length > 0) return refuse(input, problems)
  const nodes = new Map(drafts.map(({ node }) => [node.id, node]))
  const startId = checkShape(drafts, nodes, problems)
  if (startId === null || problems.length > 0) return refuse(input, problems)
  return { kind: 'valid', graph: { startId, nodes } }
}

function refuse(input: unknown, problems: readonly FieldProblem[]): PlaybookGraphResult {
  return { kind: 'invalid', problems: problems.map((problem) => nameNode(input, problem)) }
}

/** Adds the id of the node to a problem of `/nodes/3/config/text`, and its field `config/text`. */
function nameNode(input: unknown, problem: FieldProblem): FieldProblem {
  const match = /^\/nodes\/(\d+)(?:\/(.*))?$/s.exec(problem.path)
  const list = isJsonObject(input) ? input['nodes'] : undefined
  const node: unknown = match === null || !Array.isArray(list) ? undefined : list[Number(match[1])]
  const id = isJsonObject(node) ? node['id'] : undefined
  if (typeof id !== 'string' || !isNodeName(id)) return problem
  const field = match?.[2]
  return { ...problem, node: id, ...(field === undefined ? {} : { field }) }
}

interface Draft {
  readonly node: PlaybookNode
  /** Its position in the input, such as `/nodes/3`. */
  readonly path: string
}

function readDrafts(input: unknown, problems: FieldProblem[]): readonly Draft[] {
  if (!isJsonObject(input)) {
    addProblem(problems, '/', 'must be an object')
    return []
  }
  refuseUnknownMembers(input, ['nodes'], '', problems)
  const list = input['nodes']
  if (!Array.isArray(list) || list.length < 1 || list.length > NODES_MAX) {
    addProblem(problems, '/nodes', `must be a list of 1 to ${NODES_MAX} nodes`)
    return []
  }
  if (measureAsking(list) > ASKING_LENGTH_MAX) {
    const reason = `the configs of nodes that ask for facts are longer than ${ASKING_LENGTH_MAX} characters together`
    addProblem(problems, '/nodes', reason)
    return []
  }
  const drafts: Draft[] = []
  const ids = new Set<string>()
  for (const [at, entry] of list.entries()) {
    const path = `/nodes/${at}`
    const node = readPlaybookNode(entry, path, problems)
    if (node === null) continue
    if (ids.has(node.id)) addProblem(problems, `${path}/id`, 'is the id of another node too')
    ids.add(node.id)
    drafts.push({ node, path })
  }
  return drafts
}

/** The characters of the configs that have conditions, expressions or templates over the facts. */
function measureAsking(list: readonly unknown[]): number {
  let length = 0
  for (const entry of list) {
    if (!isJsonObject(entry)) continue
    const kind = findNodeKind(entry['kind'])
    if (typeof kind === 'string' || kind.needsFacts === undefined) continue
    const text = JSON.stringify(entry['config']) ?? ''
    if (kind.needsFacts === true || /\{\{|\{%|"cel"/.test(text)) length += text.length
  }
  return length
}

function readPlaybookNode(
  entry: unknown,
  path: string,
  problems: FieldProblem[],
): PlaybookNode | null {
  if (!isJsonObject(entry)) {
    addProblem(problems, path, 'must be an object')
    return null
  }
  refuseUnknownMembers(entry, NODE_MEMBERS, path, problems)
  const id = entry['id']
  const isNamed = typeof id === 'string' && isNodeName(id)
  if (!isNamed) {
    addProblem(problems, `${path}/id`, id === undefined ? 'is missing' : NODE_NAME_RULE)
  }
  const known = readNode(entry, path, problems)
  if (known === null) return null
  const names = known.kind.paths(known.config)
  const paths = readPaths(entry['paths'] ?? {}, names, `${path}/paths`, problems)
  return isNamed && paths !== null ? { id, ...known, paths } : null
}

function readPaths(
  input: unknown,
  names: readonly string[],
  path: string,
  problems: FieldProblem[],
): ReadonlyMap<string, string | null> | null {
  if (!isJsonObject(input)) {
    addProblem(problems, path, 'must be an object of path name to node id')
    return null
  }
  const paths = new Map<string, string | null>(names.map((name) => [name, null]))
  let isSound = true
  for (const [name, target] of Object.entries(input)) {
    if (paths.has(name) && typeof target === 'string') {
      paths.set(name, target)
      continue
    }
    isSound = false
    const known = names.length === 0 ? 'this node ends the token' : `there is ${names.join(', ')}`
    const reason = paths.has(name)
      ? 'must be the id of a node'
      : `is no path of this node: ${known}`
    addProblem(problems, joinPointer(path, name), reason)
  }
  return isSound ? paths : null
}

function refuseUnknownMembers(
  object: Record<string, unknown>,
  known: readonly string[],
  path: string,
  problems: FieldProblem[],
): void {
  for (const name of Object.keys(object)) {
    if (!known.includes(name)) addProblem(problems, joinPointer(path, name), 'is not known here')
  }
}

/** The id of the start node; null when there is any problem. */
function checkShape(
  drafts: readonly Draft[],
  nodes: ReadonlyMap<string, PlaybookNode>,
  problems: FieldProblem[],
): string | null {
  checkTargets(drafts, nodes, problems)
  const start = findStart(drafts, problems)
  if (problems.length > 0 || start === null) return null
  checkForks(drafts, nodes, problems)
  checkWays(start, drafts, nodes, problems)
  return start.node.id
}

/** Every path that is connected leads to a node at which a token can be. */
function checkTargets(
  drafts: readonly Draft[],
  nodes: ReadonlyMap<string, PlaybookNode>,
  problems: FieldProblem[],
): void {
  for (const { node, path } of drafts) {
    for (const [name, target] of node.paths) {
      const next = target === null ? undefined : nodes.get(target)
      if (target === null || (next !== undefined && next.kind.isRemark !== true)) continue
      const reason =
        next === undefined ? 'names no node of this playbook' : `leads to a ${next.kind.kind}`
      addProblem(problems, joinPointer(`${path}/paths`, name), reason)
    }
  }
}

function findStart(drafts: readonly Draft[], problems: FieldProblem[]): Draft | null {
  const [start = null, second = null] = drafts.filter(({ node }) => node.kind === START)
  if (start === null) addProblem(problems, '/nodes', 'must have one start node')
  if (second !== null) addProblem(problems, second.path, 'is a second start node')
  return start
}

/** A token can come to every node, and waits somewhere in every loop. */
function checkWays(
  start: Draft,
  drafts: readonly Draft[],
  nodes: ReadonlyMap<string, PlaybookNode>,
  problems: FieldProblem[],
): void {
  const roots = [start, ...drafts.filter(({ node }) => isAnytime(node))]
  const reached = new Set(roots.flatMap(({ node }) => [...findReachable(node, nodes)]))
  const looping = findLooping(nodes)
  for (const { node, path } of drafts) {
    const isUnreached = !reached.has(node.id) && node.kind.isRemark !== true
    if (isUnreached) addProblem(problems, path, 'is not reached from the start')
    if (looping.has(node.id)) {
      addProblem(
        problems,
        path,
        'is part of a loop in which no node waits; put a node such as trigger, manual or delay into it',
      )
    }
  }
}

/** What forks, joins and loops over lists need around them. */
function checkForks(
  drafts: readonly Draft[],
  nodes: ReadonlyMap<string, PlaybookNode>,
  problems: FieldProblem[],
): void {
  for (const draft of drafts) checkBranches(draft, nodes, problems)
  const forks = drafts.filter(({ node }) => node.kind === FORK)
  const behindForks = new Set(forks.flatMap(({ node }) => [...findReachable(node, nodes)]))
  for (const { node, path } of drafts) {
    if (node.kind !== JOIN || behindForks.has(node.id)) continue
    addProblem(problems, path, 'is a join that no fork leads to')
  }
}

/**
 * Every branch of a fork leads to a node. So does the path by which a loop over a list takes its
 * elements, and it comes back.
 */
function checkBranches(
  { node, path }: Draft,
  nodes: ReadonlyMap<string, PlaybookNode>,
  problems: FieldProblem[],
): void {
  const isFork = node.kind === FORK
  const names = isFork ? [...node.paths.keys()] : (node.kind.boundedPaths ?? [])
  for (const name of names) {
    const target = node.paths.get(name) ?? null
    const first = target === null ? undefined : nodes.get(target)
    const place = joinPointer(`${path}/paths`, name)
    if (first === undefined) addProblem(problems, place, 'must lead to a node')
    else if (!isFork && !findReachable(first, nodes).has(node.id)) {
      addProblem(problems, place, 'never comes back to this node')
    }
  }
}

function findReachable(
  start: PlaybookNode,
  nodes: ReadonlyMap<string, PlaybookNode>,
): ReadonlySet<string> {
  const reached = new Set([start.id])
  const open = [start]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const target of node.paths.values()) {
      const next = target === null ? undefined : nodes.get(target)
      if (next === undefined || reached.has(next.id)) continue
      reached.add(next.id)
      open.push(next)
    }
  }
  return reached
}

/**
 * The nodes of loops in which no node waits: the strongly connected parts of the graph without its
 * waiting nodes (Tarjan 1972). The recursion is at most 500 nodes deep.
 */
function findLooping(nodes: ReadonlyMap<string, PlaybookNode>): ReadonlySet<string> {
  const looping = new Set<string>()
  const numbers = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const visit = (node: PlaybookNode): number => {
    const number = numbers.size
    let low = number
    numbers.set(node.id, number)
    const depth = open.push(node.id) - 1
    for (const next of followPassing(node, nodes)) {
      if (next.id === node.id) looping.add(node.id)
      const known = numbers.get(next.id)
      if (known === undefined) low = Math.min(low, visit(next))
      else if (open.includes(next.id)) low = Math.min(low, lowest.get(next.id) ?? known)
    }
    lowest.set(node.id, low)
    if (low < number) return low
    const part = open.splice(depth)
    if (part.length > 1) for (const id of part) looping.add(id)
    return low
  }
  for (const node of nodes.values()) {
    if (!numbers.has(node.id) && node.kind.breaksLoops !== true) visit(node)
  }
  return looping
}

/** The next nodes, without those at which every token waits. */
function followPassing(
  node: PlaybookNode,
  nodes: ReadonlyMap<string, PlaybookNode>,
): readonly PlaybookNode[] {
  return [...node.paths].flatMap(([name, target]) => {
    if (node.kind.boundedPaths?.includes(name) === true) return []
    const next = target === null ? undefined : nodes.get(target)
    return next === undefined || next.kind.breaksLoops === true ? [] : [next]
  })
}
