// Recognises a forwarded complaint: `we received the complaint below`. Then the quoted text is the
// report, although no mail program marked it as forwarded.

import { sourceOf } from '../../words/compile-words.ts'

const AT_START = { text: 'as written', start: 'word' } as const
const MATTER = sourceOf('matter', { text: 'as written' })

const PASSED_ON = new RegExp(
  [
    sourceOf('passed-on', { ...AT_START, end: 'word' }),
    `${sourceOf('passed-on.this-matter', AT_START)} ${MATTER}(?!\\p{L})`,
    `${MATTER} (?:\\p{L}{1,12} ){0,2}${sourceOf('passed-on.matter-below', AT_START)}(?!\\p{L})`,
    `${sourceOf('passed-on.got-this', AT_START)}(?: (?:${MATTER}|${sourceOf('passed-on.got-about', AT_START)})(?!\\p{L})|[:.,])`,
    `${sourceOf('passed-on.following', AT_START)} ${MATTER}`,
    `${MATTER} ${sourceOf('passed-on.matter-following', AT_START)}(?!\\p{L})`,
  ].join('|'),
  'iu',
)

// A forwarder says so within a few sentences.
const INTRODUCTION_LENGTH_MAX = 1_500

/** `lines`: the text above the first quoted line. */
export function isPassedOn(lines: readonly string[]): boolean {
  const text = lines.map((line) => line.trim()).join(' ')
  return PASSED_ON.test(text.slice(-INTRODUCTION_LENGTH_MAX))
}
