// The summary of a simulation: how many cases took each path, how they ended, what would have been
// done.

import type { SimulatedCase } from './simulate-case.ts'

export interface SimulationSummary {
  readonly cases: number
  readonly outcomes: readonly {
    readonly outcome: SimulatedCase['end']['kind']
    readonly reason: string | null
    readonly cases: number
  }[]
  readonly paths: readonly {
    readonly node: string
    readonly kind: string
    readonly path: string | null
    readonly playbookId: string | null
    readonly visits: number
    readonly cases: number
  }[]
  readonly waits: readonly { readonly node: string; readonly cases: number }[]
  readonly effects: readonly {
    readonly node: string
    readonly kind: string
    readonly count: number
    readonly cases: number
  }[]
  readonly problems: readonly {
    readonly node: string
    readonly reason: string
    readonly cases: number
  }[]
}

export function summariseCases(cases: readonly SimulatedCase[]): SimulationSummary {
  const outcomes = cases.map(({ caseId, end }) => {
    const members = { outcome: end.kind, reason: 'reason' in end ? end.reason : null }
    return { caseId, members }
  })
  const paths = spread(cases, ({ visits }) =>
    visits.map(({ node, kind, path, playbookId }) => ({ node, kind, path, playbookId })),
  )
  const effects = spread(cases, (one) => one.effects.map(({ node, kind }) => ({ node, kind })))
  return {
    cases: cases.length,
    outcomes: tally(outcomes).map(({ members, cases: count }) => ({ ...members, cases: count })),
    paths: tally(paths).map(({ members, times, cases: count }) => ({
      ...members,
      visits: times,
      cases: count,
    })),
    waits: tally(spread(cases, ({ waits }) => waits.map(({ node }) => ({ node })))).map(
      ({ members, cases: count }) => ({ ...members, cases: count }),
    ),
    effects: tally(effects).map(({ members, times, cases: count }) => ({
      ...members,
      count: times,
      cases: count,
    })),
    problems: tally(spread(cases, ({ problems }) => problems)).map(({ members, cases: count }) => ({
      ...members,
      cases: count,
    })),
  }
}

interface Entry<Members> {
  readonly caseId: string
  readonly members: Members
}

function spread<Members>(
  cases: readonly SimulatedCase[],
  list: (one: SimulatedCase) => readonly Members[],
): readonly Entry<Members>[] {
  return cases.flatMap((one) => list(one).map((members) => ({ caseId: one.caseId, members })))
}

/** Equal members together, in the order in which they come first. */
function tally<Members>(entries: readonly Entry<Members>[]): readonly {
  readonly members: Members
  readonly times: number
  readonly cases: number
}[] {
  const groups = Map.groupBy(entries, ({ members }) => JSON.stringify(members))
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const cases = new Set(group.map(({ caseId }) => caseId)).size
    return [{ members: first.members, times: group.length, cases }]
  })
}
