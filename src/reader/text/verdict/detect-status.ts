// Detects mails that tell how a matter stands and ask nothing: of ticket systems and providers,
// withdrawals, answers of customers, talk about mail that does not arrive, and lures for the desk
// itself. A sentence decides: it names the matter, and says what was done with it.

import {
  compileMeaning,
  compilePhrase,
  LANGUAGES,
  type Meaning,
  sourceOf,
} from '../../words/compile-words.ts'
import { findPhrases } from '../evidence/evidence-words.ts'
import {
  isConditional,
  joinSentences,
  listUnconditional,
  splitSentences,
  withoutQuoted,
} from './clauses.ts'
import { withoutOurWords, YET } from './detect-ended.ts'
import { saysHarm } from './detect-harm.ts'
import { FORWARDED, isAnswer, known, type Refusal, type View } from './detect-view.ts'
import { GOES_ON, NAMES_SUBJECT, PLEA } from './verdict-words.ts'

const WORD = { start: 'word' } as const

/**
 * The words of one language: a matter of the reader's (`your report`), one with a number or that
 * was told of before (`the case`, `ticket 77`), what becomes of it at a desk, and that it is over.
 * Words of two languages tell nothing together.
 */
interface StatusWords {
  readonly yours: RegExp | null
  readonly matter: RegExp | null
  readonly handled: RegExp | null
  readonly over: RegExp | null
}

const STATUS_WORDS: readonly StatusWords[] = [...LANGUAGES.values()].map((words) => {
  const source = (meaning: Meaning): string =>
    (words.get(meaning) ?? []).map((phrase) => compilePhrase(phrase, WORD)).join('|')
  const numbered = source('status.numbered')
  const matters = [
    source('status.matter'),
    numbered === '' ? '' : `(?:${numbered})[^.!?\\d\\n]{0,12}\\d`,
  ]
  return {
    yours: compileSource(source('status.your-matter')),
    matter: compileSource(matters.filter((each) => each !== '').join('|')),
    handled: compileSource(source('status.handled')),
    over: compileSource(source('status.over')),
  }
})

function compileSource(source: string): RegExp | null {
  return source === '' ? null : new RegExp(source, 'u')
}

/** Whoever complains takes it back. */
const WITHDRAWN = compileMeaning('status.withdrawn', WORD)

/** Mail does not arrive, or is refused. */
const UNDELIVERED = compileMeaning('status.undelivered', WORD)

/** What is said to a person whose password is wanted. */
const LURE = compileMeaning('status.lure', WORD)

// A mail comes to its matter within these sentences.
const SENTENCES_READ = 6
const SENTENCE_LENGTH_MAX = 400

export function readStatus(view: View): Refusal | null {
  const sentences = listUnconditional(withoutOurWords(view.body))
  const own = joinSentences(sentences)
  const asks = PLEA.test(own) || GOES_ON.test(own) || YET.test(own)
  const withdrawn = readWithdrawal(view, sentences)
  if (withdrawn !== null) return withdrawn
  const refused = readRefusedMail(view, own)
  if (refused !== null) return refused
  if (view.hasLog) return null
  const passed = readDefended(view, own) ?? readNotOurs(view, own)
  if (passed !== null) return passed
  const answered = GOES_ON.test(own) ? null : readDenial(view, own)
  if (asks || answered !== null) return answered
  return (
    readMonitoring(view, own) ??
    readSentences(view, sentences) ??
    readUndelivered(view, own) ??
    readOwnAnswer(view, sentences)
  )
}

// The mail says itself that the matter is none, so what goes on is something else.
function readWithdrawal({ subject }: View, own: readonly string[]): Refusal | null {
  const kind = 'the withdrawal of a report'
  const first = own.slice(0, SENTENCES_READ).join(' ')
  return known(kind, subject, WITHDRAWN, 'subject') ?? known(kind, first, WITHDRAWN)
}

function readSentences(view: View, own: readonly string[]): Refusal | null {
  const sentences = [view.subject, ...own.slice(0, SENTENCES_READ)]
  for (const [index, sentence] of sentences.entries()) {
    const found = findStatus(withoutQuoted(sentence.slice(0, SENTENCE_LENGTH_MAX)))
    const part = index === 0 ? 'subject' : 'text'
    if (found !== null && !(index === 0 && complainsFirst(view))) {
      if (sentences.some((other, at) => at > 0 && at !== index && blamesYou(other))) return null
      const words = found.replaceAll('"', '')
      return { kind: 'the status of a matter', knownBy: `${found} in the ${part}`, part, words }
    }
    // Whoever complains says first what happens.
    if (index > 0 && NAMES_SUBJECT.test(sentence) && saysHarm(sentence)) return null
  }
  return null
}

const FROM_YOURS = new RegExp(sourceOf('status.from-yours', WORD), 'u')

/** `The attack came from your network`: what was done before is the reporter's own matter. */
function blamesYou(sentence: string): boolean {
  return FROM_YOURS.test(sentence) && saysHarm(sentence)
}

/** Whether the text begins with a subject that does harm, and not with what was done. */
export function complainsFirst({ body }: View): boolean {
  for (const sentence of splitSentences(withoutOurWords(body)).slice(0, SENTENCES_READ)) {
    if (findStatus(withoutQuoted(sentence.slice(0, SENTENCE_LENGTH_MAX))) !== null) return false
    if (NAMES_SUBJECT.test(sentence) && saysHarm(sentence)) return true
  }
  return false
}

// Of one clause: `Incident: DR-7 | Resolved IP: …` is a row of fields.
const GAP_MAX = 120
// The colon of a link is none of a field.
const LINKS = /\bhttps?:\/\/\S{1,400}/g

