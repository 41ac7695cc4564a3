// What the pages of sources ask the interface.

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { casework } from '../../data/client.ts'

export type Source = Schemas['Source']
export type SourceEntry = Schemas['SourceEntry']
export type NewSource = Schemas['NewSource']
export type SourceHistory = Schemas['SourceHistory']

export const sourcesQuery = queryOptions({
  queryKey: ['sources', 'list'],
  queryFn: async () => (await casework.get('/beta/sources')).result,
  // A fetch that goes on in the background ends without a word.
  refetchInterval: ({ state }) =>
    state.data?.some(({ fetch }) => fetch?.running === true) === true ? 3_000 : false,
})

export async function readSource(kind: string, name: string): Promise<Source> {
  const path = { kind, name }
  return (await casework.get('/beta/sources/{kind}/{name}', { params: { path } })).result
}

/** For the form that begins with it: a kept answer might be older than another's change. */
export const sourceQuery = (kind: string, name: string) =>
  queryOptions({
    queryKey: ['sources', idOf({ kind, name })],
    queryFn: () => readSource(kind, name),
    gcTime: 0,
  })

const HISTORY_DAYS = 90

export const historyQuery = (kind: string, name: string) =>
  queryOptions({
    queryKey: ['sources', idOf({ kind, name }), 'history'],
    queryFn: async () => {
      const answer = await casework.get('/beta/sources/{kind}/{name}/history', {
        params: { path: { kind, name }, query: { days: HISTORY_DAYS } },
      })
      return answer.result
    },
  })

export function idOf({ kind, name }: { readonly kind: string; readonly name: string }): string {
  return `${kind}/${name}`
}

/** Of these a list can be fetched or replaced. */
export const LIST_KINDS = ['mail-blocklist', 'tag-list', 'allow-list', 'network'] as const

const PAGE = 200

/**
 * Entries whose text begins with `search`. The list goes by the text of its items, so the page after
 * the last text before it begins there.
 */
export const entriesQuery = (kind: string, name: string, asked: string) => {
  // Items are stored in small letters.
  const search = asked.toLowerCase()
  return infiniteQueryOptions({
    queryKey: ['sources', idOf({ kind, name }), 'entries', search],
    queryFn: async ({ pageParam }) => {
      const { result } = await casework.get('/beta/sources/{kind}/{name}/entries', {
        params: {
          path: { kind, name },
          query: { limit: PAGE, ...(pageParam === '' ? {} : { after: pageParam }) },
        },
      })
      const entries = result.entries.filter(({ item }) => item.startsWith(search))
      const isPast = entries.length < result.entries.length
      return { entries, next: search !== '' && isPast ? '' : result.next }
    },
    initialPageParam: textBefore(search),
    getNextPageParam: ({ next }) => (next === '' ? undefined : next),
  })
}

/** A text that stands just before all that begin with this one, in the order of their bytes. */
function textBefore(search: string): string {
  if (search === '') return ''
  const last = search.charCodeAt(search.length - 1)
  return `${search.slice(0, -1)}${String.fromCharCode(last - 1)}~`
}
