// What the look-up page asks the interface.

import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { casework } from '../../data/client.ts'

export type Entry = Schemas['ExplainedEntry']
export type Explanation = Schemas['Explanation']
export type LookupResult = Schemas['LookupResult']
export type RangeContents = Schemas['RangeContents']
export type RangeItem = Schemas['RangeItem']
export type SightingDays = Schemas['SightingDays']

/** What divides the chart of sightings; the first one when the URL says nothing. */
export const SIGHTINGS_BY = ['type', 'service', 'source'] as const
export type SightingsBy = (typeof SIGHTINGS_BY)[number]

const DAY_MS = 86_400_000
// So many events make the chart of reported events; the newest ones when there are more.
export const EVENTS_MAX = 500
const PAGE = 100
const RECORDS_SHOWN = 5
// Of an answer about a range; a /24 has 256 addresses and the ranges inside of it.
const NEIGHBOURS_MAX = 1_000

/** Takes defanged items too, as everything that a person types. */
export const lookupQuery = (item: string) =>
  queryOptions({
    queryKey: ['intel', 'lookup', item],
    queryFn: () => casework.lookup(item),
  })

export const explanationQuery = (item: string) =>
  queryOptions({
    queryKey: ['intel', 'explain', item],
    queryFn: async () => {
      const answer = await casework.get('/beta/explain/{item}', {
        params: { path: { item }, query: { refang: true } },
      })
      return answer.result
    },
  })

export const rangeQuery = (range: string) =>
  queryOptions({
    queryKey: ['intel', 'range', range],
    queryFn: async () => {
      const answer = await casework.get('/beta/ranges/{cidr}', {
        params: { path: { cidr: range }, query: { limit: NEIGHBOURS_MAX } },
      })
      return answer.result
    },
  })

/** Of an item or a range, in canonical form. */
export const sightingDaysQuery = (item: string, days: number, by: SightingsBy) =>
  queryOptions({
    queryKey: ['intel', 'sightings', item, days, by],
    queryFn: async () => {
      const answer = await casework.get('/beta/sightings', {
        params: { query: { item, days, by } },
      })
      return answer.result
    },
    placeholderData: keepPreviousData,
  })

/** The keys of what the page shows of an item. */
export const OF_ITEM = [['intel'], ['cases', 'list', 'of item'], ['events', 'list', 'of item']]

export const parentsQuery = (names: readonly string[]) =>
  queryOptions({
    queryKey: ['intel', 'check', names],
    queryFn: async () => {
      const checked = []
      for await (const one of casework.check(names)) checked.push(one)
      return checked
    },
    enabled: names.length > 0,
  })

export type Subject = { readonly ip: string } | { readonly domain: string }

export const casesQuery = (subject: Subject) =>
  queryOptions({
    queryKey: ['cases', 'list', 'of item', subject],
    queryFn: () =>
      casework.get('/beta/casework/cases', {
        params: { query: { ...subject, expand: 'summary', limit: RECORDS_SHOWN } },
      }),
  })

/** The newest events of the last 90 days, for the chart and the short list. */
export const eventsQuery = (subject: Subject) =>
  queryOptions({
    queryKey: ['events', 'list', 'of item', subject],
    queryFn: async () => {
      const since = new Date(Date.now() - 90 * DAY_MS).toISOString()
      const query = { ...subject, event_after: since, limit: PAGE }
      const events: Schemas['EventSummary'][] = []
      for await (const event of casework.list('/beta/casework/events', { params: { query } })) {
        events.push(event)
        if (events.length >= EVENTS_MAX) break
      }
      return events
    },
  })
