// Detects mails that a service sends to whoever uses it: there is nothing to do, what was ordered
// is ready, a bill, figures of the reader's own filter. They name addresses, and often speak of
// abuse; nobody is blamed by them. Patterns are matched against folded text.

import { emailSite } from '../../../values/email.ts'
import { compileMeaning } from '../../words/compile-words.ts'
import { joinLines } from '../../words/fold-text.ts'
import { isConditional, splitSentences } from './clauses.ts'
import { saysHarm } from './detect-harm.ts'
import { FORWARDED, known, type Refusal, type View } from './detect-view.ts'
import {
  complainsIn,
  INVOICE_SUBJECT,
  NAMES_SUBJECT,
  PLEA,
  SUM_OF_MONEY,
  YOURS,
} from './verdict-words.ts'

const WORD = { start: 'word' } as const

/** The reader need do nothing. */
const NOTHING_TO_DO = compileMeaning('status.nothing-to-do', { start: 'word', end: 'word' })

/** `If it was you, do nothing`: a service asks whether its user did something. */
const IF_AGREED = compileMeaning('status.if-agreed', WORD)

/** What was ordered can be used. */
const DELIVERED = compileMeaning('status.delivered', WORD)

/** Counted for a day, a week or a month. */
const PERIODIC = compileMeaning('status.periodic', WORD)

/** An amount of money that is to be paid. */
const AMOUNT_DUE = compileMeaning('payment.due', WORD)

/** Null where the mail asks for an act, shows a log or passes something on. */
export function readRoutine(view: View): Refusal | null {
  const { mail, body, isShown } = view
  if (FORWARDED.test(mail.subject) || view.hasLog) return null
  const bill = readBill(view)
  if (bill !== null) return bill
  const text = joinLines(body)
  if (isShown || PLEA.test(text)) return null
  return readNothingToDo(text) ?? readDelivered(view, text) ?? readFigures(view)
}

const STATUS = 'the status of a matter'

function readNothingToDo(text: string): Refusal | null {
  const agreed = known(STATUS, text, IF_AGREED)
  if (agreed !== null) return agreed
  const sentences = splitSentences(text)
  // A notice may ask for no answer and yet say what an address did.
  if (sentences.some((each) => NAMES_SUBJECT.test(each) && saysHarm(each))) return null
  const sentence = sentences.find((each) => NOTHING_TO_DO.test(each) && !isConditional(each))
  return sentence === undefined ? null : known(STATUS, sentence, NOTHING_TO_DO)
}

function readDelivered({ mail, subject }: View, text: string): Refusal | null {
  const sentences = splitSentences(text)
  const delivered = known(STATUS, [subject, ...sentences.slice(0, 2)].join('\n'), DELIVERED)
  if (delivered === null || mail.from.length === 0) return null
  // Advice speaks of abuse in general; whoever complains does so beyond `your server`.
  const rest = [subject, ...sentences].filter((each) => !DELIVERED.test(each))
  return rest.some((each) => NAMES_SUBJECT.test(each) && complainsIn(each.replaceAll(YOURS, ' ')))
    ? null
    : delivered
}

// `Rejected as spam: 877`.
const COUNT_ROW = /^[^\n:]{3,60}: ?\d[\d.,' ]{0,12}(?:$|[(%])/gm
const COUNTS_MIN = 3

/** A machine of the reader's own house counts what it did. */
function readFigures({ mail, subject, body, complains }: View): Refusal | null {
  const site = emailSite(mail.from[0]?.address ?? '')
  const isOwn = site !== '' && mail.to.some(({ address }) => emailSite(address) === site)
  if (complains || !isOwn || (body.match(COUNT_ROW)?.length ?? 0) < COUNTS_MIN) return null
  return known(STATUS, subject, PERIODIC, 'subject')
}

/** A bill names what it is for: a feed of complaints, a protection against abuse. */
function readBill({ subject, body, complains }: View): Refusal | null {
  const isDue = SUM_OF_MONEY.test(body) && AMOUNT_DUE.test(body)
  if (complains || !isDue || PLEA.test(body)) return null
  return known('about a payment', subject, INVOICE_SUBJECT, 'subject')
}
