// Small parts of the editor: its tools, the note about a kept draft, and what is selected.

import { ActionIcon, Button } from '@mantine/core'
import { LayoutGrid, Redo2, Undo2 } from 'lucide-react'
import type { Dispatch } from 'react'
import { useText } from '../../messages/use-text.ts'
import type { GraphNode } from '../../parts/playbook-graph/graph.ts'
import type { Finding, NodeKind } from './data.ts'
import type { EditorAction } from './graph-editor.ts'
import { Inspector } from './inspector.tsx'
import { messages } from './messages.ts'
import type { UsedEditor } from './use-editor.ts'

export function Tools({ used: { editor, dispatch } }: { readonly used: UsedEditor }) {
  const t = useText(messages)
  const arrange = async (): Promise<void> => {
    // With the canvas, so that the layout is in no other part of the program.
    const { arrangeGraph } = await import('../../parts/playbook-graph/arrange.ts')
    dispatch({ kind: 'move', places: arrangeGraph(editor.graph.nodes) })
  }
  return (
    <>
      <ActionIcon
        variant="default"
        aria-label={t('undo')}
        title={t('undo')}
        disabled={editor.past.length === 0}
        onClick={() => dispatch({ kind: 'undo' })}
      >
        <Undo2 size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="default"
        aria-label={t('redo')}
        title={t('redo')}
        disabled={editor.future.length === 0}
        onClick={() => dispatch({ kind: 'redo' })}
      >
        <Redo2 size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="default"
        aria-label={t('arrange')}
        title={t('arrange')}
        onClick={() => void arrange()}
      >
        <LayoutGrid size={16} aria-hidden />
      </ActionIcon>
    </>
  )
}

/** Work of an earlier visit that was not saved. */
export function DraftNote({
  used,
  onDiscard,
}: {
  readonly used: UsedEditor
  readonly onDiscard: () => void
}) {
  const t = useText(messages)
  if (!used.isFromDraft || !used.isChanged) return null
  return (
    <div className="note editor-note" data-tone="blue" role="status">
      <span>{t('draft_kept')}</span>
      <Button variant="subtle" onClick={onDiscard}>
        {t('draft_discard')}
      </Button>
    </div>
  )
}

export interface SelectedProps {
  readonly node: GraphNode | undefined
  readonly nodes: readonly GraphNode[]
  readonly kinds: readonly NodeKind[]
  readonly findings: readonly Finding[]
  readonly dispatch: Dispatch<EditorAction>
  /** How many nodes are selected. */
  readonly selected: readonly string[]
}

export function Selected({ node, kinds, selected, ...others }: SelectedProps) {
  const t = useText(messages)
  if (node !== undefined) {
    const kind = kinds.find((one) => one.kind === node.kind)
    return <Inspector {...others} node={node} kind={kind} />
  }
  if (selected.length === 0) {
    return (
      <div className="inspector">
        <h2 className="section-title">{t('nothing_selected')}</h2>
        <p className="dim">{t('nothing_selected_why')}</p>
      </div>
    )
  }
  return (
    <div className="inspector">
      <h2 className="section-title">{t('selected_count', { count: selected.length })}</h2>
      <p className="dim">{t('selected_hint')}</p>
      <Button variant="default" onClick={() => others.dispatch({ kind: 'remove', ids: selected })}>
        {t('delete_nodes')}
      </Button>
    </div>
  )
}
