// The words beside what is reported: the sentence that an address or link stands in, its label, and
// the heading above it. They weigh most for the event type.

import type { Candidate } from '../candidates/candidate.ts'
import type { Occurrence } from '../occurrences/occurrence.ts'

export interface BesideText {
  readonly part: string
  readonly line: number
  readonly text: string
}

// Beyond these a list repeats itself.
const CANDIDATES_MAX = 40
const OCCURRENCES_MAX = 4
const TEXTS_MAX = 30

/** One text for each way in which the candidates are spoken of, in reading order. */
export function listBeside(candidates: readonly Candidate[]): readonly BesideText[] {
  const texts = new Map<string, BesideText>()
  for (const { occurrences } of candidates.slice(0, CANDIDATES_MAX)) {
    for (const occurrence of occurrences.slice(0, OCCURRENCES_MAX)) {
      const { line, context, overhead } = occurrence
      // A log is read by its build, the subject as a whole.
      if (context === 'log' || context === 'subject' || line.kind === 'enclosed') continue
      for (const text of [clauseOf(occurrence), overhead]) {
        const known = texts.has(text) || texts.size >= TEXTS_MAX
        if (!known && /\p{L}/u.test(text)) {
          texts.set(text, { part: line.part, line: line.number, text })
        }
      }
    }
  }
  return [...texts.values()]
}

const END = /[.!?;](?:\s|$)|[。！？；]/
const SIDE_LENGTH_MAX = 200

/** The sentence around it, without itself. */
function clauseOf({ line, column, end }: Occurrence): string {
  const before = line.clean.slice(Math.max(0, column - SIDE_LENGTH_MAX), column)
  const behind = line.clean.slice(end, end + SIDE_LENGTH_MAX)
  const left = before.split(END).at(-1) ?? ''
  const right = behind.split(END)[0] ?? ''
  return `${left} ${right}`.trim()
}
