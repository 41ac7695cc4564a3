// The model of the editor: nodes, what is selected, and what can be undone. Pure; the canvas, the
// outline and the inspector all send these actions, so each of them shows what another did.

import { type GraphNode, namedWays, type Position } from '../../parts/playbook-graph/graph.ts'

export interface Graph {
  readonly description: string
  readonly nodes: readonly GraphNode[]
}

export interface Editor {
  readonly graph: Graph
  readonly past: readonly Graph[]
  readonly future: readonly Graph[]
  /** Ids of nodes. */
  readonly selected: readonly string[]
  /** Changes of one field while somebody types are one step to undo. */
  readonly mergeKey: string | null
}

export type EditorAction =
  | { readonly kind: 'open'; readonly graph: Graph }
  | { readonly kind: 'select'; readonly ids: readonly string[] }
  | {
      readonly kind: 'add'
      readonly node: Omit<GraphNode, 'id'>
      /** Connected to this way out of a node; what stood behind it comes behind the new node. */
      readonly after?: { readonly id: string; readonly path: string } | undefined
    }
  | { readonly kind: 'paste'; readonly nodes: readonly GraphNode[] }
  | { readonly kind: 'remove'; readonly ids: readonly string[] }
  | { readonly kind: 'rename'; readonly id: string; readonly to: string }
  | { readonly kind: 'connect'; readonly from: string; readonly path: string; readonly to: string }
  | { readonly kind: 'disconnect'; readonly from: string; readonly path: string }
  | {
      readonly kind: 'configure'
      readonly id: string
      readonly config: Readonly<Record<string, unknown>>
      /** The field that is typed into. */
      readonly field?: string
    }
  /** Undefined: as the kind of the node says. */
  | {
      readonly kind: 'retry'
      readonly id: string
      readonly retry: Readonly<Record<string, number>> | undefined
    }
  | { readonly kind: 'note'; readonly id: string; readonly note: string }
  | { readonly kind: 'describe'; readonly description: string }
  | { readonly kind: 'move'; readonly places: ReadonlyMap<string, Position> }
  | { readonly kind: 'undo' }
  | { readonly kind: 'redo' }

// The server takes as many nodes.
const NODES_MAX = 500
// Each step holds the nodes by reference; those that did not change are shared.
const STEPS_MAX = 200
const PASTE_OFFSET = 40

export function openEditor(graph: Graph): Editor {
  return { graph, past: [], future: [], selected: [], mergeKey: null }
}

export function edit(editor: Editor, action: EditorAction): Editor {
  switch (action.kind) {
    case 'open':
      return openEditor(action.graph)
    case 'select':
      return select(editor, action.ids)
    case 'undo':
      return undo(editor)
    case 'redo':
      return redo(editor)
    case 'describe':
      return step(editor, { ...editor.graph, description: action.description }, 'describe')
    case 'add':
      return addNode(editor, action)
    case 'paste':
      return pasteNodes(editor, action.nodes)
    case 'remove':
      return removeNodes(editor, action.ids)
    case 'rename':
      return renameNode(editor, action)
    case 'connect':
      return connect(editor, action)
    case 'disconnect':
      return changeNode(editor, action.from, (node) => withPath(node, action.path, null))
    case 'configure':
      return configure(editor, action)
    case 'retry':
      return changeNode(
        editor,
        action.id,
        (node) => withRetry(node, action.retry),
        action.retry === undefined ? null : `retry ${action.id}`,
      )
    case 'note':
      return changeNode(
        editor,
        action.id,
        (node) => withMember(node, 'note', action.note === '' ? undefined : action.note),
        `note ${action.id}`,
      )
    case 'move':
      return moveNodes(editor, action.places)
  }
}

function select(editor: Editor, ids: readonly string[]): Editor {
  const known = ids.filter((id) => findNode(editor.graph.nodes, id) !== undefined)
  const isSame = known.join('\n') === editor.selected.join('\n')
  return isSame ? editor : { ...editor, selected: known, mergeKey: null }
}

function undo(editor: Editor): Editor {
  const graph = editor.past.at(-1)
  if (graph === undefined) return editor
  const { past, future } = editor
  return settle({
    ...editor,
    graph,
    past: past.slice(0, -1),
    future: [editor.graph, ...future],
  })
}

