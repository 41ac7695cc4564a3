// Which connections of the canvas are chosen, by a press or by Enter: Delete takes those away. The
// page has no use for it, so that it lives here.

import type { Edge, EdgeChange } from '@xyflow/react'
import { useCallback, useMemo, useState } from 'react'

const NONE: ReadonlySet<string> = new Set()

export function useChosenEdges(edges: readonly Edge[]) {
  const [chosen, setChosen] = useState(NONE)
  const changeEdges = useCallback((changes: EdgeChange[]) => {
    setChosen((former) => {
      const next = new Set(former)
      for (const change of changes) {
        if (change.type === 'select' && change.selected) next.add(change.id)
        else if (change.type === 'select' || change.type === 'remove') next.delete(change.id)
      }
      return next
    })
  }, [])
  const shown = useMemo(
    () => edges.map((edge) => (chosen.has(edge.id) ? { ...edge, selected: true } : edge)),
    [edges, chosen],
  )
  return { edges: shown, changeEdges }
}
