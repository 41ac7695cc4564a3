// Recognises hosts of the reporter and its relays, of the recipient, and of public services that
// reports refer to.

import { parseDomain, registrableDomain } from '../../../values/domain.ts'
import { reportableIp } from '../../../vocabulary/reportable-ip.ts'
import type { MailReport } from '../../mail-format.ts'
import { TenantNetworks } from '../../tenant-networks.ts'
import { sourceOf } from '../../words/compile-words.ts'
import { askOnce } from '../ask-once.ts'
import type { FoundLabel } from '../occurrences/find-label.ts'

export interface OwnHosts {
  /** Registrable domains of the reporter, its helpdesk and its lists. */
  readonly reporter: ReadonlySet<string>
  /** Registrable domains the mail was sent to. */
  readonly recipient: ReadonlySet<string>
  /** Addresses of the servers that relayed this mail. */
  readonly relays: ReadonlySet<string>
  /** Of the tenant that reads the report, and its customers. */
  readonly networks: TenantNetworks
  /** What the author wrote, in lower case, to find the names of clients in. */
  readonly text: string
}

// Public mail services: their users do not own the domain, and links below it may be reported.
const SHARED_DOMAINS = new Set(
  `gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com aol.com icloud.com me.com gmx.net gmx.de gmx.at
  web.de t-online.de freenet.de mail.ru yandex.ru bk.ru proton.me protonmail.com qq.com 163.com 126.com naver.com daum.net orange.fr
  free.fr laposte.net libero.it seznam.cz wp.pl o2.pl zoho.com fastmail.com`.split(/\s+/),
)

// Services that reports quote as references: registries, standards, scanners, blocklists,
// encyclopaedias. A link to one of them is reported only when a label says so.
const REFERENCE_DOMAINS = new Set(
  `w3.org ietf.org rfc-editor.org iana.org icann.org ripe.net arin.net apnic.net lacnic.net afrinic.net wikipedia.org virustotal.com
  urlscan.io abuseipdb.com shodan.io censys.io mitre.org nist.gov first.org cisa.gov openbl.org spamhaus.org spamcop.net
  sorbs.net barracudacentral.org uceprotect.net blocklist.de dshield.org abuse.ch x-arf.org xarf.org abusix.com mxtoolbox.com
  talosintelligence.com openresolverproject.org shadowserver.org us-cert.gov bsi.bund.de ncsc.gov.uk europa.eu lumendatabase.org
  copyright.gov wipo.int ssllabs.com phishtank.com phishtank.org apwg.org any.run hybrid-analysis.com archive.org
  googleapis.com gstatic.com schema.org creativecommons.org
  legislation.gov.uk legifrance.gouv.fr gesetze-im-internet.de normattiva.it boe.es cornell.edu govinfo.gov house.gov
  planalto.gov.br admin.ch overheid.nl uspto.gov tmdn.org dpma.de cve.org archive.ph archive.is urlquery.net joesandbox.com
  tria.ge imdb.com themoviedb.org discogs.com musicbrainz.org`.split(/\s+/),
)

const RELAYS_MAX = 50

const CLIENT_TEXT_MAX = 20_000
const CLIENT_LINES_MAX = 400

export function readOwnHosts({ mail, reporter, context, texts }: MailReport): OwnHosts {
  const from = [...mail.from, ...mail.replyTo].map(({ address }) => domainOf(address))
  const lists = mail.headers
    .filter(({ name }) => /^list-(?:id|unsubscribe|post|help)$|^return-path$|^sender$/.test(name))
    .flatMap(({ value }) => [...value.slice(0, 2_000).matchAll(/[@/.<]([\w-]+(?:\.[\w-]+)+)/g)])
    .map((match) => match[1] ?? '')
  const names = [reporter?.domain ?? '', domainOf(reporter?.contact ?? ''), ...from, ...lists]
  const recipient = [
    ...mail.to.map(({ address }) => domainOf(address)),
    ...mail.headers
      .filter(({ name }) => name === 'delivered-to' || name === 'x-original-to')
      .map(({ value }) => domainOf(value)),
  ]
  const text = askOnce(() => joinTexts(texts))
  return {
    reporter: new Set(names.map(siteOf).filter((name) => name !== null)),
    recipient: new Set(recipient.map(siteOf).filter((name) => name !== null)),
    relays: listRelays(mail.headers.filter(({ name }) => name === 'received')),
    networks: new TenantNetworks(context.ownNetworks ?? []),
    // Asked for only where a link is neither named nor of somebody known.
    get text() {
      return text()
    },
  }
}

