// The selected node in the URL, so that a copied link shows a colleague the same.

import { useNavigate } from '@tanstack/react-router'
import { type Dispatch, useEffect, useRef } from 'react'
import type { EditorAction } from './graph-editor.ts'
import { playbookEditRoute } from './route.ts'

export function useSelectionInUrl(
  only: string | undefined,
  dispatch: Dispatch<EditorAction>,
): void {
  const { node } = playbookEditRoute.useSearch()
  const navigate = useNavigate({ from: playbookEditRoute.fullPath })
  const asked = useRef(node)
  useEffect(() => {
    // First the URL says what is selected, then the editor does.
    if (asked.current !== undefined) {
      const id = asked.current
      asked.current = undefined
      dispatch({ kind: 'select', ids: [id] })
      return
    }
    if (node === only) return
    void navigate({ search: (former) => ({ ...former, node: only }), replace: true })
  }, [node, only, navigate, dispatch])
}
