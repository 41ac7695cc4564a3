// What a person does on the canvas, as actions on the model.

import { type Dispatch, useMemo } from 'react'
import type { CanvasEdit } from '../../parts/playbook-graph/canvas.tsx'
import type { EditorAction } from './graph-editor.ts'

type Add = (
  kind: string,
  after?: { readonly id: string; readonly path: string },
  position?: { readonly x: number; readonly y: number },
) => void

export function useCanvasEdit(dispatch: Dispatch<EditorAction>, add: Add) {
  return useMemo(() => {
    const edit: CanvasEdit = {
      onMove: (places) => dispatch({ kind: 'move', places }),
      onConnect: (connection) => dispatch({ kind: 'connect', ...connection }),
      onDisconnect: ({ from, path }) => dispatch({ kind: 'disconnect', from, path }),
      onRemove: (ids) => dispatch({ kind: 'remove', ids }),
      onDropKind: (kind, at) => add(kind, undefined, at),
    }
    return { edit, select: (ids: readonly string[]) => dispatch({ kind: 'select', ids }) }
  }, [dispatch, add])
}
