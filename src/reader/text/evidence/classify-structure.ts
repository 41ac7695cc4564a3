// Evidence for an event type in the structure of a report, independent of its language: log lines,
// enclosed mails, hashes, numbers of vulnerabilities.

import type { ReadableText } from '../../mail/mail.ts'
import type { ClassifyInput } from './classify-report.ts'
import { type LinePattern, LOG_PATTERNS } from './log-kinds.ts'

export interface StructureSign {
  readonly eventType: string
  readonly weight: number
  /** What was seen, for a person. */
  readonly what: string
  readonly part: string
  readonly line: number | null
  readonly excerpt: string
}

// Sorted by weight.
const LINE_PATTERNS: readonly LinePattern[] = [
  {
    pattern: /\b(?:info[ _-]?hash|btih|magnet:\?xt)\b|<Infringement\b|<\w{0,10}:?Complainant>/i,
    eventType: 'Copyright',
    weight: 6,
    what: 'the hash of a shared file or a notice in XML',
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
  let logs = LOG_PATTERNS
  for (const [index, fullLine] of lines.slice(0, LINES_MAX).entries()) {
    const line = fullLine.slice(0, LINE_LENGTH_MAX)
    // The line of a log has a number: of its time, a port or an address.
    const isLog = /\d/.test(line)
    const tried = isLog ? [...left, ...logs] : left
    const matching = tried.filter(({ pattern }) => pattern.test(line))
    if (matching.length === 0) continue
    left = left.filter((each) => !matching.includes(each))
    logs = logs.filter((each) => !matching.includes(each))
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
