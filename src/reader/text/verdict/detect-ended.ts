// Detects mails about a matter that is over: answers of customers who fixed it, closed tickets,
// entries that were taken off a list. Patterns are matched against folded text.

import { compileMeaning, sourceOf } from '../../words/compile-words.ts'
import { withoutConditions } from './clauses.ts'
import { isAnswer, known, type Refusal, type View } from './detect-view.ts'
import { GOES_ON, OUR_REPORT, PLEA } from './verdict-words.ts'

const WHOLE_WORDS = { start: 'word', end: 'word' } as const

/** A customer fixed the matter of a notice of ours. */
const MENDED = compileMeaning('ended.fixed', { start: 'word' })

/** The customer asks for the end of a block in turn. */
const LET_GO = compileMeaning('ended.let-go', { start: 'word' })

/** The recipient of a report of ours says that it acted. */
const DONE = compileMeaning('ended.done', { start: 'word' })

/** A provider says that it acted against its customer. */
const HANDLED = new RegExp(`(?<!\\byour )${sourceOf('ended.customer-handled', WHOLE_WORDS)}`, 'u')

/** A ticket or case is closed. */
const CLOSED = compileMeaning('ended.closed', WHOLE_WORDS)

/** A word of contradiction: the matter is not over. */
export const YET = compileMeaning('ended.but', WHOLE_WORDS)

/** An entry was removed from a blocklist. */
const DELISTED = compileMeaning('ended.delisted', { start: 'word' })

/** The heading above a quote of our own words. */
const OUR_WORDS = new RegExp(
  [
    `${sourceOf('quote.your-message', { start: 'word' })}\\s{0,3}[-–—]*\\s{0,3}:`,
    `-{2,} ?${sourceOf('quote.below-rule')}`,
    sourceOf('quote.your-words'),
  ].join('|'),
  'u',
)

const STILL = compileMeaning('ended.still', WHOLE_WORDS)

/** True when the mail says that something continues. */
export function goesOn(start: string): boolean {
  return STILL.test(withoutOurWords(start))
}

// Below `Your message was:` the words are ours.
export function withoutOurWords(start: string): string {
  const at = start.search(OUR_WORDS)
  return at === -1 ? start : start.slice(0, at)
}

// A mail states at its beginning that a matter is over.
const END_LENGTH = 300

// A complaint may say that its sender acted against his customer; only an end says `closed` too.
function readHandled(own: string): Refusal | null {
  return CLOSED.test(own) ? known('a notice of an end', own.slice(0, END_LENGTH), HANDLED) : null
}

/** Whether a closed matter continues: `you closed the ticket, but …`. */
export function isContradicted(start: string): boolean {
  const own = withoutOurWords(start)
  return YET.test(own) && GOES_ON.test(own)
}

/**
 * The mail says that a matter is over and names its subject. Null when it says that the matter
 * continues: then it is a complaint.
 */
export function readEnd({ mail, subject, start }: View): Refusal | null {
  const own = withoutOurWords(start)
  // Before the words that say that it continues: `it is fine again` has one of them.
  const mended = MENDED.test(own) ? known('an answer to a notice', own, LET_GO) : null
  if (mended !== null) return mended
  if (GOES_ON.test(withoutConditions(own))) return null
  const gone = known('a notice of an end', `${subject} ${own.slice(0, END_LENGTH)}`, DELISTED)
  if (gone !== null) return gone
  const handled = PLEA.test(own) || YET.test(own) ? null : readHandled(own)
  if (handled !== null) return handled
  const isOurs = isAnswer(mail) || own.length < start.length || OUR_REPORT.test(own)
  if (!isOurs || PLEA.test(own) || YET.test(own)) return null
  return known('an answer to an earlier report', own.slice(0, END_LENGTH), DONE)
}
