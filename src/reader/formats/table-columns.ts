// Finds the role of each column of a table: by its name in the spellings of reporters, else by its
// values.

import { isAddress, listCves, readUrl } from './table-cells.ts'
import { readTableTime } from './table-times.ts'

export interface TableRow {
  readonly cells: readonly string[]
  /** Line or row in its part, from 1. */
  readonly line: number
}

const ROLES = [
  'time',
  'date',
  'clock',
  'first_seen',
  'last_seen',
  'ip',
  'port',
  'target_ip',
  'target_port',
  'target_url',
  'target_host',
  'protocol',
  'service',
  'asn',
  'geo',
  'tag',
  'hostname',
  'domain',
  'severity',
  'url',
  'malware',
  'cve',
  'category',
  'count',
  'case_id',
  'file_name',
  'file_hash',
  'file_size',
  'note',
  'sample',
  'organisation',
  'brand',
] as const
export type ColumnRole = (typeof ROLES)[number]

export interface TableHead {
  /** Null for what has no role, or one that an earlier column has. */
  readonly roles: readonly (ColumnRole | null)[]
  /** As written; `column 3` where there is no header. */
  readonly names: readonly string[]
  /** Index of the first row of data. */
  readonly start: number
  readonly hasHeader: boolean
}

// Names after normalising; what is not listed is judged by its words (judgeByWords).
const NAMES: Readonly<Partial<Record<ColumnRole, string>>> = {
  time: 'timestamp time_stamp datetime date_time time_utc timestamp_utc utc event_time time_event detected detected_at detection_time observed observed_at observation_time event_date time_source source_time dateadded date_added created created_at reported_at occurred zeitstempel zeitpunkt fecha_hora horodatage timestamp_gmt seen_at start_time time_detected',
  date: 'date datum fecha data дата day',
  clock: 'time uhrzeit hora heure ora zeit время clock tijd',
  first_seen: 'first_seen firstseen first_seen_utc firsttime first start_date_utc',
  last_seen: 'last_seen lastseen last_seen_utc lasttime last last_online end_time',
  ip: 'ip ips ip_address ipaddress ip_addr ip_adress ipaddr src_ip source_ip srcip sourceip src_address source_address src_addr saddr source src attacker attacker_ip attacking_ip offender offender_ip offending_ip host_ip client_ip remote_ip remote_addr remote_address bot_ip infected_ip abuser_ip abusive_ip malicious_ip ipv4 ipv6 ip_v4 ip_v6 quell_ip quellip quelle quelladresse quell_ip_adresse ip_adresse ipadresse adresse_ip ip_origen ip_origem direccion_ip endereco_ip indirizzo_ip infringer_ip infringing_ip device_ip address addr ip_src server_ip resolved_ip hosting_ip ip_адрес адрес',
  port: 'port src_port source_port srcport sport sourceport client_port quellport puerto porta port_src local_source_port sp',
  target_ip:
    'dst_ip dest_ip destination_ip dstip destip destinationip destination_address dst_address daddr target_ip targetip victim_ip victim target dst dest destination sensor_ip honeypot_ip ziel_ip zielip ziel ip_destino dst_addr cc_ip c2_ip sinkhole_ip our_ip local_ip da',
  target_port:
    'dst_port dest_port destination_port dstport dport destinationport target_port zielport victim_port cc_port c2_port local_port dp',
  target_url: 'target_url legitimate_url official_url original_url victim_url',
  target_host:
    'dst_host target_host destination_host victim_host target_hostname dst_hostname target_domain',
  protocol: 'protocol proto transport transport_protocol ip_protocol protokoll protocolo',
  service: 'service application app dienst servicio jail',
  asn: 'asn as as_number src_asn source_asn asnumber autonomous_system',
  geo: 'geo country cc country_code src_geo source_geo land pais source_country',
  tag: 'tag tags label labels',
  hostname:
    'hostname host_name rdns r_dns ptr reverse_dns src_hostname source_hostname dns_name dns rhost source_host',
  domain: 'domain domains fqdn host domain_name domainname domaine dominio http_host site website',
  severity: 'severity priority risk risk_level schweregrad',
  url: 'url urls uri link links infringing_url phishing_url malicious_url malware_url reported_url abuse_url http_url location web_address url_infringing full_url',
  malware:
    'malware family infection malware_family malware_name threat_name bot botnet virus trojan signature infection_type infektion schadsoftware malware_type virus_name bot_name',
  cve: 'cve cves cve_id cve_ids vulnerability vulnerabilities vuln',
  category:
    'category event type tipo categoria event_type eventtype class classification abuse_type attack_type attack incident_type threat_type threat taxonomy kategorie typ report_type taxonomie classification_type',
  count:
    'count hits attempts total num number_of_attempts connections requests anzahl events frequency occurrences',
  case_id:
    'case_id id ticket ticket_id report_id event_id incident_id reference reference_id case incident external_id',
  file_name: 'file_name filename title work',
  file_hash: 'hash md5 sha1 sha256 md5_hash sha256_hash sha1_hash file_hash infohash info_hash',
  file_size: 'file_size filesize',
  note: 'description comment comments note notes details message info information bemerkung reason',
  sample: 'log logs log_line logline raw evidence_log sample payload',
  organisation: 'organisation organization org isp as_name asname as_org owner',
  brand: 'brand target_brand',
}

