// Web servers behind a proxy log its address first, and the visitor that it names (the header
// X-Forwarded-For) in quotes at the end of the line.

import { isAccessLog } from '../lines/log-line.ts'
import type { Occurrence } from '../occurrences/occurrence.ts'
import { type Candidate, STRONG } from './candidate.ts'

const AGAINST = -60

/**
 * The same candidates in the same order: a proxy is none of the sources, and the visitors behind it
 * are. A visitor may invent the header, another one in each line, so that the first address stays
 * the source unless the report calls it a proxy, or several hand over the same visitor.
 */
export function seeThroughProxies(candidates: readonly Candidate[]): readonly Candidate[] {
  const rows = listRows(candidates)
  if (rows.length === 0) return candidates
  const first = new Set(rows.map(({ proxy }) => proxy))
  const last = new Set(rows.map(({ visitor }) => visitor))
  const isOneVisitor = last.size === 1 && first.size >= PROXIES_MIN
  const proxies = new Set([...first].filter((each) => isOneVisitor || isCalledProxy(each)))
  const visitors = new Set(
    rows.filter(({ proxy }) => proxies.has(proxy)).map(({ visitor }) => visitor),
  )
  if (proxies.size === 0) return candidates
  return candidates.map((each) => {
    if (proxies.has(each)) {
      const why = 'a proxy: behind it the log names the visitor'
      return { ...each, role: 'infrastructure', ...weigh(AGAINST, why) }
    }
    if (!visitors.has(each) || each.score >= STRONG) return each
    return { ...each, role: 'source', ...weigh(STRONG, 'the visitor that a proxy names') }
  })
}

// The servers of one proxy network.
const PROXIES_MIN = 3

function weigh(score: number, why: string): Pick<Candidate, 'score' | 'reasons'> {
  return { score, reasons: [{ points: score, why, rule: 'visitor-behind-proxy' }] }
}

/** The reporter's own words say so. */
function isCalledProxy({ occurrences }: Candidate): boolean {
  return occurrences.some(
    ({ context, labels }) =>
      context !== 'log' && labels.some(({ label }) => label === 'infrastructure'),
  )
}

interface Row {
  readonly proxy: Candidate
  readonly visitor: Candidate
}

const ROWS_MAX = 1_000

function listRows(candidates: readonly Candidate[]): readonly Row[] {
  const visitors = new Map<number, Candidate>()
  for (const candidate of candidates) {
    if (candidate.kind !== 'ip') continue
    for (const occurrence of candidate.occurrences) {
      if (visitors.size < ROWS_MAX && isLastField(occurrence)) {
        visitors.set(occurrence.line.index, candidate)
      }
    }
  }
  if (visitors.size === 0) return []
  return candidates.flatMap((proxy) =>
    proxy.occurrences.flatMap((occurrence) => {
      const visitor = visitors.get(occurrence.line.index)
      const isRow = visitor !== undefined && visitor !== proxy && isFirstField(occurrence)
      return isRow ? [{ proxy, visitor }] : []
    }),
  )
}

function isLastField({ context, line, column, end }: Occurrence): boolean {
  if (context !== 'log' || line.clean.charAt(column - 1) !== '"') return false
  return /^"\s*$/.test(line.clean.slice(end, end + 40)) && isAccessLog(line.clean)
}

const BEFORE_MAX = 60

function isFirstField({ context, line, column }: Occurrence): boolean {
  return context === 'log' && column < BEFORE_MAX && !/\d\.\d/.test(line.clean.slice(0, column))
}
