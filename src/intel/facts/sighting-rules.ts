// The rules by which sightings set tags, and the shipped table of them. A rule holds as long as the
// sightings that it counts are within the look-back, so its tag disappears with time and need not
// be removed. Operators edit the table (intel/sighting-rules).

import type { TagIntent } from './intent.ts'
import type { SourceName } from './source-kinds.ts'

/**
 * Sets `tags` on a subject when the live sightings of `kind` with one of `types` (and one of
 * `services`, when given) add up to `countMin` observations from `sourcesMin` sources.
 */
export interface SightingRule {
  /** Unique; explanations name the rule by it. */
  readonly name: string
  readonly kind: string
  readonly types: readonly string[]
  /** Left out: any service, also none, but never `UNVERIFIED_SERVICE` of reports. */
  readonly services?: readonly string[]
  /**
   * At least 1. Adds up whole sightings: each one last seen within the window, with its total
   * count.
   */
  readonly countMin: number
  /** At least 1: the number of different sources that must agree. */
  readonly sourcesMin: number
  /** A window narrower than the look-back; left out: the look-back. */
  readonly withinSeconds?: number
  readonly tags: readonly string[]
}

/** The kind of sightings that abuse reports leave behind. */
export const REPORT_KIND = 'report'
/**
 * The service of report sightings whose reporters are not trusted. Anybody can write a mail, so
 * such sightings set no tag of intent malicious or benign, whatever the rules say.
 */
export const UNVERIFIED_SERVICE = 'unverified'
/**
 * How the names of sources begin that accepted reports write. A random word that stands for the
 * tenant follows, then the number of the reporter among those of the item. No other source may have
 * such a name.
 */
export const REPORT_SOURCE_PREFIX = 'casework:'
/** The reporters of an item beyond this number count as the last one. */
export const REPORTERS_MAX = 16

/** The name of the source of the nth reporter of an item, counted from 1. */
export function nameReportSource(sourceKey: string, reporter: number): string {
  return `${REPORT_SOURCE_PREFIX}${sourceKey}:${Math.min(reporter, REPORTERS_MAX)}`
}

/** A source that accepted reports write: nothing of it is pushed or deleted by hand. */
export function isReportSource({ kind, name }: SourceName): boolean {
  return kind === REPORT_KIND && name.startsWith(REPORT_SOURCE_PREFIX)
}

const DAY_SECONDS = 86_400

function honeypot(
  types: readonly string[],
  tags: readonly string[],
  services?: readonly string[],
  name = [types[0], ...(services?.slice(0, 1) ?? [])].join('-'),
): SightingRule {
  const rule = {
    name: `honeypot-${name}`,
    kind: 'honeypot',
    types,
    countMin: 1,
    sourcesMin: 1,
    tags,
  }
  return services === undefined ? rule : { ...rule, services }
}

function report(name: string, types: readonly string[], tags: readonly string[]): SightingRule {
  return { name: `report-${name}`, kind: REPORT_KIND, types, countMin: 1, sourcesMin: 1, tags }
}

