// What XARF v4 requires beyond its core, for each of the 32 pairs of category and type (XARF
// specification 4.2.0), as data. Values are checked for their kind only: later 4.x versions add
// words to the lists of allowed values, and an abuse desk is better served by a report with a new
// word than by none.

export type FieldKind =
  | { readonly is: 'text' }
  | { readonly is: 'email' }
  | { readonly is: 'url' }
  | { readonly is: 'date_time' }
  | { readonly is: 'port' }
  | { readonly is: 'cve_id' }
  | { readonly is: 'integer'; readonly min: number }
  | { readonly is: 'text_list'; readonly countMin: number }

export interface RequiredField {
  /** Member names from the root down. */
  readonly path: readonly [string, ...string[]]
  readonly kind: FieldKind
  readonly when: 'always' | 'protocol_is_smtp' | 'source_is_ip'
  /** Other members that do as well; the field is missing when none of them is there. */
  readonly or: readonly (readonly [string, ...string[]])[]
}

const TEXT: FieldKind = { is: 'text' }
const URL_TEXT: FieldKind = { is: 'url' }
const DATE_TIME: FieldKind = { is: 'date_time' }
const PORT: FieldKind = { is: 'port' }

function field(name: string, kind: FieldKind = TEXT): RequiredField {
  return { path: [name], kind, when: 'always', or: [] }
}

function fieldWhen(when: RequiredField['when'], name: string, kind: FieldKind): RequiredField {
  return { ...field(name, kind), when }
}

function textList(name: string, countMin: number): RequiredField {
  return field(name, { is: 'text_list', countMin })
}

// Behind carrier-grade NAT an address without its port names nobody, so the specification requires
// it for these.
const PORT_OF_IP = fieldWhen('source_is_ip', 'source_port', PORT)

const CONNECTION = [field('protocol'), field('first_seen', DATE_TIME)]
const CONTENT = [field('url', URL_TEXT)]
const COPYRIGHT = [field('infringing_url', URL_TEXT)]

/** Keyed by `category/type`. */
export const XARF_V4_FIELDS: ReadonlyMap<string, readonly RequiredField[]> = new Map([
  [
    'messaging/spam',
    [
      field('protocol'),
      fieldWhen('protocol_is_smtp', 'smtp_from', { is: 'email' }),
      fieldWhen('protocol_is_smtp', 'source_port', PORT),
    ],
  ],
  [
    'messaging/bulk_messaging',
    [field('protocol'), field('recipient_count', { is: 'integer', min: 100 })],
  ],
  ['connection/login_attack', [...CONNECTION, PORT_OF_IP]],
  ['connection/port_scan', [...CONNECTION, PORT_OF_IP]],
  ['connection/ddos', [...CONNECTION, PORT_OF_IP]],
  ['connection/sql_injection', CONNECTION],
  ['connection/scraping', [...CONNECTION, field('total_requests', { is: 'integer', min: 1 })]],
  ['connection/infected_host', [...CONNECTION, field('bot_type')]],
  ['connection/reconnaissance', [...CONNECTION, textList('probed_resources', 0)]],
  ['connection/vulnerability_scan', [...CONNECTION, field('scan_type')]],
  ['content/phishing', CONTENT],
  ['content/malware', CONTENT],
  ['content/fraud', [...CONTENT, field('fraud_type')]],
  ['content/csam', [...CONTENT, field('classification'), field('detection_method')]],
  ['content/csem', [...CONTENT, field('exploitation_type'), field('detection_method')]],
  ['content/exposed_data', [...CONTENT, textList('data_types', 1), field('exposure_method')]],
  [
    'content/brand_infringement',
    [...CONTENT, field('infringement_type'), field('legitimate_site', URL_TEXT)],
  ],
  [
    'content/suspicious_registration',
    [...CONTENT, field('registration_date', DATE_TIME), textList('suspicious_indicators', 1)],
  ],
  ['content/remote_compromise', [...CONTENT, field('compromise_type')]],
  ['copyright/copyright', COPYRIGHT],
  ['copyright/cyberlocker', [...COPYRIGHT, field('hosting_service')]],
  ['copyright/link_site', [...COPYRIGHT, field('site_name')]],
  ['copyright/ugc_platform', [...COPYRIGHT, field('platform_name')]],
  [
    'copyright/p2p',
    [
      field('p2p_protocol'),
      {
        path: ['swarm_info', 'info_hash'],
        kind: TEXT,
        when: 'always',
        or: [['swarm_info', 'magnet_uri']],
      },
    ],
  ],
  [
    'copyright/usenet',
    [
      field('newsgroup'),
      { path: ['message_info', 'message_id'], kind: TEXT, when: 'always', or: [] },
    ],
  ],
  [
    'vulnerability/cve',
    [field('service'), field('service_port', PORT), field('cve_id', { is: 'cve_id' })],
  ],
  ['vulnerability/open_service', [field('service')]],
  ['vulnerability/misconfiguration', [field('service')]],
  ['infrastructure/botnet', [field('compromise_evidence')]],
  // The name of this field differs between published versions of the schema.
  [
    'infrastructure/compromised_server',
    [{ path: ['compromise_method'], kind: TEXT, when: 'always', or: [['compromise_type']] }],
  ],
  ['reputation/blocklist', [field('threat_type')]],
  ['reputation/threat_intelligence', [field('threat_type')]],
])
