// The canvas of a graph on @xyflow/react: read-only, or with `edit` for the editor. It has no model
// of its own: what a person does is told to the page, which gives the new nodes.

import '@xyflow/react/dist/base.css'
import './graph.css'
import { ActionIcon } from '@mantine/core'
import {
  applyNodeChanges,
  Background,
  type Connection as DrawnConnection,
  type Edge,
  MarkerType,
  type NodeChange,
  Panel,
  ReactFlow,
  ReactFlowProvider,
  useNodesInitialized,
  useReactFlow,
  useStoreApi,
} from '@xyflow/react'
import { Maximize, Minus, Plus } from 'lucide-react'
import { type DragEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useText } from '../../messages/use-text.ts'
import { placeNodes } from './arrange.ts'
import { DRAGGED_KIND } from './dragged-kind.ts'
import { type Connection, type GraphNode, listConnections, type Position } from './graph.ts'
import { messages, useKindTitle } from './messages.ts'
import { type CardNode, NodeCard } from './node-card.tsx'
import { type PlaybookGraphProps, wayKey } from './playbook-graph.tsx'
import { useChosenEdges } from './use-chosen-edges.ts'

export interface CanvasEdit {
  readonly onMove: (places: ReadonlyMap<string, Position>) => void
  readonly onConnect: (connection: Connection) => void
  readonly onDisconnect: (connection: Pick<Connection, 'from' | 'path'>) => void
  /** By Delete: the canvas keeps that key to itself. */
  readonly onRemove: (ids: readonly string[]) => void
  /** A kind was dropped from the palette. */
  readonly onDropKind: (kind: string, at: Position) => void
}

export interface CanvasProps extends PlaybookGraphProps {
  readonly edit?: CanvasEdit
}

const NODE_TYPES = { step: NodeCard }
const ZOOM = { min: 0.15, max: 1.75, fit: 1, readable: 0.65 } as const
const NO_TEXTS: ReadonlySet<string> = new Set()

export function Canvas(props: CanvasProps) {
  return (
    <ReactFlowProvider>
      <Flow {...props} />
    </ReactFlowProvider>
  )
}

function Flow(props: CanvasProps) {
  const t = useText(messages)
  const { nodes, edit, onSelect, label } = props
  const [isByHand, setIsByHand] = useState(false)
  const built = useCards(props, isByHand)
  const { edges, changeEdges } = useChosenEdges(useEdges(props))
  const [cards, setCards] = useState<readonly CardNode[]>(built)
  const [shown, setShown] = useState(built)
  if (shown !== built) {
    setShown(built)
    // What the canvas has measured stays, so that nothing flickers.
    const measured = new Map(cards.map((card) => [card.id, card.measured]))
    setCards(
      built.map((card) => {
        const size = measured.get(card.id)
        return size === undefined ? card : { ...card, measured: size }
      }),
    )
  }
  const { screenToFlowPosition } = useReactFlow()
  useFirstView(props)
  useFocus(props)
  const change = useCallback(
    (changes: NodeChange<CardNode>[]) => {
      const next = applyNodeChanges(changes, [...cards])
      setCards(next)
      if (changes.some(({ type }) => type === 'select')) {
        onSelect?.(next.filter(({ selected }) => selected === true).map(({ id }) => id))
      }
      const moved = changes.flatMap((one) =>
        one.type === 'position' && one.position !== undefined && one.dragging !== true
          ? [[one.id, round(one.position)] as const]
          : [],
      )
      if (moved.length === 0) return
      setIsByHand(true)
      const ids = new Set(moved.map(([id]) => id))
      const others = nodes.filter(({ id }) => !ids.has(id))
      // Where all were arranged, all stay as they are shown; else the moved one would go back.
      edit?.onMove(new Map(isAsShown(others, next) ? moved : listPlaces(next)))
    },
    [cards, nodes, edit, onSelect],
  )
  const connect = ({ source, sourceHandle, target }: DrawnConnection): void => {
    if (sourceHandle !== null) edit?.onConnect({ from: source, path: sourceHandle, to: target })
  }
  const drop = (event: DragEvent): void => {
    const kind = event.dataTransfer.getData(DRAGGED_KIND)
    if (kind === '') return
    event.preventDefault()
    edit?.onDropKind(kind, round(screenToFlowPosition({ x: event.clientX, y: event.clientY })))
  }
  return (
    <ReactFlow
      aria-label={label ?? t('graph')}
      nodes={[...cards]}
      edges={edges}
      nodeTypes={NODE_TYPES}
      onNodesChange={change}
      onEdgesChange={changeEdges}
      onConnect={connect}
      onEdgesDelete={(gone) => {
        for (const { source, sourceHandle } of gone) {
          edit?.onDisconnect({ from: source, path: sourceHandle ?? '' })
        }
      }}
      onDrop={drop}
      onDragOver={(event) => {
        if (edit === undefined) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'copy'
      }}
      nodesDraggable={edit !== undefined}
      nodesConnectable={edit !== undefined}
      nodesFocusable={onSelect !== undefined}
      edgesFocusable={edit !== undefined}
      elementsSelectable={onSelect !== undefined}
      // Nodes are taken away by the page, which keeps what can be undone.
      onBeforeDelete={async ({ nodes: chosen }) => {
        if (chosen.length > 0) edit?.onRemove(chosen.map(({ id }) => id))
        return chosen.length === 0
      }}
      deleteKeyCode={edit === undefined ? null : ['Delete', 'Backspace']}
      minZoom={ZOOM.min}
      maxZoom={ZOOM.max}
      zoomOnScroll={edit !== undefined}
      panOnScroll={false}
      preventScrolling={edit !== undefined}
      proOptions={{ hideAttribution: true }}
      ariaLabelConfig={{
        'node.a11yDescription.default': t('help_node'),
        'node.a11yDescription.keyboardDisabled': t('help_node'),
        'edge.a11yDescription.default': t('help_edge'),
      }}
    >
      {edit !== undefined && <Background gap={16} size={1} />}
      <View />
    </ReactFlow>
  )
}

