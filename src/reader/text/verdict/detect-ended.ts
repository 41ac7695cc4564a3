// Mails that name an address or a link of ours though nothing is wrong with it any more: answers of
// customers who mended it, tickets that are over, entries that were taken off a list. Patterns are
// matched against folded text.

import { compileMeaning, sourceOf } from '../../words/compile-words.ts'
import { isAnswer, known, type Refusal, type View } from './detect-view.ts'
import { GOES_ON, OUR_REPORT, PLEA } from './verdict-words.ts'

const WHOLE_WORDS = { start: 'word', end: 'word' } as const

/** What somebody did about a notice of ours. */
const MENDED = compileMeaning('ended.fixed', { start: 'word' })

/** What he wants in turn. */
const LET_GO = compileMeaning('ended.let-go', { start: 'word' })

/** Whom we told tells us what became of it. */
const DONE = compileMeaning('ended.done', { start: 'word' })

/** A provider tells what became of its customer. */
const HANDLED = new RegExp(`(?<!\\byour )${sourceOf('ended.customer-handled', WHOLE_WORDS)}`, 'u')

/** And that it is done with the matter. */
const CLOSED = compileMeaning('ended.closed', WHOLE_WORDS)

/** What follows is no end. */
const YET = compileMeaning('ended.but', WHOLE_WORDS)

/** An entry of a list is gone. */
const DELISTED = compileMeaning('ended.delisted', { start: 'word' })

/** Here our own words are quoted. */
const OUR_WORDS = new RegExp(
  [
    `${sourceOf('quote.your-message', { start: 'word' })}\\s{0,3}[-–—]*\\s{0,3}:`,
    `-{2,} ?${sourceOf('quote.below-rule')}`,
    sourceOf('quote.your-words'),
  ].join('|'),
  'u',
)

const STILL = compileMeaning('ended.still', WHOLE_WORDS)

/** Whatever it thanks for: something goes on. */
export function goesOn(start: string): boolean {
  return STILL.test(withoutOurWords(start))
}

// Below `Your message was:` the words are ours.
export function withoutOurWords(start: string): string {
  const at = start.search(OUR_WORDS)
  return at === -1 ? start : start.slice(0, at)
}

// An end is told at the beginning.
const END_LENGTH = 300

// A complaint of somebody else may come with such words; it does not close its own ticket.
function readHandled(own: string): Refusal | null {
  return CLOSED.test(own) ? known('a notice of an end', own.slice(0, END_LENGTH), HANDLED) : null
}

/** Whether what was closed goes on: `you closed the ticket, but …`. */
export function isContradicted(start: string): boolean {
  const own = withoutOurWords(start)
  return YET.test(own) && GOES_ON.test(own)
}

/**
 * Somebody tells that a matter is over, and names what it was about. Whoever says that it goes on
 * complains after all.
 */
export function readEnd({ mail, subject, start }: View): Refusal | null {
  const own = withoutOurWords(start)
  // `It is fine again`: here the word tells of no complaint.
  const mended = MENDED.test(own) ? known('an answer to a notice', own, LET_GO) : null
  if (mended !== null) return mended
  if (GOES_ON.test(own)) return null
  const gone = known('a notice of an end', `${subject} ${own.slice(0, END_LENGTH)}`, DELISTED)
  if (gone !== null) return gone
  const handled = PLEA.test(own) || YET.test(own) ? null : readHandled(own)
  if (handled !== null) return handled
  const isOurs = isAnswer(mail) || own.length < start.length || OUR_REPORT.test(own)
  if (!isOurs || PLEA.test(own) || YET.test(own)) return null
  return known('an answer to an earlier report', own.slice(0, END_LENGTH), DONE)
}
