// Reads the mail that a report complains about and encloses: its header fields, and its source
// address by the trace headers (RFC 5321 section 4.4).

import { parseAddress, parseSocketAddress } from '../../values/address.ts'
import { registrableDomain } from '../../values/domain.ts'
import { reportableIp } from '../../vocabulary/reportable-ip.ts'
import { decodeWords } from '../mail/decode-words.ts'
import { isEnclosedMail } from '../mail/detect-mail.ts'
import type { Mail, MailHeader, MailPart } from '../mail/mail.ts'
import { READING_LIMITS } from '../mail/reading-limits.ts'

/** Where a mail came from, as its own header tells. */
export interface MailSource {
  /** Canonical, and one that can be somebody's on the Internet. */
  readonly ip: string
  /** The header that names it, `Received: from …`. */
  readonly line: string
  readonly reason: string
}

// Bounds of reader/mail/parse-mail.ts hold for the report; an enclosed mail is read as far as a
// trace can reasonably go.
const HEADERS_MAX = 1_000
const HEADER_LENGTH_MAX = 8_192

const FIELD = /^([!-9;-~]{1,100})[ \t]*:[ \t]?/

/** The next line of a hop that lost its blanks in HTML or in a form: `by mx.example with ESMTP`. */
export const REST_OF_HOP =
  /^(?:by [\w.-]{1,255}\.[\w-]{1,63}(?![\w.-])|(?:with|via) (?:[EL]?S?MTP|HTTPS?|Microsoft)|for <[^<>\s]{3,254}>|id [\w.-]{1,200};)/i

/**
 * The header fields at the top of `lines`, up to the first line that belongs to no header. Quoting
 * (`> `) before them is not undone here.
 */
export function parseHeaderLines(lines: readonly string[]): readonly MailHeader[] {
  const fields: { readonly name: string; readonly parts: string[] }[] = []
  for (const line of lines) {
    const match = FIELD.exec(line)
    const name = match?.[1]
    const isOfHop = fields.at(-1)?.name === 'received' && REST_OF_HOP.test(line)
    if (/^[ \t]+\S/.test(line) || isOfHop) {
      fields.at(-1)?.parts.push(line.trim())
    } else if (match !== null && name !== undefined) {
      if (fields.length >= HEADERS_MAX) break
      fields.push({ name: name.toLowerCase(), parts: [line.slice(match[0].length).trim()] })
    } else if (fields.length > 0 || !isPreamble(line)) {
      break
    }
  }
  return fields.map(({ name, parts }) => ({ name, value: decodeValue(parts.join(' ')) }))
}

// Empty lines and the separator of an mbox may stand before the first field.
function isPreamble(line: string): boolean {
  return line.trim() === '' || /^>?From /.test(line)
}

function decodeValue(value: string): string {
  return decodeWords(value.slice(0, HEADER_LENGTH_MAX), READING_LIMITS)
}

/** What is known beside the header; nothing where it is left out. */
export interface TraceKnowledge {
  /** The reporter names the address in words of their own. */
  readonly isStated: (ip: string) => boolean
  /** The address is of the tenant that reads the report. */
  readonly isOwn: (ip: string) => boolean
  /** The registrable domain is of whoever the report was sent to. */
  readonly isDesk: (site: string) => boolean
  /** The reporter says that a host of the registrable domain is theirs. */
  readonly isReporters: (site: string) => boolean
}

const NOTHING_KNOWN: TraceKnowledge = {
  isStated: () => false,
  isOwn: () => false,
  isDesk: () => false,
  isReporters: () => false,
}

/**
 * The address that handed the mail over to the one who complains. In this order: an address that
 * the reporter names too, the topmost hop from outside (hops below it were written by the sender
 * and may be invented), the client that a receiving server states, the origin that a header names,
 * and where all hops are of one site the oldest. Null when the header names no public address.
 */
