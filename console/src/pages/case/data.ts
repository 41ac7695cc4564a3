// What the page of a case asks the interface. Every key begins with the case, so that a change of
// it is seen by all of its parts.

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { casework } from '../../data/client.ts'

export type CaseDetail = Schemas['ExpandedCase']
export type Waiting = Schemas['WaitingTrigger']
export type RunDetail = Schemas['RunDetail']
export type Mitigation = Schemas['Mitigation']

export function caseQuery(caseId: string) {
  return queryOptions({
    queryKey: ['cases', caseId],
    queryFn: () =>
      casework.get('/beta/casework/cases/{caseId}', {
        params: { path: { caseId }, query: { expand: 'customer' } },
      }),
  })
}

// Events of one sender fold into one line, so a page of entries is far fewer lines.
const TIMELINE_PAGE = 200

export function timelineQuery(caseId: string, kinds: readonly string[] | null) {
  return infiniteQueryOptions({
    queryKey: ['cases', caseId, 'timeline', kinds],
    initialPageParam: '',
    queryFn: ({ pageParam: cursor, signal }) =>
      casework.get('/beta/casework/cases/{caseId}/timeline', {
        params: {
          path: { caseId },
          query: {
            limit: TIMELINE_PAGE,
            ...(kinds === null ? {} : { kinds: kinds.join(',') }),
            ...(cursor === '' ? {} : { cursor }),
          },
        },
        signal,
      }),
    getNextPageParam: ({ next_cursor: cursor }) => (cursor === '' ? undefined : cursor),
    enabled: kinds === null || kinds.length > 0,
  })
}

export function intelQuery(caseId: string) {
  return queryOptions({
    queryKey: ['cases', caseId, 'intel'],
    queryFn: () =>
      casework.get('/beta/casework/cases/{caseId}/intel', { params: { path: { caseId } } }),
  })
}

export function runsQuery(caseId: string) {
  return queryOptions({
    queryKey: ['cases', caseId, 'runs'],
    queryFn: () =>
      casework.get('/beta/casework/cases/{caseId}/runs', { params: { path: { caseId } } }),
  })
}

export function runQuery(caseId: string, runId: string) {
  return queryOptions({
    queryKey: ['cases', caseId, 'runs', runId],
    queryFn: () =>
      casework.get('/beta/casework/cases/{caseId}/runs/{runId}', {
        params: { path: { caseId, runId } },
      }),
  })
}

const REPORTS_SHOWN = 20

export function reportsQuery(caseId: string) {
  return queryOptions({
    queryKey: ['cases', caseId, 'reports'],
    queryFn: () =>
      casework.get('/beta/casework/cases/{caseId}/reports', {
        params: { path: { caseId }, query: { limit: REPORTS_SHOWN } },
      }),
  })
}

const MITIGATIONS_SHOWN = 50

export function mitigationsQuery(caseId: string) {
  return queryOptions({
    queryKey: ['cases', caseId, 'mitigations'],
    queryFn: () =>
      casework.get('/beta/casework/cases/{caseId}/mitigations', {
        params: { path: { caseId }, query: { limit: MITIGATIONS_SHOWN } },
      }),
  })
}

const OTHER_CASES_SHOWN = 6

/** The newest cases of the customer, this one among them. */
export function customerCasesQuery(customerId: string) {
  return queryOptions({
    queryKey: ['cases', 'of customer', customerId],
    queryFn: () =>
      casework.get('/beta/casework/cases', {
        params: {
          query: { customer_id: customerId, expand: 'summary', limit: OTHER_CASES_SHOWN },
        },
      }),
  })
}

const DAY_MS = 86_400_000
export const RECENT_DAYS = 30

/** Which case of its customer it is, 1 for the first, among those of the month before it. */
export function orderQuery({ id, customer_id: customerId, created_at: createdAt }: CaseDetail) {
  const at = new Date(createdAt).getTime()
  return queryOptions({
    queryKey: ['cases', id, 'order'],
    queryFn: async () => {
      const { total } = await casework.get('/beta/casework/cases/counts', {
        params: {
          query: {
            customer_id: customerId,
            created_after: new Date(at - RECENT_DAYS * DAY_MS).toISOString(),
            created_before: new Date(at + 1).toISOString(),
          },
        },
      })
      return total
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}
