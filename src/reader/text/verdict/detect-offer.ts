// Mails that want to sell something, or a reward: their links are their own. Patterns are matched
// against folded text.

import { registrableDomain } from '../../../values/domain.ts'
import { findHeader } from '../../mail/mail.ts'
import { FORWARDED, isAnswer, known, type Refusal, type View } from './detect-view.ts'
import { MARKETING } from './verdict-words.ts'

/** Money for telling of a weakness. */
const BOUNTY =
  /\b(?:bug ?bounty|bounty (?:program|reward)|(?:awaiting|expecting|hoping for|looking for|eligible for)(?: \S{1,12}){0,3} (?:a )?(?:reward|bounty|appreciation)|(?:do you (?:offer|pay|have)|any) (?:a |any )?(?:reward|bounty|bounties)|responsible disclosure (?:reward|program))\b/

/** What only somebody who sells something says; one is enough where no abuse is named. */
const SALES =
  /\b(?:register(?: here| at| today|:)|order(?: here| now| today|:)|(?:start|starting|begin|plans) (?:at|from) [$€£]|backlinks?|seo (?:service|offer|package|expert|agency)|rank(?:ing)? (?:#|no\.? ?)?1|first page of google|top of google|to the top\b|email lists?|website traffic|more (?:visitors|traffic|leads|customers) (?:for|to) your|grow your (?:business|traffic)|save \d{1,2} ?%|reply (?:no|stop) to|hier (?:buchen|anmelden|bestellen)|закажите)/

/** He invites us; that makes an advertisement of a text about abuse as well. */
const INVITATION =
  /\b(?:book (?:here|a (?:call|meeting|slot|demo)|your)|(?:quick|short|brief|\d{2}[- ]?minutes?) (?:call|chat|meeting|demo)\b|worth a (?:call|chat)|reserve (?:your|yours|a) ?(?:seat|place|spot)?|seats (?:are|for)|join our (?:webinar|workshop|event)|send you a (?:quote|proposal)|our (?:packages|price list|rates)|unverbindliches angebot|termin buchen|jetzt buchen|reservez (?:votre|ici)|prenez rendez-vous|reserve su|reserve aqui|prenota (?:qui|una|ora)|agende (?:uma|su)|boek (?:hier|nu)|забронируйте|записаться на)/

/** Something is said to be bad, or is wanted gone: no advertisement does that. */
const CLAIM =
  /\b(?:(?:is|are|it's|that's) (?:a |an |only |clearly )?(?:fraud|scam|phishing|fake|malware|trojan|illegal|spam)|please (?:remove|take|stop|block|act|shut|close|delete|suspend|disable|help)|take (?:it|this|them) (?:down|off)|got nothing|never (?:came|arrived|got)|my money|ist (?:ein )?(?:betrug|phishing|schadsoftware)|bitte (?:sperren|entfernen|loschen|abschalten)|c'est une (?:arnaque|escroquerie)|es una estafa|e una truffa|e um golpe|это мошенн)/

/**
 * What sells something names its own links; a complaint, an address or a link that is named as
 * reported is none.
 */
export function readOffer(view: View): Refusal | null {
  const { mail, opening, subject, complains, standing, namesAbuse } = view
  if (complains || standing === 'named') return null
  const text = `${subject} ${opening}`
  const bounty = known('a request for a reward', opening, BOUNTY)
  if (bounty !== null) return bounty
  if (FORWARDED.test(mail.subject) || CLAIM.test(text)) return null
  return (
    readBulk(view, text) ??
    known(ADVERTISEMENT, text, INVITATION) ??
    (namesAbuse.atAll ? null : known(ADVERTISEMENT, text, SALES))
  )
}

const ADVERTISEMENT = 'a newsletter or an advertisement'
// Programs that report abuse send in bulk as well.
const REPORTING =
  /\b(?:reports?|notices?|notifications?|alerts?|incidents?|takedowns?|abuse|complaints?|meldung|beschwerde|signalement|denuncia|segnalazione|жалоб)/
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
    return { kind, told: 'Precedence: bulk', part: 'header Precedence' }
  }
  const site = siteOf(mail.from[0]?.address ?? '')
  if (isAnswer(mail) || mail.to.some(({ address }) => siteOf(address) === site)) return null
  // Mail programs and lists of associations add the header to what a member writes; whoever sends
  // in bulk says in the text as well how to get out of it.
  if (!MARKETING.test(text) && !MARKETING.test(uncut)) return null
  const unsubscribe = (findHeader(mail, 'list-unsubscribe') ?? '').slice(0, 2_000).toLowerCase()
  const isOwn = site !== '' && unsubscribe.includes(site)
  return isOwn ? { kind, told: 'List-Unsubscribe', part: 'header List-Unsubscribe' } : null
}

function siteOf(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  return registrableDomain(domain) ?? domain
}
