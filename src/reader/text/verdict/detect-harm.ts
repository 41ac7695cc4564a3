// Whether a mail says anything bad of what it names. Service mails, orders and questions name
// addresses as well; nobody is blamed by them.

import type { Mail, ReadableText } from '../../mail/mail.ts'
import {
  compileMeaning,
  joinPhrases,
  LANGUAGES,
  type Meaning,
  sourceOf,
} from '../../words/compile-words.ts'
import { foldText, joinLines } from '../../words/fold-text.ts'
import { findPhrases } from '../evidence/evidence-words.ts'
import { listMatches } from '../lines/list-matches.ts'
import { isLogLine } from '../lines/log-line.ts'
import { complainsIn, YOURS } from './verdict-words.ts'

/** What nobody says of a machine or a page that does no harm. */
const HARM = compileMeaning('harm', { start: 'word' })

/** Small words of each language whose words of harm are known well. */
const SMALL_WORDS = listLanguages('small-word').map(
  (source) => new RegExp(`(?<![\\p{L}\\d])${source}(?![\\p{L}\\d])`, 'gu'),
)

const UNSPACED = /[\u3040-\u30ff\uac00-\ud7a3\u4e00-\u9fff]{4}/

// A hint is not enough: every invoice names an account. Of the general words hints are: `attack`.
const ABUSE_WEIGHT_MIN = 2

const SMALL_WORDS_MIN = 3

/** Whether it is written in sentences of a language whose words of harm are known well. */
export function isProse(folded: string): boolean {
  if (UNSPACED.test(folded)) return true
  return SMALL_WORDS.some(
    (pattern) =>
      new Set(listMatches(folded, pattern).map(([word]) => word)).size >= SMALL_WORDS_MIN,
  )
}

/** Words that name harm and tell of none: `no spam`, `protection against DDoS`, `abuse contact`. */
const NEUTRAL = new RegExp(sourceOf('harm.neutral', { start: 'word' }), 'gu')

/** What a mail server answers: the words of somebody else. */
const SERVER_SAYS =
  /(?:\b[45]\d\d \d\.\d{1,3}\.\d{1,3}\b|(?:\bsaid: ?|\berror |\()[45]\d\d[ -])[^\n.)]{0,120}/g

function withoutNeutral(folded: string): string {
  return folded.replaceAll(SERVER_SAYS, ' ').replaceAll(NEUTRAL, ' ')
}

/** Whether words of the folded text say that something is bad. */
export function saysHarm(whole: string): boolean {
  const folded = withoutNeutral(whole)
  return (
    HARM.test(folded) ||
    complainsIn(folded.replaceAll(YOURS, ' ')) ||
    findPhrases(folded).some(
      ({ weight, eventType }) => weight >= ABUSE_WEIGHT_MIN || eventType === 'MaliciousActivity',
    )
  )
}

function listLanguages(meaning: Meaning): readonly string[] {
  return [...LANGUAGES.values()].flatMap((words) => {
    const phrases = words.get(meaning) ?? []
    return phrases.length === 0 ? [] : [joinPhrases(phrases)]
  })
}

const LINES_MAX = 400
const LENGTH_MAX = 8_000

/**
 * Whether the texts say or show anything bad. The subject of an answer is that of the mail that is
 * answered.
 */
export function showsHarm(texts: readonly ReadableText[], isAnswer: boolean): boolean {
  return texts.some(({ kind, lines }) => {
    if (kind === 'enclosed') return true
    if (kind === 'subject' && isAnswer) return false
    const read = lines.slice(0, LINES_MAX)
    if (kind !== 'subject' && read.some(isLogLine)) return true
    return saysHarm(joinLines(foldText(read.join('\n').slice(0, LENGTH_MAX))))
  })
}

/** Parts that may show what the text does not say; pictures of a signature are no attachments. */
export function listFiles({ parts }: Mail): readonly string[] {
  return parts
    .filter(({ isAttachment, mediaType }) => isAttachment || mediaType.startsWith('message/'))
    .map(({ fileName, mediaType }) => fileName ?? mediaType)
    .slice(0, 5)
}
