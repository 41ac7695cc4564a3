// Cuts the lines of a text at the places of findings, so that each can be marked. Pure.

import type { FoundValue, ReadEvent } from './data.ts'

/** One finding of one event, by its position. */
export interface FindingKey {
  readonly event: number
  readonly finding: number
}

export interface Piece {
  readonly text: string
  /** Null for the text between. */
  readonly key: FindingKey | null
}

interface Mark {
  readonly start: number
  readonly end: number
  readonly key: FindingKey
}

/** The marks by `<of> <at> <line>`; where two overlap, the first and longer one stays. */
export function collectMarks(events: readonly ReadEvent[]): ReadonlyMap<string, readonly Mark[]> {
  const marks = new Map<string, Mark[]>()
  for (const [event, { findings }] of events.entries()) {
    for (const [finding, { location }] of findings.entries()) {
      if (location === undefined) continue
      const { of, at, line, start, end } = location
      const name = nameLine(of, at, line)
      marks.set(name, [...(marks.get(name) ?? []), { start, end, key: { event, finding } }])
    }
  }
  return marks
}

export function nameLine(of: 'header' | 'text', at: number, line: number): string {
  return `${of} ${at} ${line}`
}

export function cutLine(line: string, marks: readonly Mark[] = []): readonly Piece[] {
  const pieces: Piece[] = []
  let at = 0
  const sorted = marks.toSorted((one, other) => one.start - other.start || other.end - one.end)
  for (const { start, end, key } of sorted) {
    if (start < at || start >= line.length || end <= start) continue
    if (start > at) pieces.push({ text: line.slice(at, start), key: null })
    pieces.push({ text: line.slice(start, end), key })
    at = end
  }
  if (at < line.length) pieces.push({ text: line.slice(at), key: null })
  return pieces
}

/** The id of a mark in the page. */
export function markId({ event, finding }: FindingKey): string {
  return `mark-${event}-${finding}`
}

export function isSameKey(one: FindingKey | null, other: FindingKey | null): boolean {
  return one?.event === other?.event && one?.finding === other?.finding
}

/** Whether the value can be shown in the text: a finding of a line of its own, or under another. */
export function hasLocation({ location }: FoundValue): boolean {
  return location !== undefined
}
