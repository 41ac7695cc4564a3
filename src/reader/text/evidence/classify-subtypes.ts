// Chooses the subtypes of an event by the names in the report: the attacked or open service, the
// malware, the vulnerability.

import { toSubtypeSlug } from '../../../vocabulary/event-types.ts'
import type { Finding } from '../../reading.ts'
import { compileMeaning, sourceOf } from '../../words/compile-words.ts'
import { foldText } from '../../words/fold-text.ts'
import { readHost } from '../lines/scan-line.ts'
import type { ClassifyInput } from './classify-report.ts'

// The maximum of subtypes; more would only list everything that the mail mentions.
const SUBTYPES_MAX = 5
const TEXT_LENGTH_MAX = 20_000

export interface FoundSubtypes {
  readonly slugs: readonly string[]
  /** One for each. */
  readonly findings: readonly Finding[]
}

/**
 * A subtype by the word that names it; `at` is its place in the joined text, null for the number of
 * a port.
 */
interface Named {
  readonly name: string
  readonly at: number | null
  readonly what: string
}

export function findSubtypes(eventType: string, input: ClassifyInput): FoundSubtypes {
  const joined = joinTexts(input)
  const text = foldText(joined.text)
  const found = [...listOf(eventType, text, input), ...listVulnerabilities(eventType, text)]
  const bySlug = new Map<string, Named>()
  for (const named of found) {
    const slug = toSubtypeSlug(named.name)
    if (slug !== null && !bySlug.has(slug)) bySlug.set(slug, named)
  }
  const kept = [...bySlug].slice(0, SUBTYPES_MAX)
  return {
    slugs: kept.map(([slug]) => slug),
    findings: kept.map(([slug, named]) => describeNamed(slug, named, text, joined.located)),
  }
}

// Folding keeps line feeds, so that their number tells the line.
function describeNamed(
  value: string,
  { at, what }: Named,
  text: string,
  lines: readonly LocatedLine[],
): Finding {
  const located = at === null ? undefined : lines[text.slice(0, at).split('\n').length - 1]
  return {
    field: '/event_subtypes',
    value,
    part: located?.part ?? 'text',
    line: located?.number ?? null,
    excerpt: located?.line.slice(0, 200) ?? what,
    role: null,
    rank: null,
    reason: `The report speaks of ${what}.`,
    rule: 'subtype-words',
    words: what.replaceAll(/[“”]/g, ''),
  }
}

function listOf(eventType: string, text: string, input: ClassifyInput): readonly Named[] {
  switch (eventType) {
    case 'LoginAttack':
      return findServices(text, input.ports, LOGIN_SERVICES)
    case 'PortScan':
      return input.ports.length === 1 ? findServices('', input.ports, []) : []
    case 'Open':
      return findServices(text, input.ports, OPEN_SERVICES)
    case 'DDosAmplification':
      return findServices(text, input.ports, AMPLIFIERS)
    case 'DDos':
      return findWords(text, FLOODS)
    case 'WebHack':
      return findWords(text, WEB_ATTACKS)
    case 'Copyright':
      return findWords(text, COPYRIGHT_WAYS)
    case 'Fraud':
      return findWords(text, FRAUDS)
    case 'DNSBlocklist':
    case 'Blacklist':
      return findWords(text, LISTS)
    case 'ChildAbuse':
      return findWords(text, CHILD_ABUSE)
    case 'Malware':
    case 'MalwareHosting':
    case 'Bot':
    case 'CompromisedServer':
      return [...findNamedFamily(text), ...findWords(text, FAMILIES)].slice(0, 2)
    default:
      return []
  }
}

type Words = readonly (readonly [slug: string, pattern: RegExp])[]

const WHOLE_WORDS = { start: 'word', end: 'word' } as const

const CHILD_ABUSE: Words = [
  ['csem', compileMeaning('subtype.csem', WHOLE_WORDS)],
  ['csam', compileMeaning('subtype.csam', WHOLE_WORDS)],
]

