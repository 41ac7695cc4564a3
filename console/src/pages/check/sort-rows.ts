// Filters and sorts checked rows.

import type { Sort } from '../../parts/data-table.tsx'
import type { CheckFact, CheckIntent } from './route.ts'
import type { CheckedRow } from './use-check.ts'

const RANK = { malicious: 3, suspicious: 2, unknown: 1, benign: 0 } as const

export function isListed({ verdict }: CheckedRow): boolean {
  return verdict.serviceMailBlocklist === 'ACTIVE'
}

const HAS_FACT: Readonly<Record<CheckFact, (row: CheckedRow) => boolean>> = {
  listed: isListed,
  active: ({ verdict }) => verdict.activity,
  bogon: ({ verdict }) => verdict.bogon,
}

export function filterRows(
  rows: readonly CheckedRow[],
  intents: readonly CheckIntent[],
  facts: readonly CheckFact[],
): readonly CheckedRow[] {
  return rows.filter(
    (row) =>
      (intents.length === 0 || intents.includes(row.verdict.intent)) &&
      facts.every((fact) => HAS_FACT[fact](row)),
  )
}

const collator = new Intl.Collator('en', { numeric: true })

const COMPARE: Readonly<Record<string, (a: CheckedRow, b: CheckedRow) => number>> = {
  item: (a, b) => collator.compare(a.item, b.item),
  intent: (a, b) => RANK[a.verdict.intent] - RANK[b.verdict.intent],
  listed: (a, b) => Number(isListed(a)) - Number(isListed(b)),
  active: (a, b) => Number(a.verdict.activity) - Number(b.verdict.activity),
  line: (a, b) => (a.lines[0] ?? 0) - (b.lines[0] ?? 0),
}

export function sortRows(rows: readonly CheckedRow[], sort: Sort): readonly CheckedRow[] {
  const compare = COMPARE[sort.by]
  if (compare === undefined) return rows
  const direction = sort.isDescending ? -1 : 1
  return rows.toSorted((a, b) => direction * compare(a, b))
}