function redo(editor: Editor): Editor {
  const [graph, ...future] = editor.future
  if (graph === undefined) return editor
  return settle({ ...editor, graph, past: [...editor.past, editor.graph], future })
}

/** What is selected must be there. */
function settle(editor: Editor): Editor {
  const selected = editor.selected.filter((id) => findNode(editor.graph.nodes, id) !== undefined)
  return { ...editor, selected, mergeKey: null }
}

function step(editor: Editor, graph: Graph, mergeKey: string | null = null): Editor {
  const isMerged = mergeKey !== null && mergeKey === editor.mergeKey
  const past = isMerged ? editor.past : [...editor.past, editor.graph].slice(-STEPS_MAX)
  return { ...editor, graph, past, future: [], mergeKey }
}

function withNodes(
  editor: Editor,
  nodes: readonly GraphNode[],
  mergeKey: string | null = null,
): Editor {
  return step(editor, { ...editor.graph, nodes }, mergeKey)
}

function changeNode(
  editor: Editor,
  id: string,
  change: (node: GraphNode) => GraphNode,
  mergeKey: string | null = null,
): Editor {
  const node = findNode(editor.graph.nodes, id)
  if (node === undefined) return editor
  const next = change(node)
  if (next === node) return editor
  const nodes = editor.graph.nodes.map((one) => (one === node ? next : one))
  return withNodes(editor, nodes, mergeKey)
}

function addNode(editor: Editor, { node, after }: Extract<EditorAction, { kind: 'add' }>): Editor {
  const { nodes } = editor.graph
  if (nodes.length >= NODES_MAX) return editor
  const id = freeId(node.kind, new Set(nodes.map((one) => one.id)))
  const former = after === undefined ? undefined : findNode(nodes, after.id)
  const behind = after === undefined ? undefined : former?.paths?.[after.path]
  const onward = namedWays({ id, ...node })?.find((path) => path !== 'error')
  const isBetween = behind !== undefined && onward !== undefined
  const added: GraphNode = {
    id,
    ...node,
    ...(isBetween ? { paths: { ...node.paths, [onward]: behind } } : {}),
  }
  const connected = nodes.map((one) =>
    one === former && after !== undefined ? withPath(one, after.path, id) : one,
  )
  return { ...withNodes(editor, insertAfter(connected, added, after?.id)), selected: [id] }
}

function insertAfter(
  nodes: readonly GraphNode[],
  node: GraphNode,
  id: string | undefined,
): readonly GraphNode[] {
  const at = nodes.findIndex((one) => one.id === id)
  return at < 0 ? [...nodes, node] : nodes.toSpliced(at + 1, 0, node)
}

/** Copies get new ids where theirs are taken; connections among them are kept. */
function pasteNodes(editor: Editor, pasted: readonly GraphNode[]): Editor {
  const { nodes } = editor.graph
  const room = NODES_MAX - nodes.length
  // A playbook has one start.
  const hasStart = nodes.some(({ kind }) => kind === 'start')
  const kept = pasted.filter(({ kind }) => kind !== 'start' || !hasStart).slice(0, room)
  if (kept.length === 0) return editor
  const taken = new Set(nodes.map(({ id }) => id))
  const ids = new Map<string, string>()
  for (const { id } of kept) {
    const free = taken.has(id) ? freeId(id.replace(/_\d+$/, ''), taken) : id
    taken.add(free)
    ids.set(id, free)
  }
  const copies = kept.map((node): GraphNode => {
    const paths = Object.entries(node.paths ?? {}).flatMap(([path, to]) => {
      const target = ids.get(to)
      return target === undefined ? [] : [[path, target] as const]
    })
    const { position } = node
    return {
      ...node,
      id: ids.get(node.id) ?? node.id,
      paths: Object.fromEntries(paths),
      ...(position === undefined
        ? {}
        : { position: { x: position.x + PASTE_OFFSET, y: position.y + PASTE_OFFSET } }),
    }
  })
  return { ...withNodes(editor, [...nodes, ...copies]), selected: copies.map(({ id }) => id) }
}

