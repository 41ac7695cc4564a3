// Every setting of the program, once: as a flag (--data-dir), an environment variable (CASEWORK_DATA_DIR) and a key of
// casework.toml (data_dir). Flags win over the environment, the environment over the file. Unknown keys are refused.

import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { settingsNotUsable } from './errors.ts'

interface SettingBase {
  /** What it does, one sentence, for --help and docs/reference/settings.md. */
  readonly meaning: string
  /** Masked by `casework config`. */
  readonly isSecret?: boolean
  /** Another name in the environment, for variables that the world already uses. */
  readonly environmentName?: string
}

type Setting =
  | (SettingBase & {
      readonly kind: 'text'
      readonly fallback: string | null
      readonly check?: (text: string) => string | null
    })
  | (SettingBase & {
      readonly kind: 'integer'
      readonly fallback: number
      readonly min: number
      readonly max: number
    })
  | (SettingBase & {
      readonly kind: 'port'
      readonly fallback: number | null
      readonly canBeOff?: boolean
    })
  | (SettingBase & {
      readonly kind: 'choice'
      readonly fallback: string
      readonly choices: readonly string[]
    })
  | (SettingBase & {
      readonly kind: 'list'
      readonly fallback: readonly string[]
      readonly choices?: readonly string[]
    })

const ROLES = ['api', 'worker', 'smtp'] as const
type Role = (typeof ROLES)[number]

