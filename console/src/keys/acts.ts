// The acts of the command palette. Pages add theirs with `useActs`.

import { useEffect, useRef, useSyncExternalStore } from 'react'

export interface PaletteAct {
  readonly id: string
  readonly title: string
  /** More words under which it is found. */
  readonly words?: string
  /** The keys that do the same, for people to learn. */
  readonly keys?: string
  readonly run: () => void
}

let acts: readonly PaletteAct[] = []
const listeners = new Set<() => void>()

/** Live while the component is mounted. */
export function useActs(given: readonly PaletteAct[]): void {
  const latest = useRef(given)
  useEffect(() => {
    latest.current = given
  })
  const names = given.map(({ id, title }) => `${id} ${title}`).join('\n')
  useEffect(() => {
    const mine = latest.current.map((act) => ({
      ...act,
      run: () => latest.current.find(({ id }) => id === act.id)?.run(),
    }))
    set([...acts, ...mine])
    return () => set(acts.filter((act) => !mine.includes(act)))
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the names say when the acts change
  }, [names])
}

export function usePaletteActs(): readonly PaletteAct[] {
  return useSyncExternalStore(subscribe, () => acts)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function set(next: readonly PaletteAct[]): void {
  acts = next
  for (const listener of listeners) listener()
}
