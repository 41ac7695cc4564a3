// Reads the settings of the program (settings.ts): flags win over the environment, the environment
// over the file. Unknown keys are refused.

import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse as parseToml, TomlError } from 'smol-toml'
import { settingsNotUsable } from './errors.ts'
import { parseSetting, type Setting } from './setting.ts'
import {
  environmentNameOf,
  LOOKUP_ROLE,
  type Role,
  SETTINGS,
  type SettingName,
} from './settings.ts'

export interface Config {
  readonly host: string
  readonly port: number
  readonly intelPort: number | null
  readonly opsPort: number | null
  readonly opsHost: string
  readonly httpConnections: number
  readonly httpConnectionsPerAddress: number
  readonly httpUnreadLimit: number
  readonly httpBodyLimit: number
  readonly trustedProxies: readonly string[]
  readonly proxyHeader: 'x-forwarded-for' | 'forwarded'
  readonly dataDir: string
  readonly erasureLog: string | null
  readonly databaseUrl: string | null
  readonly databasePool: number
  readonly tokenAgeMax: number
  /** Null: by the size of the disk. 0: none. */
  readonly diskReserveMb: number | null
  /** Null: people reach it at http://localhost. */
  readonly publicUrl: string | null
  readonly sessionIdleMinutes: number
  readonly sessionMaxHours: number
  readonly providersFile: string | null
  readonly secondFactor: 'optional' | 'required'
  readonly secretKey: string | null
  readonly bootstrapToken: string | null
  readonly demo: 'on' | 'off'
  readonly intelAccess: 'open' | 'token'
  readonly roles: readonly Role[]
  /** Null: a start without a snapshot of its own reads the database. */
  readonly snapshotFrom: string | null
  /** Null: only the scope instance:admin opens the snapshot. */
  readonly nodeSecret: string | null
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
  readonly relayUrl: string | null
  readonly relayPassword: string | null
  readonly relayPasswordFile: string | null
  readonly relayCaFile: string | null
  readonly relayConnections: number
  /** 0: no limit. */
  readonly relayRate: number
  readonly mailFrom: string | null
  readonly mailDomain: string | null
  readonly dkimKeyFile: string | null
  readonly dkimSelector: string | null
  readonly reverseDns: 'on' | 'off' | 'auto'
  readonly networkAsnMmdb: string | null
  readonly networkCountryMmdb: string | null
  readonly contactDnsZone: string | null
  readonly contactRdap: 'on' | 'off'
  readonly contactVerification: 'on' | 'off'
  readonly dnsServers: readonly string[]
  readonly enrichmentTimeoutMs: number
  readonly lookBackDays: number
  readonly expiredDays: number
  readonly sightingDays: number
  readonly ipv6RollupMin: number
  readonly lookupRateLimit: number
  readonly tokenRateLimit: number
  readonly failedCredentialsLimit: number
  readonly outboundAllow: readonly string[]
  /** Null: no traces. */
  readonly otlpEndpoint: string | null
  readonly otlpHeaders: string | null
  readonly serviceName: string
  /** From 0 to 1. */
  readonly traceShare: number
  /** Whether the main listener serves the web console. */
  readonly console: 'on' | 'off'
  /** Of V8, the allocator and threads (app/tuning). */
  readonly tuning: 'on' | 'off'
  readonly accessLog: 'sampled' | 'all' | 'off'
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
}

export interface ConfigSources {
  /** Values given on the command line, by setting name. */
  readonly flags: Readonly<Partial<Record<string, string>>>
  readonly environment: Readonly<Record<string, string | undefined>>
  /**
   * Path of casework.toml; null reads none. A file that the operator names must exist; the default
   * one may be missing.
   */
  readonly file: { readonly path: string; readonly isRequired: boolean } | null
}

type Origin = 'flag' | 'environment' | 'file' | 'default'

export interface LoadedConfig {
  readonly config: Config
  /** Where each value came from, for `casework config`. */
  readonly origins: Readonly<Record<SettingName, Origin>>
}

