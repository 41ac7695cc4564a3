// Evidence for an event type in the structure of a report, independent of its language: log lines,
// enclosed mails, hashes, numbers of vulnerabilities.

import type { ReadableText } from '../../mail/mail.ts'
import type { ClassifyInput } from './classify-report.ts'

export interface StructureSign {
  readonly eventType: string
  readonly weight: number
  /** What was seen, for a person. */
  readonly what: string
  readonly part: string
  readonly line: number | null
  readonly excerpt: string
}

interface LinePattern {
  readonly pattern: RegExp
  readonly eventType: string
  readonly weight: number
  readonly what: string
}

// Sorted by weight. One line of a log counts as much as many lines of the same kind.
const LINE_PATTERNS: readonly LinePattern[] = [
  {
    pattern:
      /\bsshd(?:-session)?\[\d+\]:|\b(?:Failed password for|Invalid user \S+ from|Failed none for|maximum authentication attempts)/,
    eventType: 'LoginAttack',
    weight: 8,
    what: 'log lines of failed SSH logins',
  },
  {
    pattern:
      /auth(?:entication)? fail(?:ed|ure)|Login failed|SASL (?:LOGIN|PLAIN|CRAM-MD5) authentication failed|imap-login: |pop3-login: |pam_unix\(\w+:auth\)|Failed to authenticate|no auth attempts|POST \/(?:wp-login\.php|xmlrpc\.php|administrator\/index\.php)|Wrong password|EventID.{0,20}4625/i,
    eventType: 'LoginAttack',
    weight: 6,
    what: 'log lines of failed logins',
  },
  {
    pattern:
      /\bSRC=\S{3,45}\s.{0,200}\bDPT=\d{1,5}|\bDROP\b.{0,60}\bproto(?:col)?[= ]|\bSYN_SENT\b|Flags \[S\]/i,
    eventType: 'PortScan',
    weight: 4,
    what: 'lines of a packet filter',
  },
  {
    pattern:
      /"?(?:GET|POST|HEAD|PUT) \S{0,400}(?:\.\.\/|%2e%2e|union(?:\+|%20|\s)+(?:all(?:\+|%20|\s)+)?select|\/etc\/passwd|\/\.env|\/\.git\/|phpunit|eval-stdin|wp-config|phpmyadmin|cgi-bin|\/shell\?|<script|%3cscript|jndi:|sleep\(|\/boaform|\/setup\.cgi|\/HNAP1|wlwmanifest)/i,
    eventType: 'WebHack',
    weight: 7,
    what: 'requests of a web log that probe or inject',
  },
  {
    pattern:
      /\[client [\d.:a-f]{3,45}\].{0,40}(?:File does not exist|script '|client denied|AH0\d{4}|ModSecurity)|\b(?:GET|POST) \S{0,200}(?:\.\.%c0|cmd\.exe|root\.exe|\/etc\/passwd)/i,
    eventType: 'WebHack',
    weight: 7,
    what: 'errors of a web server that was probed',
  },
  {
    pattern: /\bRelay(?:ing)? (?:access )?denied\b/i,
    eventType: 'Spam',
    weight: 5,
    what: 'log lines of mail that was to be relayed',
  },
  {
    pattern: /"(?:GET|POST|HEAD|OPTIONS|PUT|CONNECT) [^"]{1,400} HTTP\/[\d.]{1,3}" [345]\d\d/,
    eventType: 'WebHack',
    weight: 2,
    what: 'refused requests of a web log',
  },
  {
    pattern: /\b(?:info[ _-]?hash|btih|magnet:\?xt)\b|<Infringement\b|<\w{0,10}:?Complainant>/i,
    eventType: 'Copyright',
    weight: 6,
    what: 'the hash of a shared file or a notice in XML',
  },
  {
    // The rule that fired is named between the marks; its class behind it is a coarse one.
    pattern: /\[\*\*\][^*]{0,60}\bSCAN\b[^*]{0,200}\[\*\*\]/,
    eventType: 'PortScan',
    weight: 6,
    what: 'alerts of a rule for scans',
  },
  {
    pattern: /\bCVE-(?:19|20)\d\d-\d{4,7}\b/i,
    eventType: 'CVE',
    weight: 2.5,
    what: 'the number of a vulnerability',
  },
  {
    pattern:
      /^[>\s|]{0,8}(?:Received: (?:from|by) |Return-Path: ?<|X-Spam-(?:Flag|Status|Score): |DKIM-Signature: )/i,
    eventType: 'Spam',
    weight: 4,
    what: 'the header of a mail that is quoted',
  },
  {
    pattern: /\b(?:sha-?256|sha-?1|md5)\b.{0,12}\b[0-9a-f]{32,64}\b/i,
    eventType: 'Malware',
    weight: 2,
    what: 'the hash of a file',
  },
  {
    // The number is looked for behind the unit: logs are full of numbers.
    pattern: /(?<=\b\d[\d.,]{0,12} ?)(?:[GMkT]bps|[GMkT]bit\/s|[kM]?pps)\b|\bpackets\/s(?:ec)?\b/,
    eventType: 'DDos',
    weight: 4,
    what: 'figures of traffic',
  },
  {
    pattern: /\b(?:monlist|ANY \? |IN ANY \+|mode 7)\b/,
    eventType: 'DDosAmplification',
    weight: 2,
    what: 'requests that amplifiers answer',
  },
]

