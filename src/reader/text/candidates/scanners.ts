// Excludes scanners from reports of a weakness, where the scanner is the reporter. In reports of
// attacks a scanner is the source.

import { sourceOf } from '../../words/compile-words.ts'
import type { Occurrence } from '../occurrences/occurrence.ts'

const WEAKNESSES = new Set('CVE Open SSLPoodle SSLFreak OutdatedDNSSEC DNSProblems'.split(' '))
const WRITTEN = { text: 'as written' } as const
const SCANNER = new RegExp(
  `(?<!\\p{L})(?:${sourceOf('scanner.name', WRITTEN)}|${sourceOf('scanner.scanned', WRITTEN)}\\s{1,3}${sourceOf('scanner.by', WRITTEN)})(?!\\p{L})[^.]{0,30}$`,
  'iu',
)

/** Returns all candidates when the report is about something else or none would remain. */
export function withoutScanners(
  occurrences: readonly Occurrence[],
  eventType: string,
): readonly Occurrence[] {
  if (!WEAKNESSES.has(eventType)) return occurrences
  const addresses = occurrences.filter(({ kind }) => kind === 'ip' || kind === 'range')
  const scanners = new Set(
    addresses.filter(({ beside }) => SCANNER.test(beside)).map(({ value }) => value),
  )
  const isScanner = ({ value }: Occurrence): boolean => scanners.has(value)
  return scanners.size === 0 || addresses.every(isScanner)
    ? occurrences
    : occurrences.filter((each) => !isScanner(each))
}