const ROLE_OF_NAME: ReadonlyMap<string, ColumnRole> = new Map(
  ROLES.flatMap((role) =>
    (NAMES[role] ?? '').split(' ').map((name): [string, ColumnRole] => [name, role]),
  ),
)

/** Lower case words joined by `_`: `Source IP` and `sourceIp` are one name. Accents go. */
function normaliseColumnName(name: string): string {
  return name
    .slice(0, 100)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_|_$/g, '')
}

/** Null for a name that tells nothing. */
export function guessRoleByName(name: string): ColumnRole | null {
  const normal = normaliseColumnName(name)
  return ROLE_OF_NAME.get(normal) ?? judgeByWords(new Set(normal.split('_')))
}

// A name is a few words; more are a title or a sentence.
const NAME_WORDS_MAX = 5

const TARGET_WORDS =
  'dst dest destination target victim ziel opfer destino cible local our sensor honeypot cc c2 sinkhole'
const ASIDE_WORDS =
  'reference ref report evidence screenshot proof info tracker ticket help portal license licence original official legitimate referer referrer archive'

// Of a certificate, of the authority that issued it, of a contact: details, whatever they hold.
const CERTIFICATE_WORDS =
  'issuer subject crl ocsp cps certificate cert ca authority email mail contact registrar whois'

// Of those who complain or came by: to them belongs `Reporter IP`, and `{reporter: {ip}}` of JSON.
const REPORTER_WORDS = 'reporter complainant informant submitter observer visitor'

/** Its values name a certificate, a contact or a reporter, never who is reported. */
function isDetail(words: ReadonlySet<string>): boolean {
  return hasWord(words, CERTIFICATE_WORDS) || hasWord(words, REPORTER_WORDS)
}

function hasWord(words: ReadonlySet<string>, list: string): boolean {
  return list.split(' ').some((word) => words.has(word))
}

/** None for a name that has a role of its own. */
function listTellingWords(name: string): ReadonlySet<string> {
  const normal = normaliseColumnName(name)
  return new Set(ROLE_OF_NAME.has(normal) ? [] : normal.split('_'))
}

function judgeByWords(words: ReadonlySet<string>): ColumnRole | null {
  if (words.size > NAME_WORDS_MAX || isDetail(words)) return null
  const has = (list: string): boolean => hasWord(words, list)
  const isTarget = has(TARGET_WORDS)
  if (has('port ports puerto porta porto poort')) return isTarget ? 'target_port' : 'port'
  if (has('url urls uri link')) {
    if (isTarget) return 'target_url'
    return has(ASIDE_WORDS) ? null : 'url'
  }
  if (has('ip ips ipv4 ipv6 ipaddress ipaddr')) {
    if (isTarget) return 'target_ip'
    // `ip_geo`, `ip_asn`, `number of ips` are about addresses and hold none.
    return has('geo asn country count number reverse name version protocol type') ? null : 'ip'
  }
  if (has('timestamp datetime time date zeit datum fecha')) return 'time'
  return null
}

// The head of a table stands below a title and comments at most.
const HEADER_SEARCH_ROWS = 25
const SAMPLE_ROWS = 50

/**
 * Null when there is no column with an address, a URL or a domain, so that it is no table of ours.
 * `isStrict` asks for a header with three names that we know: for files that are not named as
 * tables. `isNamed` says that the first row holds the names.
 */
