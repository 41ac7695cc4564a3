// Every setting of the program. Each is a flag (--data-dir), an environment variable
// (CASEWORK_DATA_DIR) and a key of casework.toml (data_dir). config.ts reads them; the reference
// page and .env.example are made from here.

import {
  checkAbsolutePath,
  checkBootstrapToken,
  checkDatabaseUrl,
  checkHostName,
  checkImapUrl,
  type Setting,
} from './setting.ts'

const ROLES = ['api', 'worker', 'smtp'] as const
export type Role = (typeof ROLES)[number]

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
  erasure_log: {
    kind: 'text',
    fallback: null,
    meaning:
      'File that keeps, without the addresses, what was erased, so that a restore of an older backup erases it again; unset means erasures.jsonl in the data folder.',
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
  // A connection needs a few hundred kB at the worst, besides its mail. All mails together have a
  // budget of 128 MiB.
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
  // A larger mail could not be read: POST /beta/casework/reports has the same limit (design section
  // 10).
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

/** The environment variable of a setting. */
export function environmentNameOf(name: SettingName): string {
  const setting: Setting = SETTINGS[name]
  return setting.environmentName ?? `CASEWORK_${name.toUpperCase()}`
}