/** Whether the nodes say themselves where they stand, and not the layout. */
function isAsShown(nodes: readonly GraphNode[], cards: readonly CardNode[]): boolean {
  const shown = new Map(cards.map(({ id, position }) => [id, position]))
  return nodes.every(({ id, position }) => {
    const place = shown.get(id)
    return position !== undefined && place?.x === position.x && place.y === position.y
  })
}

function listPlaces(cards: readonly CardNode[]): readonly (readonly [string, Position])[] {
  return cards.map(({ id, position }) => [id, round(position)] as const)
}

function View() {
  const t = useText(messages)
  const { zoomIn, zoomOut, fitView } = useReactFlow()
  return (
    <Panel position="bottom-right" className="graph-view" role="group" aria-label={t('controls')}>
      <ActionIcon variant="default" aria-label={t('zoom_out')} onClick={() => void zoomOut()}>
        <Minus size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon variant="default" aria-label={t('zoom_in')} onClick={() => void zoomIn()}>
        <Plus size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="default"
        aria-label={t('fit')}
        onClick={() => void fitView({ maxZoom: ZOOM.fit, padding: 0.12 })}
      >
        <Maximize size={16} aria-hidden />
      </ActionIcon>
    </Panel>
  )
}

/** Whether the whole graph can be read at once. */
function useFitsWhole(): (nodes: CanvasProps['nodes']) => boolean {
  const { getNodesBounds } = useReactFlow()
  const store = useStoreApi()
  return useCallback(
    (nodes) => {
      const { width, height } = store.getState()
      const bounds = getNodesBounds(nodes.map(({ id }) => id))
      return Math.min(width / bounds.width, height / bounds.height) * 0.88 >= ZOOM.readable
    },
    [getNodesBounds, store],
  )
}

/**
 * The whole graph where it can be read, and in the editor always; else the token's place, or the
 * start at the left. A node to focus has the middle instead.
 */