/** The table of settings, in the order in which the reference page shows them. */
export const SETTINGS = {
  host: { kind: 'text', fallback: '127.0.0.1', meaning: 'Address to listen on.' },
  port: {
    kind: 'port',
    fallback: 8080,
    meaning: 'Port of both groups of endpoints; 0 picks a free one.',
  },
  intel_port: {
    kind: 'port',
    fallback: null,
    meaning: 'A listener of its own for the threat-intelligence group, beside the main one.',
  },
  data_dir: {
    kind: 'text',
    fallback: './data',
    meaning: 'Folder of the embedded database, the snapshot and the keys.',
  },
  database_url: {
    kind: 'text',
    fallback: null,
    environmentName: 'DATABASE_URL',
    isSecret: true,
    check: checkDatabaseUrl,
    meaning:
      'A PostgreSQL (15 or newer) to use instead of the embedded one, as postgres://user:password@host:port/database.',
  },
  database_pool: {
    kind: 'integer',
    fallback: 20,
    min: 2,
    max: 500,
    meaning: 'Database connections this process may hold.',
  },
  bootstrap_token: {
    kind: 'text',
    fallback: null,
    isSecret: true,
    check: checkBootstrapToken,
    meaning:
      'Value of the first administrator token (32 to 256 characters), for scripted set-ups; otherwise one is made and printed once.',
  },
  intel_access: {
    kind: 'choice',
    fallback: 'open',
    choices: ['open', 'token'],
    meaning: 'Whether look-ups need a token.',
  },
  roles: { kind: 'list', fallback: ROLES, choices: ROLES, meaning: 'What this process does.' },
  threads: {
    kind: 'integer',
    fallback: 1,
    min: 1,
    max: 64,
    meaning: 'HTTP threads; they share one copy of the intel set.',
  },
  smtp_port: {
    kind: 'port',
    fallback: 2525,
    canBeOff: true,
    meaning: 'Port for report mail (SMTP, with STARTTLS); 0 picks a free one, off disables.',
  },
  smtp_host: {
    kind: 'text',
    fallback: null,
    meaning: 'Address on which mail is taken; unset means that of CASEWORK_HOST.',
  },
  smtp_name: {
    kind: 'text',
    fallback: null,
    check: checkHostName,
    meaning: 'Name by which the mail listeners greet; unset means the name of this machine.',
  },
  smtp_tls_key: {
    kind: 'text',
    fallback: null,
    meaning:
      'File of the private key (PEM) for STARTTLS; without one a self-signed certificate is made in the data folder.',
  },
  smtp_tls_cert: {
    kind: 'text',
    fallback: null,
    meaning: 'File of the certificate chain (PEM) of CASEWORK_SMTP_TLS_KEY.',
  },
  smtp_proxies: {
    kind: 'list',
    fallback: [],
    meaning:
      'Addresses of proxies before the SMTP port; each of their connections begins with a PROXY header (version 1).',
  },
  smtp_rate_limit: {
    kind: 'integer',
    fallback: 6_000,
    min: 0,
    max: 10_000_000,
    meaning: 'Mails a minute and address over SMTP; 0 means no limit.',
  },
  // A few hundred kB each at the worst, beside the mails themselves, which have a budget of 128 MiB together.
  smtp_connections: {
    kind: 'integer',
    fallback: 200,
    min: 1,
    max: 10_000,
    meaning: 'Open connections at most, of SMTP and of LMTP each.',
  },
  smtp_connections_per_address: {
    kind: 'integer',
    fallback: 50,
    min: 1,
    max: 10_000,
    meaning: 'Open connections of one address over SMTP at most.',
  },
  // RFC 5321 section 4.5.3.1.8 asks for a hundred at least.
  smtp_recipients: {
    kind: 'integer',
    fallback: 100,
    min: 1,
    max: 1_000,
    meaning: 'Recipients of one mail at most, over SMTP and LMTP.',
  },
  // Larger ones could not be read: POST /beta/casework/reports has the same limit (design section 10).
  mail_size_limit: {
    kind: 'integer',
    fallback: 26_214_400,
    min: 65_536,
    max: 26_214_400,
    meaning: 'Bytes of a mail at most, over SMTP and LMTP and in the mailbox.',
  },
  mail_store_timeout_ms: {
    kind: 'integer',
    fallback: 20_000,
    min: 100,
    max: 300_000,
    meaning:
      'How long the database may take to keep a mail before its sender is asked to try again (451).',
  },
  lmtp_port: {
    kind: 'port',
    fallback: null,
    canBeOff: true,
    meaning: 'Port for report mail from your own mail server (LMTP); 0 picks a free one.',
  },
  lmtp_socket: {
    kind: 'text',
    fallback: null,
    check: checkAbsolutePath,
    meaning: 'The same on a Unix socket, by its absolute path.',
  },
  mail_authentication: {
    kind: 'choice',
    fallback: 'auto',
    choices: ['on', 'off', 'auto'],
    meaning:
      'Whether SPF, DKIM, DMARC and ARC of report mail are looked up in DNS; auto pauses while no resolver answers.',
  },
  imap_url: {
    kind: 'text',
    fallback: null,
    check: checkImapUrl,
    meaning:
      'A mailbox to pull reports from, as imaps://user@host/INBOX (imap:// upgrades by STARTTLS).',
  },
  imap_password: {
    kind: 'text',
    fallback: null,
    isSecret: true,
    meaning: 'Its password.',
  },
  imap_password_file: {
    kind: 'text',
    fallback: null,
    meaning: 'A file that holds the password alone.',
  },
  imap_tenant: {
    kind: 'text',
    fallback: 'default',
    meaning: 'Tenant that its reports belong to.',
  },
  imap_move_to: {
    kind: 'text',
    fallback: null,
    meaning:
      'Folder into which pulled mails are moved; unset marks them as read and leaves them where they are.',
  },
  reverse_dns: {
    kind: 'choice',
    fallback: 'auto',
    choices: ['on', 'off', 'auto'],
    meaning:
      'Whether look-ups ask DNS for the name of an address; auto asks while a resolver answers.',
  },
  contact_dns_zone: {
    kind: 'text',
    fallback: null,
    meaning: 'DNS zone that answers abuse contacts in TXT records; it learns what is looked up.',
  },
  contact_rdap: {
    kind: 'choice',
    fallback: 'off',
    choices: ['on', 'off'],
    meaning:
      'Whether the regional registries are asked for abuse contacts by RDAP; they learn what is looked up.',
  },
  contact_verification: {
    kind: 'choice',
    fallback: 'off',
    choices: ['on', 'off'],
    meaning:
      'Whether abuse contacts are tested by DNS and SMTP, without sending mail; their mail servers learn of it.',
  },
  dns_servers: {
    kind: 'list',
    fallback: [],
    meaning: 'DNS servers as address or address:port; empty means those of the system.',
  },
  enrichment_timeout_ms: {
    kind: 'integer',
    fallback: 1_500,
    min: 50,
    max: 30_000,
    meaning: 'How long one look-up may wait for its enrichment.',
  },
  look_back_days: {
    kind: 'integer',
    fallback: 30,
    min: 1,
    max: 3_650,
    meaning: 'How old a sighting may be to count as activity.',
  },
  ipv6_rollup_min: {
    kind: 'integer',
    fallback: 3,
    min: 1,
    max: 65_535,
    meaning: 'Distinct addresses of one /64 from which its sightings count for all of it.',
  },
  lookup_rate_limit: {
    kind: 'integer',
    fallback: 0,
    min: 0,
    max: 10_000_000,
    meaning: 'Look-up requests a minute and address; 0 means no limit.',
  },
  token_rate_limit: {
    kind: 'integer',
    fallback: 0,
    min: 0,
    max: 10_000_000,
    meaning: 'Requests a minute and token without instance:admin; 0 means no limit.',
  },
  failed_credentials_limit: {
    kind: 'integer',
    fallback: 30,
    min: 1,
    max: 100_000,
    meaning: 'Wrong credentials a minute from which an address is refused.',
  },
  outbound_allow: {
    kind: 'list',
    fallback: [],
    meaning: 'Private targets that outgoing requests may reach, as host:port or CIDR.',
  },
  access_log: {
    kind: 'choice',
    fallback: 'sampled',
    choices: ['sampled', 'all', 'off'],
    meaning:
      'Which requests get a line: errors and slow ones always (except off), look-ups only with all.',
  },
  log_level: {
    kind: 'choice',
    fallback: 'info',
    choices: ['debug', 'info', 'warn', 'error', 'silent'],
    meaning: 'Least important line that is written.',
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof SETTINGS

export interface Config {
  readonly host: string
  readonly port: number
  readonly intelPort: number | null
  readonly dataDir: string
  readonly databaseUrl: string | null
  readonly databasePool: number
  readonly bootstrapToken: string | null
  readonly intelAccess: 'open' | 'token'
  readonly roles: readonly Role[]
  readonly threads: number
  readonly smtpPort: number | null
  readonly smtpHost: string
  readonly smtpName: string | null
  readonly smtpTlsKey: string | null
  readonly smtpTlsCert: string | null
  readonly smtpProxies: readonly string[]
  readonly smtpRateLimit: number
  readonly smtpConnections: number
  readonly smtpConnectionsPerAddress: number
  readonly smtpRecipients: number
  readonly mailSizeLimit: number
  readonly mailStoreTimeoutMs: number
  readonly lmtpPort: number | null
  readonly lmtpSocket: string | null
  readonly mailAuthentication: 'on' | 'off' | 'auto'
  readonly imapUrl: string | null
  readonly imapPassword: string | null
  readonly imapPasswordFile: string | null
  readonly imapTenant: string
  readonly imapMoveTo: string | null
  readonly reverseDns: 'on' | 'off' | 'auto'
  readonly contactDnsZone: string | null
  readonly contactRdap: 'on' | 'off'
  readonly contactVerification: 'on' | 'off'
  readonly dnsServers: readonly string[]
  readonly enrichmentTimeoutMs: number
  readonly lookBackDays: number
  readonly ipv6RollupMin: number
  readonly lookupRateLimit: number
  readonly tokenRateLimit: number
  readonly failedCredentialsLimit: number
  readonly outboundAllow: readonly string[]
  readonly accessLog: 'sampled' | 'all' | 'off'
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
}

export interface ConfigSources {
  /** Values given on the command line, by setting name. */
  readonly flags: Readonly<Partial<Record<string, string>>>
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Path of casework.toml; null reads none. A named file that is missing is an error, the default one may be missing. */
  readonly file: { readonly path: string; readonly isRequired: boolean } | null
}

type Origin = 'flag' | 'environment' | 'file' | 'default'

export interface LoadedConfig {
  readonly config: Config
  /** Where each value came from, for `casework config`. */
  readonly origins: Readonly<Record<SettingName, Origin>>
}

/** Variables that speak to the command line client, not to the server. */
const CLIENT_VARIABLES = ['CASEWORK_URL', 'CASEWORK_TOKEN', 'CASEWORK_CONFIG']
// The test suite's own hand-over of its database; no setting, and never read by the program.
const FOREIGN_PREFIX = 'CASEWORK_TEST_'

/** Reads and checks all settings. Throws one operating error that lists everything wrong at once. */
export function loadConfig(sources: ConfigSources): LoadedConfig {
  const problems: string[] = []
  const file = readConfigFile(sources.file, problems)
  reportUnknownKeys(sources, file, problems)
  const origins: Partial<Record<SettingName, Origin>> = {}
  const read = (name: SettingName): unknown => {
    const setting: Setting = SETTINGS[name]
    const candidates: [Origin, unknown, string][] = [
      ['flag', sources.flags[name], `--${name.replaceAll('_', '-')}`],
      [
        'environment',
        emptyToUndefined(sources.environment[environmentNameOf(name)]),
        environmentNameOf(name),
      ],
      ['file', file[name], `${name} in ${sources.file?.path ?? 'casework.toml'}`],
    ]
    const given = candidates.find(([, value]) => value !== undefined)
    origins[name] = given?.[0] ?? 'default'
    if (given === undefined) return setting.fallback
    const parsed = parseSetting(setting, given[1])
    if (parsed.kind === 'wrong') {
      problems.push(`${given[2]} ${parsed.reason}`)
      return setting.fallback
    }
    return parsed.value
  }
  const config = buildConfig(read)
  if (problems.length > 0) throw settingsNotUsable(problems)
  // buildConfig has read every setting, so every origin is known.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { config, origins: origins as Record<SettingName, Origin> }
}

export function environmentNameOf(name: SettingName): string {
  const setting: Setting = SETTINGS[name]
  return setting.environmentName ?? `CASEWORK_${name.toUpperCase()}`
}

/** The process environment; the one place that reads it. */
export function readEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env
}

// The reader returns what the table promises for each kind, so the casts below are this parser's last step.
/* oxlint-disable typescript/no-unsafe-type-assertion */
function buildConfig(read: (name: SettingName) => unknown): Config {
  return {
    host: read('host') as string,
    port: read('port') as number,
    intelPort: read('intel_port') as number | null,
    dataDir: resolve(read('data_dir') as string),
    databaseUrl: read('database_url') as string | null,
    databasePool: read('database_pool') as number,
    bootstrapToken: read('bootstrap_token') as string | null,
    intelAccess: read('intel_access') as Config['intelAccess'],
    roles: read('roles') as Role[],
    threads: read('threads') as number,
    smtpPort: read('smtp_port') as number | null,
    smtpHost: (read('smtp_host') ?? read('host')) as string,
    smtpName: read('smtp_name') as string | null,
    smtpTlsKey: read('smtp_tls_key') as string | null,
    smtpTlsCert: read('smtp_tls_cert') as string | null,
    smtpProxies: read('smtp_proxies') as string[],
    smtpRateLimit: read('smtp_rate_limit') as number,
    smtpConnections: read('smtp_connections') as number,
    smtpConnectionsPerAddress: read('smtp_connections_per_address') as number,
    smtpRecipients: read('smtp_recipients') as number,
    mailSizeLimit: read('mail_size_limit') as number,
    mailStoreTimeoutMs: read('mail_store_timeout_ms') as number,
    lmtpPort: read('lmtp_port') as number | null,
    lmtpSocket: read('lmtp_socket') as string | null,
    mailAuthentication: read('mail_authentication') as Config['mailAuthentication'],
    imapUrl: read('imap_url') as string | null,
    imapPassword: read('imap_password') as string | null,
    imapPasswordFile: read('imap_password_file') as string | null,
    imapTenant: read('imap_tenant') as string,
    imapMoveTo: read('imap_move_to') as string | null,
    reverseDns: read('reverse_dns') as Config['reverseDns'],
    contactDnsZone: read('contact_dns_zone') as string | null,
    contactRdap: read('contact_rdap') as Config['contactRdap'],
    contactVerification: read('contact_verification') as Config['contactVerification'],
    dnsServers: read('dns_servers') as string[],
    enrichmentTimeoutMs: read('enrichment_timeout_ms') as number,
    lookBackDays: read('look_back_days') as number,
    ipv6RollupMin: read('ipv6_rollup_min') as number,
    lookupRateLimit: read('lookup_rate_limit') as number,
    tokenRateLimit: read('token_rate_limit') as number,
    failedCredentialsLimit: read('failed_credentials_limit') as number,
    outboundAllow: read('outbound_allow') as string[],
    accessLog: read('access_log') as Config['accessLog'],
    logLevel: read('log_level') as Config['logLevel'],
  }
}
/* oxlint-enable typescript/no-unsafe-type-assertion */

type Parsed =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'wrong'; readonly reason: string }

