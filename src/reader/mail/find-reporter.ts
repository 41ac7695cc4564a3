// Finds the reporter of a mail that came through a mailing list, a forwarder or a helpdesk: its
// author. Because of DMARC a list puts its own address into From and the author somewhere else.

import { registrableDomain } from '../../values/domain.ts'
import { EMAIL_IN_TEXT, emailDomain, emailSite, isEmailAddress } from '../../values/email.ts'
import { storableText } from '../event-draft.ts'
import type { ReportContext, ReportParty } from '../reading.ts'
import { sourceOf } from '../words/compile-words.ts'
import { findForwardedAuthor, isForwardedComplaint } from './find-forwarded.ts'
import { findSigned } from './find-signed.ts'
import { firstValid, isRoleMailbox, parseHeader } from './header-addresses.ts'
import { findHeader, type Mail, type MailAddress } from './mail.ts'

export interface FoundReporter extends ReportParty {
  /** The field of the reporter and the reason, as a sentence. */
  readonly how: string
}

const ORG_LENGTH_MAX = 200

/**
 * Returns the sender that mail programs show and answer to. Null when the mail names no sender and
 * there is no fallback. `Resent-*` and `X-Forwarded-*` name the forwarder, not the author, so they
 * are used last.
 */
export function findReporter(mail: Mail, context: ReportContext): FoundReporter | null {
  const shown = firstValid(mail.from)
  const behind =
    shown === null ? null : (findBehindList(mail, shown) ?? findBehindHelpdesk(mail, shown))
  if (behind !== null) return behind
  if (shown !== null) return buildReporter(shown, describeFrom(mail, shown))
  return findWithoutFrom(mail) ?? findFallback(context)
}

/** The reporter when From has no usable address. */
function findWithoutFrom(mail: Mail): FoundReporter | null {
  const replyTo = firstValid(mail.replyTo)
  if (replyTo !== null) {
    return buildReporter(replyTo, 'From holds no valid address; this is the one in Reply-To.')
  }
  for (const name of ['x-original-from', 'sender', 'x-sender', 'return-path', 'resent-from']) {
    const found = firstValid(parseHeader(mail, name))
    const how = `From holds no valid address; this is the one in ${name}.`
    if (found !== null) return buildReporter(found, how)
  }
  return null
}

function findFallback({ fallbackReporter }: ReportContext): FoundReporter | null {
  const found = firstValid([{ displayName: '', address: fallbackReporter ?? '' }])
  return found === null
    ? null
    : buildReporter(found, 'The report names nobody; this is who handed it over.')
}

// Of two From fields, mail programs show the first.
function describeFrom(mail: Mail, shown: MailAddress): string {
  const fields = mail.headers.filter(({ name }) => name === 'from').length
  const others = mail.from.filter(({ address }) => !isSame(address, shown.address)).length
  if (fields > 1 && others > 0) {
    return `The mail has ${fields} From fields that differ; this is the first valid address, the one that is shown.`
  }
  return others > 0 ? 'The first valid address in From.' : 'The address in From.'
}

interface List {
  /** Its own addresses, lower case. */
  readonly addresses: ReadonlySet<string>
  readonly domain: string | null
}