// One observation is enough wherever nobody has an honest reason to be: a honeypot has no users and
// a pristine trap no senders.
const HONEYPOT_RULES: readonly SightingRule[] = [
  honeypot(['login-attack'], ['credentials:brute-force']),
  honeypot(['login-attack'], ['credentials:ssh-brute-force'], ['ssh']),
  honeypot(['login-attack'], ['credentials:telnet-brute-force'], ['telnet']),
  honeypot(['login-attack'], ['credentials:rdp-brute-force'], ['rdp', 'vnc']),
  honeypot(
    ['login-attack'],
    ['credentials:mail-brute-force'],
    ['smtp', 'smtps', 'submission', 'imap', 'imaps', 'pop3', 'pop3s'],
    'login-attack-mail',
  ),
  honeypot(
    ['login-attack'],
    ['credentials:database-brute-force'],
    ['mysql', 'mssql', 'postgresql', 'redis', 'mongodb', 'oracle'],
    'login-attack-database',
  ),
  honeypot(['default-login'], ['credentials:default-login', 'credentials:brute-force']),
  honeypot(['port-scan'], ['scan:port']),
  honeypot(['probe'], ['scan:web-path'], ['http', 'https']),
  honeypot(
    ['probe'],
    ['scan:port'],
    ['ftp', 'git', 'mysql', 'ntp', 'rdp', 'redis', 'sip', 'smb', 'snmp', 'ssh', 'telnet', 'tftp'],
    'probe-service',
  ),
  honeypot(['vulnerability-scan'], ['scan:vulnerability']),
  honeypot(['amplifier-scan'], ['scan:amplifier']),
  // Asking a login for an onward connection is a test whether it can be used as a relay.
  honeypot(['proxy-abuse'], ['scan:open-relay']),
  honeypot(['exploit-attempt'], ['web:exploit-attempt'], ['http', 'https']),
  honeypot(['sql-injection'], ['web:sql-injection']),
  honeypot(['nmap-scan'], ['scan:port', 'tool:nmap']),
  honeypot(['masscan-scan'], ['scan:port', 'tool:masscan']),
  honeypot(['zmap-scan'], ['scan:port', 'tool:zmap']),
  // The tag names this behaviour: commands or a download after a Telnet login.
  honeypot(['command-execution', 'malware-download'], ['botnet:mirai-like'], ['telnet']),
  honeypot(['malware-download'], ['botnet:member'], ['ssh']),
  // About the host that serves the file, not about the caller.
  honeypot(['malware-distribution'], ['malware:distribution']),
]

const SPAMTRAP_RULES: readonly SightingRule[] = [
  {
    name: 'spamtrap-pristine',
    kind: 'spamtrap',
    types: ['pristine-spamtrap'],
    countMin: 1,
    sourcesMin: 1,
    tags: ['spam:pristine-trap'],
  },
  // A single mail to a long abandoned address may come from a stale customer record; three mails
  // come from a list.
  {
    name: 'spamtrap-recycled',
    kind: 'spamtrap',
    types: ['recycled-spamtrap'],
    countMin: 3,
    sourcesMin: 1,
    tags: ['spam:recycled-trap'],
  },
]

// The types that make a repeat offender: those about the host, not about the owner of its content.
const REPEAT_OFFENDER_TYPES = [
  'Backdoor',
  'Bot',
  'CompromisedServer',
  'CompromisedWebsite',
  'DDos',
  'Defacement',
  'Exploit',
  'LoginAttack',
  'Malware',
  'MalwareHosting',
  'Phishing',
  'PortScan',
  'Spam',
  'Spamvertised',
  'WebHack',
]

// Sightings from abuse reports: the type is the event type.
const TRUSTED_REPORT_RULES: readonly SightingRule[] = [
  report('spam', ['Spam'], ['spam:complaint']),
  report('spamvertised', ['Spamvertised'], ['spam:spamvertised']),
  report('compromised-account', ['CompromisedAccount'], ['spam:compromised-account']),
  report('phishing', ['Phishing'], ['phishing:host']),
  report('malware-hosting', ['MalwareHosting'], ['malware:distribution']),
  report('bot', ['Bot'], ['botnet:member']),
  report('login-attack', ['LoginAttack'], ['credentials:brute-force']),
  report('port-scan', ['PortScan'], ['scan:port']),
  report('ddos', ['DDos'], ['ddos:source']),
  report('ddos-amplification', ['DDosAmplification'], ['ddos:reflector']),
  report(
    'compromised-server',
    ['CompromisedServer', 'CompromisedMicrosoftExchange'],
    ['compromise:server'],
  ),
  report(
    'compromised-website',
    ['CompromisedWebsite', 'Defacement', 'Backdoor'],
    ['compromise:website'],
  ),
  report('web-exploit', ['WebHack', 'Exploit'], ['web:exploit-attempt']),
  report('vulnerable-service', ['CVE', 'Open'], ['exposure:vulnerable-service']),
  {
    name: 'report-repeat-offender',
    kind: REPORT_KIND,
    types: REPEAT_OFFENDER_TYPES,
    countMin: 3,
    sourcesMin: 3,
    withinSeconds: 7 * DAY_SECONDS,
    tags: ['reports:repeat-offender'],
  },
]

