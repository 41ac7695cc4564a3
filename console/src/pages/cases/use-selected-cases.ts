// The selected cases. They stay selected while the list is loaded anew, and acts know them then,
// though they may be below the rows that are loaded. Other filters are another list: nothing of it
// is selected.

import { useCallback, useState } from 'react'
import type { ListedCase } from './case-types.ts'
import type { QueueFilters } from './queue-search.ts'

type Selected = ReadonlyMap<string, ListedCase>

const NOTHING: Selected = new Map()

export function useSelectedCases(rows: readonly ListedCase[], filters: QueueFilters) {
  const list = JSON.stringify(filters)
  const [kept, setKept] = useState({ list, selected: NOTHING })
  const selected = kept.list === list ? kept.selected : NOTHING
  const select = useCallback(
    (ids: ReadonlySet<string>) => {
      const isKnown = [...ids].every((id) => selected.has(id))
      const known = isKnown ? selected : new Map([...selected, ...rows.map(entryOf)])
      const entries = [...ids].flatMap((id) => {
        const row = known.get(id)
        return row === undefined ? [] : [entryOf(row)]
      })
      setKept({ list, selected: new Map(entries) })
    },
    [rows, selected, list],
  )
  const clear = useCallback(() => setKept({ list, selected: NOTHING }), [list])
  /** As the list shows them now; as they were when they were selected, where it does not. */
  const findSelected = useCallback((): readonly ListedCase[] => {
    const shown = new Map(rows.filter(({ id }) => selected.has(id)).map(entryOf))
    return [...selected].map(([id, row]) => shown.get(id) ?? row)
  }, [rows, selected])
  return { selected, select, clear, findSelected }
}

function entryOf(row: ListedCase): [string, ListedCase] {
  return [row.id, row]
}
