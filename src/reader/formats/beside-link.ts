// Finds in the text for people the address that a link is served from, where the machine part of a
// report names the link only: `hxxp://bad[.]example/x [192.0.2.1]`.

import type { ReadableText } from '../mail/mail.ts'
import type { Finding } from '../reading.ts'
import { refang } from '../text/lines/refang.ts'
import { scanLine } from '../text/lines/scan-line.ts'

const LINES_MAX = 500
const LINE_LENGTH_MAX = 2_000

/**
 * The finding of `/ip`; null unless a line names the link and exactly one address. Only the subject
 * and the first text are the reporter's own words; in the evidence behind it such an address may be
 * that of a visitor, or one that the accused wrote there.
 */
export function findAddressBeside(texts: readonly ReadableText[], url: string): Finding | null {
  const wanted = keyOf(url)
  const body = texts.find(({ kind }) => kind === 'body')
  for (const text of texts) {
    if (text.kind !== 'subject' && text !== body) continue
    const { part, lines } = text
    for (const [at, raw] of lines.slice(0, LINES_MAX).entries()) {
      const spotted = scanLine(refang(raw.slice(0, LINE_LENGTH_MAX)))
      if (!spotted.some((each) => each.kind === 'url' && keyOf(each.value) === wanted)) continue
      const addresses = new Set(
        spotted.filter((each) => each.kind === 'ip').map(({ value }) => value),
      )
      const [ip] = addresses
      if (ip === undefined || addresses.size > 1) continue
      const reason = 'The text names it beside the link that the machine part reports.'
      const excerpt = raw.slice(0, 200)
      return {
        field: '/ip',
        value: ip,
        part,
        line: at + 1,
        excerpt,
        role: null,
        rank: null,
        reason,
      }
    }
  }
  return null
}

function keyOf(url: string): string {
  return url
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/\/$/, '')
    .toLowerCase()
}
