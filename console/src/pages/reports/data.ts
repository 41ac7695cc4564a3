// The reports of a list.

import type { Schemas } from 'casework/client'
import { casework } from '../../data/client.ts'
import { useListPages } from '../../parts/use-list-pages.ts'
import { usePreferences } from '../../settings/preferences.ts'
import { type ReportFilters, toReportQuery } from './reports-search.ts'

export type Report = Schemas['Report']

export function useReports(filters: ReportFilters, isEnabled = true) {
  const { zone } = usePreferences()
  return useListPages<Report>({
    key: ['reports', 'list', filters, zone],
    isEnabled,
    ask: ({ signal, ...page }) =>
      casework.get('/beta/casework/reports', {
        params: { query: { ...toReportQuery(filters, zone), expand: 'first_event', ...page } },
        signal,
      }),
  })
}
