// Reader of XARF version 4 (specification 4.2.0): one JSON object is one report of one incident,
// and gives one event.

import assert from 'node:assert/strict'
import type { FieldProblem } from '../../values/field-problem.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../values/json-value.ts'
import { parseTimestamp } from '../../values/timestamp.ts'
import { type NewEvent, SUBTYPES_MAX } from '../../vocabulary/event.ts'
import { findXarfMapping, toSubtypeSlug } from '../../vocabulary/event-types.ts'
import type { Target } from '../../vocabulary/target.ts'
import { completeFindings } from '../complete-findings.ts'
import { storableText } from '../event-draft.ts'
import type { Finding, ReadEvent, ReportParty, ReportResult } from '../reading.ts'
import { parseJsonBytes } from './json-bytes.ts'
import { checkXarfV4 } from './xarf-v4-check.ts'
import { readXarfHost, readXarfSource } from './xarf-v4-source.ts'

const FORMAT = 'xarf_v4'

/**
 * Reads bytes or parsed JSON; `nowMs` is the time of arrival. Problems are complete, each with the
 * JSON pointer of its place in the report.
 */
export function readXarfV4(input: unknown, nowMs: number): ReportResult {
  if (!(input instanceof Uint8Array)) return readValue(input, nowMs)
  const json = parseJsonBytes(input)
  if (json.kind === 'json') return readValue(json.value, nowMs)
  return { kind: 'invalid', format: FORMAT, problems: [{ path: '/', reason: json.reason }] }
}

function readValue(value: unknown, nowMs: number): ReportResult {
  if (!isJsonObject(value)) {
    return {
      kind: 'invalid',
      format: FORMAT,
      problems: [{ path: '/', reason: 'must be an object' }],
    }
  }
  const problems: FieldProblem[] = []
  const report = checkXarfV4(value, nowMs, problems)
  if (report === null) return { kind: 'invalid', format: FORMAT, problems }
  const reporter = partyOf(report['reporter'])
  const sender = partyOf(report['sender'])
  const reportId = textOf(report['report_id']).toLowerCase()
  return {
    kind: 'report',
    format: FORMAT,
    reportId,
    reporter,
    sender,
    events: [readEvent(report, reportId, sender.contact)],
    passedOver: [],
  }
}

function readEvent(report: JsonObject, reportId: string, senderEmail: string): ReadEvent {
  const event = buildEvent(report, reportId, senderEmail)
  const findings = completeFindings(event, listFindings(report, event), { reportedAtMs: null })
  return { event, findings }
}

/** The members of the report that the event's own come from. */
function listFindings(report: JsonObject, event: NewEvent): readonly Finding[] {
  const found = (field: string, value: string | null, member: string): Finding[] =>
    value === null || report[member] === undefined ? [] : [findingOf(field, value, member, report)]
  const urlMember = report['url'] === undefined ? 'infringing_url' : 'url'
  const { ip: sourceIp, range } = readXarfSource(textOf(report['source_identifier']))
  return [
    ...found('/ip', event.ip, sourceIp !== null ? 'source_identifier' : urlMember),
    ...found(
      '/domain',
      event.domain,
      listUrls(report).length > 0 ? urlMember : 'source_identifier',
    ),
    ...found('/event_details/range', range, 'source_identifier'),
    ...found('/event_details/url', listUrls(report)[0] ?? null, urlMember),
    ...found('/event_type', event.eventType, 'type'),
    ...found('/event_date', event.eventDate, 'timestamp'),
    ...found('/sender_email', event.senderEmail, 'sender'),
  ]
}

function findingOf(field: string, value: string, member: string, report: JsonObject): Finding {
  return {
    field,
    value,
    part: 'json',
    line: null,
    excerpt: storableText(`"${member}": ${JSON.stringify(report[member])}`, 200),
    role: null,
    rank: null,
    reason: `XARF names it in the member ${member}.`,
  }
}