const LOGIN_SERVICES: Words = [
  ['ssh', /\bsshd?\b/],
  ['rdp', /\brdp\b|remote desktop|remotedesktop|terminal server/],
  ['wordpress', /wordpress|wp-login|xmlrpc\.php/],
  ['smtp', /\bsmtpd?\b|\bsasl\b|postfix|\bexim\b/],
  ['imap', /\bimaps?\b|dovecot|imap-login/],
  ['pop3', /\bpop3s?\b/],
  ['ftp', /\bs?ftpd?\b/],
  ['telnet', /\btelnetd?\b/],
  ['sip', /\bsip\b|asterisk|\bvoip\b/],
  ['vnc', /\bvnc\b/],
  ['smb', /\bsmb\b/],
  ['mysql', /\bmysqld?\b/],
  ['mssql', /\bmssql\b|sql server/],
]

const OPEN_SERVICES: Words = [
  ['open-resolver', compileMeaning('subtype.open-resolver', WHOLE_WORDS)],
  ['open-relay', compileMeaning('subtype.open-relay', WHOLE_WORDS)],
  ['open-proxy', compileMeaning('subtype.open-proxy', WHOLE_WORDS)],
  ['memcached', /memcached/],
  ['ntp', /\bntp\b|monlist/],
  ['snmp', /\bsnmp\b/],
  ['ssdp', /\bssdp\b/],
  ['ldap', /\bc?ldap\b/],
  ['portmapper', /portmapper|rpcbind/],
  ['netbios', /netbios/],
  ['chargen', /chargen/],
  ['mdns', /\bmdns\b/],
  ['mongodb', /mongodb/],
  ['redis', /\bredis\b/],
  ['elasticsearch', /elasticsearch/],
  ['rdp', /\brdp\b|remote desktop/],
  ['vnc', /\bvnc\b/],
  ['smb', /\bsmb\b/],
  ['telnet', /\btelnet\b/],
  ['mysql', /\bmysql\b/],
  ['postgresql', /postgres/],
  ['ipmi', /\bipmi\b/],
  ['mqtt', /\bmqtt\b/],
]

const AMPLIFIERS: Words = [
  ['ntp', /\bntp\b|monlist/],
  ['memcached', /memcached/],
  ['dns', /\bdns\b/],
  ['ssdp', /\bssdp\b/],
  ['snmp', /\bsnmp\b/],
  ['cldap', /\bcldap\b/],
  ['chargen', /chargen/],
]

const FLOODS: Words = [
  ['syn-flood', /syn[- ]flood/],
  ['udp-flood', /udp[- ]flood/],
  ['http-flood', /https?[- ]flood|layer[- ]7/],
  ['icmp-flood', /icmp[- ]flood/],
]

const WEB_ATTACKS: Words = [
  [
    'sql-injection',
    new RegExp(
      String.raw`sql[- ]?injection|sqlmap|\bsqli\b|union(?:\+|%20|\s)+(?:all(?:\+|%20|\s)+)?select|${sourceOf('subtype.sql-injection')}`,
    ),
  ],
  ['cross-site-scripting', /cross[- ]site[- ]script|\bxss\b/],
  ['path-traversal', /(?:path|directory) traversal|\/\.\.\/\.\.|%2e%2e/],
  ['wordpress', /wordpress|wp-config|wlwmanifest/],
]

const COPYRIGHT_WAYS: Words = [
  ['p2p', compileMeaning('subtype.p2p', WHOLE_WORDS)],
  ['usenet', compileMeaning('subtype.usenet', WHOLE_WORDS)],
  ['cyberlocker', compileMeaning('subtype.cyberlocker', WHOLE_WORDS)],
]

const FRAUDS: Words = [
  ['investment', compileMeaning('subtype.investment', WHOLE_WORDS)],
  ['advance-fee', compileMeaning('subtype.advance-fee', WHOLE_WORDS)],
  ['fake-shop', compileMeaning('subtype.fake-shop', WHOLE_WORDS)],
  ['tech-support', compileMeaning('subtype.tech-support', WHOLE_WORDS)],
  ['romance', compileMeaning('subtype.romance', WHOLE_WORDS)],
  ['extortion', compileMeaning('subtype.extortion', WHOLE_WORDS)],
]

const LISTS: Words = [
  ['spamhaus-sbl', /\bsbl\d{3,}|spamhaus sbl/],
  ['spamhaus', /spamhaus/],
  ['uceprotect', /uceprotect/],
  ['spamcop', /spamcop/],
  ['barracuda', /barracuda/],
]

