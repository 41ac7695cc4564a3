// Where a mail carries XARF: an attachment or a part of any media type, the only part, or pasted
// into what a person reads.

import { isJsonObject } from '../../values/json-value.ts'
import { isEnclosedMail } from '../mail/detect-mail.ts'
import type { MailPart } from '../mail/mail.ts'
import type { MailReport } from '../mail-format.ts'
import { findJson } from './lenient-json.ts'
import { namePart, readPartText } from './part-text.ts'

export interface CarriedXarf {
  /** A member of a list is one of several. */
  readonly value: Readonly<Record<string, unknown>>
  /** As a finding names it. */
  readonly part: string
  /** Line of the part on which the JSON starts. */
  readonly line: number
}

// A report of one sensor and hour has some hundred incidents.
const OBJECTS_MAX = 1_000
const PARTS_MAX = 100
// Media types that hold no text, whatever their bytes look like; HTML is read as text below. An
// enclosed mail is what the report complains about: XARF in it would be the words of the accused.
const NOT_READ =
  /^(?:image|audio|video|font)\/|^message\/(?:rfc822|global)|^text\/(?:html|rfc822)|[/+-](?:zip|gzip|pdf|ms-excel|pkcs7-signature|pgp-signature)$/

/**
 * The objects that `isOurs` takes, from the parts of the mail, or else from its readable texts.
 * `marker` is a word that each has; a text without it costs one search.
 */
export function findCarriedXarf(
  report: MailReport,
  marker: RegExp,
  isOurs: (value: Readonly<Record<string, unknown>>) => boolean,
): readonly CarriedXarf[] {
  const parts = report.mail.parts.slice(0, PARTS_MAX).flatMap((part): CarriedXarf[] => {
    const text = mayHold(part) ? readPartText(part) : null
    return text === null ? [] : listObjects(text, namePart(part))
  })
  if (parts.length > 0) return parts.slice(0, OBJECTS_MAX)
  const texts = report.texts
    .filter(({ kind, lines }) => kind !== 'enclosed' && lines.some((line) => marker.test(line)))
    .flatMap(({ part, lines }) => listObjects(lines.map(unquote).join('\n'), part))
  return texts.slice(0, OBJECTS_MAX)

  function listObjects(text: string, part: string): CarriedXarf[] {
    const found = findJson(text, marker)
    if (found === null) return []
    const values: readonly unknown[] = Array.isArray(found.value) ? found.value : [found.value]
    return values
      .slice(0, OBJECTS_MAX)
      .filter(isJsonObject)
      .filter(isOurs)
      .map((value) => ({ value, part, line: found.line }))
  }
}

function mayHold(part: MailPart): boolean {
  // Many programs call an enclosed mail a stream of bytes; its name tells then.
  return !NOT_READ.test(part.mediaType) && !isEnclosedMail(part)
}

// Forwarded with its lines quoted; no line of JSON begins with the sign.
function unquote(line: string): string {
  return line.replace(/^(?:> ?){1,10}/, '')
}