function buildEvent(report: JsonObject, reportId: string, senderEmail: string): NewEvent {
  const mapping = findXarfMapping(textOf(report['category']), textOf(report['type']))
  const eventDate = parseTimestamp(textOf(report['timestamp']))
  assert.ok(mapping !== null && eventDate !== null, 'a checked report has a pair and a time')
  const target = findTarget(report)
  return {
    eventDate,
    eventType: mapping.eventType,
    eventSubtypes: listSubtypes(mapping.eventSubtypes, report),
    xarfClass: mapping.xarfClass,
    senderEmail,
    recipientEmail: null,
    ip: target.ip,
    domain: target.domain,
    tags: listTexts(report['tags']),
    details: buildDetails(report),
    customerId: null,
    contractId: null,
    reportId,
  }
}

/**
 * The address is the source; the domain is the host of the reported URL where there is one, else
 * the source.
 */
function findTarget(report: JsonObject): Target {
  const source = readXarfSource(textOf(report['source_identifier']))
  const [url] = listUrls(report)
  if (url === undefined) return { ip: source.ip, domain: source.domain }
  const host = readXarfHost(url)
  return { ip: source.ip ?? host.ip, domain: host.domain ?? source.domain }
}

/** The reported URLs, the main one first. */
function listUrls(report: JsonObject): readonly string[] {
  const urls = listTexts([report['url'], report['infringing_url']])
  return urls.filter((url) => url !== '')
}

// The vocabulary names the subtypes of each pair; a CVE is told apart by its number as well.
function listSubtypes(subtypes: readonly string[], report: JsonObject): readonly string[] {
  if (report['type'] !== 'cve') return subtypes
  const numbers = [textOf(report['cve_id']), ...listTexts(report['cve_ids'])]
  const slugs = numbers.map(toSubtypeSlug).filter((slug) => slug !== null)
  return [...new Set([...subtypes, ...slugs])].slice(0, SUBTYPES_MAX)
}

// Members of the core that have a place of their own in the event, or in the envelope of the
// details.
const PLACED = new Set([
  'xarf_version',
  'report_id',
  'timestamp',
  'reporter',
  'sender',
  'source_identifier',
  'source_port',
  'category',
  'type',
  'legacy_version',
  'tags',
  'url',
  'infringing_url',
  'destination_ip',
  'destination_port',
  'protocol',
  'first_seen',
  'last_seen',
  'description',
  'confidence',
  'evidence_source',
  'evidence',
])

/**
 * One shape for every kind of report: the members that all formats share by common names, and under
 * `xarf` what only XARF has, with the members of the type in `xarf.fields` as they came. What is
 * absent in the report is absent here.
 */
function buildDetails(report: JsonObject): JsonObject {
  const fields = Object.fromEntries(Object.entries(report).filter(([name]) => !PLACED.has(name)))
  const [url, ...urls] = listUrls(report)
  return withoutAbsent({
    url,
    urls: urls.length === 0 ? undefined : urls,
    range: readXarfSource(textOf(report['source_identifier'])).range ?? undefined,
    port: report['source_port'],
    protocol: report['protocol'],
    target: emptyToAbsent({
      ip: report['destination_ip'],
      port: report['destination_port'],
    }),
    first_seen: report['first_seen'],
    last_seen: report['last_seen'],
    description: report['description'],
    confidence: report['confidence'],
    reporter: report['reporter'],
    evidence_source: report['evidence_source'],
    evidence: report['evidence'],
    xarf: withoutAbsent({
      version: report['xarf_version'],
      category: report['category'],
      type: report['type'],
      report_id: report['report_id'],
      source_identifier: report['source_identifier'],
      legacy_version: report['legacy_version'],
      fields: emptyToAbsent(fields),
    }),
  })
}

function withoutAbsent(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const present: [string, JsonValue][] = []
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined) present.push([name, value])
  }
  return Object.fromEntries(present)
}

function emptyToAbsent(
  members: Readonly<Record<string, JsonValue | undefined>>,
): JsonObject | undefined {
  const present = withoutAbsent(members)
  return Object.keys(present).length === 0 ? undefined : present
}

function partyOf(value: JsonValue | undefined): ReportParty {
  const party = isJsonObject(value) ? value : {}
  return {
    org: textOf(party['org']),
    contact: textOf(party['contact']),
    domain: textOf(party['domain']),
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function listTexts(value: unknown): readonly string[] {
  const texts = Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : []
  return [...new Set(texts)]
}
