// What a person may say of an item themselves: list it, allow it, tag it, and take that back. Each
// act is done at once and can be undone.

import { useQuery } from '@tanstack/react-query'
import { CaseworkError } from 'casework/client'
import { casework } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { useText } from '../../messages/use-text.ts'
import { sourcesQuery } from '../sources/data.ts'
import type { Entry } from './data.ts'
import { messages } from './messages.ts'

/** The source of what is said in the console. */
export const OWN_SOURCE = 'desk'

export type MarkKind = 'listing' | 'allowance' | 'tagging'

export interface Mark {
  readonly kind: MarkKind
  readonly item: string
  /** The list or the tag. */
  readonly name: string
  readonly source: string
  readonly reason?: string | undefined
  readonly expires?: string | undefined
}

const touched = () => [['intel'], ['tags', 'list'], ['sources', 'list']] as const

/** Pushes one row, and fails when it is rejected. */
async function push(mark: Mark, isTakenBack: boolean): Promise<void> {
  const { kind, item, name, source, reason, expires } = mark
  const until = expires === undefined ? {} : { expires }
  const answer =
    kind === 'tagging'
      ? await casework.post('/beta/taggings', {
          body: [{ item, tag: name, source, ...(isTakenBack ? { expires: dayAgo() } : until) }],
        })
      : await casework.post(kind === 'listing' ? '/beta/listings' : '/beta/allowances', {
          body: [
            {
              item,
              list: name,
              source,
              status: isTakenBack ? 'inactive' : 'active',
              ...(reason === undefined ? {} : { reason }),
              ...until,
            },
          ],
        })
  const [refused] = answer.result.rejected
  if (refused !== undefined) throw rejected(refused.reason)
}

/** A push is answered with success when each of its rows is rejected. */
function rejected(reason: string): CaseworkError {
  const request = { method: 'POST', url: '/beta' }
  return new CaseworkError(reason, request, {
    status: 400,
    code: null,
    field: null,
    reason: null,
    locations: [],
    requestId: null,
    retryAfterSeconds: null,
    body: undefined,
  })
}

const DAY_MS = 86_400_000

/** A tagging is taken back by its end. The clock of this browser may be ahead of the server's. */
function dayAgo(): string {
  return new Date(Date.now() - DAY_MS).toISOString()
}

export function useMark(onDone: () => void) {
  const t = useText(messages)
  return useAct({
    act: (mark: Mark) => push(mark, false),
    touches: touched,
    say: ({ kind, item, name }) => t(`done_${kind}`, { item, name }),
    undo: (mark) => () => push(mark, true),
    onDone,
  })
}

export interface TakeBack {
  readonly mayTake: (entry: Entry) => boolean
  readonly take: (entry: Entry) => void
}

/** Null for those who may not; an entry of a fetched list would come back with the next fetch. */
export function useTakeBack(item: string): TakeBack | null {
  const t = useText(messages)
  const mayWrite = useMay('intel:write')
  const { data: sources } = useQuery({ ...sourcesQuery, enabled: mayWrite })
  const act = useAct({
    act: (mark: Mark) => push(mark, true),
    touches: touched,
    say: ({ name }) => t('taken_back', { name, item }),
    undo: (mark) => () => push(mark, false),
  })
  if (!mayWrite || sources === undefined) return null
  return {
    mayTake: ({ source, relation }) =>
      relation === 'itself' &&
      sources.some(
        ({ kind, name, fetch }) =>
          kind === source.kind && name === source.name && fetch === undefined,
      ),
    take(entry) {
      if (entry.kind === 'sighting') return
      const { kind, subject, source, reason, expires } = entry
      const name = entry.list ?? entry.tag ?? ''
      act.mutate({ kind, item: subject, name, source: source.name, reason, expires })
    },
  }
}
