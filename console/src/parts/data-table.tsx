// A table of any length: TanStack Table for columns and sorting, TanStack Virtual so that at most a
// hundred rows are in the page. Sorting, selection, columns and the open row belong to the page,
// which keeps them in its URL (`useTableState`).

import { Checkbox } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import {
  columnVisibilityFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import {
  type MouseEvent,
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useKeys } from '../keys/keys.ts'
import { useText } from '../messages/use-text.ts'
import { usePreferences } from '../settings/preferences.ts'
import { Loading } from './loading.tsx'
import { messages } from './messages.ts'
import { findPlace, useKeptPlace } from './table-place.ts'

export interface Column<Row> {
  readonly id: string
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** Of the CSS grid: `120px`, `minmax(160px, 1fr)`. */
  readonly width: string
  readonly isNumber?: boolean
  /** A press on the head sorts by it; the page asks for the rows in that order. */
  readonly isSortable?: boolean
  /** In a narrow window a row has two lines; columns without a place are left out there. */
  readonly narrow?: 'first' | 'second'
  /** The place in its line; the order of the columns when left out. The first one takes the room. */
  readonly narrowRank?: number
}

export interface Sort {
  readonly by: string
  readonly isDescending: boolean
}

export interface DataTableProps<Row> {
  readonly label: string
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  readonly rowId: (row: Row) => string
  /** What a screen reader says of the row's check box, and tests find the row by. */
  readonly rowName: (row: Row) => string
  readonly sort?: Sort | undefined
  readonly onSort?: (sort: Sort) => void
  readonly hiddenColumns?: readonly string[]
  readonly selected?: ReadonlySet<string>
  readonly onSelect?: (selected: ReadonlySet<string>) => void
  /** The row whose panel is open. */
  readonly openId?: string | undefined
  /** A click: opens the panel. */
  readonly onOpen?: (row: Row) => void
  /** Enter: opens the page. */
  readonly onEnter?: (row: Row) => void
  /** The row that keys act on, whenever it is another one. */
  readonly onActive?: (row: Row | undefined) => void
  /** The list by its filters and sort: another one begins at its top; coming back to it, at its place. */
  readonly placeKey?: string | undefined
  /** All rows of the list, of which `rows` are those that are loaded. */
  readonly total?: number | undefined
  readonly isLoading?: boolean
  /** Shown in the place of rows when there are none. */
  readonly empty?: ReactNode
  /** More rows can be loaded: called when the end comes near. */
  readonly onEnd?: () => void
}

const features = tableFeatures({ columnVisibilityFeature, rowSortingFeature })
const NARROW = '(max-width: 767px)'
const NARROW_ROW = 56
const ROW = { normal: 36, compact: 28 } as const
const OVERSCAN = 8
// So many rows before the end the next page is asked for.
const NEAR_END = 20
// The rows are shown by their index; TanStack Table keeps columns and sorting alone. Its own list of
// rows would be made anew with each page of a long list.
const NO_ROWS: readonly never[] = []

export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { rows, columns, rowId, sort, hiddenColumns, openId, isLoading = false, onEnd } = props
  const { density } = usePreferences()
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false })
  const scroller = useRef<HTMLDivElement>(null)
  const [place] = useState(() => findPlace(props.placeKey, rows, rowId))
  const [at, setAt] = useState(place.index)
  const table = useTable({
    features,
    data: NO_ROWS,
    columns: useMemo(
      () => columns.map(({ id, title }) => ({ id, header: title, accessorFn: () => null })),
      [columns],
    ),
    manualSorting: true,
    state: {
      sorting: sort === undefined ? [] : [{ id: sort.by, desc: sort.isDescending }],
      columnVisibility: Object.fromEntries((hiddenColumns ?? []).map((id) => [id, false])),
    },
  })
  const shownIds = table
    .getVisibleLeafColumns()
    .map(({ id }) => id)
    .join()
  const shown = useMemo(() => {
    const ids = shownIds.split(',')
    return columns.filter(({ id }) => ids.includes(id))
  }, [columns, shownIds])
  const height = isNarrow ? NARROW_ROW : ROW[density]
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: OVERSCAN,
    initialOffset: place.top,
  })
  useEffect(() => virtual.measure(), [virtual, height])
  const items = virtual.getVirtualItems()
  const lastShown = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (rows.length > 0 && lastShown >= rows.length - NEAR_END) onEnd?.()
  }, [lastShown, rows.length, onEnd])
  const active = Math.min(at, rows.length - 1)
  const moveTo = (index: number): void => {
    const next = Math.max(0, Math.min(rows.length - 1, index))
    setAt(next)
    virtual.scrollToIndex(next)
    const row = rows[next]
    // The open panel follows, as in a mail program.
    if (row !== undefined && openId !== undefined) props.onOpen?.(row)
  }
  const activeRow = rows[active]
  const { onActive, placeKey } = props
  useEffect(() => onActive?.(activeRow), [onActive, activeRow])
  useKeptPlace(placeKey, activeRow === undefined ? undefined : rowId(activeRow), scroller)
  const isFresh = isLoading && rows.length === 0
  const [listKey, setListKey] = useState(placeKey)
  if (listKey !== placeKey || (isFresh && at !== 0)) {
    setListKey(placeKey)
    setAt(0)
  }
  const scrolledKey = useRef(placeKey)
  useEffect(() => {
    if (scrolledKey.current === placeKey) return
    scrolledKey.current = placeKey
    virtual.scrollToOffset(0)
  }, [placeKey, virtual])
  const select = useSelection(props)
  useTableKeys(props, active, moveTo, select)
  const acts = useRowActs({
    focus: setAt,
    toggle: select,
    open: (index) => {
      const opened = rows[index]
      if (opened !== undefined) props.onOpen?.(opened)
    },
  })
  const widths = [
    ...(props.onSelect === undefined ? [] : ['36px']),
    ...shown.map(({ width }) => width),
  ]
  const template = widths.join(' ')
  // Head and rows scroll sideways together, below the least width of their columns.
  const minWidth = isNarrow ? undefined : findLeastWidth(widths)
  return (
    <div
      className={isNarrow ? 'table table-narrow' : 'table'}
      ref={scroller}
      role="grid"
      aria-label={props.label}
      aria-rowcount={(props.total ?? rows.length) + 1}
      aria-busy={isLoading}
      // Without a row that takes the focus, the keys still scroll the head sideways.
      tabIndex={rows.length === 0 ? 0 : -1}
    >
      <div role="rowgroup" className="table-head">
        <div
          role="row"
          aria-rowindex={1}
          className="table-row"
          style={{ gridTemplateColumns: template, minWidth }}
        >
          {props.onSelect !== undefined && <SelectAll {...props} />}
          {shown.map((column) => (
            <HeadCell key={column.id} column={column} {...pickSort(props)} />
          ))}
        </div>
      </div>
      {rows.length === 0 && (
        <div role="rowgroup">
          <div role="row">
            <div role="gridcell">{isLoading ? <Loading lines={12} /> : props.empty}</div>
          </div>
        </div>
      )}
      <div
        role="rowgroup"
        style={{ height: virtual.getTotalSize(), position: 'relative', minWidth }}
      >
        {items.map(({ index, start }) => {
          const row = rows[index]
          return row === undefined ? null : (
            <BodyRow
              key={rowId(row)}
              row={row}
              columns={shown}
              renderCells={() =>
                isNarrow ? (
                  <NarrowCells columns={shown} row={row} />
                ) : (
                  <WideCells columns={shown} row={row} />
                )
              }
              name={props.rowName(row)}
              index={index}
              isActive={index === active}
              isOpen={rowId(row) === openId}
              isSelected={
                props.onSelect === undefined ? undefined : props.selected?.has(rowId(row)) === true
              }
              top={start}
              height={height}
              template={isNarrow ? undefined : template}
              acts={acts}
            />
          )
        })}
      </div>
    </div>
  )
}

