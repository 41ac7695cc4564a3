// Reader of X-ARF 0.1 and 0.2, which Fail2ban still writes: a text for people, a part of `Key:
// value` lines, and evidence. The lines look like YAML, but values hold colons and quotes as they
// please, so they are read as lines.

import { parseDomain } from '../../values/domain.ts'
import { emailDomain, isEmailAddress } from '../../values/email.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import type { JsonObject, JsonValue } from '../../values/json-value.ts'
import { findXArfType } from '../../vocabulary/event-types.ts'
import { reportableIp } from '../../vocabulary/reportable-ip.ts'
import { type EventDraft } from '../event-draft.ts'
import { findHeader, type MailPart } from '../mail/mail.ts'
import type { MailFormat, MailReport } from '../mail-format.ts'
import type { Finding, ReportParty, ReportResult } from '../reading.ts'
import { findAddressBeside } from './beside-link.ts'
import { stripBrackets } from './enclosed-mail.ts'
import { type FieldLine, fieldText, findField, readFieldLines } from './key-value-lines.ts'
import { buildResult, mailReporter } from './machine-report.ts'
import { namePart, readPartText } from './part-text.ts'
import { parseReportTime } from './report-time.ts'

const FORMAT = 'x_arf'

export const X_ARF_FORMAT: MailFormat = { name: FORMAT, read: readXArf }

interface XArfPart {
  readonly fields: readonly FieldLine[]
  readonly part: string
  /** Index in the parts of the mail. */
  readonly at: number
}

function readXArf(report: MailReport): ReportResult | null {
  const found = findFieldsPart(report)
  if (found === null) return null
  const { fields, part, at } = found
  const target = readSource(fields)
  if (target.kind === 'problem') {
    return { kind: 'invalid', format: FORMAT, problems: [target.problem] }
  }
  const category = fieldText(fields, 'category')
  const reportType = fieldText(fields, 'report-type')
  const eventType = findXArfType(category, reportType) ?? findRobotType(reportType)
  const atMs = parseReportTime(fieldText(fields, 'date', 'timestamp'))
  const beside =
    target.ip === null && target.url !== null ? findAddressBeside(report.texts, target.url) : null
  const draft: EventDraft = {
    eventType: eventType ?? 'Unknown',
    eventSubtypes: listSubtypes(fields, eventType === null ? [reportType] : []),
    atMs,
    ip: target.ip ?? beside?.value ?? null,
    url: target.url,
    domain: target.domain,
    details: detailsOf(fields, target, readEvidence(report.mail.parts[at + 1] ?? null)),
    findings: [
      ...locate('/ip', target.ip, ...SOURCE_FIELDS),
      ...(beside === null ? [] : [beside]),
      ...locate('/event_details/url', target.url, ...SOURCE_FIELDS),
      ...locate('/domain', target.domain, ...SOURCE_FIELDS),
      ...locate('/event_type', eventType ?? 'Unknown', 'report-type', 'category'),
      ...locate('/event_date', isoOf(atMs), 'date', 'timestamp'),
    ],
  }
  const reading = { format: FORMAT, reportId: fieldText(fields, 'report-id').slice(0, 256) || null }
  const emptyReason = 'The X-ARF report names nothing that is reported.'
  return buildResult(
    {
      ...reading,
      reporter: partyOf(fields),
      drafts: [draft],
      passedOver: [],
      sender: mailReporter(report),
      emptyReason,
    },
    report,
  )

  function locate(
    field: string,
    value: string | null,
    ...names: readonly string[]
  ): readonly Finding[] {
    const line = findField(fields, ...names)
    if (value === null || line === null) return []
    const reason = `X-ARF names it in the field ${line.name}.`
    return [
      { field, value, part, line: line.line, excerpt: line.text, role: null, rank: null, reason },
    ]
  }
}

function isoOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

// Words of the schema `info` of X-ARF 0.1 for robots on web pages, which no later XARF has.
const ROBOT_TYPES: readonly (readonly [RegExp, string])[] = [
  [/^reg-?bot/i, 'WebHack'],
  [/^(?:e?mail-?|address-?)?harvest/i, 'WebCrawler'],
]

function findRobotType(reportType: string): string | null {
  return ROBOT_TYPES.find(([pattern]) => pattern.test(reportType))?.[1] ?? null
}

// What every such report has; four of them make a part one even where its name and the mail's
// header are missing.
const USUAL_FIELDS = [
  'reported-from',
  'category',
  'report-type',
  'report-id',
  'source-type',
  'source',
  'schema-url',
  'version',
]
const PARTS_MAX = 100

function findFieldsPart({ mail }: MailReport): XArfPart | null {
  const isMarked = (findHeader(mail, 'x-arf') ?? findHeader(mail, 'x-xarf')) !== null
  for (const [at, part] of mail.parts.slice(0, PARTS_MAX).entries()) {
    if (!mayHoldFields(part)) continue
    const fields = readFieldLines((readPartText(part) ?? '').split('\n'))
    const usual = USUAL_FIELDS.filter((name) => findField(fields, name) !== null)
    const isNamed = part.fileName?.toLowerCase() === 'report.txt'
    const needed = isMarked || isNamed ? 3 : 4
    if (usual.length >= needed) return { fields, part: namePart(part), at }
  }
  return null
}

