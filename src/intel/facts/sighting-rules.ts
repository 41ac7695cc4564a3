// Which tags sightings set: the shipped rule table as data. A rule holds as long as the sightings
// it counts are within the look-back, so the tag it sets goes away with the clock and nobody has to
// remove it.

/**
 * Sets `tags` on a subject when the live sightings of `kind` with one of `types` (and one of
 * `services`, when given) add up to `countMin` observations from `sourcesMin` sources.
 */
export interface SightingRule {
  readonly kind: string
  readonly types: readonly string[]
  /** Absent: any service, also none. */
  readonly services?: readonly string[]
  /**
   * At least 1. Counted over whole roll-ups: those last seen within the window, with all they ever
   * counted.
   */
  readonly countMin: number
  /** At least 1: how many different sources have to agree. */
  readonly sourcesMin: number
  /** A window narrower than the look-back; absent: the look-back. */
  readonly withinSeconds?: number
  readonly tags: readonly string[]
}

const DAY_SECONDS = 86_400

function honeypot(
  types: readonly string[],
  tags: readonly string[],
  services?: readonly string[],
): SightingRule {
  const rule = { kind: 'honeypot', types, countMin: 1, sourcesMin: 1, tags }
  return services === undefined ? rule : { ...rule, services }
}

function report(types: readonly string[], tags: readonly string[]): SightingRule {
  return { kind: 'report', types, countMin: 1, sourcesMin: 1, tags }
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
  ),
  honeypot(
    ['login-attack'],
    ['credentials:database-brute-force'],
    ['mysql', 'mssql', 'postgresql', 'redis', 'mongodb', 'oracle'],
  ),
  honeypot(['default-login'], ['credentials:default-login', 'credentials:brute-force']),
  honeypot(['port-scan'], ['scan:port']),
  honeypot(['probe'], ['scan:web-path'], ['http', 'https']),
  honeypot(
    ['probe'],
    ['scan:port'],
    ['ftp', 'git', 'mysql', 'ntp', 'rdp', 'redis', 'sip', 'smb', 'snmp', 'ssh', 'telnet', 'tftp'],
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
  // The caller runs commands or fetches a binary after a Telnet login: the trait that the tag
  // names.
  honeypot(['command-execution', 'malware-download'], ['botnet:mirai-like'], ['telnet']),
  honeypot(['malware-download'], ['botnet:member'], ['ssh']),
  // Said of the host that hands the file out, not of the caller.
  honeypot(['malware-distribution'], ['malware:distribution']),
]

const SPAMTRAP_RULES: readonly SightingRule[] = [
  {
    kind: 'spamtrap',
    types: ['pristine-spamtrap'],
    countMin: 1,
    sourcesMin: 1,
    tags: ['spam:pristine-trap'],
  },
  // A single mail to an address given up long ago may be one stale customer record; three are a
  // list.
  {
    kind: 'spamtrap',
    types: ['recycled-spamtrap'],
    countMin: 3,
    sourcesMin: 1,
    tags: ['spam:recycled-trap'],
  },
]

// What counts towards a repeat offender: types that say something about the host, not about its
// content's owner.
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

// Sightings that abuse reports leave behind: kind `report`, the type is the event type.
const REPORT_RULES: readonly SightingRule[] = [
  report(['Spam'], ['spam:complaint']),
  report(['Spamvertised'], ['spam:spamvertised']),
  report(['CompromisedAccount'], ['spam:compromised-account']),
  report(['Phishing'], ['phishing:host']),
  report(['MalwareHosting'], ['malware:distribution']),
  report(['Bot'], ['botnet:member']),
  report(['LoginAttack'], ['credentials:brute-force']),
  report(['PortScan'], ['scan:port']),
  report(['DDos'], ['ddos:source']),
  report(['DDosAmplification'], ['ddos:reflector']),
  report(['CompromisedServer', 'CompromisedMicrosoftExchange'], ['compromise:server']),
  report(['CompromisedWebsite', 'Defacement', 'Backdoor'], ['compromise:website']),
  report(['WebHack', 'Exploit'], ['web:exploit-attempt']),
  report(['CVE', 'Open'], ['exposure:vulnerable-service']),
  {
    kind: 'report',
    types: REPEAT_OFFENDER_TYPES,
    countMin: 3,
    sourcesMin: 3,
    withinSeconds: 7 * DAY_SECONDS,
    tags: ['reports:repeat-offender'],
  },
]

/** The rules a new installation starts with; an operator edits a copy of them. */
export const DEFAULT_SIGHTING_RULES: readonly SightingRule[] = [
  ...HONEYPOT_RULES,
  ...SPAMTRAP_RULES,
  ...REPORT_RULES,
]

/** True when the rule is about sightings of this kind, service and type. */
export function ruleCovers(
  rule: SightingRule,
  sighting: { readonly kind: string; readonly service: string; readonly type: string },
): boolean {
  return (
    rule.kind === sighting.kind &&
    rule.types.includes(sighting.type) &&
    (rule.services === undefined || rule.services.includes(sighting.service))
  )
}

// Of a table of fifty rules a sighting concerns one or two; a look-up asks again and again about
// the same few kinds, services and types.
const known = new WeakMap<readonly SightingRule[], Map<string, readonly SightingRule[]>>()
// Sensors name services and types as they like; past this many the memory starts anew. About 100
// bytes each.
const KNOWN_MAX = 2_000

/**
 * The rules of the table, in its order, that cover at least one of the sightings. `rules` must
 * never be changed in place.
 */
export function rulesAbout(
  sightings: readonly { readonly kind: string; readonly service: string; readonly type: string }[],
  rules: readonly SightingRule[],
): readonly SightingRule[] {
  const [only] = sightings
  if (only === undefined) return []
  if (sightings.length > 1) {
    return rules.filter((rule) => sightings.some((sighting) => ruleCovers(rule, sighting)))
  }
  let byOrigin = known.get(rules)
  if (byOrigin === undefined || byOrigin.size >= KNOWN_MAX) {
    byOrigin = new Map()
    known.set(rules, byOrigin)
  }
  // A NUL is in none of the three, so that they cannot run into each other.
  const key = `${only.kind}\0${only.service}\0${only.type}`
  let about = byOrigin.get(key)
  if (about === undefined) {
    about = rules.filter((rule) => ruleCovers(rule, only))
    byOrigin.set(key, about)
  }
  return about
}
