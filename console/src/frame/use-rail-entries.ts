// The rail entries whose pages are there and that the person may use.

import { useRouter } from '@tanstack/react-router'
import { useSession } from '../data/session.ts'
import { RAIL_ENTRIES, type RailEntry } from './rail-entries.ts'

export function useRailEntries(): readonly RailEntry[] {
  const { routesByPath } = useRouter()
  const { scopes } = useSession()
  return RAIL_ENTRIES.filter(
    (entry) =>
      entry.path in routesByPath &&
      (entry.scopes === undefined || entry.scopes.some((scope) => scopes.includes(scope))),
  )
}
