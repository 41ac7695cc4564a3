// Tells a row of a list, which an address or a link begins, from a sentence.

import type { Spotted } from '../lines/scan-line.ts'

const ROW_LENGTH_MAX = 160

/**
 * `192.0.2.1  5900/tcp (no password, seen twice)`: what a remark follows is a row of a list,
 * however many words that has.
 */
export function isRow(text: string, [first]: readonly Spotted[]): boolean {
  if (first === undefined || first.column > 8 || text.length > ROW_LENGTH_MAX) return false
  const isFirst = !/[\p{L}\d]{2}/u.test(text.slice(0, first.column))
  return (
    isFirst && /^(?:\s{2,}|\t|\s[-–—(|]|:\s|\s\d{1,5}\/(?:tcp|udp)\b)/.test(text.slice(first.end))
  )
}