function parseSetting(setting: Setting, given: unknown): Parsed {
  switch (setting.kind) {
    case 'text':
      return parseText(setting.check, given)
    case 'integer':
      return parseInteger(given, setting.min, setting.max)
    case 'port':
      if (setting.canBeOff === true && given === 'off') return { kind: 'value', value: null }
      return parseInteger(given, 0, 65_535)
    case 'choice':
      return parseChoice(setting.choices, given)
    case 'list':
      return parseList(setting.choices, given)
  }
}

function parseText(check: ((text: string) => string | null) | undefined, given: unknown): Parsed {
  if (typeof given !== 'string') return { kind: 'wrong', reason: 'must be text' }
  const reason = check?.(given) ?? null
  return reason === null ? { kind: 'value', value: given } : { kind: 'wrong', reason }
}

function parseInteger(given: unknown, min: number, max: number): Parsed {
  const isDigits = typeof given === 'string' && /^\d{1,15}$/.test(given)
  const value = isDigits ? Number(given) : given
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    return { kind: 'wrong', reason: `must be a whole number from ${min} to ${max}` }
  }
  return { kind: 'value', value }
}

function parseChoice(choices: readonly string[], given: unknown): Parsed {
  if (typeof given === 'string' && choices.includes(given)) return { kind: 'value', value: given }
  return { kind: 'wrong', reason: `must be one of ${choices.join(', ')}` }
}

