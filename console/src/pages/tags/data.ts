// What the pages of tags ask the interface.

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { casework } from '../../data/client.ts'

export type TagSummary = Schemas['TagSummary']
export type TagRecord = Schemas['Tag']

export const tagsQuery = queryOptions({
  queryKey: ['tags', 'list'],
  queryFn: async () => {
    const answer = await casework.get('/beta/tags', {
      params: { query: { includeDescriptions: true } },
    })
    return answer.result
  },
  staleTime: 5 * 60_000,
})

export const tagQuery = (name: string) =>
  queryOptions({
    // A tag may be called `list`.
    queryKey: ['tags', 'one', name],
    queryFn: async () => {
      const answer = await casework.get('/beta/tags/{name}', { params: { path: { name } } })
      return answer.result
    },
  })

const PAGE = 500

/** All pages show the moment of the first one. */
export const taggedQuery = (name: string) =>
  infiniteQueryOptions({
    queryKey: ['intel', 'tagged', name],
    queryFn: async ({ pageParam: { offset, snapshot } }) => {
      const answer = await casework.get('/beta/tags/{name}/ips', {
        params: {
          path: { name },
          query: { offset, limit: PAGE, ...(snapshot === undefined ? {} : { snapshot }) },
        },
      })
      return answer.result
    },
    initialPageParam: { offset: 0, snapshot: undefined as string | undefined },
    getNextPageParam: ({ snapshot, total, entries }, _pages, { offset }) => {
      const next = offset + entries.length
      return entries.length === 0 || next >= total ? undefined : { offset: next, snapshot }
    },
  })
