// Whether a mail reports anything at all: automatic replies, bounces, advertisements, invoices and
// thanks reach an abuse desk too. A doubtful mail with a clear complaint and something to act on is
// a report.

import { findHeader, type Mail, type ReadableText } from '../../mail/mail.ts'
import type { MailReport } from '../../mail-format.ts'
import type { DecidingRule, Finding } from '../../reading.ts'
import { sourceOf } from '../../words/compile-words.ts'
import { foldText } from '../../words/fold-text.ts'
import { findPhrases } from '../evidence/evidence-words.ts'
import { isLogLine } from '../lines/log-line.ts'
import { goesOn, isContradicted, readEnd, withoutOurWords } from './detect-ended.ts'
import { isProse, listFiles, showsHarm } from './detect-harm.ts'
import { readOffer } from './detect-offer.ts'
import { complainsFirst, readLure, readStatus } from './detect-status.ts'
import {
  FORWARDED,
  isAnswer,
  known,
  type Refusal,
  type Standing,
  type View,
} from './detect-view.ts'
import { locateWords, VERDICT_RULES } from './verdict-rules.ts'
import {
  ACKNOWLEDGEMENT,
  AUTOMATIC_SUBJECT,
  BOUNCE_SUBJECT,
  complainsIn,
  DEALT_WITH,
  ELSEWHERE,
  foldOpening,
  GOES_ON,
  INVOICE_SUBJECT,
  isComplaint,
  MAINTENANCE,
  MARKETING,
  OUR_LIST,
  OUR_REPORT,
  PLEA,
  REMOVAL,
  SURVEY,
  TAKE_OFF,
  THANKS,
} from './verdict-words.ts'

export interface VerdictInput {
  readonly report: MailReport
  /** Already cut: without signature, disclaimer and quoted thread. */
  readonly texts: readonly ReadableText[]
  /** How many addresses and URLs of the text could be what is complained about. */
  readonly candidateCount: number
  /**
   * How many of them the author of this mail wrote into it: not in the subject, not in what is
   * quoted.
   */
  readonly ownCandidateCount?: number
  readonly standing?: Standing
}

export interface Verdict {
  readonly isReport: boolean
  /** A public sentence; null when it is a report. */
  readonly reason: string | null
  readonly evidence: readonly Finding[]
  /** Left out when it is a report. */
  readonly decidedBy?: DecidingRule
}

export function classifyVerdict(input: VerdictInput): Verdict {
  const view = viewOf(input)
  for (const rule of RULES) {
    const refusal = rule(view)
    if (refusal === null) continue
    const { kind, knownBy, words = '' } = refusal
    const reason = `The mail is ${kind} (${knownBy}); it reports nothing.`
    const decidedBy = { rule: VERDICT_RULES[kind], words }
    return { isReport: false, reason, evidence: [findingOf(refusal, input)], decidedBy }
  }
  return { isReport: true, reason: null, evidence: [] }
}

type Rule = (view: View) => Refusal | null

// A line or two; longer mails thank politely at their end.
const THANKS_LENGTH_MAX = 300
// An answer names itself in its first lines.
const START_LENGTH = 800
const BODY_LENGTH = 1_500

function viewOf(input: VerdictInput): View {
  const { report, texts, candidateCount, ownCandidateCount, standing } = input
  const bodies = texts.filter(({ kind }) => kind === 'body')
  const opening = foldOpening(texts).replaceAll(NAME_RESOLVED, ' ')
  const complains = complainsIn(opening)
  const subject = foldText(report.mail.subject)
  const body = foldOpening(bodies, BODY_LENGTH).replaceAll(NAME_RESOLVED, ' ')
  const start = body.slice(0, START_LENGTH).replaceAll(/\s+/g, ' ')
  const inSubject = namesAbuse(
    `${subject} | ${subject.replaceAll(/(?<=[a-z])[-_](?=[a-z])/g, ' ')}`,
  )
  return {
    mail: report.mail,
    subject,
    opening,
    uncut: foldOpening(report.texts),
    start,
    body,
    hasLog: texts.some(
      ({ kind, lines }) => kind !== 'subject' && lines.slice(0, 400).some(isLogLine),
    ),
    isShown: listFiles(report.mail).length > 0 || texts.some(({ kind }) => kind === 'enclosed'),
    hasHarm: showsHarm(texts, isAnswer(report.mail)),
    bodyLength: bodies
      .flatMap(({ lines }) => lines)
      .join('')
      .slice(0, 10 * THANKS_LENGTH_MAX)
      .replaceAll(/\s+/g, '').length,
    candidateCount,
    ownCandidateCount: ownCandidateCount ?? candidateCount,
    standing: standing ?? 'named',
    complains,
    namesAbuse: { inSubject, atAll: inSubject || namesAbuse(start) },
    isActionable: complains && candidateCount > 0,
  }
}

