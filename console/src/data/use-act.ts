// An act of a person: shown at once, sent, and offered to be undone for ten seconds. A failure puts
// back what was shown and says what failed.

import { type QueryKey, useMutation } from '@tanstack/react-query'
import { textOf } from '../messages/use-text.ts'
import { showToast } from '../parts/toasts.ts'
import { messages } from './messages.ts'
import { noteFailure, queryClient } from './query-client.ts'

export interface Act<Given, Result> {
  readonly act: (given: Given) => Promise<Result>
  /** The keys of the answers that the act changes; asked for again when it is done. */
  readonly touches: (given: Given) => readonly QueryKey[]
  /** Writes what will be there into the cache (`queryClient.setQueryData`). */
  readonly expect?: (given: Given) => void
  /** What to say when it is done, such as "Case C-01 closed". Nothing when left out. */
  readonly say?: (given: Given, result: Result) => string
  /** How to take it back; null when that is not possible. */
  readonly undo?: (given: Given, result: Result) => (() => Promise<unknown>) | null
  readonly onDone?: (result: Result, given: Given) => void
}

/** `const close = useAct({…})`, then `close.mutate(id)`; `close.isPending` while it is sent. */
export function useAct<Given, Result>(act: Act<Given, Result>) {
  return useMutation({
    mutationFn: act.act,
    async onMutate(given: Given) {
      const keys = act.touches(given)
      await Promise.all(keys.map((queryKey) => queryClient.cancelQueries({ queryKey })))
      const former = keys.flatMap((queryKey) => queryClient.getQueriesData({ queryKey }))
      act.expect?.(given)
      return former
    },
    onError(error, _given, former) {
      for (const [key, data] of former ?? []) queryClient.setQueryData(key, data)
      tellFailure(error)
    },
    onSuccess(result, given) {
      act.onDone?.(result, given)
      const text = act.say?.(given, result)
      if (text === undefined) return
      const undo = act.undo?.(given, result) ?? null
      showToast({
        kind: 'done',
        text,
        undo: undo === null ? null : () => takeBack(undo, act.touches(given)),
      })
    },
    onSettled: (_result, _error, given) => askAgain(act.touches(given)),
  })
}

/** Says that an act failed. */
export function tellFailure(error: unknown): void {
  noteFailure(error)
  showToast({ kind: 'failure', text: textOf(messages)('failed'), error })
}

async function takeBack(undo: () => Promise<unknown>, keys: readonly QueryKey[]): Promise<void> {
  try {
    await undo()
    showToast({ kind: 'done', text: textOf(messages)('undone') })
  } catch (error) {
    noteFailure(error)
    showToast({ kind: 'failure', text: textOf(messages)('not_undone'), error })
  }
  await askAgain(keys)
}

async function askAgain(keys: readonly QueryKey[]): Promise<void> {
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}