export function findMailSource(
  headers: readonly MailHeader[],
  knowledge: TraceKnowledge = NOTHING_KNOWN,
): MailSource | null {
  const read = headers.slice(0, HEADERS_MAX)
  const hops = listHops(read).map((hop) => ({
    ...hop,
    isInner: hop.isInner || (hop.fromSite !== null && knowledge.isReporters(hop.fromSite)),
  }))
  const named = findNamed(read, hops, knowledge)
  if (named !== null) return named
  const origin = findOwnOrigin(read, hops, knowledge)
  if (origin !== null) return origin
  // Addresses that a header states as the client: receiving servers put their SPF result there.
  const stated = new Map<string, MailHeader>()
  for (const header of read) {
    for (const ip of listStatedClients(header)) if (!stated.has(ip)) stated.set(ip, header)
    const at = hops.findIndex((each) => each.header === header)
    const hop = hops[at]
    if (hop === undefined) continue
    if (stated.has(hop.ip)) {
      return sourceOf(hop.ip, header, 'The receiving server took the mail from it and checked it.')
    }
    if (!hop.isInner) return findBehindRelay(hops, at, knowledge)
  }
  return findLesserSource(read, stated, hops.at(-1) ?? null)
}

/** The trace names an address that the reporter complains about in words of their own. */
function findNamed(
  headers: readonly MailHeader[],
  hops: readonly ReceivedHop[],
  { isStated }: TraceKnowledge,
): MailSource | null {
  const why = 'The reporter names it, and so does the header of the mail.'
  const hop = hops.find(({ ip }) => isStated(ip))
  if (hop !== undefined) return sourceOf(hop.ip, hop.header, why)
  for (const header of headers) {
    const origin = ORIGIN_HEADERS.includes(header.name) ? [stripBrackets(header.value)] : []
    const ip = [...listStatedClients(header), ...origin]
      .map(reportableIp)
      .find((each) => each !== null && isStated(each))
    if (ip !== undefined && ip !== null) return sourceOf(ip, header, why)
  }
  return null
}

/**
 * The user of somebody's web mail, in the tenant's networks: no hop is, and whoever reads the
 * report can do nothing about the servers of the web mail. Whoever sends may write the header
 * himself, to put the blame on the desk that reads it: so it counts only behind a server with a
 * name, and not in mail that the desk's own servers took.
 */
function findOwnOrigin(
  headers: readonly MailHeader[],
  hops: readonly ReceivedHop[],
  { isOwn, isDesk }: TraceKnowledge,
): MailSource | null {
  if (hops.some(({ ip, bySite }) => isOwn(ip) || (bySite !== null && isDesk(bySite)))) return null
  const outside = hops.find(({ isInner }) => !isInner)
  if (outside !== undefined && outside.fromSite === null) return null
  for (const header of headers) {
    if (!ORIGIN_HEADERS.includes(header.name)) continue
    const ip = reportableIp(stripBrackets(header.value))
    const why = 'The header names it as the origin; of your networks it names no other.'
    if (ip !== null && isOwn(ip)) return sourceOf(ip, header, why)
  }
  return null
}

/**
 * The topmost hop from outside, unless it is a relay of whoever the report was sent to: then the
 * client of that very relay, which the next hop names. A client that logged in there from elsewhere
 * is the line of somebody at home; the account that is abused is the relay's.
 */
function findBehindRelay(
  hops: readonly ReceivedHop[],
  at: number,
  { isOwn, isDesk }: TraceKnowledge,
): MailSource | null {
  const [relay, client] = [hops[at], hops[at + 1]]
  if (relay === undefined) return null
  const isBehind =
    client !== undefined &&
    relay.fromSite !== null &&
    client.bySite === relay.fromSite &&
    (isOwn(client.ip) || !client.isLoggedIn) &&
    (isDesk(relay.fromSite) || (isOwn(client.ip) && !isOwn(relay.ip)))
  return isBehind
    ? sourceOf(client.ip, client.header, 'The client of a relay of those it was reported to.')
    : sourceOf(relay.ip, relay.header, 'The topmost hop from outside in the trace of the mail.')
}

function findLesserSource(
  headers: readonly MailHeader[],
  stated: ReadonlyMap<string, MailHeader>,
  oldest: ReceivedHop | null,
): MailSource | null {
  const [client] = stated
  if (client !== undefined) {
    return sourceOf(client[0], client[1], 'The receiving server names it as its client.')
  }
  for (const name of ORIGIN_HEADERS) {
    for (const header of headers) {
      const ip = header.name === name ? reportableIp(stripBrackets(header.value)) : null
      const why = 'No hop from outside is named; the header names an origin.'
      if (ip !== null) return sourceOf(ip, header, why)
    }
  }
  if (oldest === null || oldest.isOfRecipient) return null
  return sourceOf(oldest.ip, oldest.header, 'The oldest public hop; all hops are of one site.')
}

