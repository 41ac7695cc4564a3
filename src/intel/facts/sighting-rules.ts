// The shipped table of rules by which sightings set tags. A rule holds as long as the sightings
// that it counts are within the look-back, so its tag disappears with time and need not be removed.

/**
 * Sets `tags` on a subject when the live sightings of `kind` with one of `types` (and one of
 * `services`, when given) add up to `countMin` observations from `sourcesMin` sources.
 */
export interface SightingRule {
  readonly kind: string
  readonly types: readonly string[]
  /** Left out: any service, also none. */
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
  // The tag names this behaviour: commands or a download after a Telnet login.
  honeypot(['command-execution', 'malware-download'], ['botnet:mirai-like'], ['telnet']),
  honeypot(['malware-download'], ['botnet:member'], ['ssh']),
  // About the host that serves the file, not about the caller.
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
  // A single mail to a long abandoned address may come from a stale customer record; three mails
  // come from a list.
  {
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

// Sightings from abuse reports: the kind is `report`, the type is the event type.
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

/** The rules of a new installation; an operator edits a copy of them. */
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

// Of fifty rules one or two cover a sighting, and most look-ups ask about the same few kinds,
// services and types. So the rules are cached by these three.
const known = new WeakMap<readonly SightingRule[], Map<string, readonly SightingRule[]>>()
// Sensors name services and types freely, so the cache is emptied at this size. About 100 bytes an
// entry.
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
  // None of the three contains NUL, so different ones never give the same key.
  const key = `${only.kind}\0${only.service}\0${only.type}`
  let about = byOrigin.get(key)
  if (about === undefined) {
    about = rules.filter((rule) => ruleCovers(rule, only))
    byOrigin.set(key, about)
  }
  return about
}