function parseList(choices: readonly string[] | undefined, given: unknown): Parsed {
  const parts: unknown =
    typeof given === 'string'
      ? given
          .split(',')
          .map((part) => part.trim())
          .filter((part) => part !== '')
      : given
  if (!Array.isArray(parts) || !parts.every((part) => typeof part === 'string')) {
    return { kind: 'wrong', reason: 'must be a comma-separated list' }
  }
  const wrong = choices === undefined ? undefined : parts.find((part) => !choices.includes(part))
  if (wrong !== undefined) {
    return { kind: 'wrong', reason: `takes ${choices?.join(', ')}, not "${wrong}"` }
  }
  if (choices !== undefined && parts.length === 0) {
    return { kind: 'wrong', reason: `needs at least one of ${choices.join(', ')}` }
  }
  return { kind: 'value', value: [...new Set(parts)] }
}

function checkDatabaseUrl(text: string): string | null {
  return /^postgres(ql)?:\/\//.test(text) ? null : 'must start with postgres:// or postgresql://'
}

function checkHostName(text: string): string | null {
  return /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(text)
    ? null
    : 'must be a host name'
}

function checkAbsolutePath(text: string): string | null {
  return isAbsolute(text) ? null : 'must be an absolute path'
}

function checkImapUrl(text: string): string | null {
  const url = URL.parse(text)
  if (url === null || !/^imaps?:$/.test(url.protocol) || url.username === '') {
    return 'must be such as imaps://user@mail.example.org/INBOX'
  }
  return url.password === ''
    ? null
    : 'must not hold the password; give it in CASEWORK_IMAP_PASSWORD'
}