// At both sides of a row, as in parts.css.
const ROW_PADDING = 16

function findLeastWidth(widths: readonly string[]): number {
  const least = widths.map((width) => Number(/\d+/.exec(width)?.[0] ?? 0))
  return least.reduce((sum, width) => sum + width, 2 * ROW_PADDING)
}

function pickSort<Row extends object>({ sort, onSort }: DataTableProps<Row>) {
  return { sort, onSort }
}

type Select = (index: number, isRange: boolean) => void

/** Selects a row, or all from the one that was selected last to this one. */
function useSelection<Row extends object>({
  rows,
  rowId,
  selected = NOTHING,
  onSelect,
}: DataTableProps<Row>): Select {
  const anchor = useRef<string>(undefined)
  return (index, isRange) => {
    const row = rows[index]
    if (row === undefined) return
    const from = isRange ? rows.findIndex((one) => rowId(one) === anchor.current) : -1
    anchor.current = rowId(row)
    if (from < 0) {
      onSelect?.(toggled(selected, rowId(row)))
      return
    }
    const range = rows.slice(Math.min(from, index), Math.max(from, index) + 1)
    onSelect?.(new Set([...selected, ...range.map(rowId)]))
  }
}

const NOTHING: ReadonlySet<string> = new Set()

function useTableKeys<Row extends object>(
  { rows, onSelect, onOpen, onEnter, openId }: DataTableProps<Row>,
  active: number,
  moveTo: (index: number) => void,
  select: Select,
): void {
  const t = useText(messages)
  // Keys may be faster than the page is drawn: the second of two begins where the first one ended.
  const at = useRef(active)
  const isComing = useRef(false)
  useEffect(() => {
    at.current = active
  }, [active])
  const focus = (index: number): void => {
    at.current = Math.max(0, Math.min(rows.length - 1, index))
    isComing.current = true
    moveTo(at.current)
    requestAnimationFrame(() => {
      isComing.current = false
      document.querySelector<HTMLElement>('[data-active-row]')?.focus({ preventScroll: true })
    })
  }
  // Who comes from elsewhere in the page first comes back to the row that they left.
  const isThere = (): boolean => openId !== undefined || isComing.current || isRowFocused()
  useKeys(t('table_keys'), [
    {
      keys: 'j',
      title: t('key_down'),
      run: () => focus(isThere() ? at.current + 1 : at.current),
    },
    { keys: 'k', title: t('key_up'), run: () => focus(isThere() ? at.current - 1 : at.current) },
    ...(onSelect === undefined
      ? []
      : [
          { keys: 'x', title: t('key_select'), run: () => select(at.current, false) },
          { keys: 'X', title: t('key_select_range'), run: () => select(at.current, true) },
        ]),
    ...(onEnter === undefined && onOpen === undefined
      ? []
      : [
          {
            keys: 'Enter',
            title: t('key_open'),
            run: () => {
              const row = rows[at.current]
              if (row !== undefined) (onEnter ?? onOpen)?.(row)
            },
          },
        ]),
  ])
}

