// What the page of results asks the interface.

import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { casework } from '../../data/client.ts'

export type Hit = Schemas['SearchItem']
export type Kind = Hit['kind']

export const KINDS = ['customer', 'case', 'report', 'event'] as const satisfies readonly Kind[]

const PAGE = 50

export const resultsQuery = (q: string, kind: Kind | undefined) =>
  infiniteQueryOptions({
    queryKey: ['search', 'list', q, kind],
    queryFn: ({ pageParam }) =>
      casework.get('/beta/casework/search', {
        params: {
          query: {
            q,
            limit: PAGE,
            ...(kind === undefined ? {} : { kind }),
            ...(pageParam === '' ? {} : { cursor: pageParam }),
          },
        },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => (next === '' ? undefined : next),
  })
