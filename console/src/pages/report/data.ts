// One report: its record, its text with its reading, and its stored events.

import { queryOptions } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { casework } from '../../data/client.ts'

export type ReportDetail = Schemas['ReportDetail']
export type ReportReading = Schemas['ReportReading']
export type ReadEvent = ReportReading['events'][number]
export type FoundValue = ReadEvent['findings'][number]
export type Correction = Schemas['NewCorrection']
export type EventRow = Schemas['EventSummary']

export function reportQuery(reportId: string) {
  return queryOptions({
    queryKey: ['reports', reportId],
    queryFn: () =>
      casework.get('/beta/casework/reports/{reportId}', { params: { path: { reportId } } }),
  })
}

export function readingQuery(reportId: string) {
  return queryOptions({
    queryKey: ['reports', reportId, 'reading'],
    queryFn: () =>
      casework.get('/beta/casework/reports/{reportId}/reading', { params: { path: { reportId } } }),
    // Each request is a line of the audit log, and the bytes stay as they are.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
}

// As many as a reading shows.
const EVENTS_MAX = 100

export function reportEventsQuery(reportId: string) {
  return queryOptions({
    queryKey: ['reports', reportId, 'events'],
    queryFn: () =>
      casework.get('/beta/casework/reports/{reportId}/events', {
        params: { path: { reportId }, query: { limit: EVENTS_MAX, order: 'asc' } },
      }),
  })
}

export function eventQuery(eventId: string) {
  return queryOptions({
    queryKey: ['events', eventId],
    queryFn: () =>
      casework.get('/beta/casework/events/{eventId}', {
        params: { path: { eventId }, query: { expand: 'report', repeats: true } },
      }),
  })
}
