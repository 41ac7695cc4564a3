// The rail entries whose pages are there. All people see all of them: a page that somebody may not
// read says so itself.

import { useRouter } from '@tanstack/react-router'
import { RAIL_ENTRIES, type RailEntry } from './rail-entries.ts'

export function useRailEntries(): readonly RailEntry[] {
  const { routesByPath } = useRouter()
  return RAIL_ENTRIES.filter(({ path }) => path in routesByPath)
}