const REPORT_RULES: readonly SightingRule[] = [
  ...TRUSTED_REPORT_RULES,
  {
    name: 'report-unverified',
    kind: REPORT_KIND,
    types: [...new Set(TRUSTED_REPORT_RULES.flatMap(({ types }) => types))],
    services: [UNVERIFIED_SERVICE],
    countMin: 1,
    // How many reporters it takes is decided before the sightings are written.
    sourcesMin: 1,
    tags: ['reports:unverified'],
  },
]

/** The rules of a new installation. */
export const DEFAULT_SIGHTING_RULES: readonly SightingRule[] = [
  ...HONEYPOT_RULES,
  ...SPAMTRAP_RULES,
  ...REPORT_RULES,
]

interface SightingOrigin {
  readonly kind: string
  readonly service: string
  readonly type: string
}

export function isUnverified({ kind, service }: Omit<SightingOrigin, 'type'>): boolean {
  return kind === REPORT_KIND && service === UNVERIFIED_SERVICE
}

/** True when the rule is about sightings of this kind, service and type. */
export function ruleCovers(rule: SightingRule, sighting: SightingOrigin): boolean {
  if (rule.kind !== sighting.kind || !rule.types.includes(sighting.type)) return false
  if (rule.services !== undefined) return rule.services.includes(sighting.service)
  return !isUnverified(sighting)
}

/** The intents of tags that unverified reports may set. */
const UNVERIFIED_INTENTS: readonly TagIntent[] = ['suspicious', 'unknown', 'none']

/** Whether a rule may set this tag. The intent of a tag may change after the rule was written. */
export function mayRuleSet(
  { kind, services }: Pick<SightingRule, 'kind' | 'services'>,
  intent: TagIntent,
): boolean {
  const isAboutUnverified = kind === REPORT_KIND && services?.includes(UNVERIFIED_SERVICE) === true
  return !isAboutUnverified || UNVERIFIED_INTENTS.includes(intent)
}

/** The rules as look-ups apply them: without the tags that a rule may not set. */
export function limitRules(
  rules: readonly SightingRule[],
  tagIntents: ReadonlyMap<string, TagIntent>,
): readonly SightingRule[] {
  return rules.map((rule) => {
    const tags = rule.tags.filter((tag) => mayRuleSet(rule, tagIntents.get(tag) ?? 'none'))
    return tags.length === rule.tags.length ? rule : { ...rule, tags }
  })
}

// Of fifty rules one or two cover a sighting, and most look-ups ask about the same few kinds,
// services and types. So the rules of each table are cached by these three.
const cachedRules = new WeakMap<readonly SightingRule[], Map<string, readonly SightingRule[]>>()
// Sensors name services and types freely, so the cache is emptied at this size. About 100 bytes an
// entry.
const CACHED_MAX = 2_000

/**
 * The rules of the table, in its order, that cover at least one of the sightings. `rules` must
 * never be changed in place.
 */
export function rulesAbout(
  sightings: readonly SightingOrigin[],
  rules: readonly SightingRule[],
): readonly SightingRule[] {
  const [only] = sightings
  if (only === undefined) return []
  if (sightings.length > 1) {
    return rules.filter((rule) => sightings.some((sighting) => ruleCovers(rule, sighting)))
  }
  let byOrigin = cachedRules.get(rules)
  if (byOrigin === undefined || byOrigin.size >= CACHED_MAX) {
    byOrigin = new Map()
    cachedRules.set(rules, byOrigin)
  }
  // None of the three contains NUL, so different ones never give the same key.
  const key = `${only.kind}\0${only.service}\0${only.type}`
  let about = byOrigin.get(key)
  if (about === undefined) {
    about = rules.filter((rule) => ruleCovers(rule, only))
    byOrigin.set(key, about)
  }
  return about
}
