// The stream of changes. A single record is asked for again when it changed; a list stays as it is
// and says how many are new, so that no row jumps away under the pointer.

import type { WatchedChange } from 'casework/client'
import { useEffect, useRef, useState } from 'react'
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
      if (change.kind === 'reset') {
        await queryClient.invalidateQueries({ predicate: ({ queryKey }) => !isList(queryKey) })
        tell('reset')
        continue
      }
      const resource = RESOURCES[change.kind]
      const caseId = change.kind === 'case' ? change.id : change.case_id
      await queryClient.invalidateQueries({
        predicate: ({ queryKey }) =>
          !isList(queryKey) &&
          ((queryKey[0] === resource && queryKey[1] === change.id) ||
            (queryKey[0] === 'cases' && caseId !== undefined && queryKey[1] === caseId)),
      })
      tell(change)
    }
  } catch (error) {
    // The session may have ended. Other refusals and a server that is away are told by the pages
    // when they ask for something themselves.
    noteFailure(error)
  }
}

function isList(queryKey: readonly unknown[]): boolean {
  return queryKey[1] === 'list'
}

function tell(change: WatchedChange | 'reset'): void {
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

interface Seen {
  readonly since: number
  readonly ids: ReadonlySet<string>
}

/**
 * How many records of the kind have changed since `since` (`dataUpdatedAt` of the list's query).
 * Give it to `NewRows`, which offers to load them.
 */
export function useNewCount(kind: Kind, since: number): number {
  const [seen, setSeen] = useState<Seen>({ since, ids: new Set() })
  useEffect(() => {
    const listener: Listener = (change) => {
      if (change === 'reset' || change.kind !== kind) return
      setSeen((former) => ({
        since,
        ids: new Set([...(former.since === since ? former.ids : []), change.id]),
      }))
    }
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }, [kind, since])
  // What was counted before the list was loaded is in the list.
  return seen.since === since ? seen.ids.size : 0
}
