// Describes for people where a candidate is in the report and why it was chosen or ignored.

import type { Finding } from '../../reading.ts'
import type { Occurrence } from '../occurrences/occurrence.ts'
import { type Candidate, explain, findDecisive } from './candidate.ts'

export function describeCandidate(
  field: string,
  candidate: Candidate,
  rank: number | null,
  why: string,
): Finding {
  const { best, value, role } = candidate
  const decisive = findDecisive(candidate)
  return {
    field,
    value,
    part: best.line.part,
    line: best.line.number,
    excerpt: excerptOf(best),
    role: role === 'unnamed' ? null : role,
    rank,
    reason: `${capitalise(why)}. ${capitalise(explain(candidate))}`,
    rule: decisive?.rule ?? 'unnamed',
    ...(decisive?.words === undefined ? {} : { words: decisive.words }),
  }
}

export function capitalise(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

function excerptOf({ line, column }: Occurrence): string {
  const from =
    line.raw.length <= 200 ? 0 : Math.max(0, Math.min(column - 80, line.raw.length - 200))
  return line.raw.slice(from, from + 200).trim()
}
