// What a report tells once for all its events: its case number, a network, a file and its hash.
// Also the lines of a log that name an address or link.

import { sourceOf } from '../words/compile-words.ts'
import { listMatches } from './lines/list-matches.ts'
import type { TextLine } from './lines/text-lines.ts'
import type { Occurrence } from './occurrences/occurrence.ts'

const WRITTEN = { text: 'as written' } as const

/** A value and the line it stands in. */
export interface Fact<Value> {
  readonly value: Value
  readonly line: TextLine
}

export interface ReportFacts {
  readonly caseId: Fact<string> | null
  readonly asn: Fact<number> | null
  readonly hash: Fact<string> | null
  readonly fileName: Fact<string> | null
}

const CASE_ID = new RegExp(
  `(?:\\b${sourceOf('case-number', WRITTEN)}[ -]?(?:${sourceOf('case-number.kind', WRITTEN)}|#)?\\s{0,2}(?:[:#=|]|\\bis\\b|\\s(?=[A-Z\\d-]{0,12}\\d{3}))[\\s#:]{0,4}|\\[(?=[A-Z]{2,10}[-#])|#(?=\\d{4,})|${sourceOf('case-number.unspaced', WRITTEN)}\\S{0,4}[:：#]?\\s{0,2})([A-Z\\d][A-Z\\d\\-_./]{2,60})`,
  'giu',
)
const ASN = /\bAS[N]?[ :#]{0,2}(\d{1,10})\b/
const HASH = /(?<![\w])(?:[a-f\d]{64}|[a-f\d]{40}|[a-f\d]{32})(?![\w])/i
const FILE_NAME = new RegExp(
  `\\b${sourceOf('file-name', WRITTEN)}\\s{0,3}[:=|]\\s{0,3}"?([^"\\n|]{3,200}?)"?\\s*$`,
  'iu',
)
const LINES_MAX = 2_000
const LINE_LENGTH_MAX = 1_000
const CASE_ID_LINE_MAX = 500

export function readReportFacts(lines: readonly TextLine[]): ReportFacts {
  const read = lines.filter(({ cut }) => cut?.kind !== 'noise').slice(0, LINES_MAX)
  return {
    caseId: findCaseId(read),
    asn: findFirst(read, ASN, (text) => Number(text)),
    hash: findFirst(read, HASH, (text) => text.toLowerCase()),
    fileName: findFirst(read, FILE_NAME, (text) => text.trim()),
  }
}

function findCaseId(lines: readonly TextLine[]): ReportFacts['caseId'] {
  for (const line of lines) {
    for (const match of listMatches(line.clean.slice(0, CASE_ID_LINE_MAX), CASE_ID)) {
      const value = (match[1] ?? '').replace(/[-_./]+$/, '')
      // A word is no number, and neither is a date or an address.
      if (!/\d{2}/.test(value) || /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}$/.test(value)) continue
      if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(value)) continue
      return { value, line }
    }
  }
  return null
}

function findFirst<Value>(
  lines: readonly TextLine[],
  pattern: RegExp,
  read: (text: string) => Value,
): Fact<Value> | null {
  for (const line of lines) {
    const match = pattern.exec(line.clean.slice(0, LINE_LENGTH_MAX))
    if (match !== null) return { value: read(match[1] ?? match[0]), line }
  }
  return null
}

// A person needs some lines of a log to act on, not the whole: 4 kB are about forty.
const SAMPLE_LENGTH_MAX = 4_096

/**
 * The lines of logs that name it: some of them, and how many there are. Undefined when there is
 * none.
 */
export function readSample(occurrences: readonly Occurrence[]): {
  readonly sample: string | undefined
  readonly count: number | undefined
  /** The first of them. */
  readonly first: TextLine | undefined
} {
  const logged = occurrences.filter(
    ({ context, line }) => context === 'log' && line.kind !== 'subject',
  )
  const lines = [...new Set(logged.map(({ line }) => line))]
  const kept: string[] = []
  let left = SAMPLE_LENGTH_MAX
  for (const { raw } of lines) {
    left -= raw.length + 1
    if (left < 0) break
    kept.push(raw.trimEnd())
  }
  return {
    sample: kept.length === 0 ? undefined : kept.join('\n'),
    count: lines.length > 1 ? lines.length : undefined,
    first: lines[0],
  }
}
