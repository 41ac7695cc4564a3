// The event type of a table by its file name: Shadowserver and CERTs name the kind there
// and not in the rows (`2026-03-01-scan_ntpmonitor-example_net-asn.csv`).

export interface ReportKind {
  /** A word of the vocabulary. */
  readonly eventType: string
  readonly eventSubtypes: readonly string[]
  /** As the reporter calls it. */
  readonly name: string
}

interface KindRule {
  readonly pattern: RegExp
  readonly eventType: string
  readonly eventSubtypes?: readonly string[]
  /** The first group of the pattern is the service, a subtype. */
  readonly hasService?: boolean
}

// The first that matches decides, so the special stands before the general. Names as the reporters'
// catalogues give them.
const RULES: readonly KindRule[] = [
  { pattern: /^scan6?_(?:ssl_)?poodle/, eventType: 'SSLPoodle' },
  { pattern: /^scan6?_(?:ssl_)?freak/, eventType: 'SSLFreak' },
  { pattern: /^(?:scan6?_)?http_vulnerable|_vulnerable|vulnerable_/, eventType: 'CVE' },
  { pattern: /^scan6?_(?:exchange|ivanti|citrix|fortinet|vpn)\w{0,40}/, eventType: 'CVE' },
  { pattern: /(?:^|_)cve_\d{4}_\d{4,7}/, eventType: 'CVE' },
  // Found by a scan, and no open service: what an intruder left there.
  {
    pattern: /post_?exploitation/,
    eventType: 'Malware',
    eventSubtypes: ['post-exploitation-framework'],
  },
  { pattern: /^scan6?_(?:synful|netis|netcore)/, eventType: 'Backdoor' },
  // A box on the way that amplifies, and takes part in no flood by itself.
  { pattern: /^scan6?_ddos_middlebox/, eventType: 'Open', eventSubtypes: ['ddos-middlebox'] },
  { pattern: /honeypot_ddos_amp|ddos_amplification|amplification/, eventType: 'DDosAmplification' },
  { pattern: /ddos/, eventType: 'DDos' },
  { pattern: /brute_?force|login_attack/, eventType: 'LoginAttack' },
  { pattern: /honeypot_http_scan|hp_http_scan/, eventType: 'WebHack' },
  { pattern: /honeypot_\w{0,30}scan|hp_\w{0,30}scan|darknet|port_?scan/, eventType: 'PortScan' },
  { pattern: /ip_spoof/, eventType: 'IpSpoof' },
  { pattern: /rogue_dns|dns_changer/, eventType: 'RogueDNS' },
  { pattern: /sinkhole|botnet|drone|bot_|infected|_bots?$/, eventType: 'Bot' },
  {
    pattern: /^(?:cc_ip|ccip|c2|command)/,
    eventType: 'Bot',
    eventSubtypes: ['command-and-control'],
  },
  { pattern: /block_?list|blacklist/, eventType: 'Blacklist' },
  { pattern: /defacement/, eventType: 'Defacement' },
  { pattern: /web_?shell|backdoor/, eventType: 'Backdoor' },
  { pattern: /compromised_(?:web|url)|hacked_web/, eventType: 'CompromisedWebsite' },
  {
    pattern: /(?:compromised|blocked|hacked|stolen)_account|credential|leak/,
    eventType: 'CompromisedAccount',
  },
  { pattern: /compromised_exchange/, eventType: 'CompromisedMicrosoftExchange' },
  { pattern: /compromised/, eventType: 'CompromisedServer' },
  { pattern: /phish/, eventType: 'Phishing' },
  { pattern: /malware_url|malware_hosting|sandbox_url/, eventType: 'MalwareHosting' },
  { pattern: /malware|^sandbox_/, eventType: 'Malware' },
  { pattern: /spam_url|spamvertised/, eventType: 'Spamvertised' },
  { pattern: /spam/, eventType: 'Spam' },
  { pattern: /copyright|infring|piracy|dmca/, eventType: 'Copyright' },
  { pattern: /^scan6?_dns|open_?resolver/, eventType: 'Open', eventSubtypes: ['open-resolver'] },
  { pattern: /^scan6?_(\w{1,40})/, eventType: 'Open', hasService: true },
  { pattern: /^population6?_(\w{1,40})/, eventType: 'Open', hasService: true },
  { pattern: /^(?:accessible|exposed)_(\w{1,40})/, eventType: 'Open', hasService: true },
  { pattern: /^open_?(\w{1,40})/, eventType: 'Open', hasService: true },
]

const NAME_LENGTH_MAX = 120

/** Null when the name of the file tells no kind. */
export function readKindOfFile(fileName: string): ReportKind | null {
  const name = reportName(fileName)
  for (const { pattern, eventType, eventSubtypes = [], hasService = false } of RULES) {
    const match = pattern.exec(name)
    if (match === null) continue
    const service = hasService ? match[1] : undefined
    return {
      eventType,
      eventSubtypes: service === undefined ? eventSubtypes : [serviceSlug(service)],
      name,
    }
  }
  return null
}

// Kinds of two words are written with a hyphen as well: `2026-03-01-compromised-account-x.csv`.
const DATED_NAME =
  /^\d{4}-\d\d-\d\d[-_]((?:(?:compromised|blocked|hacked|stolen|login|port|brute|malware|phishing|spam|open)-)?[^-]+)/

// `path/2026-03-01-event4_sinkhole_http-example_net-asn.csv` is `sinkhole_http`. What follows the
// name says who gets the report.
function reportName(fileName: string): string {
  const file = fileName.slice(fileName.lastIndexOf('/') + 1).slice(0, NAME_LENGTH_MAX)
  const stem = file.replace(/(?:\.(?:csv|tsv|txt|xlsx?|zip|gz|json))+$/i, '').toLowerCase()
  const dated = DATED_NAME.exec(stem)
  const name = dated?.[1] ?? stem.replaceAll('-', '_').replaceAll(/_?\d{4}_\d\d_\d\d_?/g, '_')
  return name
    .replaceAll(/[ .-]+/g, '_')
    .replace(/^_|_$/g, '')
    .replace(/^event[46]?_/, '')
}

// `ntpmonitor` stays one word; `cwmp_tcp` loses what is no service.
function serviceSlug(service: string): string {
  return service.replace(/_(?:tcp|udp|ip)$/, '').replaceAll('_', '-')
}
