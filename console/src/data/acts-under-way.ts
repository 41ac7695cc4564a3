// Whether an act of the person is on its way to the server. The frame shows it, so that each act
// has progress, whatever its button shows.

import { useSyncExternalStore } from 'react'

let count = 0
const listeners = new Set<() => void>()

/** Counts the act until its answer is there or it failed. */
export async function followAct<Result>(answer: Promise<Result>): Promise<Result> {
  add(1)
  try {
    return await answer
  } finally {
    add(-1)
  }
}

export function useIsActUnderWay(): boolean {
  return useSyncExternalStore(subscribe, () => count > 0)
}

function add(step: number): void {
  count += step
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
