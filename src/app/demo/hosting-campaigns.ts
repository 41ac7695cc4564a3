// What happens at the made-up hoster in 90 days: who is reported for what, by whom, how often and
// at which hours. demo-events.ts makes single events of it.

/** Hours of the day at which events of a campaign happen. */
export type DayShape = 'steady' | 'night' | 'office' | 'evening' | 'burst'

export interface Campaign {
  readonly type: string
  readonly ip?: string
  readonly domain?: string
  readonly reporters: readonly string[]
  /** Days before today of the first and the last event. */
  readonly from: number
  readonly to: number
  readonly perDay: number
  readonly shape: DayShape
  readonly details?: object
  readonly subtypes?: readonly string[]
  readonly tags?: readonly string[]
}

const F2B = 'noreply@fail2ban-fleet.example'
const COOP = 'reports@blocklist-coop.example'
const CERT = 'cert@national-cert.example'
const UNI = 'soc@university-north.example'
const BANK = 'phish@example-bank.example'
const MAILWATCH = 'fbl@mailwatch.example'
const POST = 'postmaster@freemail.example'
const SHADOW = 'scan-reports@open-port-watch.example'
const STUDIO = 'notices@moving-pictures-rights.example'
const SHOPPER = 'r.ferreira@example.net'
const ADMIN = 'hostmaster@smallsite.example'

const SSH = { service: 'ssh', log: 'Failed password for root from the address, port 22' }
const url = (text: string, more: object = {}): object => ({ url: text, ...more })
// Of a file that says "foo".
const FILE_HASH = 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c'

export const CAMPAIGNS: readonly Campaign[] = [
  // The loud ones: an address of the VPS pool that tries passwords everywhere, night after night.
  attack('203.0.113.17', [F2B, COOP, UNI, ADMIN], 88, 71, 11),
  attack('203.0.113.17', [F2B, COOP, UNI], 34, 22, 14),
  attack('203.0.113.17', [F2B, COOP, UNI, ADMIN], 4, 0, 26),
  attack('203.0.113.42', [F2B, COOP], 61, 52, 9),
  attack('203.0.113.42', [F2B, COOP, UNI], 8, 1, 16),
  attack('203.0.113.9', [F2B], 45, 41, 7),
  attack('203.0.113.70', [UNI, F2B], 27, 19, 6),
  attack('198.51.100.37', [F2B, ADMIN], 75, 70, 5),
  attack('198.51.100.101', [F2B], 16, 13, 4),
  attack('2001:db8:1002::22', [UNI], 52, 47, 3),
  attack('2001:db8:1007:4::8', [UNI, CERT], 6, 2, 5),
  scan('203.0.113.23', [SHADOW, UNI], 83, 76, 6, [22, 2222, 23]),
  scan('203.0.113.24', [SHADOW], 39, 36, 9, [445, 3389]),
  scan('203.0.113.55', [UNI, SHADOW, F2B], 11, 5, 8, [6379, 9200, 27017]),
  scan('203.0.113.80', [SHADOW], 2, 0, 12, [8080, 8443]),
  scan('198.51.100.44', [UNI], 58, 57, 10, [27015, 27016]),
  flood('198.51.100.35', [CERT, UNI], 66, 65, 14, 'udp', 41),
  flood('198.51.100.36', [CERT], 20, 20, 18, 'udp', 12),
  flood('203.0.113.31', [CERT, ADMIN], 1, 0, 16, 'syn', 6),
  // Mail.
  spam('198.51.100.82', [MAILWATCH, POST], 89, 80, 5, 'Your autumn savings are waiting'),
  spam('198.51.100.83', [MAILWATCH, POST, SHOPPER], 49, 38, 7, 'Last chance: free shipping'),
  spam('198.51.100.84', [MAILWATCH], 12, 0, 6, 'We miss you, here are 20 % off'),
  spam('203.0.113.66', [MAILWATCH, POST], 30, 28, 9, 'Re: invoice 88213 overdue'),
  spam('198.51.100.26', [POST], 69, 64, 4, 'Meet singles in your area'),
  spam('203.0.113.133', [MAILWATCH, POST], 5, 3, 11, 'Your parcel could not be delivered'),
  spam('198.51.100.10', [POST], 25, 24, 6, 'Order confirmation 4471'),
  // Content.
  phish('203.0.113.114', 'saltmarsh-photo.example', [BANK], 72, 70, 3, '/wp-content/login/'),
  phish('203.0.113.140', 'velden-shop.example', [BANK, CERT], 33, 31, 4, '/media/secure/verify'),
  phish('203.0.113.12', 'parcel-fee.example', [BANK, SHOPPER], 10, 9, 5, '/pay'),
  phish('203.0.113.48', 'example-bank-login.example', [BANK, CERT], 3, 1, 5, '/signin'),
  phish('198.51.100.20', 'fjellstuga.example', [BANK], 56, 55, 2, '/konto/'),
  phish('203.0.113.122', 'mottram.example', [CERT], 1, 0, 4, '/docs/shared/view'),
  malware('203.0.113.13', 'cdn-updates.example', [CERT, COOP], 79, 77, 3, '/flash/update.exe'),
  malware('203.0.113.141', 'velden-shop.example', [CERT], 14, 12, 3, '/tmp/inv.js'),
  malware('203.0.113.60', 'free-codecs.example', [COOP], 2, 0, 5, '/setup.msi'),
  { ...content('WebHack', '198.51.100.114', [UNI], 44, 43, 3), subtypes: ['sql-injection'] },
  content('Defacement', '198.51.100.118', [ADMIN], 63, 63, 2),
  content('CompromisedWebsite', '203.0.113.115', [CERT], 18, 17, 2),
  content('Trademark', '203.0.113.145', [STUDIO], 37, 36, 1),
  // Rights.
  rights('203.0.113.98', 86, 78, 2, 'Northern Lights, season 2'),
  rights('203.0.113.99', 41, 26, 2, 'The Long Ferry'),
  rights('203.0.113.98', 7, 0, 3, 'Northern Lights, season 3'),
  rights('198.51.100.121', 23, 22, 3, 'Harbour Songs (album)'),
  // Machines that somebody else controls.
  bot('198.51.100.99', [CERT], 81, 74, 3, 'mirai'),
  bot('203.0.113.103', [CERT, SHADOW], 47, 40, 4, 'qakbot'),
  bot('198.51.100.68', [CERT], 9, 4, 3, 'emotet'),
  bot('203.0.113.37', [CERT, COOP], 2, 0, 7, 'mirai'),
  // Servers that wait to be used.
  open('198.51.100.45', [SHADOW], 85, 60, 1, 'ntp', 123),
  open('203.0.113.72', [SHADOW], 54, 35, 1, 'elasticsearch', 9200),
  open('203.0.113.73', [SHADOW], 53, 35, 1, 'mongodb', 27017),
  open('198.51.100.73', [SHADOW, CERT], 15, 0, 1, 'dns', 53),
  open('203.0.113.161', [SHADOW], 28, 2, 1, 'redis', 6379),
  { ...open('203.0.113.162', [CERT], 19, 12, 1, 'exchange', 443), type: 'CVE' },
  // Nobody knows whose address it is.
  attack('203.0.113.201', [F2B, COOP], 43, 40, 4),
  spam('203.0.113.219', [POST], 13, 11, 4, 'You have won a voucher'),
  scan('203.0.113.233', [SHADOW], 5, 0, 5, [5060]),
  // A research project that scans by agreement; a mute rule keeps it out of the cases.
  scan('198.51.100.116', [SHADOW, F2B], 58, 0, 2, [443]),
]

