// What the pages of rules ask the interface.

import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { casework } from '../../data/client.ts'

export type CaseGroup = Schemas['CaseGroup']
export type MuteRule = Schemas['MuteRule']
export type Calendar = Schemas['Calendar']
export type Trial = Schemas['RuleTrial']
export type TrialItem = Schemas['RuleTrialItem']
export type TrialRequest = Schemas['RuleTrialRequest']

/** The group that takes what no other group takes. */
export const DEFAULT_GROUP = 'default'

export const caseGroupsQuery = queryOptions({
  queryKey: ['case-groups', 'list'],
  queryFn: () => casework.get('/beta/casework/case-groups'),
})

export const groupHistoryQuery = (ruleId: string) =>
  queryOptions({
    queryKey: ['case-groups', ruleId, 'history'],
    queryFn: () =>
      casework.get('/beta/casework/case-groups/{ruleId}/history', {
        params: { path: { ruleId }, query: { limit: 20 } },
      }),
  })

// A tenant has up to 100 rules in force; of those that ended the newest are shown.
const MUTE_RULES_MAX = 1_000

export const muteRulesQuery = (isEndedShown: boolean) =>
  queryOptions({
    queryKey: ['mute-rules', 'list', isEndedShown],
    queryFn: () =>
      casework.get('/beta/casework/mute-rules', {
        params: {
          query: { limit: MUTE_RULES_MAX, ...(isEndedShown ? {} : { in_force: 'true' as const }) },
        },
      }),
  })

export const muteHistoryQuery = (ruleId: string) =>
  queryOptions({
    queryKey: ['mute-rules', ruleId, 'history'],
    queryFn: () =>
      casework.get('/beta/casework/mute-rules/{ruleId}/history', {
        params: { path: { ruleId }, query: { limit: 20 } },
      }),
  })

export const calendarsQuery = queryOptions({
  queryKey: ['calendars', 'list'],
  queryFn: () => casework.get('/beta/casework/calendars'),
})

/** For the form that begins with it: a kept answer might be older than another's change. */
export const calendarQuery = (name: string) =>
  queryOptions({
    queryKey: ['calendars', 'named', name],
    queryFn: () => casework.get('/beta/casework/calendars/{name}', { params: { path: { name } } }),
    gcTime: 0,
  })

/** What the drafted rule would have done. The former answer stays until the next one is there. */
export const trialQuery = (request: TrialRequest) =>
  queryOptions({
    queryKey: ['rule-trials', 'list', request],
    queryFn: () => casework.post('/beta/casework/case-groups/try', { body: request }),
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 30_000,
  })

/** How many open cases a group has: zero, some, or more than a page. */
export const openCasesQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['cases', 'list', 'open-of-group', groupId],
    queryFn: () =>
      casework.get('/beta/casework/cases', {
        params: { query: { case_group: groupId, state: 'NEW,IN_PROGRESS', limit: 100 } },
      }),
  })
