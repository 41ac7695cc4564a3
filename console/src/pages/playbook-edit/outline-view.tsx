// The graph as a tree of nodes and their ways out. All of the editor works from here by keyboard:
// arrows move, Enter opens, Delete takes away, and a way out is connected in a dialog.

import { type Dispatch, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useText } from '../../messages/use-text.ts'
import { type GraphNode, isTroublePath } from '../../parts/playbook-graph/graph.ts'
import { KindIcon } from '../../parts/playbook-graph/kind-icon.tsx'
import { useKindTitle } from '../../parts/playbook-graph/messages.ts'
import type { NodeKind } from './data.ts'
import type { EditorAction } from './graph-editor.ts'
import { messages } from './messages.ts'
import { buildOutline, type OutlineRow } from './outline.ts'
import { WayDialog } from './way-dialog.tsx'

export interface OutlineProps {
  readonly nodes: readonly GraphNode[]
  readonly kinds: readonly NodeKind[]
  readonly selected: readonly string[]
  readonly problems: ReadonlySet<string>
  readonly dispatch: Dispatch<EditorAction>
  readonly onAdd: (kind: string, after: { readonly id: string; readonly path: string }) => void
  /** To the settings of the selected node. */
  readonly onOpen: () => void
}

type Way = Extract<OutlineRow, { kind: 'way' }>

export function OutlineView(props: OutlineProps) {
  const t = useText(messages)
  const { nodes, selected, dispatch, onOpen } = props
  const rows = useMemo(() => buildOutline(nodes), [nodes])
  const tree = useRef<HTMLUListElement>(null)
  const [activeKey, setActiveKey] = useState<string>()
  const [way, setWay] = useState<Way>()
  const active = rows.some(({ key }) => key === activeKey) ? activeKey : rows[0]?.key
  const at = rows.findIndex(({ key }) => key === active)
  const goTo = (index: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))]
    if (row === undefined) return
    setActiveKey(row.key)
    tree.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(row.key)}"]`)?.focus()
  }
  const open = (row: OutlineRow): void => {
    setActiveKey(row.key)
    if (row.kind === 'way') setWay(row)
    else dispatch({ kind: 'select', ids: [row.node.id] })
  }
  // The row with the focus goes away: the keys go on from the row before it.
  const isFocusLost = useRef(false)
  useEffect(() => {
    if (!isFocusLost.current) return
    isFocusLost.current = false
    tree.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  })
  const remove = (row: OutlineRow): void => {
    if (row.kind === 'node') {
      isFocusLost.current = true
      setActiveKey(rows[at - 1]?.key)
      dispatch({ kind: 'remove', ids: [row.node.id] })
    } else dispatch({ kind: 'disconnect', from: row.from, path: row.path })
  }
  const press = (event: KeyboardEvent): void => {
    const row = rows[at]
    const acts: Readonly<Record<string, () => void>> = {
      ArrowDown: () => goTo(at + 1),
      ArrowUp: () => goTo(at - 1),
      Home: () => goTo(0),
      End: () => goTo(rows.length - 1),
      ArrowLeft: () =>
        goTo(rows.findLastIndex((one, index) => index < at && one.level < (row?.level ?? 0))),
      ArrowRight: () => {
        const target = row?.kind === 'way' ? rows.findIndex(({ key }) => key === row.to) : -1
        goTo(target < 0 ? at + 1 : target)
      },
      Enter: () => {
        if (row === undefined) return
        open(row)
        if (row.kind === 'node') onOpen()
      },
      ' ': () => {
        if (row !== undefined) open(row)
      },
      Delete: () => {
        if (row !== undefined) remove(row)
      },
    }
    const act = acts[event.key]
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  return (
    <>
      <p className="dim small palette-hint">{t('outline_hint')}</p>
      <ul className="outline" role="tree" aria-label={t('outline')} ref={tree} onKeyDown={press}>
        {rows.map((row) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the tree has the keys
          <li
            key={row.key}
            data-key={row.key}
            role="treeitem"
            aria-level={row.level}
            aria-selected={row.kind === 'node' && selected.includes(row.node.id)}
            className="outline-row"
            data-way={row.kind === 'way' || undefined}
            tabIndex={row.key === active ? 0 : -1}
            style={{ paddingLeft: 8 + (row.level - 1) * 10 }}
            onClick={() => open(row)}
            onFocus={() => setActiveKey(row.key)}
          >
            {row.kind === 'node' ? (
              <NodeWords node={row.node} hasProblem={props.problems.has(row.node.id)} />
            ) : (
              <WayWords way={row} />
            )}
          </li>
        ))}
      </ul>
      {way !== undefined && (
        <WayDialog
          from={way.from}
          path={way.path}
          to={way.to}
          nodes={nodes}
          kinds={props.kinds}
          onClose={() => setWay(undefined)}
          onConnect={(to) => {
            dispatch({ kind: 'connect', from: way.from, path: way.path, to })
            setWay(undefined)
          }}
          onDisconnect={() => {
            dispatch({ kind: 'disconnect', from: way.from, path: way.path })
            setWay(undefined)
          }}
          onAdd={(kind) => {
            props.onAdd(kind, { id: way.from, path: way.path })
            setWay(undefined)
          }}
        />
      )}
    </>
  )
}

function NodeWords({
  node,
  hasProblem,
}: {
  readonly node: GraphNode
  readonly hasProblem: boolean
}) {
  const t = useText(messages)
  const titleOf = useKindTitle()
  return (
    <>
      <KindIcon kind={node.kind} size={14} />
      <span className="outline-name cut">{node.id}</span>
      <span className="dim small cut">{titleOf(node.kind)}</span>
      {hasProblem && <span className="outline-problem small">{t('problem')}</span>}
    </>
  )
}

function WayWords({ way: { path, to, isOpen } }: { readonly way: Way }) {
  const t = useText(messages)
  return (
    <>
      <span className="small cut" data-trouble={isTroublePath(path) || undefined}>
        {path}
      </span>
      {!isOpen && (
        <span className="dim small cut">{to === null ? t('way_ends') : t('way_to', { to })}</span>
      )}
    </>
  )
}
