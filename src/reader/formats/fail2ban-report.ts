// Reader of the mails that fail2ban's actions and blocklist.de write: an address that was banned or
// has attacked, its service, and lines of a log as evidence. Only their own wording is taken; every
// other quoted log is for the general extractor.

import { parseIpAddress } from '../../values/address.ts'
import type { JsonValue } from '../../values/json-value.ts'
import { reportableIp } from '../../vocabulary/reportable-ip.ts'
import { type EventDraft } from '../event-draft.ts'
import { findHeader, type ReadableText } from '../mail/mail.ts'
import type { MailFormat, MailReport } from '../mail-format.ts'
import type { Finding, ReportResult } from '../reading.ts'
import { type DateOptions, parseDateText } from '../text/dates/parse-date.ts'
import {
  type AttackKind,
  classifyService,
  eventTypeOfAttack,
  type LogLine,
  readLogLine,
} from './log-lines.ts'
import { buildResult } from './machine-report.ts'
import { readZone } from './table-times.ts'

const FORMAT = 'fail2ban'

export const FAIL2BAN_FORMAT: MailFormat = { name: FORMAT, read: readFail2ban }

// An address as these mails write it, perhaps emphasised: *192.0.2.1*.
const IP = String.raw`\*{0,2}([\da-fA-F:.]{3,45})\*{0,2}`

/**
 * The wording; the first group is the address, the second the service where the sentence names it.
 */
const WORDINGS: readonly RegExp[] = [
  new RegExp(
    String.raw`\bThe IP ${IP} has just been banned by Fail2Ban\b(?:.{0,80}?against \*{0,2}([\w.-]{0,63}[\w-]))?`,
    'i',
  ),
  new RegExp(String.raw`\bLines containing (?:failures of|IP:) ?${IP}`, 'i'),
  new RegExp(String.raw`\[Fail2Ban\] ([\w.-]{1,64}): banned ${IP}`, 'i'),
  new RegExp(String.raw`\bServer\/Customer with the IP:? ${IP}`, 'i'),
  new RegExp(String.raw`\bdetected abuse from the IP address ${IP}`, 'i'),
]
const SUBJECT_WORDING = 2
const OWN_WORDS = /fail2ban|blocklist\.de|Lines containing (?:failures of|IP:)/i
const SERVICE_SENTENCE =
  /\bmethod\/service:? \*{0,2}([\w./-]{0,63}[\w/-])|\battempts against \*{0,2}([\w.-]{0,63}[\w-])/i
const LIFE_CYCLE = /\bThe jail \S{1,64} has been (?:started|stopped)\b/i

function readFail2ban(report: MailReport): ReportResult | null {
  const texts = report.texts.filter(({ kind }) => kind !== 'enclosed')
  const isOurs = texts.some(({ lines }) =>
    lines.slice(0, LINES_MAX).some((line) => OWN_WORDS.test(line.slice(0, LINE_LENGTH_MAX))),
  )
  if (!isOurs) return null
  // A file is evidence: whoever is named in it was not named by the program.
  const prose = texts
    .filter(({ kind }) => kind !== 'attachment')
    .map((text) => ({ ...text, lines: readProse(text) }))
  const all = prose.flatMap(({ lines }) => lines)
  const accused = listAccused(prose)
  if (accused === null) return null
  if (accused.length === 0) return isLifeCycle(report, all) ? refuseLifeCycle() : null
  const logs = listLogLines(texts, readDateOptions(prose, report))
  const service = findService(accused, all)
  const drafts = accused.map((each) => draftAccused(each, { logs, service, lines: all }))
  const emptyReason = 'The mail names no address that somebody can have on the Internet.'
  return buildResult({ format: FORMAT, drafts, passedOver: [], emptyReason }, report)
}

function isLifeCycle({ mail }: MailReport, lines: readonly string[]): boolean {
  return /fail2ban/i.test(mail.subject) && lines.some((line) => LIFE_CYCLE.test(line))
}

function refuseLifeCycle(): ReportResult {
  const reason = 'The mail tells that a jail of fail2ban was started or stopped; it accuses nobody.'
  return { kind: 'no_report', format: FORMAT, reason, passedOver: [] }
}

const LINES_MAX = 5_000
const LINE_LENGTH_MAX = 4_000

/**
 * The lines as the program wrote them, with those of logs empty: names and agents in a log are the
 * words of the attacker, who may write "The IP … has just been banned" of anybody.
 */
