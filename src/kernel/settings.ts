// Every setting of the program. Each is a flag (--data-dir), an environment variable
// (CASEWORK_DATA_DIR) and a key of casework.toml (data_dir). config.ts reads them; the reference
// page and .env.example are made from here.

import { checkSecretKeys } from './secrets/secret-keys.ts'
import {
  checkAbsolutePath,
  checkCollectorHeaders,
  checkCollectorUrl,
  checkDatabaseUrl,
  checkHostName,
  checkImapUrl,
  checkMailFrom,
  checkNetwork,
  checkNodeUrl,
  checkPublicUrl,
  checkRelayUrl,
  checkShare,
  checkTokenText,
  type Setting,
} from './setting.ts'

const ROLES = ['api', 'worker', 'smtp'] as const
/** Of a node that has no other role. */
export const LOOKUP_ROLE = 'lookup'
export type Role = (typeof ROLES)[number] | typeof LOOKUP_ROLE

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
    meaning: 'Port of a second listener, which serves only the threat-intelligence group.',
  },
  ops_port: {
    kind: 'port',
    fallback: null,
    meaning:
      'Port of a listener for monitoring alone; 0 picks a free one. Only there are /metrics and the checks of /readyz; unset means on every listener.',
  },
  ops_host: {
    kind: 'text',
    fallback: '127.0.0.1',
    meaning: 'Address of the listener for monitoring.',
  },
  // A proxy on one address opens a connection for each request under way, at the worst. An idle
  // connection takes about 10 kB.
  http_connections: {
    kind: 'integer',
    fallback: 10_000,
    min: 10,
    max: 1_000_000,
    meaning:
      'Maximum of open HTTP connections. Further connections are closed. HTTP threads share it evenly.',
  },
  http_connections_per_address: {
    kind: 'integer',
    fallback: 2_000,
    min: 1,
    max: 1_000_000,
    meaning:
      'Maximum of open HTTP connections from one IPv4 address or IPv6 /64. HTTP threads share it evenly.',
  },
  http_unread_limit: {
    kind: 'integer',
    fallback: 268_435_456,
    min: 67_108_864,
    max: 1_099_511_627_776,
    meaning:
      'Maximum of bytes of answers that wait for their clients, over all HTTP connections. Over it, the connections of the slowest clients are closed. HTTP threads share it evenly.',
  },
  // A body of the largest size, 25 MiB, must find room beside another one.
  http_body_limit: {
    kind: 'integer',
    fallback: 268_435_456,
    min: 67_108_864,
    max: 1_099_511_627_776,
    meaning:
      'Maximum of bytes of request bodies that are on their way, over all HTTP connections; one address gets a quarter. Over it, requests with a body are refused with 503 for a moment. HTTP threads share it evenly.',
  },
  trusted_proxies: {
    kind: 'list',
    fallback: [],
    check: checkNetwork,
    meaning:
      'Addresses and CIDR blocks of the reverse proxies in front of the HTTP port. Of them alone CASEWORK_PROXY_HEADER is believed, from the right; the limit of connections from one address does not hold for them.',
  },
  proxy_header: {
    kind: 'choice',
    fallback: 'x-forwarded-for',
    choices: ['x-forwarded-for', 'forwarded'],
    meaning:
      'The header in which the trusted proxies name the client: X-Forwarded-For or Forwarded (RFC 7239). The other one is never read.',
  },
  data_dir: {
    kind: 'text',
    fallback: './data',
    meaning: 'Folder of the embedded database, the snapshot and the keys.',
  },
  erasure_log: {
    kind: 'text',
    fallback: null,
    meaning:
      'Log of erasures, without the addresses. A restore of an older backup repeats the erasures in it. Unset means erasures.jsonl in the data folder.',
  },
  database_url: {
    kind: 'text',
    fallback: null,
    environmentName: 'DATABASE_URL',
    isSecret: true,
    check: checkDatabaseUrl,
    meaning:
      'URL of a PostgreSQL (15 or newer) that replaces the embedded one: postgres://user:password@host:port/database. Of several hosts (host1:5432,host2:5432) the one that takes writes is used.',
  },
  database_pool: {
    kind: 'integer',
    fallback: 20,
    min: 2,
    max: 500,
    meaning: 'Maximum of database connections of this process.',
  },
  token_age_max: {
    kind: 'integer',
    fallback: 60,
    min: 5,
    max: 604_800,
    meaning:
      'How long tokens are accepted without the database, in seconds: a revocation may be missed for that long. Then requests with a token get 503; open look-ups go on.',
  },
  disk_reserve: {
    kind: 'integer',
    fallback: null,
    min: 0,
    max: 1_000_000_000,
    meaning:
      'Free space on the disk of the embedded database, in MB, below which nothing more is stored: requests that store get 503 and mail 452, and look-ups go on. A tenth of the disk, between 128 and 1,024, when left out; 0 stores until the disk is full.',
  },
  public_url: {
    kind: 'text',
    fallback: null,
    check: checkPublicUrl,
    meaning:
      'Address at which people open the program, such as https://casework.example.org: the origin of cookies and of links in mails. Unset means http://localhost with the port.',
  },
  session_idle: {
    kind: 'integer',
    fallback: 480,
    min: 5,
    max: 43_200,
    meaning: 'Minutes without a request after which a signed-in person must sign in again.',
  },
  session_max: {
    kind: 'integer',
    fallback: 72,
    min: 1,
    max: 8_760,
    meaning: 'Hours after which a signed-in person must sign in again in any case.',
  },
  providers_file: {
    kind: 'text',
    fallback: null,
    meaning:
      'TOML file of the OpenID Connect providers that people may sign in with, a table each: name, issuer, client_id, client_secret or client_secret_file. Unset means none.',
  },
  second_factor: {
    kind: 'choice',
    fallback: 'optional',
    choices: ['optional', 'required'],
    meaning:
      'Whether people must sign in with a second factor. With required, a person without one can do nothing but set one up after the password; sessions that are open already go on until they end.',
  },
  secret_key: {
    kind: 'text',
    fallback: null,
    isSecret: true,
    check: checkSecretKeys,
    meaning:
      'Key that encrypts stored secrets: 32 bytes in Base64 or hexadecimal. Of several, separated by commas, the first one encrypts and all decrypt. Unset means a file secret.key in the data folder; required with DATABASE_URL.',
  },
  bootstrap_token: {
    kind: 'text',
    fallback: null,
    isSecret: true,
    check: checkTokenText,
    meaning:
      'Value of the first administrator token (32 to 256 characters), for scripted installations. Unset means that a token is created and printed once.',
  },
  demo: {
    kind: 'choice',
    fallback: 'off',
    choices: ['on', 'off'],
    meaning:
      'on fills two tenants with made-up data at the start, if they are not there yet; "casework demo remove" takes them away.',
  },
  intel_access: {
    kind: 'choice',
    fallback: 'open',
    choices: ['open', 'token'],
    meaning: 'Whether look-ups need a token.',
  },
  roles: {
    kind: 'list',
    fallback: ROLES,
    choices: [...ROLES, LOOKUP_ROLE],
    meaning:
      'Roles of this process. lookup stands alone: such a node answers look-ups and quick checks only, writes nothing, and takes a hot standby as its DATABASE_URL.',
  },
  snapshot_from: {
    kind: 'text',
    fallback: null,
    check: checkNodeUrl,
    meaning:
      'URL of another node, such as https://node1.example.org. A start without a usable snapshot of its own takes the snapshot of that node by GET /beta/snapshot and does not read the tables of the intel set.',
  },
  node_secret: {
    kind: 'text',
    fallback: null,
    isSecret: true,
    check: checkTokenText,
    meaning:
      'Secret that the nodes of one instance share: 32 to 256 characters, such as "openssl rand -base64 32" prints. A node sends it to take a snapshot, and lets in who sends it. It opens nothing else.',
  },
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
    meaning: 'Address to listen on for mail; unset means the address in CASEWORK_HOST.',
  },
  smtp_name: {
    kind: 'text',
    fallback: null,
    check: checkHostName,
    meaning:
      'Host name in the greeting of the mail listeners; unset means the name of this machine.',
  },
  smtp_tls_key: {
    kind: 'text',
    fallback: null,
    meaning:
      'File of the private key (PEM) for STARTTLS; unset means a self-signed certificate in the data folder.',
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
      'Addresses of proxies in front of the SMTP port. Each connection of a proxy begins with a PROXY header (version 1).',
  },
  smtp_rate_limit: {
    kind: 'integer',
    fallback: 6_000,
    min: 0,
    max: 10_000_000,
    meaning: 'Maximum of mails per minute from one address over SMTP; 0 means no limit.',
  },
  // A connection needs a few hundred kB at the worst, besides its mail. All mails together have a
  // budget of 128 MiB.
  smtp_connections: {
    kind: 'integer',
    fallback: 200,
    min: 1,
    max: 10_000,
    meaning: 'Maximum of open connections, for SMTP and LMTP separately.',
  },
  smtp_connections_per_address: {
    kind: 'integer',
    fallback: 50,
    min: 1,
    max: 10_000,
    meaning: 'Maximum of open SMTP connections from one address.',
  },
  // RFC 5321 section 4.5.3.1.8 asks for a hundred at least.
  smtp_recipients: {
    kind: 'integer',
    fallback: 100,
    min: 1,
    max: 1_000,
    meaning: 'Maximum of recipients of one mail, over SMTP and LMTP.',
  },
  // A larger mail could not be read: POST /beta/casework/reports has the same limit (design section
  // 10).
  mail_size_limit: {
    kind: 'integer',
    fallback: 26_214_400,
    min: 65_536,
    max: 26_214_400,
    meaning: 'Maximum size of a mail in bytes, over SMTP and LMTP and in the mailbox.',
  },
  mail_store_timeout_ms: {
    kind: 'integer',
    fallback: 20_000,
    min: 100,
    max: 300_000,
    meaning:
      'Timeout of the database for storing a mail. After it the sender is asked to retry (451).',
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
    meaning: 'Absolute path of a Unix socket for LMTP.',
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
      'Mailbox from which reports are fetched: imaps://user@host/INBOX (imap:// upgrades by STARTTLS).',
  },
  imap_password: {
    kind: 'text',
    fallback: null,
    isSecret: true,
    meaning: 'Password of the mailbox.',
  },
  imap_password_file: {
    kind: 'text',
    fallback: null,
    meaning: 'File that contains only the password of the mailbox.',
  },
  imap_tenant: {
    kind: 'text',
    fallback: 'default',
    meaning: 'Tenant of the reports from the mailbox.',
  },
  imap_move_to: {
    kind: 'text',
    fallback: null,
    meaning:
      'Folder into which fetched mails are moved; unset means that they are marked as read and stay in their folder.',
  },
  relay_url: {
    kind: 'text',
    fallback: null,
    check: checkRelayUrl,
    meaning:
      'Mail server that takes our mail: smtps://user@host:465, or smtp://user@host:587, which must offer STARTTLS unless it is on loopback or the URL ends in ?tls=off; with ?tls=on one on loopback must offer it too. Unset means that nothing is sent.',
  },
  relay_password: {
    kind: 'text',
    fallback: null,
    isSecret: true,
    meaning: 'Password at the relay.',
  },
  relay_password_file: {
    kind: 'text',
    fallback: null,
    meaning: 'File that contains only the password at the relay.',
  },
  relay_ca_file: {
    kind: 'text',
    fallback: null,
    meaning:
      'File with the certificates (PEM) that may sign that of the relay, instead of the public ones.',
  },
  relay_connections: {
    kind: 'integer',
    fallback: 8,
    min: 1,
    max: 100,
    meaning: 'Maximum of connections from this process to the relay.',
  },
  relay_rate: {
    kind: 'integer',
    fallback: 0,
    min: 0,
    max: 1_000_000,
    meaning: 'Maximum of mails a minute from this process to the relay; 0 means no limit.',
  },
  mail_from: {
    kind: 'text',
    fallback: null,
    check: checkMailFrom,
    meaning:
      'Sender of our mail, such as Abuse Desk <abuse@provider.example>; needed with CASEWORK_RELAY_URL.',
  },
  mail_domain: {
    kind: 'text',
    fallback: null,
    check: checkHostName,
    meaning:
      'Domain whose mail comes back to Casework: answers to <sender>+<key>@ and bounces to bounce+<key>@ it. Unset means that answers and bounces go to CASEWORK_MAIL_FROM.',
  },
  dkim_key_file: {
    kind: 'text',
    fallback: null,
    meaning:
      'File with the private key (PEM) that signs our mail by DKIM, for the domain of CASEWORK_MAIL_FROM. Unset means that the relay signs, or nobody.',
  },
  dkim_selector: {
    kind: 'text',
    fallback: null,
    check: checkHostName,
    meaning: 'Selector of the DKIM key; needed with CASEWORK_DKIM_KEY_FILE.',
  },
  reverse_dns: {
    kind: 'choice',
    fallback: 'auto',
    choices: ['on', 'off', 'auto'],
    meaning:
      'Whether look-ups ask DNS for the host name of an address; auto pauses while no DNS server answers.',
  },
  network_asn_mmdb: {
    kind: 'text',
    fallback: null,
    meaning:
      'MMDB file of AS numbers (GeoLite2-ASN, DB-IP, IPinfo). A replaced file is read within a minute. Unset means the data package @ip-location-db/asn.',
  },
  network_country_mmdb: {
    kind: 'text',
    fallback: null,
    meaning:
      'MMDB file of countries; it may be the file of AS numbers. Unset means the data package @ip-location-db/geo-whois-asn-country.',
  },
  contact_dns_zone: {
    kind: 'text',
    fallback: null,
    meaning:
      'DNS zone that gives abuse contacts in TXT records. Its operator sees the addresses of look-ups.',
  },
  contact_rdap: {
    kind: 'choice',
    fallback: 'off',
    choices: ['on', 'off'],
    meaning:
      'Whether look-ups ask the regional registries for abuse contacts by RDAP. The registries see the addresses of look-ups.',
  },
  contact_verification: {
    kind: 'choice',
    fallback: 'off',
    choices: ['on', 'off'],
    meaning:
      'Whether abuse contacts are tested by DNS and SMTP, without sending mail. Their mail servers see the tests.',
  },
  dns_servers: {
    kind: 'list',
    fallback: [],
    meaning: 'DNS servers as address or address:port; empty means the DNS servers of the system.',
  },
  enrichment_timeout_ms: {
    kind: 'integer',
    fallback: 1_500,
    min: 50,
    max: 30_000,
    meaning: 'Timeout of the enrichment of one look-up.',
  },
  look_back_days: {
    kind: 'integer',
    fallback: 30,
    min: 1,
    max: 3_650,
    meaning: 'Maximum age of a sighting that counts as activity.',
  },
  expired_days: {
    kind: 'integer',
    fallback: 7,
    min: 0,
    max: 3_650,
    meaning:
      'Days after which an entry of intel that expired or was withdrawn is removed, from the database and from memory.',
  },
  sighting_days: {
    kind: 'integer',
    fallback: 365,
    min: 1,
    max: 36_500,
    meaning:
      'Days after which a sighting is removed, counted from the day it was seen; never before it leaves the look-back.',
  },
  ipv6_rollup_min: {
    kind: 'integer',
    fallback: 3,
    min: 1,
    max: 65_535,
    meaning:
      'Number of distinct addresses of one /64 from which their sightings count for the whole /64.',
  },
  lookup_rate_limit: {
    kind: 'integer',
    fallback: 0,
    min: 0,
    max: 10_000_000,
    meaning: 'Maximum of look-up requests per minute from one address; 0 means no limit.',
  },
  token_rate_limit: {
    kind: 'integer',
    fallback: 0,
    min: 0,
    max: 10_000_000,
    meaning:
      'Maximum of requests per minute with one token without instance:admin; 0 means no limit.',
  },
  failed_credentials_limit: {
    kind: 'integer',
    fallback: 30,
    min: 1,
    max: 100_000,
    meaning: 'Number of wrong credentials per minute after which an address is refused.',
  },
  outbound_allow: {
    kind: 'list',
    fallback: [],
    meaning: 'Private targets that outgoing requests may reach, as host:port or CIDR.',
  },
  otlp_endpoint: {
    kind: 'text',
    fallback: null,
    check: checkCollectorUrl,
    environmentName: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    meaning:
      'URL of an OpenTelemetry collector, for traces by OTLP over HTTP (JSON); none are made without it.',
  },
  otlp_headers: {
    kind: 'text',
    fallback: null,
    check: checkCollectorHeaders,
    isSecret: true,
    environmentName: 'OTEL_EXPORTER_OTLP_HEADERS',
    meaning: 'Headers for the collector: name=value, separated by commas, percent-encoded.',
  },
  service_name: {
    kind: 'text',
    fallback: 'casework',
    environmentName: 'OTEL_SERVICE_NAME',
    meaning: 'Name of this service in traces.',
  },
  trace_share: {
    kind: 'text',
    fallback: '1',
    check: checkShare,
    environmentName: 'OTEL_TRACES_SAMPLER_ARG',
    meaning: 'Share of the traces that are recorded, from 0 to 1; a caller decides for its own.',
  },
  console: {
    kind: 'choice',
    fallback: 'on',
    choices: ['on', 'off'],
    meaning:
      'Whether the main listener serves the web console. In a checkout, a start with on builds the console when its sources are newer.',
  },
  tuning: {
    kind: 'choice',
    fallback: 'on',
    choices: ['on', 'off'],
    meaning:
      'Whether the program sets flags of V8, the allocator and the priority of its threads. With off, Node runs with its defaults: slower, for finding out whether a fault is one of the tuning.',
  },
  access_log: {
    kind: 'choice',
    fallback: 'sampled',
    choices: ['sampled', 'all', 'off'],
    meaning:
      'Requests in the access log: errors and slow requests always (except off), look-ups only with all.',
  },
  log_level: {
    kind: 'choice',
    fallback: 'info',
    choices: ['debug', 'info', 'warn', 'error', 'silent'],
    meaning: 'Lowest level of the log lines that are written.',
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof SETTINGS

/** The environment variable of a setting. */
export function environmentNameOf(name: SettingName): string {
  const setting: Setting = SETTINGS[name]
  return setting.environmentName ?? `CASEWORK_${name.toUpperCase()}`
}
