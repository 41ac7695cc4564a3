// Copy and paste of nodes, as text: into another playbook, too, or from a document in JSON. Texts in
// fields are left to the browser.

import { type Dispatch, useEffect, useRef } from 'react'
import { type Editor, type EditorAction, findNode } from './graph-editor.ts'
import { readPasted } from './read-pasted.ts'

export function useClipboard(editor: Editor, dispatch: Dispatch<EditorAction>): void {
  const latest = useRef(editor)
  useEffect(() => {
    latest.current = editor
  })
  useEffect(() => {
    const copy = (event: ClipboardEvent): void => {
      const { selected, graph } = latest.current
      const isText = isTyping(event.target) || document.getSelection()?.isCollapsed === false
      if (isText || selected.length === 0) return
      const nodes = selected.flatMap((id) => findNode(graph.nodes, id) ?? [])
      event.clipboardData?.setData('text/plain', JSON.stringify({ nodes }, null, 2))
      event.preventDefault()
    }
    const paste = (event: ClipboardEvent): void => {
      if (isTyping(event.target)) return
      const nodes = readPasted(event.clipboardData?.getData('text/plain') ?? '')
      if (nodes.length === 0) return
      event.preventDefault()
      dispatch({ kind: 'paste', nodes })
    }
    document.addEventListener('copy', copy)
    document.addEventListener('paste', paste)
    return () => {
      document.removeEventListener('copy', copy)
      document.removeEventListener('paste', paste)
    }
  }, [dispatch])
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select'))
  )
}