function mayHoldFields({ mediaType, fileName }: MailPart): boolean {
  return (
    /^text\/(?:plain|yaml|x-yaml)$|\/(?:octet-stream|x-yaml|yaml)$/.test(mediaType) ||
    fileName === 'report.txt'
  )
}

interface XArfTarget {
  readonly kind: 'target'
  readonly ip: string | null
  readonly url: string | null
  readonly domain: string | null
  /** Where the report names more than an address: a network. */
  readonly network: string | null
}

const SOURCE_FIELDS = ['source', 'source-ip', 'ip'] as const

/** By what the value is, whatever Source-Type calls it: the field is often empty or wrong. */
function readSource(
  fields: readonly FieldLine[],
): XArfTarget | { readonly kind: 'problem'; readonly problem: FieldProblem } {
  const text = stripBrackets(fieldText(fields, ...SOURCE_FIELDS))
  const none = { kind: 'target', ip: null, url: null, domain: null, network: null } as const
  if (text === '') return { kind: 'problem', problem: { path: '/Source', reason: 'is missing' } }
  const address = text.replace(/\/\d{1,3}$/, '')
  const ip = reportableIp(address) ?? reportableIp(address.replace(/:\d{1,5}$/, ''))
  if (ip !== null) return { ...none, ip, network: address === text ? null : text }
  if (/^[a-z][a-z0-9+.-]{1,20}:\/\//i.test(text)) return { ...none, url: text }
  const domain = parseDomain(text)
  if (domain !== null) return { ...none, domain }
  if (/^[\w.-]+\.[a-z]{2,}\//i.test(text)) return { ...none, url: text }
  const reason = 'must be a public IP address, a URL or a domain'
  return { kind: 'problem', problem: { path: '/Source', reason } }
}

// Fail2ban writes this when the service is not configured.
const NO_SERVICE = new Set(['', 'unspecified', 'unknown', 'none'])

function listSubtypes(fields: readonly FieldLine[], words: readonly string[]): readonly string[] {
  const service = fieldText(fields, 'service').toLowerCase()
  return NO_SERVICE.has(service) ? words : [...words, service]
}

const PLACED = new Set([
  'source',
  'source-type',
  'date',
  'reported-from',
  'report-id',
  'service',
  'port',
  'category',
  'report-type',
  'version',
  'occurances',
  'occurrences',
  'count',
  'attachment',
])

function detailsOf(
  fields: readonly FieldLine[],
  { network }: XArfTarget,
  sample: string | undefined,
): Readonly<Record<string, JsonValue | undefined>> {
  const service = fieldText(fields, 'service')
  const port = numberOf(fieldText(fields, 'port'), 65_535)
  const others = fields.filter(({ name, value }) => !PLACED.has(name) && value !== '')
  return {
    target: withoutAbsent({
      service: NO_SERVICE.has(service.toLowerCase()) ? undefined : service,
      port,
    }),
    network: network ?? undefined,
    count: numberOf(fieldText(fields, 'occurances', 'occurrences', 'count'), 1e15),
    external_case_id: fieldText(fields, 'report-id').slice(0, 256) || undefined,
    sample,
    xarf: withoutAbsent({
      legacy_version: fieldText(fields, 'version') || '0',
      category: fieldText(fields, 'category') || undefined,
      type: fieldText(fields, 'report-type') || undefined,
      fields: withoutAbsent(
        Object.fromEntries(others.map(({ name, value }) => [name, value.slice(0, 1_000)])),
      ),
    }),
  }
}

/** Undefined for what is no whole number from 1; a port of 0 means that none is known. */
function numberOf(text: string, max: number): number | undefined {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : 0
  return number > 0 && number <= max ? number : undefined
}

function withoutAbsent(
  members: Readonly<Record<string, JsonValue | undefined>>,
): JsonObject | undefined {
  const present: [string, JsonValue][] = []
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined) present.push([name, value])
  }
  return present.length === 0 ? undefined : Object.fromEntries(present)
}

const SAMPLE_LENGTH_MAX = 4_000

/** The part behind the fields, when it is text. */
function readEvidence(part: MailPart | null): string | undefined {
  if (part === null || !/^(?:text\/plain|message\/)/.test(part.mediaType)) return undefined
  const text = readPartText(part)?.trim().slice(0, SAMPLE_LENGTH_MAX) ?? ''
  return text === '' ? undefined : text
}

function partyOf(fields: readonly FieldLine[]): ReportParty | null {
  const contact = fieldText(fields, 'reported-from')
    .slice(0, 320)
    .replace(/^.*<(.*)>$/, '$1')
  if (!isEmailAddress(contact)) return null
  return { org: '', contact, domain: emailDomain(contact) }
}
