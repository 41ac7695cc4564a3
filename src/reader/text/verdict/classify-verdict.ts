// Whether a mail reports anything at all: automatic replies, bounces, advertisements, invoices and
// thanks reach an abuse desk too. A doubtful mail with a clear complaint and something to act on is
// a report.

import { findHeader, type Mail, type ReadableText } from '../../mail/mail.ts'
import type { MailReport } from '../../mail-format.ts'
import type { DecidingRule, Finding } from '../../reading.ts'
import { sourceOf } from '../../words/compile-words.ts'
import { foldText, joinLines } from '../../words/fold-text.ts'
import { askOnce } from '../ask-once.ts'
import { findPhrases } from '../evidence/evidence-words.ts'
import { isLogLine } from '../lines/log-line.ts'
import { goesOn, isContradicted, readEnd, withoutOurWords } from './detect-ended.ts'
import { isProse, listFiles, showsHarm } from './detect-harm.ts'
import { readOffer } from './detect-offer.ts'
import { readRoutine } from './detect-routine.ts'
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
  /** The header of another mail is shown, as a file or in the text. */
  readonly hasTrace?: boolean
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

// Texts are folded and searched when the first rule asks for it: most mails are told by few rules.
function viewOf(input: VerdictInput): View {
  const { report, texts, candidateCount, ownCandidateCount, standing } = input
  const bodies = texts.filter(({ kind }) => kind === 'body')
  const opening = foldOpening(texts).replaceAll(NAME_RESOLVED, ' ')
  // A plea is often wrapped before it says what is wanted.
  const complains = complainsIn(opening) || complainsIn(joinLines(opening))
  const subject = foldText(report.mail.subject)
  const body = foldOpening(bodies, BODY_LENGTH).replaceAll(NAME_RESOLVED, ' ')
  const start = joinLines(body.slice(0, START_LENGTH))
  const abuse = askOnce(() => findAbuse(subject, start))
  const uncut = askOnce(() => foldOpening(report.texts))
  const hasLog = askOnce(() => showsLog(texts))
  const hasHarm = askOnce(() => showsHarm(texts, isAnswer(report.mail)))
  const bodyLength = askOnce(() => measureBodies(bodies))
  return {
    mail: report.mail,
    subject,
    opening,
    get uncut() {
      return uncut()
    },
    start,
    body,
    get hasLog() {
      return hasLog()
    },
    isShown: listFiles(report.mail).length > 0 || texts.some(({ kind }) => kind === 'enclosed'),
    hasTrace: input.hasTrace === true,
    get hasHarm() {
      return hasHarm()
    },
    get bodyLength() {
      return bodyLength()
    },
    candidateCount,
    ownCandidateCount: ownCandidateCount ?? candidateCount,
    standing: standing ?? 'named',
    complains,
    get namesAbuse() {
      return abuse()
    },
    isActionable: complains && candidateCount > 0,
  }
}

function findAbuse(subject: string, start: string): View['namesAbuse'] {
  const inSubject = namesAbuse(
    `${subject} | ${subject.replaceAll(/(?<=[a-z])[-_](?=[a-z])/g, ' ')}`,
  )
  return { inSubject, atAll: inSubject || namesAbuse(start) }
}

function showsLog(texts: readonly ReadableText[]): boolean {
  return texts.some(({ kind, lines }) => kind !== 'subject' && lines.slice(0, 400).some(isLogLine))
}

function measureBodies(bodies: readonly ReadableText[]): number {
  return bodies
    .flatMap(({ lines }) => lines)
    .join('')
    .slice(0, 10 * THANKS_LENGTH_MAX)
    .replaceAll(/\s+/g, '').length
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
  (view) => {
    const refusal = readAutomaticHeaders(view.mail)
    return refusal === null || isFirstReport(view) ? null : refusal
  },
  ({ subject }) => readAutomaticSubject(subject),
  ({ mail, subject }) =>
    isMailSystem(mail)
      ? known('a notice of a mail system', subject, BOUNCE_SUBJECT, 'subject')
      : null,
  ({ mail, subject }) => readDigest(mail, subject),
  (view) => readAcknowledgement(view),
  (view) => readAnswer(view),
  (view) => readEnd(view),
  (view) => {
    const closed = known('a notice of a closed ticket', view.subject, CLOSED_TICKET, 'subject')
    return closed === null || complainsFirst(view) ? null : closed
  },
  (view) => readRemoval(view),
  (view) =>
    complainsOrNames(view)
      ? null
      : known('a notice of maintenance', `${view.subject} ${view.start}`, MAINTENANCE),
  ({ opening, isActionable }) =>
    isActionable && PLEA.test(opening) ? null : known('a survey', opening, SURVEY),
  (view) =>
    complainsOrNames(view) || namesInForward(view)
      ? null
      : known('about a payment', view.subject, INVOICE_SUBJECT, 'subject'),
  (view) => readRoutine(view),
  (view) => readAdvertisement(view),
  (view) => readOffer(view),
  (view) => readLure(view),
  (view) => readStatus(view),
  (view) => readThanks(view),
  (view) => readEmpty(view),
  (view) => readPointer(view),
  (view) =>
    view.standing !== 'last' || view.candidateCount === 0 || complainsOrNames(view)
      ? null
      : { kind: 'no complaint', knownBy: 'what it names is said to be something else' },
  // Whoever complains of a page says what it does or what should become of it.
  (view) => {
    const { standing, candidateCount } = view
    if ((standing !== 'linked' && standing !== 'domain') || candidateCount === 0) return null
    if (complainsOrNames(view) || accusesForwarded(view)) return null
    return { kind: 'no complaint', knownBy: SAYS_NOTHING_BAD[standing] }
  },
  (view) => readHarmless(view),
  ({ complains, candidateCount }) =>
    complains || candidateCount > 0
      ? null
      : {
          kind: 'no complaint',
          knownBy: 'it names no address, link or domain that could be complained about',
        },
]