const FAMILIES: Words =
  'mirai|conficker|zeus|gozi|emotet|qakbot|trickbot|dridex|necurs|cutwail|kelihos|andromeda|gamarue|ramnit|virut|sality|zeroaccess|avalanche|mozi|gafgyt|hajime|vpnfilter|badbox|flubot|njrat|asyncrat|remcos|formbook|agenttesla|redline|lokibot|icedid|cobalt strike|wannacry|lockbit'
    .split('|')
    .map((name) => [name, new RegExp(`\\b${name}\\b`)] as const)

// `Malware family: Foo.Bar`, `infection: foo`; a sentence behind the colon is no name.
const NAMED_FAMILY = new RegExp(
  `${sourceOf('subtype.family-label', { start: 'word' })}\\s?[:=]\\s?"?([a-z][\\w.-]{2,30}(?: [a-z0-9][\\w.-]{1,20})?)"?\\s*(?:$|[,;|)])`,
  'm',
)

function findNamedFamily(text: string): readonly Named[] {
  const match = NAMED_FAMILY.exec(text)
  const name = match?.[1]
  // `malware: bad-domain.example` tells where it lies.
  if (match === null || name === undefined || readHost(name) !== null) return []
  const isName = !/^(?:http|www|yes|no|n\/a|none|unknown|the|a|ip|url)\b/.test(name)
  return isName ? [{ name, at: match.index, what: `“${match[0].trim()}”` }] : []
}

const SERVICES_BY_PORT: Readonly<Record<number, string>> = {
  21: 'ftp',
  22: 'ssh',
  23: 'telnet',
  25: 'smtp',
  53: 'dns',
  110: 'pop3',
  123: 'ntp',
  143: 'imap',
  161: 'snmp',
  389: 'ldap',
  445: 'smb',
  465: 'smtp',
  587: 'smtp',
  993: 'imap',
  1433: 'mssql',
  1900: 'ssdp',
  3306: 'mysql',
  3389: 'rdp',
  5060: 'sip',
  5432: 'postgresql',
  5900: 'vnc',
  6379: 'redis',
  9200: 'elasticsearch',
  11211: 'memcached',
  27017: 'mongodb',
}

// A name in words says more than a number of a port; two services at most, since more is a list of
// what was tried.
function findServices(text: string, ports: readonly number[], words: Words): readonly Named[] {
  const named = findWords(text, words)
  if (named.length > 0) return named.slice(0, 2)
  return ports.slice(0, 2).flatMap((port) => {
    const name = SERVICES_BY_PORT[port]
    return name === undefined ? [] : [{ name, at: null, what: `port ${port}` }]
  })
}

function findWords(text: string, words: Words): readonly Named[] {
  return words.flatMap(([name, pattern]) => {
    const match = pattern.exec(text)
    return match === null ? [] : [{ name, at: match.index, what: `“${match[0]}”` }]
  })
}

function listVulnerabilities(eventType: string, text: string): readonly Named[] {
  if (!['CVE', 'Exploit', 'WebHack', 'CompromisedServer', 'Open'].includes(eventType)) return []
  return [...text.matchAll(/\bcve-(?:19|20)\d\d-\d{4,7}\b/g)]
    .slice(0, 20)
    .map(({ 0: name, index: at }) => ({ name, at, what: `“${name}”` }))
}

interface LocatedLine {
  readonly part: string
  /** From 1. */
  readonly number: number
  readonly line: string
}

function joinTexts({ texts }: ClassifyInput): {
  readonly text: string
  readonly located: readonly LocatedLine[]
} {
  const located: LocatedLine[] = []
  let length = 0
  for (const { part, kind, lines } of texts) {
    if (kind === 'enclosed') continue
    for (const [index, line] of lines.entries()) {
      if (length > TEXT_LENGTH_MAX) return { text: joinLines(located), located }
      length += Math.min(line.length, 1_000)
      located.push({ part, number: index + 1, line: line.slice(0, 1_000) })
    }
  }
  return { text: joinLines(located), located }
}

function joinLines(lines: readonly LocatedLine[]): string {
  return lines.map(({ line }) => line).join('\n')
}
