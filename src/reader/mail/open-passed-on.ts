// Opens a mail that only carries another one to the desk: certified mail, and a colleague's forward
// as attachment. The carried mail is the report, and its author the reporter.

import { emailSite } from '../../values/email.ts'
import { isEnclosedMail } from './detect-mail.ts'
import { isAboutOurs } from './find-forwarded.ts'
import { isRoleMailbox } from './header-addresses.ts'
import type { Mail, MailPart } from './mail.ts'
import { parseMail } from './parse-mail.ts'

/** The mail itself where it carries none. */
export function openPassedOn(mail: Mail): Mail {
  const enclosed = mail.parts.filter(isEnclosedMail)
  const [only] = enclosed
  const certified = findCertified(mail, enclosed)
  if (certified !== null) return parseMail(certified.bytes)
  if (only === undefined || enclosed.length > 1) return mail
  const inner = parseMail(only.bytes)
  if (isOnBehalf(inner, mail)) return inner
  return saysNothing(mail) && isComplaintToUs(inner, mail) ? inner : mail
}

// Italian certified mail (RFC 6109): the certificate as daticert.xml, and the mail that was sent as
// postacert.eml.
function findCertified(mail: Mail, enclosed: readonly MailPart[]): MailPart | null {
  const hasCertificate = mail.parts.some(({ fileName }) => /^daticert\.xml$/i.test(fileName ?? ''))
  if (!hasCertificate) return null
  return enclosed.find(({ fileName }) => /^postacert\.eml$/i.test(fileName ?? '')) ?? null
}

/**
 * Sent in the name of the enclosed mail's author, and to the mailbox which that one wrote to: a
 * carrier names the author in the name of From, and answers go to him.
 */
function isOnBehalf(inner: Mail, outer: Mail): boolean {
  const author = inner.from[0]?.address.toLowerCase() ?? ''
  const isCarried = outer.from.every(({ address }) => address.toLowerCase() !== author)
  const answered = outer.replyTo.some(({ address }) => address.toLowerCase() === author)
  const named = outer.from.some(({ displayName }) => displayName.toLowerCase().includes(author))
  const mailboxes = new Set(outer.to.map(({ address }) => address.toLowerCase()))
  const isToSame = inner.to.some(({ address }) => mailboxes.has(address.toLowerCase()))
  return author !== '' && isCarried && (answered || named) && isToSame && !mailboxes.has(author)
}

const NOTE_WORDS_MAX = 40
// A forwarder with such a word complains himself. `Hello abuse` is the name of the mailbox that he
// writes to.
const COMPLAINT =
  /spam|phish|malware|virus|scam|fraud|betrug|arnaque|(?<!\b(?:hi|hey|hello|hallo|dear|liebes|moin|bonjour|hola|ciao)[ ,@]{1,2})abuse|missbrauch|unsolicited/i

const NAMES_ADDRESS = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/

/** A covering note of a few words, which complains about nothing and names no address. */
function saysNothing(mail: Mail): boolean {
  const texts = mail.parts.filter(({ text, isAttachment }) => text !== null && !isAttachment)
  const text = texts
    .map((part) => part.text ?? '')
    .join('\n')
    .slice(0, 20_000)
  const words = text.split(/\s+/).filter((word) => word !== '')
  const isShort = words.length <= NOTE_WORDS_MAX && !NAMES_ADDRESS.test(text)
  return isShort && !COMPLAINT.test(`${mail.subject} ${text}`)
}

/**
 * Sent to a role mailbox of the same house or to the colleague who passes it on, about its network;
 * spam is sent to anybody.
 */
function isComplaintToUs(inner: Mail, outer: Mail): boolean {
  const own = new Set(outer.to.map(({ address }) => emailSite(address)))
  const isToRole = inner.to.some(
    ({ address }) =>
      own.has(emailSite(address)) &&
      (isRoleMailbox(address) || outer.from.some((by) => isSame(by.address, address))),
  )
  const isFromOutside =
    inner.from.length > 0 && inner.from.every((from) => !own.has(emailSite(from.address)))
  const body = inner.parts.find(({ text, isAttachment }) => text !== null && !isAttachment)
  return isToRole && isFromOutside && isAboutOurs(`${inner.subject}\n${body?.text ?? ''}`)
}

function isSame(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase()
}