function readProse({ lines }: ReadableText): readonly string[] {
  const prose = lines
    .slice(0, LINES_MAX)
    .map((line) => line.slice(0, LINE_LENGTH_MAX))
    .map((line) => (readLogLine(line, 1) === null ? line : ''))
  return prose.map((line, index) => joinWrapped(line, prose[index + 1]?.trim() ?? ''))
}

// The sentence about the ban is wrapped after "Fail2Ban after": it is read with the line below it.
function joinWrapped(line: string, next: string): string {
  const isWrapped = /\b(?:The IP|Server\/Customer|attackers used)\b/i.test(line) && next !== ''
  return (isWrapped ? `${line.trim()} ${next}` : line).slice(0, LINE_LENGTH_MAX)
}

interface Accused {
  readonly ip: string
  readonly service: string | null
  readonly finding: Finding
}

// These mails are about one address; a digest of some jails lists more. A longer list is for the
// reader of free text.
const ACCUSED_MAX = 100

/** Null when there are too many. */
function listAccused(texts: readonly ReadableText[]): readonly Accused[] | null {
  const found = new Map<string, Accused>()
  for (const { part, lines } of texts) {
    for (const [index, line] of lines.entries()) {
      const accused = readAccused(line, { part, line: index + 1 })
      if (accused === null) continue
      const known = found.get(accused.ip)
      if (known === undefined && found.size >= ACCUSED_MAX) return null
      if (known === undefined || known.service === null) {
        found.set(accused.ip, { ...(known ?? accused), service: accused.service })
      }
    }
  }
  return [...found.values()]
}

function readAccused(
  text: string,
  place: { readonly part: string; readonly line: number },
): Accused | null {
  for (const [index, wording] of WORDINGS.entries()) {
    const match = wording.exec(text)
    if (match === null) continue
    const isSubject = index === SUBJECT_WORDING
    const ip = reportableIp((isSubject ? match[2] : match[1])?.replace(/[.:]$/, '') ?? '')
    if (ip === null) continue
    const service = (isSubject ? match[1] : match[2]) ?? null
    const reason = 'The mail says that this address was banned or has attacked.'
    const excerpt = match[0]
    return {
      ip,
      service,
      finding: { field: '/ip', value: ip, ...place, excerpt, role: 'source', rank: 1, reason },
    }
  }
  return null
}

function findService(accused: readonly Accused[], lines: readonly string[]): string | null {
  const named = accused.find(({ service }) => service !== null)?.service
  if (named !== undefined && named !== null) return named
  for (const line of lines) {
    const match = SERVICE_SENTENCE.exec(line)
    if (match !== null) return (match[1] ?? match[2] ?? '').replace(/\.$/, '')
  }
  return null
}

interface DatedLine extends LogLine {
  readonly part: string
  readonly atMs: number | null
  /** Canonical. */
  readonly ipv6: ReadonlySet<string>
}

// fail2ban quotes at most 1,000 lines.
const LOG_LINES_MAX = 1_000

function listLogLines(texts: readonly ReadableText[], options: DateOptions): readonly DatedLine[] {
  const found: DatedLine[] = []
  for (const { part, lines } of texts) {
    for (const [index, text] of lines.entries()) {
      const line = found.length < LOG_LINES_MAX ? readLogLine(text, index + 1) : null
      if (line === null) continue
      const atMs = parseDateText(line.text, options)?.ms ?? null
      found.push({ ...line, part, atMs, ipv6: listIpv6(line.text) })
    }
  }
  return found
}

// The zone that the mail notes ("Note: Local timezone is +0100 (CET)") is the log's; else that of
// its Date.
function readDateOptions(
  prose: readonly ReadableText[],
  { mail, context }: MailReport,
): DateOptions {
  const noted = prose
    .flatMap(({ lines }) => lines)
    .map((line) => /\bLocal timezone is ([+-]\d{4})/i.exec(line)?.[1])
    .find((zone) => zone !== undefined)
  const date = /[+-]\d{4}/.exec(findHeader(mail, 'date') ?? '')?.[0]
  const zone = noted ?? date
  return {
    mailDateMs: mail.dateMs,
    receivedAtMs: context.receivedAtMs,
    zoneMinutes: zone === undefined ? null : readZone(zone),
  }
}

interface Evidence {
  readonly logs: readonly DatedLine[]
  readonly service: string | null
  readonly lines: readonly string[]
}

const SAMPLE_LINES_MAX = 50

