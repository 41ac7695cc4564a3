// Opens mails that were signed as one piece (S/MIME): their inner parts follow as parts of the
// mail.

import type { Mail, MailPart } from './mail.ts'
import { parseMail } from './parse-mail.ts'
import { READING_LIMITS, type ReadingLimits } from './reading-limits.ts'
import { openSignedData } from './signed-data.ts'

// A signed mail inside a signed mail is opened as well, but only one level deeper.
const DEPTH_MAX = 2

/**
 * The mail is unchanged without such a signature. Inner parts have a path such as `1/2`, and the
 * media type of the outer part as parentType.
 */
export function openSigned(mail: Mail, limits: ReadingLimits = READING_LIMITS, depth = 0): Mail {
  if (depth >= DEPTH_MAX || !mail.parts.some(isSigned)) return mail
  const parts: MailPart[] = []
  const defects = [...mail.defects]
  for (const part of mail.parts) {
    parts.push(part)
    const content = isSigned(part) ? openSignedData(part.bytes) : null
    if (content === null) continue
    const inner = openSigned(parseMail(content, limits), limits, depth + 1)
    defects.push(...inner.defects)
    for (const each of inner.parts) parts.push(within(part, each))
  }
  return {
    ...mail,
    parts: parts.slice(0, limits.partsMax),
    defects: defects.slice(0, limits.defectsMax),
  }
}

function isSigned({ mediaType }: MailPart): boolean {
  return mediaType === 'application/pkcs7-mime' || mediaType === 'application/x-pkcs7-mime'
}

function within(outer: MailPart, part: MailPart): MailPart {
  const parentType = part.parentType ?? outer.mediaType
  return { ...part, path: `${outer.path}/${part.path}`, parentType }
}
