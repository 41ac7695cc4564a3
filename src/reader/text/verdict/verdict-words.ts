// Patterns that tell mails which report nothing from complaints, made of the words of all languages
// (words/, meanings `verdict.…`). They are for folded text (foldText): lower case, no accents.

import type { ReadableText } from '../../mail/mail.ts'
import { compileMeaning } from '../../words/compile-words.ts'
import { foldText } from '../../words/fold-text.ts'

/** An automatic answer, by its subject. */
export const AUTOMATIC_SUBJECT = compileMeaning('verdict.automatic-subject')

/** That something was received, opened or closed: a ticket system speaks. */
export const ACKNOWLEDGEMENT = compileMeaning('verdict.acknowledgement')

/** A mail server could not deliver. */
export const BOUNCE_SUBJECT = compileMeaning('verdict.bounce-subject')

/** Somebody sells something; two of these make an advertisement. */
export const MARKETING = compileMeaning('verdict.marketing')

/** Money is owed, by the subject. */
export const INVOICE_SUBJECT = compileMeaning('verdict.invoice-subject')

/** Somebody wants to be left out, or taken off a list of ours. */
export const REMOVAL = compileMeaning('verdict.removal-request')

/** A block list of ours: whoever speaks of it asks to be taken off, or what they did. */
export const OUR_LIST = compileMeaning('verdict.our-list')

/** To be taken off it. */
export const TAKE_OFF = compileMeaning('verdict.take-off-list')

/** Work on a network that is announced. */
export const MAINTENANCE = compileMeaning('verdict.maintenance')

/** What we once reported, spoken of by whom we told. */
export const OUR_REPORT = compileMeaning('verdict.our-report')

/** But it goes on: then it is a complaint after all. */
export const GOES_ON = compileMeaning('verdict.goes-on')

/** Somebody asks how good we were. */
export const SURVEY = compileMeaning('verdict.survey')

/** Thanks, and nothing more. */
export const THANKS = compileMeaning('verdict.thanks')

/** An answer to a report of ours: it is dealt with. */
export const DEALT_WITH = compileMeaning('verdict.dealt-with')

/** The report itself lies behind a link. */
export const ELSEWHERE = compileMeaning('verdict.report-elsewhere')

const COMPLAINT = compileMeaning('verdict.complaint')

/** An imperative: an answer that only echoes a report has none. */
export const PLEA = compileMeaning('verdict.plea')

// Where complaints and answers say what they are.
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

/** Whether somebody asks us to act on something. */
export function isComplaint(texts: readonly ReadableText[]): boolean {
  return complainsIn(foldOpening(texts))
}

/** The same of an opening that is folded already. */
export function complainsIn(opening: string): boolean {
  return COMPLAINT.test(opening)
}
