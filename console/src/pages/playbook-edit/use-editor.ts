// The state of the editor: the reducer, and a draft in this browser that survives a reload.

import { type Dispatch, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { useDraft } from '../../parts/use-draft.ts'
import { type Editor, type EditorAction, edit, type Graph, openEditor } from './graph-editor.ts'

interface KeptDraft {
  /** The newest version of the playbook when the draft was begun. */
  readonly latest: number
  readonly graph: Graph
}

export interface UsedEditor {
  readonly editor: Editor
  readonly dispatch: Dispatch<EditorAction>
  readonly isChanged: boolean
  /** The newest version when this work began: a newer one is somebody else's. */
  readonly latestThen: number
  /** The work comes from a draft of an earlier visit. */
  readonly isFromDraft: boolean
  /** Throws the draft away: after it was saved, or because it is not wanted. */
  readonly forget: () => void
}

export function useEditor(key: string, saved: Graph, latest: number): UsedEditor {
  const [kept, keep, forget] = useDraft(key)
  const draft = useMemo(
    () => readDraft(kept),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- read once, when the editor opens
    [key],
  )
  const [editor, dispatch] = useReducer(edit, draft?.graph ?? saved, openEditor)
  const isChanged = editor.graph !== saved && JSON.stringify(editor.graph) !== JSON.stringify(saved)
  // As it was then: the answer about the playbook is asked for again while somebody draws.
  const [latestThen] = useState(draft?.latest ?? latest)
  // Not what another tab keeps, which has the same playbook open.
  const hasKept = useRef(draft !== null)
  useEffect(() => {
    if (isChanged) {
      hasKept.current = true
      const text: KeptDraft = { latest: latestThen, graph: editor.graph }
      keep(JSON.stringify(text))
    } else if (hasKept.current) {
      // Undone to the last step: there is nothing to come back to.
      hasKept.current = false
      forget()
    }
  }, [editor.graph, isChanged, keep, forget, latestThen])
  return { editor, dispatch, isChanged, latestThen, isFromDraft: draft !== null, forget }
}

/** Null for what another version of the console, or somebody else, has left there. */
function readDraft(text: string): KeptDraft | null {
  try {
    const kept: unknown = JSON.parse(text)
    return isDraft(kept) ? kept : null
  } catch {
    return null
  }
}

function isDraft(value: unknown): value is KeptDraft {
  if (!isRecord(value) || typeof value['latest'] !== 'number') return false
  const { graph } = value
  if (!isRecord(graph) || typeof graph['description'] !== 'string') return false
  return Array.isArray(graph['nodes']) && graph['nodes'].every(isNode)
}

function isNode(value: unknown): boolean {
  return isRecord(value) && typeof value['id'] === 'string' && typeof value['kind'] === 'string'
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