/** A name that is resolved to an address is no matter that is over. */
const NAME_RESOLVED = new RegExp(sourceOf('verdict.dns', { start: 'word' }), 'gu')

const WHOLE_WORDS = { start: 'word', end: 'word' } as const

// A hint is not enough: every invoice names an account.
const ABUSE_WEIGHT_MIN = 2

// Every company tells where to report what it does not do, and names its pages so.
const NOTICE = new RegExp(`${sourceOf('verdict.notice', WHOLE_WORDS)}|\\bhttps?://\\S{1,400}`, 'g')

function namesAbuse(text: string): boolean {
  return findPhrases(text.replaceAll(NOTICE, ' ')).some(({ weight }) => weight >= ABUSE_WEIGHT_MIN)
}

// The first that applies gives the reason. What a header states comes before what words suggest.
const RULES: readonly Rule[] = [
  ({ mail }) => readBounceParts(mail),
  (view) => (isFirstReport(view) ? null : readAutomaticHeaders(view.mail)),
  ({ subject }) => readAutomaticSubject(subject),
  ({ mail, subject }) =>
    isMailSystem(mail)
      ? known('a notice of a mail system', subject, BOUNCE_SUBJECT, 'subject')
      : null,
  ({ mail, subject }) => readDigest(mail, subject),
  ({ start, isActionable, complains, candidateCount }) =>
    (isActionable && !isOnlyEcho(start, complains, candidateCount)) ||
    (candidateCount > 0 && (goesOn(start) || isContradicted(start)))
      ? null
      : known('an acknowledgement of receipt', start, ACKNOWLEDGEMENT),
  (view) => readAnswer(view),
  (view) => readEnd(view),
  (view) =>
    complainsFirst(view)
      ? null
      : known('a notice of a closed ticket', view.subject, CLOSED_TICKET, 'subject'),
  (view) => readRemoval(view),
  ({ subject, start, complains, namesAbuse: { atAll } }) =>
    complains || atAll
      ? null
      : known('a notice of maintenance', `${subject} ${start}`, MAINTENANCE),
  ({ opening, isActionable }) => (isActionable ? null : known('a survey', opening, SURVEY)),
  ({ subject, complains, namesAbuse: { atAll } }) =>
    complains || atAll ? null : known('about a payment', subject, INVOICE_SUBJECT, 'subject'),
  (view) => readAdvertisement(view),
  (view) => readOffer(view),
  (view) => readLure(view),
  (view) => readStatus(view),
  (view) => readThanks(view),
  (view) => readEmpty(view),
  ({ uncut, candidateCount }) =>
    candidateCount > 0
      ? null
      : known('a pointer to a report that lies elsewhere', uncut, ELSEWHERE),
  ({ complains, standing, candidateCount, namesAbuse: { atAll } }) =>
    standing !== 'last' || candidateCount === 0 || complains || atAll
      ? null
      : { kind: 'no complaint', knownBy: 'what it names is said to be something else' },
  // Whoever complains of a page says what it does or what should become of it.
  ({ complains, standing, candidateCount, namesAbuse: { atAll } }) =>
    (standing !== 'linked' && standing !== 'domain') || candidateCount === 0 || complains || atAll
      ? null
      : { kind: 'no complaint', knownBy: SAYS_NOTHING_BAD[standing] },
  (view) => readHarmless(view),
  ({ complains, candidateCount }) =>
    complains || candidateCount > 0
      ? null
      : {
          kind: 'no complaint',
          knownBy: 'it names no address, link or domain that could be complained about',
        },
]