function checkBootstrapToken(text: string): string | null {
  // RFC 6750 section 2.1: the characters a bearer token may have.
  return /^[A-Za-z0-9._~+/-]{32,256}=*$/.test(text)
    ? null
    : 'must be 32 to 256 characters of A-Z a-z 0-9 . _ ~ + / -'
}

// An empty variable is what `CASEWORK_PORT= npm start` and many compose files give for "not set".
function emptyToUndefined(text: string | undefined): string | undefined {
  return text === '' ? undefined : text
}

function readConfigFile(file: ConfigSources['file'], problems: string[]): Record<string, unknown> {
  if (file === null) return {}
  if (!existsSync(file.path)) {
    if (file.isRequired) problems.push(`The configuration file ${file.path} does not exist.`)
    return {}
  }
  try {
    return parseToml(readFileSync(file.path, 'utf8'))
  } catch (error) {
    problems.push(
      `${file.path} cannot be read: ${error instanceof Error ? error.message.split('\n')[0] : 'unknown reason'}`,
    )
    return {}
  }
}

function reportUnknownKeys(
  sources: ConfigSources,
  file: Record<string, unknown>,
  problems: string[],
): void {
  const names = Object.keys(SETTINGS)
  for (const key of Object.keys(file)) {
    if (!names.includes(key)) {
      problems.push(`${sources.file?.path}: unknown key ${key}${suggest(key, names)}`)
    }
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const variables = [...(names as SettingName[]).map(environmentNameOf), ...CLIENT_VARIABLES]
  for (const variable of Object.keys(sources.environment)) {
    if (!variable.startsWith('CASEWORK_') || variable.startsWith(FOREIGN_PREFIX)) continue
    if (!variables.includes(variable)) {
      problems.push(`Unknown variable ${variable}${suggest(variable, variables)}`)
    }
  }
}

/** `; did you mean x?` for the nearest known name, or nothing when none is near. */
function suggest(unknown: string, known: readonly string[]): string {
  const ranked = known
    .map((name) => ({ name, distance: measureEditDistance(unknown, name) }))
    .toSorted((a, b) => a.distance - b.distance)
  const nearest = ranked[0]
  return nearest !== undefined && nearest.distance <= 3
    ? `; did you mean ${nearest.name}?`
    : '; see docs/reference/settings.md'
}

// Levenshtein distance, one row at a time; names are short, so the plain form is enough.
function measureEditDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