function complainsOrNames(view: View): boolean {
  return view.complains || view.namesAbuse.atAll
}

function readAcknowledgement(view: View): Refusal | null {
  const { start, isActionable, complains, candidateCount } = view
  const acknowledged = known('an acknowledgement of receipt', start, ACKNOWLEDGEMENT)
  if (acknowledged === null) return null
  if (isActionable && !isOnlyEcho(start, complains, candidateCount)) return null
  return candidateCount > 0 && (goesOn(start) || isContradicted(start)) ? null : acknowledged
}

// A service mail, an order or a question names addresses as well, and blames nobody.
function readHarmless(view: View): Refusal | null {
  const { mail, isShown, standing, start, body, candidateCount } = view
  const isAddress = standing === 'named' || standing === 'mentioned'
  if (isShown || !isAddress || candidateCount === 0 || view.hasHarm) return null
  // Whoever passes a mail on and shows its trace complains about it.
  if (view.hasTrace && FORWARDED.test(mail.subject)) return null
  const continues = isAnswer(mail) ? GOES_ON.test(start) : goesOn(start)
  if (continues || !isProse(body)) return null
  return { kind: 'no complaint', knownBy: 'it says nothing bad of what it names' }
}

/** Whoever passes a mail on, and says something bad of it, reports its links. */
function accusesForwarded({ mail, standing, hasHarm }: View): boolean {
  return standing === 'linked' && FORWARDED.test(mail.subject) && hasHarm
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
function readRemoval(view: View): Refusal | null {
  const { opening, subject, isActionable } = view
  const start = opening.slice(0, START_LENGTH)
  if (TAKE_OFF.test(start)) {
    const ours = known('a request to be removed or unblocked', start, OUR_LIST)
    if (ours !== null) return ours
  }
  const isSure = REMOVAL.test(subject)
  if (!isSure && (isActionable || view.namesAbuse.inSubject)) return null
  return known('a request to be removed or unblocked', start, REMOVAL)
}

// Who passes an invoice on and names an address complains about the sender; who sends one does not.
function namesInForward({ mail, ownCandidateCount, standing }: View): boolean {
  return FORWARDED.test(mail.subject) && ownCandidateCount > 0 && standing === 'named'
}

const ADVERTISING_WORDS_MIN = 2

// Who reports spam shows it: an advertisement that is forwarded, or called spam, is one only when
// it names nothing to act on. The header List-Unsubscribe tells nothing, since the list of an abuse
// desk itself adds it.
function readAdvertisement(view: View): Refusal | null {
  const { mail, opening, complains, candidateCount } = view
  if (complains) return null
  const isShown = candidateCount > 0 && (view.namesAbuse.atAll || FORWARDED.test(mail.subject))
  if (isShown) return null
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

const LINK = /\bhttps?:\/\//g
// From the words to the link they introduce.
const POINTER_LENGTH_MAX = 160

/** Nothing is named, or nothing but the link behind which the report lies. */
function readPointer(view: View): Refusal | null {
  const { candidateCount, standing, opening, uncut } = view
  const pointer = known('a pointer to a report that lies elsewhere', uncut, ELSEWHERE)
  if (pointer === null || candidateCount === 0) return pointer
  if (candidateCount > 1 || standing !== 'linked' || view.namesAbuse.atAll) return null
  const [link, ...others] = opening.matchAll(LINK)
  const at = ELSEWHERE.exec(opening)?.index ?? -1
  if (link === undefined || others.length > 0 || at === -1) return null
  return link.index > at && link.index - at <= POINTER_LENGTH_MAX ? pointer : null
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
