// Shows a report to a person: headers, texts and files of the mail that was read, as plain text,
// and the location of each finding in them. What is shown is bounded; control characters are left
// out.

import { unpackParts } from '../archive/unpack-parts.ts'
import { detectFormat } from '../detect-format.ts'
import type { Finding, LetterPart, ReportResult, ShownReport, ShownText } from '../reading.ts'
import { isEnclosedMail, mailOfOnePart } from './detect-mail.ts'
import { findLocation } from './find-location.ts'
import type { Mail } from './mail.ts'
import { openPassedOn } from './open-passed-on.ts'
import { openSigned } from './open-signed.ts'
import { parseMail } from './parse-mail.ts'
import { prescanReport } from './prescan.ts'
import { listReadableTexts } from './readable-texts.ts'
import { READING_LIMITS } from './reading-limits.ts'

// What a browser shows at once, and no person reads to its end.
const TEXT_LENGTH_MAX = 200_000
const LINES_MAX = 5_000
const HEADERS_MAX = 200
const HEADER_LENGTH_MAX = 2_000
const FILES_MAX = 50
const EVENTS_MAX = 100
const NAME_LENGTH_MAX = 255

/** `result` is what `readReportBytes` made of the same bytes. Bytes beyond a limit show nothing. */
export function showReport(
  bytes: Uint8Array,
  mediaType: string,
  result: ReportResult,
): ShownReport {
  const { headers, texts, files } = openReport(bytes, mediaType)
  const shown = { headers, texts: bound(texts), files }
  const location = (finding: Finding) => findLocation(finding, shown)
  return {
    result: cutEvents(result),
    ...shown,
    locations:
      result.kind === 'report'
        ? result.events.slice(0, EVENTS_MAX).map(({ findings }) => findings.map(location))
        : [],
    passedOverLocations: 'passedOver' in result ? result.passedOver.map(location) : [],
  }
}

function cutEvents(result: ReportResult): ReportResult {
  if (result.kind !== 'report') return result
  return { ...result, events: result.events.slice(0, EVENTS_MAX) }
}

type Opened = Pick<ShownReport, 'headers' | 'files'> & {
  readonly texts: readonly Pick<ShownText, 'part' | 'lines'>[]
}

function openReport(bytes: Uint8Array, mediaType: string): Opened {
  const { exceeded, tree } = prescanReport(bytes)
  if (exceeded !== null) return { headers: [], texts: [], files: [] }
  if (tree !== null) {
    const parsed = parseMail(bytes, READING_LIMITS, tree)
    const { mail } = unpackParts(openSigned(openPassedOn(parsed)))
    return { headers: listHeaders(mail), texts: listTexts(mail), files: listFiles(mail) }
  }
  const detected = detectFormat(bytes)
  if (detected.kind === 'xarf_v4') {
    const lines = JSON.stringify(detected.value, null, 2).split('\n')
    return { headers: [], texts: [{ part: 'json', lines }], files: [] }
  }
  const { mail } = unpackParts(mailOfOnePart(bytes, mediaType))
  return { headers: [], texts: listTexts(mail), files: listFiles(mail) }
}

function listHeaders({ headers }: Mail): ShownReport['headers'] {
  return headers.slice(0, HEADERS_MAX).map(({ name, value }) => ({
    name: clean(name),
    value: clean(value).slice(0, HEADER_LENGTH_MAX),
  }))
}

/** The texts for people, and behind them tables and machine formats as they stand. */
function listTexts(mail: Mail): readonly Pick<ShownText, 'part' | 'lines'>[] {
  const readable = listReadableTexts(mail)
    .filter(({ kind }) => kind !== 'subject')
    .map(({ part, lines }) => ({ part, lines }))
  const names = new Set(readable.map(({ part }) => part))
  const machine = mail.parts
    .slice(0, READING_LIMITS.textsMax)
    .filter((part) => part.text !== null && !isEnclosedMail(part) && part.mediaType !== 'text/html')
    .map(({ text, fileName, mediaType }, index) => ({
      part: fileName === null && index === 0 ? 'text' : `attachment ${fileName ?? mediaType}`,
      lines: (text ?? '').slice(0, TEXT_LENGTH_MAX).split('\n'),
    }))
    .filter(({ part }) => !names.has(part))
  return [...readable, ...machine]
}

function listFiles(mail: Mail): readonly LetterPart[] {
  const files = mail.parts.filter((part) => part.isAttachment || isEnclosedMail(part))
  return files.slice(0, FILES_MAX).map(({ path, mediaType, fileName, bytes }) => ({
    path,
    mediaType: clean(mediaType).slice(0, NAME_LENGTH_MAX),
    fileName: fileName === null ? null : clean(fileName).slice(0, NAME_LENGTH_MAX),
    byteLength: bytes.length,
  }))
}

function bound(texts: readonly Pick<ShownText, 'part' | 'lines'>[]): readonly ShownText[] {
  let left = TEXT_LENGTH_MAX
  let linesLeft = LINES_MAX
  return texts.map(({ part, lines }) => {
    const kept: string[] = []
    for (const line of lines) {
      if (left <= 0 || linesLeft <= 0) break
      kept.push(clean(line.slice(0, left)))
      left -= line.length + 1
      linesLeft -= 1
    }
    return { part: clean(part), lines: kept, isCut: kept.length < lines.length }
  })
}

// Bidi controls would show a text in another order than it is.
function clean(text: string): string {
  return text.toWellFormed().replaceAll(/[^\P{Cc}\t]|[\u202A-\u202E\u2066-\u2069]/gu, '')
}