function draftAccused(accused: Accused, evidence: Evidence): EventDraft {
  const own = evidence.logs.filter((line) => mentions(line, accused.ip))
  const service = accused.service ?? evidence.service ?? own[0]?.program ?? null
  const dated = own.flatMap((line) => (line.atMs === null ? [] : [{ ...line, ms: line.atMs }]))
  const last = dated.toSorted((left, right) => left.ms - right.ms).at(-1)
  const firstMs = dated.length < 2 ? null : Math.min(...dated.map(({ ms }) => ms))
  const kind = chooseKind(service, own)
  const eventType = eventTypeOfAttack(kind)
  const ports = new Set(own.flatMap(({ targetPort }) => targetPort ?? []))
  const target: Record<string, JsonValue> = {}
  if (service !== null) target['service'] = service
  const [port] = ports
  if (ports.size === 1 && port !== undefined) target['port'] = port
  return {
    eventType,
    eventSubtypes: service === null ? [] : [subtypeOf(service)],
    atMs: last?.ms ?? null,
    ip: accused.ip,
    details: {
      service: service ?? undefined,
      protocol: own.find(({ protocol }) => protocol !== null)?.protocol ?? undefined,
      target: Object.keys(target).length === 0 ? undefined : target,
      count: findCount(evidence.lines) ?? (own.length === 0 ? undefined : own.length),
      first_seen: firstMs === null ? undefined : new Date(firstMs).toISOString(),
      last_seen: last === undefined ? undefined : new Date(last.ms).toISOString(),
      sample: own.length === 0 ? undefined : sampleOf(own),
    },
    findings: listFindings(accused, { eventType, service, last: last ?? null }),
  }
}

function sampleOf(lines: readonly DatedLine[]): string {
  return lines
    .slice(-SAMPLE_LINES_MAX)
    .map(({ text }) => text)
    .join('\n')
}

// 192.0.2.1 is not mentioned where 192.0.2.10 or 1.192.0.2.1 stands. IPv4 has one spelling, IPv6
// has many.
function mentions({ text, ipv6 }: DatedLine, ip: string): boolean {
  if (ip.includes(':')) return ipv6.has(ip)
  for (let at = text.indexOf(ip); at !== -1; at = text.indexOf(ip, at + 1)) {
    const before = text[at - 1] ?? ' '
    const after = text.slice(at + ip.length, at + ip.length + 2)
    if (!/[\w.]/.test(before) && !/^(?:\w|\.\d)/.test(after)) return true
  }
  return false
}

// From the begin of a word, so that a long one is passed once.
const LIKE_IPV6 = /(?<![\w.])[\da-f]{0,4}:[\da-f:.]{1,60}/gi

/** Packet filters write `2001:0db8:0000:…`, web servers `2001:db8::1:51404` with the port. */
function listIpv6(text: string): ReadonlySet<string> {
  const words = text.match(LIKE_IPV6) ?? []
  return new Set(words.map(readIpv6).filter((ip) => ip !== null))
}

function readIpv6(word: string): string | null {
  const bare = word.replace(/(?<!:):$|\.$/, '')
  return parseIpAddress(bare) ?? parseIpAddress(bare.replace(/[.:]\d{1,5}$/, ''))
}

function chooseKind(service: string | null, lines: readonly LogLine[]): AttackKind {
  const named = service === null ? null : classifyService(service)
  const shown = lines.find(({ kind }) => kind !== null)?.kind ?? null
  // A jail such as `recidive` or a name of one's own tells less than the lines do.
  return (service !== null && /^recidive$/i.test(service) ? shown : named) ?? shown ?? 'login'
}

function subtypeOf(service: string): string {
  return service.toLowerCase().replace(/^sshd.*$/, 'ssh')
}

function findCount(lines: readonly string[]): number | null {
  for (const line of lines) {
    const match = /\bafter (\d{1,9}) attempts\b/i.exec(line)
    if (match !== null) return Number(match[1])
  }
  return null
}

function listFindings(
  accused: Accused,
  told: {
    readonly eventType: string
    readonly service: string | null
    readonly last: (DatedLine & { readonly ms: number }) | null
  },
): readonly Finding[] {
  const { eventType, service, last } = told
  const { part, line } = accused.finding
  const type: Finding = {
    field: '/event_type',
    value: eventType,
    part,
    line,
    excerpt: service ?? accused.finding.excerpt,
    role: null,
    rank: 1,
    reason: 'By the service that was attacked and the lines of its log.',
  }
  if (last === null) return [accused.finding, type]
  const date: Finding = {
    field: '/event_date',
    value: new Date(last.ms).toISOString(),
    part: last.part,
    line: last.line,
    excerpt: last.text,
    role: null,
    rank: 1,
    reason:
      'The last line of the log that names the address; a year or zone it lacks is that of the mail.',
  }
  return [accused.finding, type, date]
}