function useFirstView({ nodes, here, focus, edit }: CanvasProps): void {
  const isEditor = edit !== undefined
  const { fitView, getNodesBounds, setViewport } = useReactFlow()
  const isMeasured = useNodesInitialized()
  const fitsWhole = useFitsWhole()
  const store = useStoreApi()
  const isShown = useRef(false)
  useEffect(() => {
    if (!isMeasured || isShown.current) return
    isShown.current = true
    const hasFocus = nodes.some(({ id }) => id === focus?.id)
    const isWhole = fitsWhole(nodes)
    if (hasFocus && (isEditor || !isWhole)) return
    const { width, height } = store.getState()
    if (isEditor || isWhole) void fitView({ maxZoom: ZOOM.fit, padding: 0.06 })
    else {
      const lit = nodes.find(({ id }) => here?.has(id) === true)
      const start = lit ?? nodes.find(({ kind }) => kind === 'start') ?? nodes[0]
      const place = getNodesBounds(start === undefined ? [] : [start.id])
      const left = lit === undefined ? 24 : width / 2 - (place.width / 2) * ZOOM.readable
      void setViewport({
        x: left - place.x * ZOOM.readable,
        y: height / 2 - (place.y + place.height / 2) * ZOOM.readable,
        zoom: ZOOM.readable,
      })
    }
  }, [
    isMeasured,
    nodes,
    here,
    focus,
    isEditor,
    fitsWhole,
    fitView,
    getNodesBounds,
    setViewport,
    store,
  ])
}

/** A graph that is only looked at does not move where all of it is in sight. */
function useFocus({ nodes, focus, edit }: CanvasProps): void {
  const fitsWhole = useFitsWhole()
  const { fitView, getZoom } = useReactFlow()
  const isMeasured = useNodesInitialized()
  const shown = useRef<CanvasProps['focus']>(undefined)
  useEffect(() => {
    if (focus === undefined || !isMeasured || shown.current === focus) return
    // A node that is added later does not move the canvas back.
    shown.current = focus
    if (edit === undefined && fitsWhole(nodes)) return
    const zoom = Math.max(getZoom(), 0.7)
    void fitView({ nodes: [{ id: focus.id }], maxZoom: zoom, minZoom: zoom })
  }, [nodes, focus, edit, isMeasured, fitsWhole, fitView, getZoom])
}

function useCards(props: CanvasProps, isByHand: boolean): readonly CardNode[] {
  const titleOf = useKindTitle()
  const { nodes, here, marks, notes, problems, selected, taken, edit } = props
  const isEditable = edit !== undefined
  const places = useMemo(() => placeNodes(nodes, isByHand), [nodes, isByHand])
  return useMemo(
    () =>
      nodes.map((node): CardNode => {
        const { id } = node
        return {
          id,
          type: 'step',
          position: places.get(id) ?? { x: 0, y: 0 },
          selected: (selected ?? NO_TEXTS).has(id),
          ariaLabel: `${titleOf(node.kind)} ${id}`,
          data: {
            node,
            isHere: (here ?? NO_TEXTS).has(id),
            hasProblem: (problems ?? NO_TEXTS).has(id),
            isConnectable: isEditable,
            mark: marks?.get(id),
            note: notes?.get(id),
            taken: listTaken(node, taken ?? NO_TEXTS),
          },
        }
      }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- titles follow the language only
    [nodes, places, here, marks, notes, problems, selected, taken, isEditable],
  )
}

function listTaken({ id, paths = {} }: GraphNode, taken: ReadonlySet<string>): readonly string[] {
  return Object.keys(paths).filter((path) => taken.has(wayKey(id, path)))
}

function useEdges({ nodes, taken, edit }: CanvasProps): readonly Edge[] {
  const t = useText(messages)
  return useMemo(
    () =>
      listConnections(nodes).map(({ from, path, to }): Edge => {
        const isTaken = (taken ?? NO_TEXTS).has(wayKey(from, path))
        return {
          id: wayKey(from, path),
          source: from,
          sourceHandle: path,
          target: to,
          ariaLabel: t('connection', { from, path, to }),
          className: isTaken ? 'edge-taken' : 'edge',
          zIndex: isTaken ? 1 : 0,
          focusable: edit !== undefined,
          markerEnd: {
            type: MarkerType.ArrowClosed,
            width: 16,
            height: 16,
            color: isTaken ? 'var(--accent-text)' : 'var(--line-strong)',
          },
        }
      }),
    [nodes, taken, edit, t],
  )
}

function round({ x, y }: Position): Position {
  return { x: Math.round(x), y: Math.round(y) }
}
