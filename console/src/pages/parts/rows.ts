// Made-up rows, the same each time.

import type { CaseState, Severity } from '../../parts/badges.tsx'

export interface Row {
  readonly id: string
  readonly item: string
  readonly state: CaseState
  readonly severity: Severity
  readonly events: number
  readonly at: string
}

const STATES: readonly CaseState[] = ['NEW', 'IN_PROGRESS', 'RESOLVED', 'CLOSED']
const SEVERITIES: readonly Severity[] = ['low', 'medium', 'high', 'critical']
const START_MS = Date.UTC(2026, 10, 20)

let made: readonly Row[] = []

export function makeRows(count: number): readonly Row[] {
  if (made.length !== count) made = Array.from({ length: count }, (_, index) => makeRow(index))
  return made
}

function makeRow(index: number): Row {
  return {
    id: `C-${index}`,
    item: index % 7 === 0 ? `2001:db8::${index.toString(16)}` : `198.51.100.${index % 256}`,
    state: STATES[index % 4] ?? 'NEW',
    severity: SEVERITIES[(index * 3) % 4] ?? 'low',
    events: (index * 37) % 4_100,
    at: new Date(START_MS - index * 3_600_000).toISOString(),
  }
}