function isRowFocused(): boolean {
  return document.querySelector('[data-active-row]:focus-within') !== null
}

function toggled(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(selected)
  if (!next.delete(id)) next.add(id)
  return next
}

function SelectAll<Row extends object>({ rows, rowId, selected, onSelect }: DataTableProps<Row>) {
  const t = useText(messages)
  const count = selected?.size ?? 0
  const isAll = rows.length > 0 && rows.every((row) => selected?.has(rowId(row)))
  return (
    <div role="columnheader" className="table-cell table-check">
      <Checkbox
        aria-label={t('select_all')}
        checked={isAll}
        indeterminate={count > 0 && !isAll}
        onChange={() => onSelect?.(isAll ? new Set() : new Set(rows.map(rowId)))}
      />
    </div>
  )
}

interface HeadCellProps<Row> {
  readonly column: Column<Row>
  readonly sort: Sort | undefined
  readonly onSort: ((sort: Sort) => void) | undefined
}

function HeadCell<Row extends object>({ column, sort, onSort }: HeadCellProps<Row>) {
  const { id, title, isNumber = false, isSortable = false } = column
  const isBy = sort?.by === id
  const order = sort?.isDescending === true ? 'descending' : 'ascending'
  const Arrow = order === 'descending' ? ArrowDown : ArrowUp
  return (
    <div
      role="columnheader"
      className={isNumber ? 'table-cell number' : 'table-cell'}
      aria-sort={isBy ? order : undefined}
    >
      {isSortable && onSort !== undefined ? (
        <button
          type="button"
          className="table-sort"
          onClick={() => onSort({ by: id, isDescending: isBy && !sort.isDescending })}
        >
          <span className="cut">{title}</span>
          {isBy && <Arrow size={14} aria-hidden />}
        </button>
      ) : (
        <span className="cut">{title}</span>
      )}
    </div>
  )
}