/** Variables of the command line client, not of the server. */
const CLIENT_VARIABLES = [
  'CASEWORK_URL',
  'CASEWORK_TOKEN',
  'CASEWORK_TOKEN_FILE',
  'CASEWORK_PROFILE',
  'CASEWORK_CONFIG',
]
// Variables of the test suite, which hands over its database by them. They are no settings.
const FOREIGN_PREFIX = 'CASEWORK_TEST_'

/**
 * Reads and checks all settings. Throws one operating error that lists everything wrong at once.
 */
export function loadConfig(sources: ConfigSources): LoadedConfig {
  const problems: string[] = []
  const file = readConfigFile(sources.file, problems)
  reportUnknownKeys(sources, file, problems)
  const origins: Partial<Record<SettingName, Origin>> = {}
  const read = (name: SettingName): unknown => {
    const setting: Setting = SETTINGS[name]
    const given = findGiven(name, sources, file)
    origins[name] = given?.origin ?? 'default'
    if (given === undefined) return setting.fallback
    const parsed = parseSetting(setting, given.value)
    if (parsed.kind === 'value') return parsed.value
    problems.push(`${given.label} ${parsed.reason}`)
    return setting.fallback
  }
  const config = buildConfig(read)
  problems.push(...listLookupProblems(config))
  if (problems.length > 0) throw settingsNotUsable(problems)
  // buildConfig has read every setting, so every origin is known.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { config, origins: origins as Record<SettingName, Origin> }
}

interface GivenValue {
  readonly origin: Origin
  readonly value: unknown
  /** Names the place of the value in a sentence about it. */
  readonly label: string
}

/** The value from the first source that has one; undefined when none does. */
function findGiven(
  name: SettingName,
  { flags, environment, file: place }: ConfigSources,
  file: Record<string, unknown>,
): GivenValue | undefined {
  const variable = environmentNameOf(name)
  const candidates: readonly GivenValue[] = [
    { origin: 'flag', value: flags[name], label: `--${name.replaceAll('_', '-')}` },
    { origin: 'environment', value: emptyToUndefined(environment[variable]), label: variable },
    { origin: 'file', value: file[name], label: `${name} in ${place?.path ?? 'casework.toml'}` },
  ]
  return candidates.find(({ value }) => value !== undefined)
}

/** What a node with the role lookup cannot be or do without. */
function listLookupProblems({ roles, databaseUrl, demo }: Config): readonly string[] {
  if (!isLookupNode({ roles })) return []
  return [
    ...(roles.length > 1 ? ['CASEWORK_ROLES has lookup beside other roles; it stands alone'] : []),
    ...(databaseUrl === null
      ? ['CASEWORK_ROLES=lookup needs DATABASE_URL: a hot standby, or the primary']
      : []),
    ...(demo === 'on' ? ['CASEWORK_DEMO must be off with CASEWORK_ROLES=lookup'] : []),
  ]
}

/** Whether this node answers look-ups only, and writes nothing. */
export function isLookupNode({ roles }: Pick<Config, 'roles'>): boolean {
  return roles.includes(LOOKUP_ROLE)
}

/** Whether this process has HTTP listeners. */
export function hasListeners({ roles }: Pick<Config, 'roles'>): boolean {
  return roles.includes('api') || isLookupNode({ roles })
}

/** The process environment; the one place that reads it. */
export function readEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env
}

