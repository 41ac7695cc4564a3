// Finds where a finding stands in the shown texts of a report: the line it names, else the first
// line with its value.

import type { Finding, FoundLocation, ShownReport } from '../reading.ts'

type Shown = Pick<ShownReport, 'headers' | 'texts'>

// Where a finding names no line, or its value does not stand on it, so many lines are searched from
// the top.
const SEARCHED_LINES_MAX = 500
const NEEDLE_LENGTH_MIN = 2

/** Null when neither the value nor the words of the finding stand there. */
export function findLocation(finding: Finding, { headers, texts }: Shown): FoundLocation | null {
  const needles = listNeedles(finding)
  const header = /^header (.+)$/.exec(finding.part)?.[1] ?? finding.part
  const name = header.toLowerCase()
  for (const [at, { name: one, value }] of headers.entries()) {
    if (one !== name) continue
    const found = findIn(value, needles)
    if (found !== null) return { of: 'header', at, line: 0, ...found }
  }
  const at = texts.findIndex(({ part }) => part === finding.part)
  const lines = texts[at]?.lines
  if (lines === undefined) return null
  const line = (finding.line ?? 0) - 1
  const named = findIn(lines[line] ?? '', needles)
  if (named !== null) return { of: 'text', at, line, ...named }
  for (const [index, text] of lines.slice(0, SEARCHED_LINES_MAX).entries()) {
    const found = findIn(text, needles)
    if (found !== null) return { of: 'text', at, line: index, ...found }
  }
  return null
}

/** The value as it stands and as people write it against links; then the words and the excerpt. */
function listNeedles({ value, words = '', excerpt }: Finding): readonly string[] {
  const defanged = [
    value.replaceAll('.', '[.]'),
    value.replace(/^http/, 'hxxp'),
    value.replace(/^http/, 'hxxp').replaceAll('.', '[.]'),
  ]
  return [value, ...defanged, words, excerpt.trim()]
    .map((one) => one.toLowerCase())
    .filter((one) => one.length >= NEEDLE_LENGTH_MIN)
}

function findIn(
  line: string,
  needles: readonly string[],
): { readonly start: number; readonly end: number } | null {
  if (line === '') return null
  const lower = line.toLowerCase()
  // A few letters change their length, and the location would be wrong.
  if (lower.length !== line.length) return null
  for (const needle of needles) {
    const start = findWhole(lower, needle)
    if (start !== -1) return { start, end: start + needle.length }
  }
  return null
}

/** `192.0.2.1` does not stand in `192.0.2.10`. */
function findWhole(line: string, needle: string): number {
  for (let at = line.indexOf(needle); at !== -1; at = line.indexOf(needle, at + 1)) {
    const before = line.charAt(at - 1)
    const after = line.slice(at + needle.length, at + needle.length + 2)
    if (!/[\p{L}\p{N}]/u.test(before) && !/^(?:[\p{L}\p{N}]|\.\d)/u.test(after)) return at
  }
  return -1
}
