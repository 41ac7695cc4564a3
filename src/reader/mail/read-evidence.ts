// Reads the evidence of a report as text: enclosed mails and attached files, beside what the
// reporter wrote.

import type { ReadEvidence } from '../reading.ts'
import { parseMail } from './parse-mail.ts'
import { prescanReport } from './prescan.ts'
import { listReadableTexts } from './readable-texts.ts'
import { READING_LIMITS } from './reading-limits.ts'

/** Null when the bytes are no mail, or beyond a limit. */
export function readEvidence(bytes: Uint8Array): ReadEvidence | null {
  const { exceeded, tree } = prescanReport(bytes)
  if (exceeded !== null || tree === null) return null
  const texts = listReadableTexts(parseMail(bytes, READING_LIMITS, tree))
  return {
    texts: texts.map(({ kind, lines }) => ({
      isOfReporter: kind === 'subject' || kind === 'body',
      lines: lines.map(cleanLine),
    })),
  }
}

function cleanLine(line: string): string {
  return line.toWellFormed().replaceAll(/[^\P{Cc}\t]|[\u202A-\u202E\u2066-\u2069]/gu, '')
}
