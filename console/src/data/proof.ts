// A change of factors needs a fresh proof of who the person is. `withProof` does the act; where the
// interface asks for a proof first, it has the dialog ask for one and does the act again.

import { CaseworkError } from 'casework/client'
import { useSyncExternalStore } from 'react'

/** The person closed the dialog; nothing was changed, and there is nothing to tell. */
export class ProofGivenUpError extends Error {
  override readonly name = 'ProofGivenUpError'
}

interface Waiting {
  readonly onProven: () => void
  readonly onGivenUp: () => void
}

let waiting: Waiting | null = null
const listeners = new Set<() => void>()

/** `ProofDialog` must be on the page. */
export async function withProof<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof CaseworkError) || error.code !== 'APP_PROOF_NEEDED') throw error
  }
  await askForProof()
  return await act()
}

function askForProof(): Promise<void> {
  waiting?.onGivenUp()
  return new Promise((resolve, reject) => {
    set({
      onProven() {
        set(null)
        resolve()
      },
      onGivenUp() {
        set(null)
        reject(new ProofGivenUpError())
      },
    })
  })
}

let dialogs = 0

/** While a dialog is on the page. When it leaves with the page, so does what waits for a proof. */
export function holdProofs(): () => void {
  dialogs += 1
  return () => {
    dialogs -= 1
    // React mounts twice while developing; the second time comes at once.
    queueMicrotask(() => {
      if (dialogs === 0) waiting?.onGivenUp()
    })
  }
}

/** What waits for a proof; null for nothing. */
export function useWaitingForProof(): Waiting | null {
  return useSyncExternalStore(subscribe, () => waiting)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function set(next: Waiting | null): void {
  waiting = next
  for (const listener of listeners) listener()
}
