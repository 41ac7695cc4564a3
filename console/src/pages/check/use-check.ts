// One check of a pasted text: the items are found here, judged by the interface a thousand at a time,
// and shown as they come.

import type { CheckedItem, Schemas } from 'casework/client'
import { useCallback, useEffect, useRef, useState } from 'react'
import { casework } from '../../data/client.ts'
import { noteFailure } from '../../data/query-client.ts'
import { findItems, LINES_MAX, type PastedItem, type PastedLine } from './find-items.ts'

type Verdict = Schemas['QuickCheckItem']

export interface CheckedRow {
  readonly id: string
  readonly item: string
  readonly lines: readonly number[]
  readonly verdict: Verdict
}

export interface Check {
  readonly total: number
  /** Items that the interface has answered for. */
  readonly done: number
  readonly rows: readonly CheckedRow[]
  /** The first lines in which there is no item, `LINES_MAX` at most. */
  readonly unread: readonly PastedLine[]
  /** All of them. */
  readonly unreadCount: number
  readonly isCut: boolean
  readonly isRunning: boolean
  readonly error: unknown
}

// So many answers at once are shown; a table that grows by each would do nothing else.
const BATCH = 1_000

/** Null before the first one. */
export function useCheck(): {
  readonly check: Check | null
  readonly start: (text: string) => void
  readonly stop: () => void
  readonly clear: () => void
} {
  const [check, setCheck] = useState<Check | null>(null)
  const running = useRef<AbortController>(null)
  const stop = useCallback(() => {
    running.current?.abort()
    running.current = null
    setCheck((former) => (former === null ? null : { ...former, isRunning: false }))
  }, [])
  useEffect(() => () => running.current?.abort(), [])
  const start = useCallback((text: string) => {
    running.current?.abort()
    const own = new AbortController()
    running.current = own
    void run(text, own.signal, setCheck)
  }, [])
  const clear = useCallback(() => {
    running.current?.abort()
    setCheck(null)
  }, [])
  return { check, start, stop, clear }
}

async function run(text: string, signal: AbortSignal, show: (check: Check) => void): Promise<void> {
  const { items, bare, bareCount, isCut } = findItems(text)
  let state: Check = {
    total: items.length,
    done: 0,
    rows: [],
    unread: bare,
    unreadCount: bareCount,
    isCut,
    isRunning: items.length > 0,
    error: null,
  }
  show(state)
  if (items.length === 0) return
  const add = (pairs: readonly Pair[]): void => {
    if (signal.aborted) return
    state = {
      ...state,
      done: state.done + pairs.length,
      rows: [...state.rows, ...pairs.flatMap(readRow)],
    }
    const unread = pairs.flatMap(readUnread)
    if (unread.length > 0) {
      const lines = [...state.unread, ...unread].toSorted((a, b) => a.line - b.line)
      state = {
        ...state,
        unread: lines.slice(0, LINES_MAX),
        unreadCount: state.unreadCount + unread.length,
      }
    }
    show(state)
  }
  try {
    let batch: Pair[] = []
    let at = 0
    for await (const answer of casework.check(
      items.map(({ text: one }) => one),
      { signal },
    )) {
      const asked = items[at]
      at += 1
      if (asked !== undefined) batch.push({ asked, answer })
      if (batch.length < BATCH) continue
      add(batch)
      batch = []
    }
    add(batch)
    if (!signal.aborted) show({ ...state, isRunning: false })
  } catch (error) {
    if (signal.aborted) return
    noteFailure(error)
    show({ ...state, isRunning: false, error })
  }
}

interface Pair {
  readonly asked: PastedItem
  readonly answer: CheckedItem
}

function readRow({ asked, answer }: Pair): readonly CheckedRow[] {
  if (answer.type === 'INVALID') return []
  return [{ id: asked.text, item: asked.text, lines: asked.lines, verdict: answer }]
}

function readUnread({ asked, answer }: Pair): readonly PastedLine[] {
  if (answer.type !== 'INVALID') return []
  return asked.lines.map((line) => ({ line, text: asked.text }))
}
