// The sightings of an item by day (an addition to the threat-intelligence group).

import { type Static, Type } from 'typebox'
import { named } from '../../vocabulary/named-schema.ts'
import type { DayCount, SightingMember } from './sighting-day-store.ts'

export const SightingBy = Type.Union(
  [Type.Literal('type'), Type.Literal('kind'), Type.Literal('service'), Type.Literal('source')],
  { default: 'type', description: 'The member of a sighting that divides the counts.' },
)

export const SightingDays = named(
  'SightingDays',
  Type.Object({
    item: Type.String({ description: 'The item or range in canonical form.' }),
    by: SightingBy,
    total: Type.Integer({ minimum: 0, description: 'Sightings of all the days.' }),
    complete: Type.Boolean({
      description:
        'False for a range with more than 2,000 addresses sighted in these days: some of them are not counted.',
    }),
    days: Type.Array(
      Type.Object({
        date: Type.String({ format: 'date', description: 'In UTC.' }),
        count: Type.Integer({ minimum: 0, description: 'Sightings of the day.' }),
      }),
      { description: 'Every day, the earliest first. The last one is today.' },
    ),
    top: Type.Array(
      Type.Object({
        value: Type.Optional(
          Type.String({
            description:
              'Left out for sightings without a service. The source casework stands for the reporters of accepted reports.',
          }),
        ),
        kind: Type.Optional(Type.String({ description: 'Of the source, with by=source.' })),
        count: Type.Integer({ minimum: 0, description: 'Sightings with the value.' }),
        days: Type.Array(Type.Integer({ minimum: 0 }), {
          description: 'How many of them are of each of the days.',
        }),
      }),
      { description: 'The values with the most sightings; at most 20, most first.' },
    ),
  }),
)
export type SightingDays = Static<typeof SightingDays>

export interface CountedDays {
  readonly item: string
  readonly by: SightingMember
  readonly isComplete: boolean
  /** The beginning of the first day in milliseconds. */
  readonly fromMs: number
  /** Number of days. */
  readonly days: number
  /** The counts of one value together. */
  readonly counts: readonly DayCount[]
}

const DAY_MS = 86_400_000

export function presentSightingDays(counted: CountedDays): SightingDays {
  const { item, by, isComplete, fromMs, days, counts } = counted
  const sums = zeros(days)
  const byValue = new Map<string, { counted: DayCount; days: number[] }>()
  for (const one of counts) {
    sums[one.day] = (sums[one.day] ?? 0) + one.count
    // Values beyond the largest ones are in the sums of the days only.
    if (one.value === null) continue
    const key = `${one.value}\0${one.kind ?? ''}`
    const known = byValue.get(key) ?? { counted: one, days: zeros(days) }
    byValue.set(key, known)
    known.days[one.day] = one.count
  }
  return {
    item,
    by,
    total: sum(sums),
    complete: isComplete,
    days: sums.map((count, day) => ({
      date: new Date(fromMs + day * DAY_MS).toISOString().slice(0, 10),
      count,
    })),
    top: [...byValue.values()].map(({ counted: { value, kind }, days: own }) => ({
      ...(value === null || value === '' ? {} : { value }),
      ...(kind === null ? {} : { kind }),
      count: sum(own),
      days: own,
    })),
  }
}

function zeros(count: number): number[] {
  return Array.from({ length: count }, () => 0)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