function findStatus(sentence: string): string | null {
  if (isConditional(sentence) || DEMAND.test(sentence)) return null
  for (const { yours, matter, handled, over } of STATUS_WORDS) {
    const own = yours?.exec(sentence) ?? null
    const any = matter?.exec(sentence) ?? null
    const found =
      joinClause(sentence, own, handled) ??
      joinClause(sentence, own, over) ??
      joinClause(sentence, any, over)
    if (found !== null) return found
  }
  return null
}

/** `The account should be closed`: it is not. */
const DEMAND = compileMeaning('status.demand', { start: 'word', end: 'word' })

function joinClause(
  sentence: string,
  matter: RegExpExecArray | null,
  words: RegExp | null,
): string | null {
  const done = matter === null ? null : (words?.exec(sentence) ?? null)
  if (matter === null || done === null) return null
  const [first, second] = matter.index < done.index ? [matter, done] : [done, matter]
  const gap = sentence.slice(first.index + first[0].length, second.index).replaceAll(LINKS, 'link')
  if (gap.length > GAP_MAX || /[:|]\s*\S/.test(gap)) return null
  return `"${matter[0].trim()}" and "${done[0].trim()}"`
}

function readUndelivered(view: View, own: string): Refusal | null {
  if (view.isShown || view.namesAbuse.atAll) return null
  return known('about mail that does not arrive', own.slice(0, SENTENCE_LENGTH_MAX), UNDELIVERED)
}

// What a server answers to a mail (RFC 5321 section 4.2, RFC 3463).
const REFUSED_MAIL =
  /\bsaid: [45]\d\d[ -][^\n]{0,80}|\bin reply to (?:rcpt to|mail from|end of data)\b/

/** Nothing is named but the server that would not take a mail of the author. */
function readRefusedMail({ standing, candidateCount, isShown }: View, own: string): Refusal | null {
  if (isShown || (standing !== 'last' && candidateCount > 0)) return null
  return known('about mail that does not arrive', own, REFUSED_MAIL)
}

const AGAINST_YOU = compileMeaning('status.against-you', WORD)
const DEFENDED = compileMeaning('status.defended', WORD)

/** The provider of the reader says that it holds off an attack on the reader. */
function readDefended(view: View, own: string): Refusal | null {
  const text = `${view.subject}\n${own}`
  if (view.isShown || FROM_YOURS.test(text)) return null
  return AGAINST_YOU.test(text) ? known('the status of a matter', text, DEFENDED) : null
}

const NOT_OURS = compileMeaning('status.not-ours', WORD)

/** Whoever got a report says that it should have gone to somebody else. */
function readNotOurs(view: View, own: string): Refusal | null {
  const kind = 'an answer to an earlier report'
  const told = known(kind, `${view.subject}\n${own}`, NOT_OURS)
  if (told === null || view.isShown || !isAboutReports(view, own)) return null
  return own.split(/[.!?\n]/).some(blamesYou) ? null : told
}

function isAboutReports({ mail }: View, own: string): boolean {
  return (
    isAnswer(mail) ||
    STATUS_WORDS.some(({ yours }) => yours?.test(own) === true) ||
    STOP_REPORTS.test(own)
  )
}

const STOP_REPORTS = compileMeaning('status.stop-reports', WORD)

const DENIED = compileMeaning('status.denied', WORD)

/** Whoever was told of a matter says what he makes of it; he may ask that nobody blocks him. */
function readDenial(view: View, own: string): Refusal | null {
  const isPlea = PLEA.test(own) || own.split(/[.!?\n]/).some(blamesYou)
  if (!isAnswer(view.mail) || view.isShown || isPlea) return null
  return known('an answer to an earlier report', own, DENIED)
}

const MONITORING = compileMeaning('status.monitoring', WORD)

/** A machine tells of its own state. */
function readMonitoring(view: View, own: string): Refusal | null {
  if (view.isShown || view.hasHarm) return null
  return known('the status of a matter', own, MONITORING)
}

const NOTHING_FOUND = compileMeaning('status.nothing-found', WORD)

// Who was told of a matter asks what it is, or finds nothing of it.
function readOwnAnswer({ mail }: View, own: readonly string[]): Refusal | null {
  if (!isAnswer(mail)) return null
  const kind = 'an answer to an earlier report'
  const sentences = own.slice(0, 2 * SENTENCES_READ)
  const open = sentences.filter((each) => !each.endsWith('?') && !NOTHING_FOUND.test(each))
  if (open.length === sentences.length || open.some(saysHarm)) return null
  const found = sentences.find((each) => !open.includes(each)) ?? ''
  return { kind, knownBy: `"${found.slice(0, 80)}" in the text`, words: found.slice(0, 80) }
}

// Kinds of mail and pages that whoever reports a lure calls it by.
const LURE_KINDS: ReadonlySet<string> = new Set(['Phishing', 'Spam', 'Spamvertised', 'Fraud'])

/** Whoever reports phishing calls it so; a lure does not. */
export function readLure(view: View): Refusal | null {
  const { mail, subject, body, isShown } = view
  if (isShown || isAnswer(mail) || FORWARDED.test(mail.subject)) return null
  const text = `${subject} ${body}`
  const lure = known('a lure for the reader', text, LURE)
  if (lure === null || view.hasLog) return null
  const isNamed = findPhrases(text).some(
    ({ eventType, weight }) => weight > 1 && LURE_KINDS.has(eventType),
  )
  return isNamed ? null : lure
}
