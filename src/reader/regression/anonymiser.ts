// Replaces names, mail addresses, domains and IP addresses in the texts of one mail, each always by
// the same: domains of RFC 2606, addresses of RFC 5737 and RFC 3849. Defanged spellings stay
// defanged. Long tokens and telephone numbers go too: they may name somebody.

import { parseIpAddress } from '../../values/address.ts'
import { parseDomain, registrableDomain } from '../../values/domain.ts'
import { reportableIp } from '../../vocabulary/reportable-ip.ts'
import { isCommonWord } from './common-words.ts'

// Nobody reads a case with more; further names stay as they are only beyond that.
const NAMES_MAX = 2_000

const DOT = String.raw`(?:\.|\s?\[\s?\.\s?\]\s?|\s?\(\s?\.\s?\)\s?|\s?\{\s?\.\s?\}\s?|\s?\[\s?dot\s?\]\s?|\s?\(\s?dot\s?\)\s?)`
const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}])?`
const NAME = String.raw`(?:${LABEL}|_[\p{L}\p{N}-]{1,40})(?:${DOT}${LABEL}){1,10}`
const AT = String.raw`(?:@|%40|\s?\[\s?at\s?\]\s?|\s?\(\s?at\s?\)\s?|\s?\[\s?@\s?\]\s?)`
const EMAIL = String.raw`(?<local>[\p{L}\p{N}_.+~=-]{1,64})(?<at>${AT})(?<host>${NAME}|\[(?:IPv6:)?[0-9A-Fa-f.:]{3,45}\])`
const IPV4 = String.raw`(?<![\p{L}\p{N}_])(?<ipv4>\d{1,3}(?:${DOT}\d{1,3}){3})(?![\p{L}\p{N}_])`
// A word with a colon may stand before it, as in `[IPv6:2001:db8::1]`, a port behind it.
const IPV6 = String.raw`(?<![\p{L}\p{N}:.])(?<label>(?:IPv6|IP|client|host|source|address|from):)??(?<ipv6>(?:[0-9A-Fa-f]{0,4}:){2,7}(?:[0-9A-Fa-f]{1,4})?(?:(?:\d{1,3}\.){3}\d{1,3})?)(?<port>:\d{5})?(?![\p{L}\p{N}:])`
const PHONE = String.raw`(?<![\p{L}\p{N}])(?<phone>(?:\+|00)\d[\d ()/.-]{6,20}\d)(?![\p{L}\p{N}])`
const TOKEN = String.raw`(?<token>[\p{L}\p{N}+_-]{16,})`
const WORD = String.raw`(?<word>\p{L}[\p{L}\p{M}'’-]*)`

const PLACES = new RegExp(
  `${EMAIL}|${IPV4}|${IPV6}|${PHONE}|(?<![\\p{L}\\p{N}_])(?<name>${NAME})(?![\\p{L}\\p{N}_])|${TOKEN}|${WORD}`,
  'giu',
)

type Groups = Readonly<Record<string, string | undefined>>

export class Anonymiser {
  readonly #sites = new Map<string, string>()
  readonly #labels = new Map<string, string>()
  readonly #mailboxes = new Map<string, string>()
  readonly #ips = new Map<string, string>()
  readonly #words = new Map<string, string>()
  readonly #tokens = new Map<string, string>()

  /** Words of the name of a person or a company; from then on they are replaced in every text. */
  addName(name: string): void {
    for (const word of name.match(/\p{L}[\p{L}\p{M}]{2,}/gu) ?? []) {
      const key = word.toLowerCase()
      if (isCommonWord(key) || this.#words.has(key) || this.#words.size >= NAMES_MAX) continue
      this.#words.set(key, `Name${letters(this.#words.size)}`)
    }
  }

  /** The names that the addresses and domains of a text tell; call it for all texts first. */
  learn(text: string): void {
    for (const { groups = {} } of text.matchAll(PLACES)) {
      const { local, host, name } = groups
      if (local !== undefined && !isRole(local)) this.addName(local.replaceAll(/[^\p{L}]+/gu, ' '))
      const domain = plainDomain(host ?? name ?? '')
      if (domain === null) continue
      this.domain(domain)
      const [first = ''] = (registrableDomain(domain) ?? domain).split('.')
      for (const part of first.split('-')) if (part.length >= 4) this.addName(part)
    }
    for (const [, display = ''] of text.matchAll(DISPLAY_NAME)) this.addName(display)
  }

  text(text: string): string {
    return text.replaceAll(PLACES, (whole, ...rest: unknown[]) => {
      // The last argument of a replacer is the object of the named groups.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const groups = rest.at(-1) as Groups
      const { local, at, host, ipv4, phone, name, token, word } = groups
      if (local !== undefined && host !== undefined) return this.#mailbox(local, at ?? '@', host)
      if (ipv4 !== undefined) return this.#spelledIp(ipv4)
      if (groups['ipv6'] !== undefined) return this.#spelledIpv6(groups) ?? whole
      if (phone !== undefined) return '+1 555 0100'
      if (name !== undefined) return this.#spelledDomain(name) ?? this.#wordsOf(name)
      if (token !== undefined) return this.#token(token)
      return word === undefined ? whole : this.#word(word)
    })
  }

  /** In canonical form; null when the text is no address. */
  ip(text: string): string | null {
    const ip = parseIpAddress(text)
    if (ip === null) return null
    const known = this.#ips.get(ip)
    if (known !== undefined) return known
    const made = makeIp(ip, this.#ips.size)
    this.#ips.set(ip, made)
    return made
  }

  /** In canonical form. */
  domain(domain: string): string {
    const site = registrableDomain(domain) ?? domain
    let made = this.#sites.get(site)
    if (made === undefined) {
      made = `site${letters(this.#sites.size).toLowerCase()}.example`
      this.#sites.set(site, made)
    }
    if (site === domain) return made
    const labels = domain.slice(0, -site.length - 1).split('.')
    return [...labels.map((label) => this.#label(label)), made].join('.')
  }

  #label(label: string): string {
    if (PLAIN_LABELS.has(label)) return label
    const known = this.#labels.get(label)
    if (known !== undefined) return known
    const made = `h${letters(this.#labels.size).toLowerCase()}`
    this.#labels.set(label, made)
    return made
  }

  #mailbox(local: string, at: string, host: string): string {
    const domain = host.startsWith('[') ? null : plainDomain(host)
    const ip = host.startsWith('[') ? this.ip(host.slice(1, -1).replace(/^IPv6:/i, '')) : null
    const place = domain === null ? `[${ip ?? '192.0.2.1'}]` : this.#spell(domain, host)
    if (isRole(local)) return `${local}${at}${place}`
    const key = `${local.toLowerCase()}@${domain ?? host}`
    const known = this.#mailboxes.get(key)
    const made = known ?? `user-${letters(this.#mailboxes.size).toLowerCase()}`
    this.#mailboxes.set(key, made)
    return `${made}${at}${place}`
  }

  #spelledIp(spelled: string): string {
    const separator = new RegExp(DOT, 'i').exec(spelled)?.[0] ?? '.'
    const ip = this.ip(spelled.replaceAll(new RegExp(DOT, 'gi'), '.'))
    return ip === null ? spelled : ip.replaceAll('.', separator)
  }

  // A colon behind it is one of the sentence, as in `2001:db8::1: connection refused`.
  #spelledIpv6({ label = '', ipv6 = '', port = '' }: Groups): string | null {
    const colon = /(?<!:):$/.test(ipv6) ? ':' : ''
    const ip = this.ip(ipv6.slice(0, ipv6.length - colon.length))
    return ip === null ? null : `${label}${ip}${colon}${port}`
  }

  #spelledDomain(spelled: string): string | null {
    const domain = plainDomain(spelled)
    return domain === null ? null : this.#spell(domain, spelled)
  }

  #spell(domain: string, spelled: string): string {
    const separator = spelled.match(new RegExp(DOT, 'gi'))?.find((each) => each !== '.') ?? '.'
    return this.domain(domain).replaceAll('.', separator)
  }

  #wordsOf(text: string): string {
    return text.replaceAll(/\p{L}[\p{L}\p{M}]*/gu, (word) => this.#word(word))
  }

  #word(word: string): string {
    const made = this.#words.get(word.toLowerCase())
    if (made !== undefined) return word === word.toUpperCase() ? made.toUpperCase() : made
    // `O'Brien`, `Müller-Lüdenscheidt`, `Smith's`.
    return /['’-]/.test(word)
      ? word.replaceAll(/[\p{L}\p{M}]+/gu, (part) => this.#part(part))
      : word
  }

  #part(part: string): string {
    return this.#words.get(part.toLowerCase()) ?? part
  }

  // A long word of letters is a word; with digits it is an id that may hold anything, also an
  // address in base64.
  #token(token: string): string {
    const isId = /\d.*\d/.test(token) && (token.match(/\p{L}/gu)?.length ?? 0) >= LETTERS_OF_ID
    if (!isId) return this.#wordsOf(token)
    const known = this.#tokens.get(token)
    if (known !== undefined) return known
    const made = `token${this.#tokens.size + 1}`
    this.#tokens.set(token, made)
    return made
  }
}

