// Where a person was in a table: they find it again when they come back from the page of a row, as
// long as the list is still the one that they left.

import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

interface Place {
  readonly rowId: string
  readonly top: number
}

// Lists that a person goes to and fro between; older ones begin at their top again.
const PLACES_MAX = 20
const places = new Map<string, Place>()

/** The place that was left under the key, when its row is in the list. */
export function findPlace<Row>(
  key: string | undefined,
  rows: readonly Row[],
  rowId: (row: Row) => string,
): { readonly index: number; readonly top: number } {
  const place = key === undefined ? undefined : places.get(key)
  const index = place === undefined ? -1 : rows.findIndex((row) => rowId(row) === place.rowId)
  return place === undefined || index < 0 ? { index: 0, top: 0 } : { index, top: place.top }
}

/** Notes the place when the table goes away. */
export function useKeptPlace(
  key: string | undefined,
  rowId: string | undefined,
  scroller: RefObject<HTMLElement | null>,
): void {
  const latest = useRef({ key, rowId })
  useEffect(() => {
    latest.current = { key, rowId }
  })
  useLayoutEffect(() => {
    const element = scroller.current
    return () => {
      const { key: left, rowId: row } = latest.current
      if (left === undefined || row === undefined || element === null) return
      places.delete(left)
      places.set(left, { rowId: row, top: element.scrollTop })
      const [oldest] = places.keys()
      if (places.size > PLACES_MAX && oldest !== undefined) places.delete(oldest)
    }
  }, [scroller])
}