/** Null without a list, and when the list did not change From. */
function findBehindList(mail: Mail, shown: MailAddress): FoundReporter | null {
  const list = findList(mail)
  const munged = readMunged(shown.address)
  const isVia = VIA.test(shown.displayName)
  const originalFrom = firstValid(parseHeader(mail, 'x-original-from'))
  const isRewritten =
    munged !== null ||
    (originalFrom !== null && !isSame(originalFrom.address, shown.address)) ||
    (list !== null &&
      (isOfList(shown.address, list) || (isVia && isOfSite(shown.address, list)))) ||
    (isVia && isAmong(shown.address, mail.to))
  const sender = firstValid(parseHeader(mail, 'x-original-sender'))
  const isUntouched =
    originalFrom === null && sender !== null && isSame(sender.address, shown.address)
  if (!isRewritten || isUntouched) return null
  const isAuthor = ({ address }: MailAddress): boolean =>
    !isSame(address, shown.address) && !(list?.addresses.has(address.toLowerCase()) ?? false)
  const org = shown.displayName
  const tell = (found: MailAddress | null, where: string): FoundReporter | null => {
    if (found === null || !isAuthor(found)) return null
    const displayName = found.displayName === '' ? org : found.displayName
    return buildReporter(
      { ...found, displayName },
      `A list put its own address into From; the author is in ${where}.`,
    )
  }
  return (
    tell(originalFrom, 'X-Original-From') ??
    tell(sender, 'X-Original-Sender') ??
    tell(munged, 'the address it made of it') ??
    tell(firstValid(mail.replyTo.filter(isAuthor)), 'Reply-To') ??
    tell(readNamed(shown.displayName), 'the name beside it') ??
    tell(firstValid(parseHeader(mail, 'sender')), 'Sender') ??
    tell(findInText(mail, shown), 'the text, which is the only place that names him')
  )
}

/** An address of neither the list nor the recipient, who would answer themselves. */
function findInText(mail: Mail, shown: MailAddress): MailAddress | null {
  const via = VIA.exec(shown.displayName)
  const name = via === null ? shown.displayName : shown.displayName.slice(0, via.index)
  const own = [shown, ...mail.to].map(({ address }) => emailSite(address))
  return findSigned(mail, { name, isOwn: (address) => own.includes(emailSite(address)) })
}

/**
 * The list that the mail came over, by the fields of RFC 2369, RFC 2919 and of the usual list
 * managers.
 */
function findList(mail: Mail): List | null {
  const listId = findHeader(mail, 'list-id')
  const domain = listId === null ? null : (/<([^<>\s]{1,253})>/.exec(listId)?.[1] ?? listId.trim())
  const post = findHeader(mail, 'list-post')
  const isList =
    listId !== null ||
    post !== null ||
    ['x-beenthere', 'x-google-group-id', 'mailing-list', 'x-mailman-version'].some(
      (name) => findHeader(mail, name) !== null,
    )
  if (!isList) return null
  const posted = /mailto:([^\s>?]{3,254})/i.exec(post ?? '')?.[1]?.toLowerCase() ?? null
  // The author may stand among the recipients.
  const isItsOwn = (address: string): boolean =>
    address === posted || (domain !== null && isNamedBy(address, domain.toLowerCase()))
  const own = [
    ...mail.to.filter(({ address }) => isItsOwn(address.toLowerCase())),
    ...['x-beenthere', 'delivered-to', 'x-original-to', 'mailing-list', 'list-owner'].flatMap(
      (name) => parseHeader(mail, name),
    ),
  ].map(({ address }) => address.toLowerCase())
  return {
    addresses: new Set([...own, ...(posted === null ? [] : [posted])]),
    domain: domain?.toLowerCase() ?? null,
  }
}

// `abuse@isp.example` is the list `abuse.isp.example`; other addresses at the list's domain may be
// members.
function isOfList(address: string, { addresses, domain }: List): boolean {
  const lower = address.toLowerCase()
  return addresses.has(lower) || (domain !== null && isNamedBy(lower, domain))
}

function isNamedBy(address: string, listDomain: string): boolean {
  return address.replace('@', '.') === listDomain || emailDomain(address) === listDomain
}

/**
 * `Name via List` at the house of the list. A ticket system of another house, which names itself
 * so, has written to the list.
 */
function isOfSite(address: string, { addresses, domain }: List): boolean {
  const sites = [domain ?? '', ...[...addresses].map(emailDomain)]
  const site = emailSite(address)
  return sites.some((each) => each !== '' && (registrableDomain(each) ?? each) === site)
}

function isAmong(address: string, others: readonly MailAddress[]): boolean {
  return others.some((other) => isSame(other.address, address))
}