export function readTableHead(
  rows: readonly TableRow[],
  options: { readonly isStrict?: boolean; readonly isNamed?: boolean } = {},
): TableHead | null {
  const width = Math.max(0, ...rows.slice(0, SAMPLE_ROWS).map((row) => row.cells.length))
  const isStrict = options.isStrict === true
  if (isStrict && width < 3) return null
  const found =
    options.isNamed === true
      ? { index: 0, names: rows[0]?.cells ?? [] }
      : findHeaderRow(rows, width, isStrict ? 3 : 2)
  if (found === null && isStrict) return null
  const names = found?.names ?? Array.from({ length: width }, (_, index) => `column ${index + 1}`)
  const start = found === null ? 0 : found.index + 1
  const named: (ColumnRole | null)[] = keepFirst(
    found === null ? names.map(() => null) : names.map(guessRoleByName),
  )
  const sample = rows.slice(start, start + SAMPLE_ROWS)
  const words = names.map(listTellingWords)
  const roles = addRolesByValue(joinDateAndClock(named), sample, words)
  if (!['ip', 'url', 'domain', 'hostname'].some((role) => roles.some((each) => each === role))) {
    return null
  }
  return { roles, names, start, hasHeader: found !== null }
}

// A header holds names and no data. One name suffices only where there is one column, else a title
// would pass for a header.
function findHeaderRow(
  rows: readonly TableRow[],
  width: number,
  knownMin: number,
): { readonly index: number; readonly names: readonly string[] } | null {
  const needed = Math.min(knownMin, width)
  for (const [index, row] of rows.slice(0, HEADER_SEARCH_ROWS).entries()) {
    const names = row.cells.map((cell) => cell.trim().replace(/^[#;/ ]+/, ''))
    if (names.some((name) => isAddress(name) || readUrl(name) !== null)) continue
    const known = names.filter((name) => guessRoleByName(name) !== null).length
    if (known >= needed && known > 0) return { index, names }
  }
  return null
}

function keepFirst(roles: readonly (ColumnRole | null)[]): (ColumnRole | null)[] {
  return roles.map((role, index) => (roles.indexOf(role) === index ? role : null))
}

// `time` beside `date` is a clock and the date is a day; alone each of them is the whole.
function joinDateAndClock(roles: (ColumnRole | null)[]): (ColumnRole | null)[] {
  if (roles.includes('time') || (roles.includes('date') && roles.includes('clock'))) return roles
  return roles.map((role) => (role === 'date' || role === 'clock' ? 'time' : role))
}

// Four of five filled cells must be of one kind: a dash or "unknown" here and there is usual.
const SHARE_MIN = 0.8

function addRolesByValue(
  roles: readonly (ColumnRole | null)[],
  sample: readonly TableRow[],
  words: readonly ReadonlySet<string>[],
): readonly (ColumnRole | null)[] {
  const guessed = [...roles]
  for (const [index, role] of roles.entries()) {
    const told = words[index] ?? new Set<string>()
    if (role !== null || isDetail(told)) continue
    const values = sample.map((row) => row.cells[index]?.trim() ?? '').filter((cell) => cell !== '')
    const found = guessRoleByValues(values)
    const isTarget = told.size <= NAME_WORDS_MAX && hasWord(told, TARGET_WORDS)
    const value = isTarget ? targetOf(found) : found
    if (value === null) continue
    if (!guessed.includes(value)) {
      guessed[index] = value
    } else if (value === 'ip' && !guessed.includes('target_ip') && !roles.includes('ip')) {
      // The first address of a row is the source, the second its target, as in flow records.
      guessed[index] = 'target_ip'
    }
  }
  return guessed
}

/** `Victim address` holds who was attacked, wherever it stands. */
function targetOf(role: ColumnRole | null): ColumnRole | null {
  if (role === 'ip') return 'target_ip'
  return role === 'url' ? 'target_url' : role
}

/** Null when the values have no common kind that their form shows. */
export function guessRoleByValues(values: readonly string[]): ColumnRole | null {
  if (values.length === 0) return null
  const isMostly = (test: (value: string) => boolean): boolean =>
    values.filter(test).length >= values.length * SHARE_MIN
  if (isMostly(isAddress)) return 'ip'
  if (isMostly((value) => readUrl(value) !== null)) return 'url'
  if (isMostly((value) => readTableTime(value) !== null)) return 'time'
  if (isMostly((value) => listCves(value).length > 0)) return 'cve'
  return null
}
