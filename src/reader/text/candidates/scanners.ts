// Where a weakness is reported, whoever scanned for it is the reporter; of attacks a scanner is the
// source.

import type { Occurrence } from '../occurrences/occurrence.ts'

const WEAKNESSES = new Set('CVE Open SSLPoodle SSLFreak OutdatedDNSSEC DNSProblems'.split(' '))
const SCANNER =
  /(?:(?<!\p{L})(?:scanner|scan node|scan source|prober|сканер|スキャナ|扫描器)(?!\p{L})|(?<!\p{L})(?:scanned|probed|tested|checked|verified|gescannt|geprüft|testé|scanné|escaneado|comprobado|scansionato|verificado|gecontroleerd)\s{1,3}(?:by|from|von|vom|depuis|par|desde|por|da|door)(?!\p{L}))[^.]{0,30}$/iu

/** All of them when the report is about something else, or nothing would be left. */
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