const WRITTEN = { text: 'as written' } as const

// `Name via List`, in the languages list managers are translated to.
const VIA = new RegExp(`\\s${sourceOf('list.via', WRITTEN)}\\s\\S|\\s\\(via\\s`, 'iu')

// `name=40example.org@list.example` and `name=example.org@dmarc.list.example`: the author's address
// inside the list's.
function readMunged(address: string): MailAddress | null {
  const match = /^([^=@\s]{1,64})=(?:40)?([^=@\s]{1,190}\.[A-Za-z-]{2,63})@/.exec(address)
  const found = `${match?.[1] ?? ''}@${match?.[2] ?? ''}`
  return match !== null && isEmailAddress(found) ? { displayName: '', address: found } : null
}

// `'noc@example.org' via Abuse`, `noc at example.org via Abuse`.
function readNamed(displayName: string): MailAddress | null {
  const match = /^["'\s]{0,4}([^\s@"'<>]{1,64})(?:@| at )([^\s@"'<>]{3,190})/i.exec(displayName)
  const found = `${match?.[1] ?? ''}@${match?.[2] ?? ''}`
  return match !== null && isEmailAddress(found) ? { displayName: '', address: found } : null
}

/**
 * The author of the mail that the recipient's own helpdesk, or a colleague whom a complaint
 * reached, passed on in its text.
 */
function findBehindHelpdesk(mail: Mail, shown: MailAddress): FoundReporter | null {
  const own = registrableDomain(emailDomain(shown.address))
  const isInternal = mail.to.some(({ address }) => registrableDomain(emailDomain(address)) === own)
  if (own === null || !isInternal) return null
  const isOwn = (address: string): boolean => registrableDomain(emailDomain(address)) === own
  const text = mail.parts.find(
    (part) => part.mediaType === 'text/plain' && !part.isAttachment,
  )?.text
  // A person who forwards spam is the reporter of it, who forwards a complaint is not.
  if (!isRoleMailbox(shown.address) && !isForwardedComplaint(text ?? '')) return null
  const found = firstValid([
    ...findTicketAuthor(text ?? ''),
    ...findForwardedAuthor(text ?? '', isOwn),
  ])
  if (found === null || isOwn(found.address)) return null
  return buildReporter(
    found,
    'Somebody of the own house passed the mail on; this is the From of the one it forwards.',
  )
}

const AUTHOR = new RegExp(
  `(?:^|[\\s>*|])${sourceOf('ticket.author', WRITTEN)}\\*?\\s{0,4}[:：]?\\s{0,4}(.{0,200})$`,
  'iu',
)
const TICKET_LINES_MAX = 40

/** Rows of a ticket name him: `Requestors: ann@reporter.example`. */
function findTicketAuthor(text: string): readonly MailAddress[] {
  for (const line of text.split('\n', TICKET_LINES_MAX)) {
    const named = AUTHOR.exec(line.slice(0, 400).trimEnd())?.[1] ?? ''
    const [address] = named.match(EMAIL_IN_TEXT) ?? []
    if (address === undefined) continue
    const displayName = named
      .slice(0, named.indexOf(address))
      .replaceAll(/[<("[]/g, '')
      .trim()
    return [{ displayName, address }]
  }
  return []
}

function buildReporter({ displayName, address }: MailAddress, how: string): FoundReporter {
  return { org: cleanName(displayName), contact: address, domain: emailDomain(address), how }
}

// A name that repeats the address is dropped.
function cleanName(displayName: string): string {
  const via = VIA.exec(displayName)
  const name = (via === null ? displayName : displayName.slice(0, via.index))
    .replaceAll(/^["'\s]+|["'\s]+$/g, '')
    .trim()
  return /^\S+(?:@| at )\S+$/.test(name) ? '' : storableText(name, ORG_LENGTH_MAX)
}

function isSame(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase()
}