type Reporters = readonly string[]

function attack(ip: string, reporters: Reporters, from: number, to: number, perDay: number) {
  const common = { type: 'LoginAttack', ip, reporters, from, to, perDay }
  return { ...common, shape: 'night', details: SSH, tags: ['ssh'] } as const
}

function scan(
  ip: string,
  reporters: Reporters,
  from: number,
  to: number,
  perDay: number,
  ports: readonly number[],
): Campaign {
  const details = { destination_ports: ports, protocol: 'tcp' }
  return { type: 'PortScan', ip, reporters, from, to, perDay, shape: 'steady', details }
}

function flood(
  ip: string,
  reporters: Reporters,
  from: number,
  to: number,
  perDay: number,
  vector: string,
  gbps: number,
): Campaign {
  const details = { vector, peak_gbps: gbps }
  return { type: 'DDos', ip, reporters, from, to, perDay, shape: 'burst', details }
}

function spam(
  ip: string,
  reporters: Reporters,
  from: number,
  to: number,
  perDay: number,
  subject: string,
): Campaign {
  return { type: 'Spam', ip, reporters, from, to, perDay, shape: 'office', details: { subject } }
}

function phish(
  ip: string,
  domain: string,
  reporters: Reporters,
  from: number,
  to: number,
  perDay: number,
  path: string,
): Campaign {
  const details = url(`https://${domain}${path}`, { brand: 'Example Bank' })
  return { type: 'Phishing', ip, domain, reporters, from, to, perDay, shape: 'evening', details }
}

function malware(
  ip: string,
  domain: string,
  reporters: Reporters,
  from: number,
  to: number,
  perDay: number,
  path: string,
): Campaign {
  const details = url(`https://${domain}${path}`, { sha256: FILE_HASH })
  return {
    type: 'MalwareHosting',
    ip,
    domain,
    reporters,
    from,
    to,
    perDay,
    shape: 'steady',
    details,
  }
}

function content(
  type: string,
  ip: string,
  reporters: Reporters,
  from: number,
  to: number,
  perDay: number,
): Campaign {
  return { type, ip, reporters, from, to, perDay, shape: 'office' }
}

function rights(ip: string, from: number, to: number, perDay: number, work: string): Campaign {
  const details = { work, protocol: 'bittorrent' }
  const common = { type: 'Copyright', ip, reporters: [STUDIO], from, to, perDay }
  return { ...common, shape: 'evening', details }
}

function bot(
  ip: string,
  reporters: Reporters,
  from: number,
  to: number,
  perDay: number,
  family: string,
): Campaign {
  const details = { malware: family, sinkhole: '192.0.2.200' }
  return { type: 'Bot', ip, reporters, from, to, perDay, shape: 'steady', details, tags: [family] }
}

function open(
  ip: string,
  reporters: Reporters,
  from: number,
  to: number,
  perDay: number,
  service: string,
  port: number,
): Campaign {
  const details = { service, port }
  return { type: 'Open', ip, reporters, from, to, perDay, shape: 'office', details }
}