// A time such as `20261103T100000Z` has fewer.
const LETTERS_OF_ID = 4

/** `Ann Reporter <`: what stands before an address in angle brackets. */
const DISPLAY_NAME = /([\p{L}][\p{L}\p{M}.'’, -]{2,60})["']?\s?<[^<>\s@]{1,64}@/gu

const PLAIN_LABELS: ReadonlySet<string> = new Set(
  'www mail smtp mx mx1 mx2 ns ns1 ns2 imap pop ftp webmail login shop blog api cdn static secure'.split(
    ' ',
  ),
)

const ROLE =
  /^(?:abuse|postmaster|hostmaster|webmaster|mailer-daemon|security|cert|csirt|soc|noc|support|info|contact|no-?reply|admin|root|report(?:s|er)?|copyright|dmca|legal|phishing|spam|helpdesk|desk)$/i

// The words of roles say who writes, and name nobody.
function isRole(local: string): boolean {
  return ROLE.test(local)
}

const SPECIAL = /\.(?:example|test|invalid|localhost|local|internal|lan|home|arpa|onion)$/
// Names of files are no hosts, though some of these are top-level domains.
const FILE =
  /\.(?:txt|csv|log|html?|php\d?|aspx?|jsp|js|css|json|xml|eml|pdf|zip|gz|png|jpe?g|gif|docx?|xlsx?|exe|py|sh|md|so|conf|cgi|pl)$/

/** Canonical, without the brackets of a defanged one; null for what is no domain. */
function plainDomain(spelled: string): string | null {
  const plain = spelled.replaceAll(new RegExp(DOT, 'gi'), '.').toLowerCase()
  const domain = parseDomain(plain)
  if (domain === null || FILE.test(domain) || !/\.[a-z][a-z0-9-]+$/.test(domain)) return null
  return SPECIAL.test(domain) || registrableDomain(domain) !== null ? domain : null
}

/** A, B … Z, AA: no digits, which readers would take for numbers. */
function letters(index: number): string {
  const last = String.fromCodePoint(65 + (index % 26))
  return index < 26 ? last : `${letters(Math.floor(index / 26) - 1)}${last}`
}

const DOCUMENTATION = ['192.0.2', '198.51.100', '203.0.113'] as const

/** Private addresses stay private, since a reader blames none of them. */
function makeIp(ip: string, index: number): string {
  const isV6 = ip.includes(':')
  if (reportableIp(ip) === null) {
    if (isV6) return `fd00::${(index + 1).toString(16)}`
    return `10.0.${Math.floor(index / 250) % 250}.${(index % 250) + 1}`
  }
  if (isV6) return `2001:db8::${(index + 1).toString(16)}`
  const network = DOCUMENTATION[Math.floor(index / 250) % DOCUMENTATION.length] ?? '192.0.2'
  return `${network}.${(index % 250) + 1}`
}