function removeNodes(editor: Editor, ids: readonly string[]): Editor {
  const gone = new Set(ids)
  const kept = editor.graph.nodes.filter(({ id }) => !gone.has(id))
  if (kept.length === editor.graph.nodes.length) return editor
  const nodes = kept.map((node) => {
    const lost = Object.entries(node.paths ?? {}).filter(([, to]) => gone.has(to))
    return lost.reduce((one, [path]) => withPath(one, path, null), node)
  })
  const selected = editor.selected.filter((id) => !gone.has(id))
  return { ...withNodes(editor, nodes), selected }
}

function renameNode(
  editor: Editor,
  { id, to }: { readonly id: string; readonly to: string },
): Editor {
  const { nodes } = editor.graph
  if (id === to || !isNodeName(to) || findNode(nodes, to) !== undefined) return editor
  if (findNode(nodes, id) === undefined) return editor
  const renamed = nodes.map((node): GraphNode => {
    const own = node.id === id ? { ...node, id: to } : node
    const leads = Object.entries(own.paths ?? {}).filter(([, target]) => target === id)
    return leads.reduce((one, [path]) => withPath(one, path, to), own)
  })
  const selected = editor.selected.map((one) => (one === id ? to : one))
  return { ...withNodes(editor, renamed), selected }
}

function connect(
  editor: Editor,
  { from, path, to }: { readonly from: string; readonly path: string; readonly to: string },
): Editor {
  const target = findNode(editor.graph.nodes, to)
  // Nothing leads to the start, and a remark is no step.
  if (target === undefined || target.kind === 'start' || target.kind === 'divider') return editor
  return changeNode(editor, from, (node) => withPath(node, path, to))
}

/** A way out that is renamed in the settings keeps the node behind it. */
function configure(
  editor: Editor,
  { id, config, field }: Extract<EditorAction, { kind: 'configure' }>,
): Editor {
  const change = (node: GraphNode): GraphNode => {
    const next = { ...node, config }
    const before = namedWays(node) ?? []
    const after = namedWays(next) ?? []
    const paths = { ...node.paths }
    for (const [at, path] of before.entries()) {
      const to = paths[path]
      if (to === undefined || after.includes(path)) continue
      delete paths[path]
      const renamed = after[at]
      const isRenamed = before.length === after.length && renamed !== undefined
      if (isRenamed && !before.includes(renamed)) paths[renamed] = to
    }
    return { ...next, paths }
  }
  return changeNode(editor, id, change, field === undefined ? null : `config ${id} ${field}`)
}

function moveNodes(editor: Editor, places: ReadonlyMap<string, Position>): Editor {
  const isMoved = editor.graph.nodes.some(({ id, position }) => {
    const place = places.get(id)
    return place !== undefined && (place.x !== position?.x || place.y !== position.y)
  })
  if (!isMoved) return editor
  const nodes = editor.graph.nodes.map((node) => {
    const position = places.get(node.id)
    return position === undefined ? node : { ...node, position }
  })
  return withNodes(editor, nodes, `move ${[...places.keys()].join(' ')}`)
}

export function findNode(nodes: readonly GraphNode[], id: string): GraphNode | undefined {
  return nodes.find((node) => node.id === id)
}

function withPath(node: GraphNode, path: string, to: string | null): GraphNode {
  const { [path]: former, ...others } = node.paths ?? {}
  if ((former ?? null) === to) return node
  return { ...node, paths: to === null ? others : { ...node.paths, [path]: to } }
}

function withRetry({ retry: _former, ...node }: GraphNode, retry: GraphNode['retry']): GraphNode {
  return retry === undefined ? node : { ...node, retry }
}

function withMember(node: GraphNode, name: 'note', value: string | undefined): GraphNode {
  const { [name]: _former, ...others } = node
  return value === undefined ? others : { ...others, [name]: value }
}

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?$/

/** As the server takes ids of nodes and names of paths. */
export function isNodeName(text: string): boolean {
  return NAME.test(text)
}

function freeId(base: string, taken: ReadonlySet<string>): string {
  if (!taken.has(base)) return base
  let number = 2
  while (taken.has(`${base}_${number}`)) number += 1
  return `${base}_${number}`
}