// A service mail, an order or a question names addresses as well, and blames nobody.
function readHarmless(view: View): Refusal | null {
  const { mail, hasHarm, isShown, standing, start, body, candidateCount } = view
  if (hasHarm || isShown || standing !== 'named' || candidateCount === 0) return null
  const continues = isAnswer(mail) ? GOES_ON.test(start) : goesOn(start)
  if (continues || !isProse(body)) return null
  return { kind: 'no complaint', knownBy: 'it says nothing bad of what it names' }
}

const SAYS_NOTHING_BAD = {
  linked: 'it has a link, and says nothing bad of it',
  domain: 'it names a domain, and says nothing bad of it',
} as const

// RFC 3464 and RFC 8098: reports about the delivery of a mail, not about abuse.
const DELIVERY_PARTS: ReadonlySet<string> = new Set([
  'message/delivery-status',
  'message/global-delivery-status',
  'message/disposition-notification',
])

function readBounceParts(mail: Mail): Refusal | null {
  const part = mail.parts.find(({ mediaType }) => DELIVERY_PARTS.has(mediaType))
  const isAbuse = mail.parts.some(({ mediaType }) => mediaType === 'message/feedback-report')
  if (part === undefined || isAbuse) return null
  return { kind: 'a notice of a mail system', knownBy: part.mediaType, part: `part ${part.path}` }
}

// RFC 3834. `auto-generated` is not among them: most machines that report abuse say so of
// themselves.
function readAutomaticHeaders(mail: Mail): Refusal | null {
  const submitted = findHeader(mail, 'auto-submitted') ?? ''
  if (/^auto-(?:replied|notified)\b/i.test(submitted)) {
    return headerRefusal('Auto-Submitted', submitted)
  }
  for (const name of ['X-Autoreply', 'X-Autorespond', 'X-Autoresponse', 'X-Auto-Reply']) {
    const value = findHeader(mail, name.toLowerCase())
    if (value !== null && !/^(?:no|false|0)\b/i.test(value)) return headerRefusal(name, value)
  }
  const precedence = findHeader(mail, 'precedence') ?? ''
  return /^auto[_-]?reply\b/i.test(precedence) ? headerRefusal('Precedence', precedence) : null
}

// Ticket systems and mail servers mark what they send first as answers, too.
function isFirstReport({ mail, hasHarm, ownCandidateCount, start }: View): boolean {
  return hasHarm && ownCandidateCount > 0 && !isAnswer(mail) && !ACKNOWLEDGEMENT.test(start)
}

const NEGATED = new RegExp(`${sourceOf('negation', WHOLE_WORDS)}(?: \\S{1,12}){0,3}\\s$`, 'u')

// `No autoreply, please` is none.
function readAutomaticSubject(subject: string): Refusal | null {
  const refusal = known('an automatic reply', subject, AUTOMATIC_SUBJECT, 'subject')
  const at = subject.search(AUTOMATIC_SUBJECT)
  return NEGATED.test(subject.slice(0, Math.max(0, at))) ? null : refusal
}

function headerRefusal(name: string, value: string): Refusal {
  const knownBy = `${name}: ${value.slice(0, 80)}`.trim()
  return { kind: 'an automatic reply', knownBy, part: `header ${name}`, words: value.slice(0, 80) }
}

// RFC 5321 section 6.1: notices of mail systems have the null sender.
function isMailSystem(mail: Mail): boolean {
  const from = mail.from[0]?.address ?? ''
  const returnPath = findHeader(mail, 'return-path')
  return /^(?:mailer-daemon|postmaster)@/i.test(from) || /^<\s?>$/.test(returnPath ?? '')
}

const DIGEST = new RegExp(`${sourceOf('verdict.digest', { start: 'word' })} \\d+`, 'u')

function readDigest(mail: Mail, subject: string): Refusal | null {
  const isDigest = mail.parts.some(({ parentType }) => parentType === 'multipart/digest')
  if (isDigest) return { kind: 'the digest of a mailing list', knownBy: 'multipart/digest' }
  return known('the digest of a mailing list', subject, DIGEST, 'subject')
}

// Whoever was told of a matter answers that it is dealt with; what such a mail names is what we
// wrote ourselves.
function readAnswer({ mail, start, isActionable, ownCandidateCount }: View): Refusal | null {
  if (!isAnswer(mail)) return null
  const isAboutOurs =
    OUR_REPORT.test(start) && ownCandidateCount === 0 && !PLEA.test(start) && !GOES_ON.test(start)
  return isActionable && !isAboutOurs
    ? null
    : known('an answer to an earlier report', start, DEALT_WITH)
}