// A log shows its kind in its first lines.
const LINES_MAX = 600
const LINE_LENGTH_MAX = 1_000
// Three different ports mean a scan and no longer the use of one service.
const SCANNED_PORTS_MIN = 3

export function findStructure(input: ClassifyInput): readonly StructureSign[] {
  const texts = input.texts.filter(({ kind }) => kind !== 'enclosed')
  return [
    ...texts.flatMap(scanLines),
    ...countPorts(texts),
    ...readUrls(input.urls),
    ...(input.hasEnclosedMail
      ? [hint('Spam', 5, 'a mail that is enclosed', 'enclosed mail', null, '')]
      : []),
  ]
}

function scanLines({ part, lines }: ReadableText): StructureSign[] {
  const found: StructureSign[] = []
  let left = LINE_PATTERNS
  for (const [index, fullLine] of lines.slice(0, LINES_MAX).entries()) {
    const line = fullLine.slice(0, LINE_LENGTH_MAX)
    const matching = left.filter(({ pattern }) => pattern.test(line))
    if (matching.length === 0) continue
    left = left.filter((each) => !matching.includes(each))
    for (const { eventType, weight, what } of matching) {
      found.push(hint(eventType, weight, what, part, index + 1, line))
    }
  }
  return found
}

const PORT = /\bDPT=(\d{1,5})\b|\bdpt[:=](\d{1,5})\b|\bdst ?port[:= ]{1,3}(\d{1,5})\b/i

function countPorts(texts: readonly ReadableText[]): StructureSign[] {
  for (const { part, lines } of texts) {
    const ports = new Set<string>()
    for (const fullLine of lines.slice(0, LINES_MAX)) {
      const line = fullLine.slice(0, LINE_LENGTH_MAX)
      const port = /dpt|dst ?port/i.test(line) ? PORT.exec(line) : null
      if (port !== null) ports.add(port[1] ?? port[2] ?? port[3] ?? '')
    }
    if (ports.size < SCANNED_PORTS_MIN) continue
    return [
      hint(
        'PortScan',
        8,
        `${ports.size} different destination ports`,
        part,
        null,
        [...ports].slice(0, 8).join(', '),
      ),
    ]
  }
  return []
}

const PROGRAM =
  /\.(?:exe|apk|msi|dll|scr|bat|ps1|vbs|hta|elf|bin|sh|mips|mpsl|arm[4567]?|x86(?:_64)?|ppc|m68k|sh4|jar|lnk|iso|img)(?:$|\?)|\/Mozi\.[am]$|\/i$/i
const LOGIN_PAGE =
  /(?:sign-?in|log-?in|verif(?:y|ication)|secure|account|webmail|wallet|update-?billing|confirm|authenticate|owa\b|office365|banking)/i

function readUrls(urls: readonly string[]): StructureSign[] {
  const program = urls.find((url) => PROGRAM.test(url))
  if (program !== undefined) {
    return [hint('Malware', 3, 'a link to a program', 'links', null, program)]
  }
  const login = urls.find((url) => LOGIN_PAGE.test(url))
  if (login !== undefined) {
    return [hint('Phishing', 1.5, 'a link that looks like a login', 'links', null, login)]
  }
  return []
}

function hint(
  eventType: string,
  weight: number,
  what: string,
  part: string,
  line: number | null,
  excerpt: string,
): StructureSign {
  return { eventType, weight, what, part, line, excerpt }
}
