// What the pages of runs ask the interface.

import { queryOptions } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { casework } from '../../data/client.ts'
import { useListPages } from '../../parts/use-list-pages.ts'
import { attentionQuery } from '../playbooks/data.ts'

export type RunOfCase = Schemas['RunOfCase']
export type RunDetail = Schemas['RunDetail']

export const QUEUES = [
  'attention',
  'failed',
  'waiting',
  'paused',
  'active',
  'ended',
  'cancelled',
  'all',
] as const
export type Queue = (typeof QUEUES)[number]

const STEP_MS = 2_000

export interface RunFilter {
  readonly queue: Exclude<Queue, 'attention'>
  readonly playbookId?: string | undefined
}

export function useRuns({ queue, playbookId }: RunFilter) {
  const of = {
    ...(queue === 'all' ? {} : { state: queue === 'waiting' ? ('active' as const) : queue }),
    ...(queue === 'waiting' ? { waits_for: 'agent' as const } : {}),
    ...(playbookId === undefined ? {} : { playbook_id: playbookId }),
  }
  return useListPages<RunOfCase>({
    key: ['runs', 'list', of],
    ask: ({ signal, ...page }) =>
      casework.get('/beta/casework/runs', {
        params: { query: { ...of, order: 'desc', ...page } },
        signal,
      }),
  })
}

/** What needs a person, the longest waiting first. */
export const needyRunsQuery = queryOptions({
  ...attentionQuery,
  select: ({ failed, waiting, paused }) =>
    [...failed, ...waiting, ...paused].toSorted((a, b) => (a.since < b.since ? -1 : 1)),
})

export function runQuery(runId: string) {
  return queryOptions({
    queryKey: ['runs', runId],
    queryFn: () => casework.get('/beta/casework/runs/{runId}', { params: { path: { runId } } }),
    // A step that ends in another one that waits is no change that the stream tells of.
    refetchInterval: ({ state: { data } }) =>
      data?.tokens.some(({ state }) => state === 'ready') === true ? STEP_MS : false,
  })
}

/** The choices for which the run waits, where its tokens are now. */
export function triggersQuery({ case_id: caseId, run_id: runId, tokens }: RunDetail) {
  return queryOptions({
    queryKey: ['runs', runId, 'triggers', tokens.map(({ visit, state }) => `${visit} ${state}`)],
    queryFn: async () => {
      const { items } = await casework.get('/beta/casework/cases/{caseId}/triggers', {
        params: { path: { caseId } },
      })
      return items.filter(({ run_id: of }) => of === runId)
    },
  })
}
