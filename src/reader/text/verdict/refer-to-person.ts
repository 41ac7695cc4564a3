// Which mails a person must read: requests of authorities, complaints that name nobody, and mails
// that hold next to no text beside something that nobody here opens. They are no complaint that
// could become an event, and not nothing either.

import { listPictures, listSealed } from '../../list-unread.ts'
import type { ReadableText } from '../../mail/mail.ts'
import type { MailReport } from '../../mail-format.ts'
import type { DecidingRule } from '../../reading.ts'
import { compileMeaning } from '../../words/compile-words.ts'
import { foldText, joinLines } from '../../words/fold-text.ts'
import { isLogLine } from '../lines/log-line.ts'
import type { Verdict } from './classify-verdict.ts'
import { splitSentences, withoutConditions, withoutQuoted } from './clauses.ts'
import { saysHarm } from './detect-harm.ts'
import { complainsIn, foldOpening, PLEA } from './verdict-words.ts'

export interface Doubtful {
  readonly report: MailReport
  /** Already cut: without signature, disclaimer and quoted thread. */
  readonly texts: readonly ReadableText[]
  readonly verdict: Verdict
  readonly candidateCount: number
}

export interface Referral {
  /** A public sentence why a person must read it. */
  readonly reason: string
  readonly decidedBy: DecidingRule
}

/** Null when no person must read it. */
export function referToPerson(mail: Doubtful): Referral | null {
  const pointer = referPointer(mail.verdict)
  if (pointer !== null) return pointer
  if (!isOpen(mail.verdict)) return null
  return referRequest(mail) ?? (mail.candidateCount > 0 ? null : referUnnamed(mail))
}

// An automatic reply, a ticket or thanks is that, whatever it names and whatever is attached.
const OPEN_KINDS: ReadonlySet<string> = new Set(['empty', 'no complaint'])

function isOpen({ isReport, evidence }: Verdict): boolean {
  return isReport || OPEN_KINDS.has(evidence[0]?.value ?? '')
}

/** Somebody reports something, in a place that nobody here opens. */
function referPointer({ evidence, decidedBy }: Verdict): Referral | null {
  if (decidedBy?.rule !== 'report-elsewhere' || evidence.length === 0) return null
  const reason = `The report lies elsewhere ("${decidedBy.words}" in the mail); a person must open it.`
  return { reason, decidedBy }
}

/** Police, prosecutors and courts, and the papers they write. */
const AUTHORITY = compileMeaning('authority', { start: 'word' })

/** Data of a person, or that they are kept. */
const ASKS_DATA = compileMeaning('authority.asks', { start: 'word' })

/** Something is wanted gone: that can be done without a word about anybody. */
const WANTS_GONE = compileMeaning('link.plea', { start: 'word', end: 'word' })
const DENIED = compileMeaning('negation', { start: 'word', end: 'word' })

// Whoever writes in the name of the law says so at once.
const LETTER_LENGTH = 2_500

// The request is for data of a person; a complaint that mentions the police wants something else.
function referRequest({ report, texts }: Doubtful): Referral | null {
  const bodies = texts.filter(({ kind }) => kind === 'body')
  const said = withoutConditions(foldOpening(bodies, LETTER_LENGTH))
  const letter = joinLines(`${foldHeads(report)}. ${said}`)
  const authority = AUTHORITY.exec(letter)
  const asked = authority === null ? null : ASKS_DATA.exec(letter)
  if (authority === null || asked === null || wantsGone(letter)) return null
  if (bodies.some(({ lines }) => lines.slice(0, 400).some(isLogLine))) return null
  const [sender, request] = [authority[0].trim(), asked[0].trim()]
  const reason = `An authority asks for data or that they are kept ("${sender}" and "${request}" in the mail); a person must decide what becomes of it.`
  return { reason, decidedBy: { rule: 'request-of-authority', words: request } }
}

function foldHeads({ mail }: MailReport): string {
  return foldText([mail.subject, ...mail.from.map(({ displayName }) => displayName)].join('. '))
}

function wantsGone(letter: string): boolean {
  return splitSentences(letter).some((sentence) => {
    const isPlea = PLEA.test(sentence) && !ASKS_DATA.test(sentence)
    return (isPlea || WANTS_GONE.test(sentence)) && !DENIED.test(sentence)
  })
}

function referUnnamed({ report, texts }: Doubtful): Referral | null {
  const unread = [...listSealed(report), ...listPicturesBeside(report, texts)]
  if (unread.length > 0) {
    const reason = `The text names nobody, and nobody here reads what may: ${unread.join(', ')}.`
    return { reason, decidedBy: { rule: 'sealed-part', words: '' } }
  }
  const opening = joinLines(withoutQuoted(foldOpening(texts)))
  const own = splitSentences(opening).filter((sentence) => !sentence.endsWith('?'))
  const harmful = own.find(saysHarm)
  // Whoever sells protection talks of harm and of `your network` as well, above a link of his.
  const complains = LINK.test(opening) ? PLEA.test(opening) : complainsIn(own.join(' '))
  if (harmful === undefined || !complains) return null
  const words = harmful.slice(0, 80).trim()
  const reason = `It complains, but names no address, link or domain ("${words}" in the mail); a person must find out who is meant.`
  return { reason, decidedBy: { rule: 'complaint-without-subject', words } }
}

const LINK = /\bhttps?:|\bwww\./

// Letters and digits. A greeting above a screenshot is shorter, and whoever complains in words
// writes more.
const HARDLY_ANY_TEXT = 240

/** The pictures of a signature stand below a text. */
function listPicturesBeside(report: MailReport, texts: readonly ReadableText[]): readonly string[] {
  const length = texts
    .filter(({ kind }) => kind === 'body')
    .flatMap(({ lines }) => lines)
    .join('')
    .slice(0, 10_000)
    .replaceAll(/[^\p{L}\p{N}]+/gu, '').length
  return length > HARDLY_ANY_TEXT ? [] : listPictures(report)
}