// Who sends may write these himself, so they count only where the trace tells nothing. The surest
// first.
const ORIGIN_HEADERS = [
  'x-originating-ip',
  'x-sender-ip',
  'x-source-ip',
  'x-client-ip',
  'x-remote-ip',
  'x-real-ip',
]

function sourceOf(ip: string, header: MailHeader, reason: string): MailSource {
  return { ip, line: `${header.name}: ${header.value}`.slice(0, 400), reason }
}

const CLIENT_HEADERS = new Set([
  'received-spf',
  'authentication-results',
  'x-forefront-antispam-report',
])
// The envelope sender stands there too, and `client-ip=192.0.2.1@sender.example` is a sound one.
const CLIENT =
  /(?<![\w.=+-])(?:client-ip=|sender IP is |smtp\.remote-ip=|policy\.iprev=|CIP:)\[?([0-9a-f.:]{2,45})(?=\]?(?:[\s;),]|$))/gi
const QUOTED = /"[^"]{0,1000}"/g

function listStatedClients(header: MailHeader): readonly string[] {
  if (!CLIENT_HEADERS.has(header.name)) return []
  const value = header.value.slice(0, HEADER_LENGTH_MAX).replaceAll(QUOTED, '""')
  return [...value.matchAll(CLIENT)]
    .map((match) => reportableIp((match[1] ?? '').replace(/[.:]$/, '')))
    .filter((ip) => ip !== null)
}

interface Hop {
  readonly ip: string
  /** From one server of a site to another of it. */
  readonly isInner: boolean
  readonly fromSite: string | null
  readonly bySite: string | null
  /** With a name and a password (RFC 3848). */
  readonly isLoggedIn: boolean
}

