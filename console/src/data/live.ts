// The stream of changes. A single record is asked for again when it changed; a list stays as it is
// and says how many are new, so that no row jumps away under the pointer.

import type { WatchedChange } from 'casework/client'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { casework } from './client.ts'
import { noteFailure, queryClient } from './query-client.ts'

type Kind = WatchedChange['kind']
type Listener = (change: WatchedChange | 'reset') => void

const listeners = new Set<Listener>()

// The first word of the keys under which answers about a kind are kept.
const RESOURCES: Readonly<Record<Kind, string>> = {
  case: 'cases',
  event: 'events',
  report: 'reports',
  run: 'runs',
}

/** Runs while the frame is shown. A person without access to the stream has none of it. */
export async function followChanges(signal: AbortSignal): Promise<void> {
  try {
    for await (const change of casework.watch({ signal })) {
      if (change.kind === 'reset') hearReset()
      else hearChange(change)
    }
  } catch (error) {
    // The session may have ended. Other refusals and a server that is away are told by the pages
    // when they ask for something themselves.
    noteFailure(error)
  }
}

function hearChange(change: WatchedChange): void {
  const resource = RESOURCES[change.kind]
  const caseId = change.kind === 'case' ? change.id : change.case_id
  void refresh(
    `${resource} ${change.id} ${caseId}`,
    ([kind, id]) =>
      (kind === resource && id === change.id) ||
      (kind === 'cases' && caseId !== undefined && id === caseId),
  )
  tell(change)
}

/** Changes were missed, and nobody knows which. */
function hearReset(): void {
  missedAtMs = Date.now()
  void refresh('all', () => true)
  tell('reset')
}

// An answer that takes longer holds up nothing: the record is asked for again when it changes.
const REFRESH_MS_MAX = 15_000

// The records that are being asked for again, and whether each changed once more meanwhile.
const refreshing = new Map<string, boolean>()

/**
 * Asks again for the answers that are shown, but for lists. Of one name it asks once at a time,
 * however many changes come.
 */
async function refresh(
  name: string,
  isOld: (queryKey: readonly unknown[]) => boolean,
): Promise<void> {
  if (refreshing.has(name)) {
    refreshing.set(name, true)
    return
  }
  do {
    refreshing.set(name, false)
    const asked = queryClient.invalidateQueries({
      predicate: ({ queryKey }) => !isList(queryKey) && isOld(queryKey),
    })
    await Promise.race([asked, waitMs(REFRESH_MS_MAX)])
  } while (refreshing.get(name) === true)
  refreshing.delete(name)
}

function waitMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function isList(queryKey: readonly unknown[]): boolean {
  return queryKey[1] === 'list'
}

interface Heard {
  readonly change: WatchedChange
  readonly atMs: number
}

// Changes that are remembered for lists which are not shown at the time.
const HEARD_MAX = 1_000
const heard = new Map<string, Heard>()
// When the last reset came; 0 before the first.
let missedAtMs = 0

function noteHeard(change: WatchedChange): void {
  const name = `${change.kind} ${change.id} ${change.what}`
  // The newest last.
  heard.delete(name)
  heard.set(name, { change, atMs: Date.now() })
  const [oldest] = heard.keys()
  if (heard.size > HEARD_MAX && oldest !== undefined) heard.delete(oldest)
}

/** What happened since then, as far as it is remembered: each kind of change of a record once. */
export function listHeard(sinceMs: number): readonly WatchedChange[] {
  return [...heard.values()].filter(({ atMs }) => atMs > sinceMs).map(({ change }) => change)
}

function tell(change: WatchedChange | 'reset'): void {
  if (change !== 'reset') noteHeard(change)
  for (const listener of listeners) listener(change)
}

/** Calls the listener for every change while the component is mounted. */
export function useChanges(
  listener: (change: WatchedChange | { readonly kind: 'reset' }) => void,
): void {
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => {
    const hear: Listener = (change) =>
      latest.current(change === 'reset' ? { kind: 'reset' } : change)
    listeners.add(hear)
    return () => {
      listeners.delete(hear)
    }
  }, [])
}

/**
 * How many records of the kind have changed since the list was loaded, also while another page was
 * shown; none while it is on its way (0). Give it to `NewRows`, which offers to load them.
 */
export function useNewCount(kind: Kind, loadedAtMs: number): number {
  const [openedAtMs] = useState(Date.now)
  return useSyncExternalStore(subscribe, () => {
    if (loadedAtMs === 0) return 0
    const fresh = [...heard.values()].filter(
      ({ change, atMs }) =>
        change.kind === kind &&
        atMs > loadedAtMs &&
        // Who comes back from correcting a report finds its row changed in its place.
        (change.what !== 'corrected' || atMs > openedAtMs),
    )
    return new Set(fresh.map(({ change }) => change.id)).size
  })
}

/**
 * Whether changes were missed since the list was loaded, so that nobody can say how many of its
 * records are new; false while it is on its way (0).
 */
export function useHasMissed(loadedAtMs: number): boolean {
  return useSyncExternalStore(subscribe, () => loadedAtMs > 0 && missedAtMs > loadedAtMs)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