interface RowActs {
  readonly focus: (index: number) => void
  readonly toggle: (index: number, isRange: boolean) => void
  readonly open: (index: number) => void
}

/** The same functions each time, which do what the latest ones do. */
function useRowActs(acts: RowActs): RowActs {
  const latest = useRef(acts)
  useEffect(() => {
    latest.current = acts
  })
  const focus = useCallback((index: number) => latest.current.focus(index), [])
  const toggle = useCallback(
    (index: number, isRange: boolean) => latest.current.toggle(index, isRange),
    [],
  )
  const open = useCallback((index: number) => latest.current.open(index), [])
  return useMemo(() => ({ focus, toggle, open }), [focus, toggle, open])
}

interface BodyRowProps {
  readonly row: object
  readonly columns: object
  /** Of the row and the columns: another function renders the same. */
  readonly renderCells: () => ReactNode
  readonly name: string
  readonly index: number
  readonly isActive: boolean
  readonly isOpen: boolean
  /** Undefined in a table without a selection. */
  readonly isSelected: boolean | undefined
  readonly top: number
  readonly height: number
  /** Of the CSS grid; undefined in a narrow window. */
  readonly template: string | undefined
  readonly acts: RowActs
}

/** While a list is scrolled, only the rows that come into sight are drawn. */
const BodyRow = memo(DrawnRow, isSameRow)

function isSameRow(former: BodyRowProps, next: BodyRowProps): boolean {
  const { renderCells: _one, ...shown } = former
  const { renderCells: _other, ...now } = next
  return Object.entries(now).every(([name, value]) => Reflect.get(shown, name) === value)
}

function DrawnRow(props: BodyRowProps) {
  const t = useText(messages)
  const { name, index, isActive, isOpen, isSelected, top, height, template, acts } = props
  const open = ({ target }: MouseEvent): void => {
    if (target instanceof Element && target.closest('a, button, input, label') !== null) return
    acts.focus(index)
    acts.open(index)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- Enter opens, by useTableKeys
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      className="table-row table-body-row"
      data-open={isOpen ? '' : undefined}
      data-active-row={isActive ? '' : undefined}
      tabIndex={isActive ? 0 : -1}
      style={{ height, transform: `translateY(${top}px)`, gridTemplateColumns: template }}
      onFocus={() => acts.focus(index)}
      onClick={open}
    >
      {isSelected !== undefined && (
        <div role="gridcell" className="table-cell table-check">
          <Checkbox
            aria-label={`${t('select_row')}: ${name}`}
            checked={isSelected}
            onChange={({ nativeEvent }) =>
              acts.toggle(index, nativeEvent instanceof PointerEvent && nativeEvent.shiftKey)
            }
          />
        </div>
      )}
      {props.renderCells()}
    </div>
  )
}

interface CellsProps<Row> {
  readonly columns: readonly Column<Row>[]
  readonly row: Row
}

function WideCells<Row extends object>({ columns, row }: CellsProps<Row>) {
  return columns.map((column) => (
    <div
      key={column.id}
      role="gridcell"
      className={column.isNumber === true ? 'table-cell number' : 'table-cell'}
    >
      {column.cell(row)}
    </div>
  ))
}

/** Two lines: the row as a person would say it in a list of mails. */
function NarrowCells<Row extends object>({ columns, row }: CellsProps<Row>) {
  const line = (place: 'first' | 'second'): ReactNode => (
    <div className={`table-line table-line-${place}`}>
      {columns
        .filter(({ narrow }) => narrow === place)
        .toSorted((one, other) => (one.narrowRank ?? 0) - (other.narrowRank ?? 0))
        .map((column) => (
          <div key={column.id} role="gridcell" className="table-cell">
            {column.cell(row)}
          </div>
        ))}
    </div>
  )
  return (
    <div className="table-lines" role="presentation">
      {line('first')}
      {line('second')}
    </div>
  )
}
