// Opens the archives among a mail's parts, one level deep. Their entries follow them as parts, so
// that the readers of tables and XML find them.

import { sniffMediaType } from '../mail/detect-mail.ts'
import type { Mail, MailPart } from '../mail/mail.ts'
import { isTextual, readText } from '../mail/parse-mail.ts'
import { READING_LIMITS, type ReadingLimits } from '../mail/reading-limits.ts'
import { looksLikeOffice } from './office-file.ts'
import { openArchive } from './open-archive.ts'

export interface UnpackedMail {
  /**
   * Entries stand behind their archive, with a path as `2/1` and the archive's media type as
   * parentType.
   */
  readonly mail: Mail
  /** A sentence for each archive that exceeds a limit and is not opened. */
  readonly refusals: readonly string[]
}

// Malware samples and packet captures are evidence, not a report. They are not unpacked and do not
// count towards the limits.
const READABLE = /(?:^|[/\\])[^./\\]+$|\.(?:csv|tsv|txt|log|xml|json|html?|eml|xlsx|ya?ml|md)$/i
const NOT_READABLE = /^__MACOSX\//

export function unpackParts(mail: Mail, limits: ReadingLimits = READING_LIMITS): UnpackedMail {
  const refusals: string[] = []
  const defects = [...mail.defects]
  const parts: MailPart[] = []
  let left = limits.archive.unpackedBytesMax
  for (const part of mail.parts) {
    parts.push(part)
    if (looksLikeOffice(part)) continue
    const rest = { ...limits.archive, unpackedBytesMax: left }
    const archive = openArchive(part.bytes, part.fileName, rest, isReadable)
    if (archive === null) continue
    if (archive.refusal !== null) refusals.push(archive.refusal)
    defects.push(...archive.problems)
    for (const [index, { name, bytes }] of archive.entries.entries()) {
      left -= bytes.length
      parts.push(partOfEntry(part, index, name, bytes))
    }
  }
  const kept = [...defects, ...refusals].slice(0, limits.defectsMax)
  return { mail: { ...mail, parts, defects: kept }, refusals }
}

function isReadable(path: string): boolean {
  return READABLE.test(path) && !NOT_READABLE.test(path)
}

function partOfEntry(
  archive: MailPart,
  index: number,
  fileName: string,
  bytes: Uint8Array,
): MailPart {
  const mediaType = mediaTypeOf(fileName) ?? sniffMediaType(bytes) ?? typeOfUnknown(bytes)
  return {
    path: `${archive.path}/${index + 1}`,
    mediaType,
    parentType: archive.mediaType,
    fileName,
    isAttachment: true,
    text: isTextual(mediaType, fileName) ? readText(bytes, mediaType, new Map()) : null,
    bytes,
  }
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  log: 'text/plain',
  md: 'text/plain',
  xml: 'application/xml',
  json: 'application/json',
  htm: 'text/html',
  html: 'text/html',
  eml: 'message/rfc822',
  yml: 'application/yaml',
  yaml: 'application/yaml',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

function mediaTypeOf(fileName: string): string | null {
  const extension = /\.([a-z0-9]{1,5})$/i.exec(fileName)?.[1]?.toLowerCase() ?? ''
  return MEDIA_TYPES[extension] ?? null
}

function typeOfUnknown(bytes: Uint8Array): string {
  return bytes.subarray(0, 8_192).includes(0) ? 'application/octet-stream' : 'text/plain'
}