// `ESMTPA`, `ESMTPSA`, `LMTPA` (RFC 3848), `UTF8SMTPSA` (RFC 6531), and what exchanges write.
const LOGGED_IN = /\bwith (?:E|L|UTF8)?S?MTPS?A\b|\bwith ASMTP\b|\(Authenticated sender: /i

interface ReceivedHop extends Hop {
  readonly header: MailHeader
  /** The site is that of the mailbox that the mail was for. */
  readonly isOfRecipient: boolean
}

function listHops(headers: readonly MailHeader[]): readonly ReceivedHop[] {
  const recipients = new Set(
    headers
      .filter(({ name }) => name === 'delivered-to' || name === 'x-original-to' || name === 'to')
      .map(({ value }) => /@([\w.-]{1,255})/.exec(value.slice(0, 1_000))?.[1])
      .map((name) => (name === undefined ? null : siteOf(name))),
  )
  return headers.flatMap((header) => {
    const hop = header.name === 'received' ? readHop(header.value) : null
    if (hop === null) return []
    const isOfRecipient = hop.fromSite !== null && recipients.has(hop.fromSite)
    return [{ ...hop, header, isOfRecipient }]
  })
}

/** Null when the hop names no public address of its client. */
function readHop(value: string): Hop | null {
  const text = value.slice(0, HEADER_LENGTH_MAX).replaceAll(/\s+/g, ' ')
  const from = /^from (.{1,1000}?)(?: by ([^ ;()]{1,255})(?: \(([^()]{1,255})\))?|;|$)/i.exec(text)
  if (from === null) return null
  const words = splitClient(from[1] ?? '')
  const ip = chooseClient(words)
  if (ip === null) return null
  const bySite = siteOf(from[2] ?? '')
  const fromSite = siteOf(findClientName(words))
  const isInner =
    (bySite !== null && bySite === fromSite) || isOneNetwork(ip, readSeenAddress(from[3] ?? ''))
  return { ip, isInner, fromSite, bySite, isLoggedIn: LOGGED_IN.test(text) }
}

function readSeenAddress(text: string): string | null {
  const word = text.split(/[\s,;]+/).find((each) => readAddress(each) !== null)
  return word === undefined ? null : reportableIp(stripBrackets(word))
}

// A provider of mail has a /32 of IPv6; nobody else sends from it to its own servers.
function isOneNetwork(client: string, server: string | null): boolean {
  const [one, other] = [parseAddress(client), server === null ? null : parseAddress(server)]
  if (one?.kind !== 'ipv6' || other?.kind !== 'ipv6') return false
  return one.words[0] === other.words[0]
}

/** One word of what stands between `from` and `by`. */
interface ClientWord {
  readonly text: string
  /** In parentheses, where a server writes what it saw; the client named itself before them. */
  readonly isSeen: boolean
}

// Where a server puts what it saw first, the name that the client gave stands behind `helo`; a web
// mail names whom its client claims to speak for. Both are words of the client.
const GIVEN = /^(?:helo|ehlo|for)$/i

/** Without the words that the client gave, as far as they are marked as such. */
function splitClient(text: string): readonly ClientWord[] {
  const words: ClientWord[] = []
  let depth = 0
  let last = ''
  for (const [word] of text.matchAll(/[()]|[^\s()<>;,]+/g)) {
    if (word === '(') depth += 1
    else if (word === ')') depth = Math.max(0, depth - 1)
    else if (!GIVEN.test(last) && !/^helo=/i.test(word)) {
      words.push({ text: word, isSeen: depth > 0 })
    }
    last = word
  }
  return words
}

/** The name the client gave itself may be a lie in the form of an address. */
function chooseClient(words: readonly ClientWord[]): string | null {
  const addresses = words.flatMap(({ text, isSeen }, at) => {
    const ip = readAddress(text)
    return ip === null ? [] : [{ ip, isSeen, at }]
  })
  const seen =
    addresses.find(({ isSeen }) => isSeen) ?? addresses.find(({ at }) => at > 0) ?? addresses[0]
  return seen === undefined ? null : reportableIp(seen.ip)
}

/**
 * The name from the reverse lookup where the hop has one, else the one the client gave; empty where
 * the lookup found none, or one that leads elsewhere (`may be forged`).
 */
function findClientName(words: readonly ClientWord[]): string {
  if (words.some(({ text }) => /^(?:unknown|forged)$/i.test(text))) return ''
  const names = words.filter(
    ({ text }) => text.includes('.') && !text.includes('=') && readAddress(text) === null,
  )
  return (names.find(({ isSeen }) => isSeen) ?? names[0])?.text ?? ''
}

function readAddress(word: string): string | null {
  const text = stripBrackets(word)
  return parseSocketAddress(text) === null ? null : text
}

/** `[IPv6:2001:db8::1]` and `[192.0.2.1]` (RFC 5321 section 4.1.3) without their dress. */
export function stripBrackets(text: string): string {
  return text
    .trim()
    .replace(/^\[/, '')
    .replace(/\](?::\d{1,5})?$/, '')
    .replace(/^ipv6:/i, '')
}

function siteOf(name: string): string | null {
  return registrableDomain(name.toLowerCase().replace(/\.$/, ''))
}

/** The mail that is complained about, as far as a report shows it. */
export interface EnclosedMail {
  readonly headers: readonly MailHeader[]
  /** As a finding names it. */
  readonly part: string
}

// A header of more than this is cut; the trace stands at its top.
const HEADER_BYTES_MAX = 262_144

/**
 * The first enclosed mail or header of one; null when there is none. A part of any text type counts
 * when it starts like a mail.
 */
export function findEnclosedMail(mail: Mail): EnclosedMail | null {
  const [named] = mail.parts.filter(isEnclosedMail)
  if (named !== undefined) return enclosedOf(named)
  for (const part of mail.parts.slice(1, PARTS_MAX)) {
    if (!mayBeMail(part)) continue
    const enclosed = enclosedOf(part)
    const names = enclosed.headers.map(({ name }) => name)
    if (names.includes('received') && names.includes('from')) return enclosed
  }
  return null
}

const PARTS_MAX = 100

function mayBeMail({ mediaType, fileName }: MailPart): boolean {
  return (
    mediaType === 'text/plain' ||
    (mediaType === 'application/octet-stream' && /\.(?:eml|txt)$/i.test(fileName ?? ''))
  )
}

function enclosedOf(part: MailPart): EnclosedMail {
  const bytes = part.bytes.subarray(0, HEADER_BYTES_MAX)
  const text = part.text?.slice(0, HEADER_BYTES_MAX) ?? new TextDecoder().decode(bytes)
  return { headers: parseHeaderLines(text.split(/\r?\n/)), part: 'enclosed mail' }
}

/** The value of the first header of that name (lower case); empty when there is none. */
export function headerText(headers: readonly MailHeader[], name: string): string {
  return headers.find((header) => header.name === name)?.value ?? ''
}
