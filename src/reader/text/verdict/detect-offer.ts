// Mails that want to sell something, or a reward: their links are their own. Patterns are matched
// against folded text.

import { emailSite } from '../../../values/email.ts'
import { findHeader } from '../../mail/mail.ts'
import { compileMeaning, sourceOf } from '../../words/compile-words.ts'
import { FORWARDED, isAnswer, known, type Refusal, type View } from './detect-view.ts'
import { complainsIn, MARKETING, SUM_OF_MONEY, YOURS } from './verdict-words.ts'

/** Money for telling of a weakness. */
const BOUNTY = compileMeaning('offer.bounty', { start: 'word', end: 'word' })

/** What only somebody who sells something says; one is enough where no abuse is named. */
const SALES = new RegExp(
  `${sourceOf('offer.sales', { start: 'word', end: 'word' })}|\\bsave \\d{1,2} ?%`,
  'u',
)

/** He invites us; that makes an advertisement of a text about abuse as well. */
const INVITATION = new RegExp(
  `${sourceOf('offer.invitation', { start: 'word' })}|\\b(?:quick|short|brief|\\d{2}[- ]?minutes?) ${sourceOf('offer.meeting')}\\b`,
  'u',
)

/** Something is said to be bad, or is wanted gone: no advertisement does that. */
const CLAIM = compileMeaning('offer.claim', { start: 'word' })

/**
 * What sells something names its own links; a complaint, an address or a link that is named as
 * reported is none.
 */
export function readOffer(view: View): Refusal | null {
  const { mail, opening, subject, complains, standing } = view
  const text = `${subject} ${opening}`
  if (standing === 'named') return null
  const priced = readPriced(view, text)
  if (priced !== null) return priced
  if (complains) return null
  // An address that a newsletter mentions is none that is reported.
  if (standing === 'mentioned') return CLAIM.test(text) ? null : readBulk(view, text)
  const bounty = known('a request for a reward', opening, BOUNTY)
  if (bounty !== null) return bounty
  if (FORWARDED.test(mail.subject) || CLAIM.test(text)) return null
  return (
    readBulk(view, text) ??
    known(ADVERTISEMENT, text, INVITATION) ??
    (view.namesAbuse.atAll ? null : known(ADVERTISEMENT, text, SALES))
  )
}

const PRODUCT = new RegExp(sourceOf('offer.product', { start: 'word' }), 'gu')
const LINKS = /\bhttps?:\/\/\S{1,400}/g
/** `Your customers` stand in each offer to a provider as well. */
const PRICE = compileMeaning('offer.price', { start: 'word' })
const DISCOUNT = /\b(?:save|spare[n]?) \d{1,2} ?%|\d ?% (?:off|discount|rabatt)/

/**
 * A price and a word of sale: a seller of protection speaks of abuse, and of `your customers`, but
 * asks for nothing beyond an order.
 */
function readPriced({ mail }: View, text: string): Refusal | null {
  const isPriced = SUM_OF_MONEY.test(text) || DISCOUNT.test(text)
  if (!isPriced || isAnswer(mail) || FORWARDED.test(mail.subject)) return null
  const own = text.replaceAll(LINKS, ' ').replaceAll(PRODUCT, ' ').replaceAll(YOURS, ' ')
  if (complainsIn(own) || CLAIM.test(own)) return null
  return known(ADVERTISEMENT, text, PRICE)
}

const ADVERTISEMENT = 'a newsletter or an advertisement'
// Programs that report abuse send in bulk as well.
const REPORTING = compileMeaning('offer.reporting', { start: 'word' })
// Whoever reports comes to the matter at once.
const REPORTING_LENGTH = 300

/**
 * Sent in bulk by the house that wrote it: a list of the recipient's adds the same header, but with
 * its own domain.
 */
function readBulk({ mail, uncut }: View, text: string): Refusal | null {
  if (REPORTING.test(text.slice(0, REPORTING_LENGTH))) return null
  const kind = ADVERTISEMENT
  const precedence = findHeader(mail, 'precedence') ?? ''
  if (/^bulk\b/i.test(precedence)) {
    return { kind, knownBy: 'Precedence: bulk', part: 'header Precedence' }
  }
  const site = emailSite(mail.from[0]?.address ?? '')
  if (isAnswer(mail) || mail.to.some(({ address }) => emailSite(address) === site)) return null
  // Mail programs and lists of associations add the header to what a member writes; whoever sends
  // in bulk says in the text as well how to get out of it.
  if (!MARKETING.test(text) && !MARKETING.test(uncut)) return null
  const unsubscribe = (findHeader(mail, 'list-unsubscribe') ?? '').slice(0, 2_000).toLowerCase()
  const isOwn = site !== '' && unsubscribe.includes(site)
  return isOwn ? { kind, knownBy: 'List-Unsubscribe', part: 'header List-Unsubscribe' } : null
}
