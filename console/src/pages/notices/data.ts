// What the pages of notices ask the interface.

import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { casework } from '../../data/client.ts'
import type { NoticesSearch } from './route.ts'

export type Notice = Schemas['Notice']
export type NoticeDetail = Schemas['NoticeDetail']
export type Template = Schemas['Template']
export type SuppressedAddress = Schemas['SuppressedAddress']
export type NoticeLimits = Schemas['NoticeLimits']

const PAGE = 100

export function noticesQuery({ state, party, purpose, recipient, case: caseId }: NoticesSearch) {
  const filters = {
    ...(state === undefined ? {} : { state }),
    ...(party === undefined ? {} : { party }),
    ...(purpose === undefined ? {} : { purpose }),
    ...(recipient === undefined ? {} : { recipient }),
    ...(caseId === undefined ? {} : { case_id: caseId }),
  }
  return infiniteQueryOptions({
    queryKey: ['notices', 'list', filters],
    queryFn: ({ pageParam }) =>
      casework.get('/beta/casework/notices', {
        params: {
          query: { ...filters, limit: PAGE, ...(pageParam === '' ? {} : { cursor: pageParam }) },
        },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => (next === '' ? undefined : next),
  })
}

export const noticeQuery = (noticeId: string) =>
  queryOptions({
    queryKey: ['notices', noticeId],
    queryFn: () =>
      casework.get('/beta/casework/notices/{noticeId}', { params: { path: { noticeId } } }),
  })

const SUPPRESSED_MAX = 1_000

export const suppressedQuery = queryOptions({
  queryKey: ['suppressed-addresses', 'list'],
  queryFn: () =>
    casework.get('/beta/casework/suppressed-addresses', {
      params: { query: { limit: SUPPRESSED_MAX } },
    }),
})

export const templatesQuery = queryOptions({
  queryKey: ['templates', 'list'],
  queryFn: () => casework.get('/beta/casework/templates'),
})

export const limitsQuery = queryOptions({
  queryKey: ['notice-limits'],
  queryFn: () => casework.get('/beta/casework/notice-limits'),
})

const CASES = 20

/** For the preview of a template: the newest cases. */
export const newestCasesQuery = queryOptions({
  queryKey: ['cases', 'list', 'newest-for-preview'],
  queryFn: () =>
    casework.get('/beta/casework/cases', {
      params: { query: { limit: CASES, expand: 'summary' } },
    }),
})

export interface PreviewOrder {
  readonly name: string
  readonly language: string
  readonly caseId: string
  readonly subject: string
  readonly body: string
  readonly profile: Template['profile']
}

/** The text as a notice about the case would have it now; nothing is stored. */
export const previewQuery = ({ name, language, caseId, ...text }: PreviewOrder) =>
  queryOptions({
    queryKey: ['templates', 'preview', name, language, caseId, text],
    queryFn: () =>
      casework.post('/beta/casework/templates/{name}/{language}/preview', {
        params: { path: { name, language } },
        body: { case_id: caseId, ...text },
      }),
    placeholderData: keepPreviousData,
    retry: false,
  })