// `read` returns the type that the table of settings promises for each kind, so the casts below are
// the last step of this parser.
/* oxlint-disable typescript/no-unsafe-type-assertion */
function buildConfig(read: (name: SettingName) => unknown): Config {
  return {
    host: read('host') as string,
    port: read('port') as number,
    intelPort: read('intel_port') as number | null,
    opsPort: read('ops_port') as number | null,
    opsHost: read('ops_host') as string,
    httpConnections: read('http_connections') as number,
    httpConnectionsPerAddress: read('http_connections_per_address') as number,
    httpUnreadLimit: read('http_unread_limit') as number,
    httpBodyLimit: read('http_body_limit') as number,
    trustedProxies: read('trusted_proxies') as string[],
    proxyHeader: read('proxy_header') as Config['proxyHeader'],
    dataDir: resolve(read('data_dir') as string),
    erasureLog: read('erasure_log') as string | null,
    databaseUrl: read('database_url') as string | null,
    databasePool: read('database_pool') as number,
    tokenAgeMax: read('token_age_max') as number,
    diskReserveMb: read('disk_reserve') as number | null,
    publicUrl: read('public_url') as string | null,
    sessionIdleMinutes: read('session_idle') as number,
    sessionMaxHours: read('session_max') as number,
    providersFile: read('providers_file') as string | null,
    secondFactor: read('second_factor') as Config['secondFactor'],
    secretKey: read('secret_key') as string | null,
    bootstrapToken: read('bootstrap_token') as string | null,
    demo: read('demo') as Config['demo'],
    intelAccess: read('intel_access') as Config['intelAccess'],
    roles: read('roles') as Role[],
    snapshotFrom: read('snapshot_from') as string | null,
    nodeSecret: read('node_secret') as string | null,
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
    relayUrl: read('relay_url') as string | null,
    relayPassword: read('relay_password') as string | null,
    relayPasswordFile: read('relay_password_file') as string | null,
    relayCaFile: read('relay_ca_file') as string | null,
    relayConnections: read('relay_connections') as number,
    relayRate: read('relay_rate') as number,
    mailFrom: read('mail_from') as string | null,
    mailDomain: read('mail_domain') as string | null,
    dkimKeyFile: read('dkim_key_file') as string | null,
    dkimSelector: read('dkim_selector') as string | null,
    reverseDns: read('reverse_dns') as Config['reverseDns'],
    networkAsnMmdb: read('network_asn_mmdb') as string | null,
    networkCountryMmdb: read('network_country_mmdb') as string | null,
    contactDnsZone: read('contact_dns_zone') as string | null,
    contactRdap: read('contact_rdap') as Config['contactRdap'],
    contactVerification: read('contact_verification') as Config['contactVerification'],
    dnsServers: read('dns_servers') as string[],
    enrichmentTimeoutMs: read('enrichment_timeout_ms') as number,
    lookBackDays: read('look_back_days') as number,
    expiredDays: read('expired_days') as number,
    sightingDays: read('sighting_days') as number,
    ipv6RollupMin: read('ipv6_rollup_min') as number,
    lookupRateLimit: read('lookup_rate_limit') as number,
    tokenRateLimit: read('token_rate_limit') as number,
    failedCredentialsLimit: read('failed_credentials_limit') as number,
    outboundAllow: read('outbound_allow') as string[],
    otlpEndpoint: read('otlp_endpoint') as string | null,
    otlpHeaders: read('otlp_headers') as string | null,
    serviceName: read('service_name') as string,
    traceShare: Number(read('trace_share')),
    console: read('console') as Config['console'],
    tuning: read('tuning') as Config['tuning'],
    accessLog: read('access_log') as Config['accessLog'],
    logLevel: read('log_level') as Config['logLevel'],
  }
}
/* oxlint-enable typescript/no-unsafe-type-assertion */

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
    const reason = error instanceof Error ? error.message.split('\n')[0] : 'unknown reason'
    const place = error instanceof TomlError ? `, line ${error.line}, column ${error.column}` : ''
    problems.push(`${file.path}${place} cannot be read: ${reason}`)
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

const DISTANCE_MAX = 3

/** `; did you mean x?` for the nearest known name, or nothing when none is near. */
function suggest(unknown: string, known: readonly string[]): string {
  const ranked = known
    .map((name) => ({ name, distance: measureDistance(unknown, name) }))
    .toSorted((a, b) => a.distance - b.distance)
  const nearest = ranked[0]
  return nearest !== undefined && nearest.distance <= DISTANCE_MAX
    ? `; did you mean ${nearest.name}?`
    : '; see docs/reference/settings.md'
}

// A missing or additional word (CASEWORK_DATA, CASEWORK_HOST_NAME) counts as near, whatever its
// length: its distance is just below the maximum, and grows with the edit distance, so that of
// several such names the one with the smallest wins.
function measureDistance(unknown: string, known: string): number {
  const distance = measureEditDistance(unknown, known)
  const [short = '', long = ''] = [unknown, known].toSorted((a, b) => a.length - b.length)
  const isWordsApart = long.startsWith(`${short}_`) || long.endsWith(`_${short}`)
  return isWordsApart ? Math.min(distance, DISTANCE_MAX - 1 / (distance + 1)) : distance
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
