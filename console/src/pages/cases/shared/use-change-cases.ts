// One change of one or many cases, with Undo: the bulk change of the interface and its undo, so that
// an act on one case and on sixteen are the same.

import { CaseworkError } from 'casework/client'
import { casework } from '../../../data/client.ts'
import { useAct } from '../../../data/use-act.ts'
import { useText } from '../../../messages/use-text.ts'
import type { BulkResult, CaseChange } from '../case-types.ts'
import { messages } from './messages.ts'

export interface ChangeRequest {
  readonly ids: readonly string[]
  readonly change: CaseChange
  readonly reason?: string | undefined
}

export interface CaseAct extends ChangeRequest {
  /** What is said of one case: "Case closed". */
  readonly said: string
  /** Shows what will be there, before the server has answered. */
  readonly expect?: (() => void) | undefined
  /** Shows what was changed, with its ids. The dialog that sent the change is gone by then. */
  readonly show?: ((ids: readonly string[]) => void) | undefined
  /** Takes away what `expect` showed. */
  readonly fail?: (() => void) | undefined
  /** Whether Undo would do anything for these, which were changed. */
  readonly canUndo?: ((ids: readonly string[]) => boolean) | undefined
  /** Shows what was undone, with its ids. */
  readonly showUndone?: ((ids: readonly string[]) => void) | undefined
}

// The bound of the interface.
export const ACT_CASES_MAX = 1_000

export function useChangeCases() {
  const t = useText(messages)
  return useAct<CaseAct, BulkResult>({
    async act({ ids, change, reason, fail }) {
      try {
        const result = await sendChange({ ids, change, reason }, false)
        const [first] = result.items
        // Of one case, a refusal is the failure of the act.
        if (ids.length === 1 && first?.outcome === 'refused') throw refusalOf(first)
        return result
      } catch (error) {
        fail?.()
        throw error
      }
    },
    touches: ({ ids }) => [
      ...ids.slice(0, 20).map((id) => ['cases', id] as const),
      ['cases', 'counts'] as const,
    ],
    expect: ({ expect }) => expect?.(),
    say: ({ ids, said }, { changed, refused, not_found: missing }) => {
      const left = refused + missing
      if (ids.length === 1) return changed === 1 ? said : t('unchanged_one')
      return left === 0
        ? t('changed', { count: changed })
        : t('changed_some', { count: changed, left })
    },
    undo({ canUndo, showUndone }, { change_id: changeId, items }) {
      if (changeId === undefined || canUndo?.(listChanged(items)) === false) return null
      return async () => showUndone?.(await undoChange(changeId))
    },
    onDone: ({ items }, { show }) => show?.(listChanged(items)),
  })
}

function listChanged(items: BulkResult['items']): readonly string[] {
  return items.filter(({ outcome }) => outcome === 'changed').map(({ id }) => id)
}

/** The cases that are as they were. Throws when everything stays, with the reason of the first. */
async function undoChange(changeId: string): Promise<readonly string[]> {
  const result = await casework.post('/beta/casework/cases/bulk/{changeId}/undo', {
    params: { path: { changeId } },
    body: {},
  })
  const kept = result.items.flatMap((item) => item.kept ?? [])[0]
  if (kept !== undefined && result.undone + result.partly_undone === 0) throw refusalOf(kept)
  return result.items.filter(({ outcome }) => outcome === 'undone').map(({ id }) => id)
}

/** What the change would do; nothing is changed. */
export function previewChange(act: ChangeRequest): Promise<BulkResult> {
  return sendChange(act, true)
}

function sendChange({ ids, change, reason }: ChangeRequest, preview: boolean): Promise<BulkResult> {
  return casework.post('/beta/casework/cases/bulk', {
    params: { query: { preview } },
    body: {
      ids: [...ids],
      change,
      ...(reason === undefined || reason === '' ? {} : { reason }),
    },
  })
}

function refusalOf({ code, detail }: { code?: string; detail?: string }): Error {
  return new CaseworkError(
    detail ?? '',
    { method: 'POST', url: '/beta/casework/cases/bulk' },
    {
      status: 409,
      code: code ?? '',
      field: null,
      reason: null,
      locations: [],
      requestId: null,
      retryAfterSeconds: null,
      body: undefined,
    },
  )
}