// A ticket system that thanks for a report often repeats its subject; a plea of its own it does not
// have.
function isOnlyEcho(start: string, complains: boolean, candidateCount: number): boolean {
  const isThanks = ACKNOWLEDGEMENT.exec(start)
  return (
    isThanks !== null &&
    isThanks.index < 200 &&
    (!complains || candidateCount < 3) &&
    !PLEA.test(withoutOurWords(start))
  )
}

// `Ticket #12 closed`, `[Case 55] resolved`, and the receipts of mail programs.
const CLOSED_TICKET = new RegExp(
  `${sourceOf('verdict.ticket', WHOLE_WORDS)}[^a-z]{0,20}(?:${sourceOf('verdict.ticket-is')} )?${sourceOf('verdict.ticket-closed')}|^${sourceOf('verdict.receipt')}\\s?: `,
)

// A list that tells of its entry says as well how to get off it.
function readRemoval({
  opening,
  subject,
  isActionable,
  namesAbuse: { inSubject },
}: View): Refusal | null {
  const start = opening.slice(0, START_LENGTH)
  if (TAKE_OFF.test(start)) {
    const ours = known('a request to be removed or unblocked', start, OUR_LIST)
    if (ours !== null) return ours
  }
  const isSure = REMOVAL.test(subject)
  if (!isSure && (isActionable || inSubject)) return null
  return known('a request to be removed or unblocked', start, REMOVAL)
}

const ADVERTISING_WORDS_MIN = 2

// Who reports spam shows it: an advertisement that is forwarded, or called spam, is one only when
// it names nothing to act on. The header List-Unsubscribe tells nothing, since the list of an abuse
// desk itself adds it.
function readAdvertisement(view: View): Refusal | null {
  const {
    mail,
    opening,
    complains,
    namesAbuse: { atAll },
    candidateCount,
  } = view
  const isShown = atAll || FORWARDED.test(mail.subject)
  if (complains || (isShown && candidateCount > 0)) return null
  const words = new Set([...opening.matchAll(new RegExp(MARKETING, 'g'))].map(([word]) => word))
  if (words.size < ADVERTISING_WORDS_MIN) return null
  const knownBy = [...words].slice(0, 3).map((word) => `"${word}"`)
  const [first = ''] = words
  return {
    kind: 'a newsletter or an advertisement',
    knownBy: `${knownBy.join(', ')} in the text`,
    words: first,
  }
}

// Thanks above a thread: the subject and what is quoted are of the matter that is over.
function readThanks(view: View): Refusal | null {
  const { mail, start, bodyLength, complains, candidateCount, ownCandidateCount } = view
  if (bodyLength > THANKS_LENGTH_MAX) return null
  const isOver =
    isAnswer(mail) && ownCandidateCount === 0 && !asksFor(start) && !GOES_ON.test(start)
  if (!isOver && (complains || candidateCount > 0)) return null
  return known('a word of thanks', start, THANKS)
}

function asksFor(start: string): boolean {
  return PLEA.test(start) || isComplaint([{ part: 'text', kind: 'body', lines: [start] }])
}

function readEmpty({ mail, bodyLength, subject, candidateCount }: View): Refusal | null {
  const hasMore = mail.parts.some(
    ({ isAttachment, mediaType }) => isAttachment || mediaType.startsWith('message/'),
  )
  if (bodyLength > 0 || hasMore || candidateCount > 0) return null
  return {
    kind: 'empty',
    knownBy: subject === '' ? 'no subject and no text' : 'a subject without a text',
  }
}

function findingOf(refusal: Refusal, { report }: VerdictInput): Finding {
  const { kind, knownBy, part = 'text', words } = refusal
  const located = locateWords(report.texts, words ?? '', part === 'subject')
  return {
    field: '',
    value: kind,
    ...(located ?? { part, line: null, excerpt: knownBy }),
    role: null,
    rank: null,
    reason: `Mails like this report nothing: ${knownBy}.`,
    rule: VERDICT_RULES[kind],
    ...(words === undefined ? {} : { words }),
  }
}