function joinTexts(texts: MailReport['texts']): string {
  return texts
    .filter(({ kind }) => kind === 'body' || kind === 'subject')
    .map(({ lines }) => lines.slice(0, CLIENT_LINES_MAX).join('\n'))
    .join('\n')
    .slice(0, CLIENT_TEXT_MAX)
    .toLowerCase()
}

function listRelays(received: readonly { readonly value: string }[]): ReadonlySet<string> {
  const addresses = received.slice(0, RELAYS_MAX).flatMap(({ value }) => {
    const words = value.slice(0, 2_000).match(/[\da-f]{0,4}[\d.:a-f]{6,45}/gi) ?? []
    return words.map(reportableIp).filter((ip) => ip !== null)
  })
  return new Set(addresses)
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).replace(/[>\s]+$/, '')
}

function siteOf(name: string): string | null {
  const domain = parseDomain(name)
  if (domain === null) return null
  const site = registrableDomain(domain) ?? domain
  return SHARED_DOMAINS.has(site) ? null : site
}

export function ownerOf(
  host: string,
  own: OwnHosts,
): 'reporter' | 'recipient' | 'reference' | null {
  const site = registrableDomain(host) ?? host
  if (own.reporter.has(site)) return 'reporter'
  if (REFERENCE_DOMAINS.has(site)) return 'reference'
  return own.recipient.has(site) ? 'recipient' : null
}

/** Whether the label is a word of the reporter's own name: `phish` in `PhishCatchers`. */
export function isOwnName({ at }: FoundLabel, text: string, own: OwnHosts): boolean {
  const word = /^[\p{L}\d-]{1,63}/u.exec(text.slice(at))?.[0].toLowerCase()
  if (word === undefined) return false
  return [...own.reporter].some((site) => nameOf(site) === word)
}

const CLIENT = new RegExp(
  `(?<!\\p{L})${sourceOf('link.behalf', { text: 'as written' })}(?:['’]?s)?[\\s:,"“„»(]{1,4}(?:(?:the|is|der|die|la|le|el|il) ){0,2}["“„»]?$`,
  'u',
)
const NAME_LENGTH_MIN = 4
const NAME_PLACES_MAX = 20

/** A host that is the name of the client or the brand: `Client: Shoes`, shoes.example. */
export function isOfClient(host: string, own: OwnHosts): boolean {
  const name = nameOf(registrableDomain(host) ?? host)
  if (name.length < NAME_LENGTH_MIN) return false
  const written = [name, ...(name.includes('-') ? [name.replaceAll('-', ' ')] : [])]
  return written.some((each) => isClient(each, own.text))
}

function isClient(name: string, text: string): boolean {
  let at = text.indexOf(name)
  for (let place = 0; at !== -1 && place < NAME_PLACES_MAX; place += 1) {
    const isWord = !/[\p{L}\d.@/-]$/u.test(text.slice(at - 1, at))
    const isWhole = !/^(?:[\p{L}\d@/-]|\.[\p{L}\d])/u.test(
      text.slice(at + name.length, at + name.length + 2),
    )
    if (isWord && isWhole && CLIENT.test(text.slice(Math.max(0, at - 60), at))) return true
    at = text.indexOf(name, at + name.length)
  }
  return false
}

function nameOf(site: string): string {
  return site.split('.', 1)[0] ?? site
}
