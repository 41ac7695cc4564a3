// Mails that want to sell something, or a reward: their links are their own. Patterns are matched against folded text.

import { registrableDomain } from '../../../intel/public.ts'
import { findHeader, type Mail } from '../mail/mail.ts'
import { FORWARDED, isAnswer, known, type Refusal, type View } from './judge-view.ts'

/** Money for telling of a weakness. */
const BOUNTY =
  /\b(?:bug ?bounty|bounty (?:program|reward)|(?:awaiting|expecting|hoping for|looking for|eligible for)(?: \S{1,12}){0,3} (?:a )?(?:reward|bounty|appreciation)|(?:do you (?:offer|pay|have)|any) (?:a |any )?(?:reward|bounty|bounties)|responsible disclosure (?:reward|program))\b/

/** Sales talk of strangers; one is enough where nothing is complained about. */
const SALES =
  /\b(?:book (?:here|a (?:call|meeting|slot|demo)|your)|(?:quick|short|brief|\d{2}[- ]?minutes?) (?:call|chat|meeting|demo)\b|worth a (?:call|chat)|reserve (?:your|yours|a) ?(?:seat|place|spot)?|seats (?:are|for)|register(?: here| at| today|:)|order(?: here| now| today|:)|(?:start|starting|begin|plans|packages) (?:at|from) [$€£]|send you a (?:quote|proposal)|our (?:packages|price list|rates)|backlinks?|seo (?:service|offer|package|expert|agency)|rank(?:ing)? (?:#|no\.? ?)?1|first page of google|top of google|to the top\b|email lists?|website traffic|more (?:visitors|traffic|leads|customers) (?:for|to) your|grow your (?:business|traffic)|save \d{1,2} ?%|reply (?:no|stop) to|unverbindliches angebot|termin buchen|jetzt buchen|hier (?:buchen|anmelden|bestellen)|reservez (?:votre|ici)|prenez rendez-vous|reserve su|reserve aqui|prenota|agende|boek (?:hier|nu)|забронируйте|записаться|закажите)/

/** What sells something names its own links; a complaint, an address or a link that is named as reported is none. */
export function readOffer(view: View): Refusal | null {
  const { mail, opening, subject, complains, standing } = view
  const bounty = complains ? null : known('a request for a reward', opening, BOUNTY)
  if (standing !== 'named' && bounty !== null) return bounty
  if (complains || standing === 'named' || FORWARDED.test(mail.subject)) return null
  return readBulk(mail) ?? known('a newsletter or an advertisement', `${subject} ${opening}`, SALES)
}

/** Sent in bulk by the house that wrote it: a list of the recipient's adds the same header, but with its own domain. */
function readBulk(mail: Mail): Refusal | null {
  const kind = 'a newsletter or an advertisement'
  const precedence = findHeader(mail, 'precedence') ?? ''
  if (/^bulk\b/i.test(precedence)) {
    return { kind, told: 'Precedence: bulk', part: 'header Precedence' }
  }
  const site = siteOf(mail.from[0]?.address ?? '')
  if (isAnswer(mail) || mail.to.some(({ address }) => siteOf(address) === site)) return null
  const unsubscribe = (findHeader(mail, 'list-unsubscribe') ?? '').slice(0, 2_000).toLowerCase()
  const isOwn = site !== '' && unsubscribe.includes(site)
  return isOwn ? { kind, told: 'List-Unsubscribe', part: 'header List-Unsubscribe' } : null
}

function siteOf(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  return registrableDomain(domain) ?? domain
}
