// Patterns that tell mails which report nothing from complaints, made of the words of all languages
// (words/, meanings `verdict.…`). They are for folded text (foldText): lower case, no accents.

import type { ReadableText } from '../../mail/mail.ts'
import { compileMeaning, sourceOf } from '../../words/compile-words.ts'
import { foldText } from '../../words/fold-text.ts'

/** An automatic answer, by its subject. */
export const AUTOMATIC_SUBJECT = compileMeaning('verdict.automatic-subject')

/** A ticket system says that something was received, opened or closed. */
export const ACKNOWLEDGEMENT = compileMeaning('verdict.acknowledgement')

/** A mail server could not deliver. */
export const BOUNCE_SUBJECT = compileMeaning('verdict.bounce-subject')

/** Words of sellers; two of these make an advertisement. */
export const MARKETING = compileMeaning('verdict.marketing')

/** Money is owed, by the subject. */
export const INVOICE_SUBJECT = compileMeaning('verdict.invoice-subject')

/** A request to be removed from a list of ours or from our mails. */
export const REMOVAL = compileMeaning('verdict.removal-request')

/** A blocklist of ours; mails that name it ask for removal or for the reason of the entry. */
export const OUR_LIST = compileMeaning('verdict.our-list')

/** Removal from a list. */
export const TAKE_OFF = compileMeaning('verdict.take-off-list')

/** Announced maintenance of a network. */
export const MAINTENANCE = compileMeaning('verdict.maintenance')

/** Names of an earlier report of ours, in an answer to it. */
export const OUR_REPORT = compileMeaning('verdict.our-report')

/** The matter continues, so the mail is a complaint. */
export const GOES_ON = compileMeaning('verdict.goes-on', { start: 'word' })

/** A satisfaction survey. */
export const SURVEY = compileMeaning('verdict.survey')

/** Thanks. */
export const THANKS = compileMeaning('verdict.thanks')

/** An answer to a report of ours: the matter was handled. */
export const DEALT_WITH = compileMeaning('verdict.dealt-with')

/** The report itself lies behind a link. */
export const ELSEWHERE = compileMeaning('verdict.report-elsewhere')

const COMPLAINT = compileMeaning('verdict.complaint')

/** An imperative: an answer that only echoes a report has none. */
export const PLEA = compileMeaning('verdict.plea')

// Complaints and answers show their kind within these characters.
const OPENING_LENGTH_MAX = 4_000

/** Subject and body, folded, up to `lengthMax` characters. */
export function foldOpening(
  texts: readonly ReadableText[],
  lengthMax = OPENING_LENGTH_MAX,
): string {
  const lines = texts
    .filter(({ kind }) => kind === 'subject' || kind === 'body')
    .flatMap((text) => text.lines.slice(0, 200))
  return foldText(
    lines
      .join('\n')
      .slice(0, lengthMax)
      .replaceAll(/[^\S\n]{2,}|[^\S\n ]/g, ' '),
  )
}

/** Whether the texts ask us to act. */
export function isComplaint(texts: readonly ReadableText[]): boolean {
  return complainsIn(foldOpening(texts))
}

/** The same of an opening that is folded already. */
export function complainsIn(opening: string): boolean {
  return COMPLAINT.test(opening)
}

/** A sum with its currency. */
export const SUM_OF_MONEY =
  /(?:[$€£]|\b(?:eur|usd|gbp|chf)) ?\d|\d ?(?:[$€£]|(?:eur|usd|gbp|chf)\b)/

/** `Your server` stands in complaints, and in each offer and service mail. For `replaceAll`. */
export const YOURS = new RegExp(sourceOf('verdict.yours', { start: 'word' }), 'gu')

/** An address of either kind, or a link. A time of day has two colons, and a digit before each. */
export const NAMES_SUBJECT =
  /\d{1,3}(?:\.\d{1,3}){3}|\bh(?:tt|xx)ps?\b|[\da-f]{1,4}::|(?:[\da-f]{1,4}:){3}/
