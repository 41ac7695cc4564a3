// One `Report` of XARF versions 1 to 3: what is complained about, when, and what else it tells, as
// events.

import { parseDomain } from '../../values/domain.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import { addProblem, isJsonObject, type JsonValue } from '../../values/json-value.ts'
import { findLegacyXarfType } from '../../vocabulary/event-types.ts'
import { reportableIp } from '../../vocabulary/reportable-ip.ts'
import { type EventDraft } from '../event-draft.ts'
import type { Finding } from '../reading.ts'
import {
  findMember,
  type LooseMembers,
  listPlainMembers,
  memberCount,
  memberPort,
  memberText,
  NO_MEMBERS,
  plainText,
  readMembers,
} from './loose-members.ts'
import { parseReportTime } from './report-time.ts'

export interface LegacyLocation {
  /** JSON pointer of the report. */
  readonly pointer: string
  readonly version: string
  /** As a finding names it. */
  readonly part: string
}

const IP_KEYS = [
  'sourceip',
  'sourceipaddress',
  'sourceaddress',
  'sourceips',
  'ipaddress',
  'ip',
  'attackerip',
  'source',
]
const URL_KEYS = [
  'sourceurl',
  'url',
  'urls',
  'sourceurls',
  'sourceuri',
  'reportedurl',
  'infringingurl',
]
const DOMAIN_KEYS = ['sourcedomain', 'domain', 'sourcehost', 'sourcehostname', 'hostname', 'host']
const TIME_KEYS = ['date', 'timestamp', 'eventdate', 'lastseen', 'firstseen', 'datetime']
// More than any report names; a longer list is sent as several reports.
const VALUES_MAX = 1_000

/**
 * One event for each reported URL, else for each address; none, with a problem, when the report
 * names neither nor a domain.
 */
export function draftLegacyReport(
  members: LooseMembers,
  place: LegacyLocation,
  problems: FieldProblem[],
): readonly EventDraft[] {
  const source = readMembers(findMember(members, 'source')?.value)
  const known = problems.length
  const ips = listAddresses(members, source, place, problems)
  const urls = listTexts(members, ...URL_KEYS).concat(listTexts(source, ...URL_KEYS))
  const host = memberText(members, ...DOMAIN_KEYS) || memberText(source, ...DOMAIN_KEYS)
  const domain = parseDomain(host)
  if (ips.length + urls.length === 0 && domain === null) {
    const reason = 'is missing, and so are SourceUrl and a domain'
    if (problems.length === known) addProblem(problems, `${place.pointer}/SourceIp`, reason)
    return []
  }
  const frame = draftFrame(members, source, place)
  if (urls.length === 0 && ips.length === 0) return [pairOf(null, null)]
  if (urls.length === 0) return ips.map((ip) => pairOf(ip, null))
  return urls.map((url) => pairOf(ips[0] ?? null, url))

  function pairOf(ip: string | null, url: string | null): EventDraft {
    const findings = [
      ...frame.findings,
      ...found('/ip', ip, members, IP_KEYS, place),
      ...found('/event_details/url', url, members, [...URL_KEYS, 'source'], place),
      ...found('/domain', domain, members, [...DOMAIN_KEYS, 'source'], place),
    ]
    return { ...frame, ip, url, domain, findings }
  }
}

type Frame = Omit<EventDraft, 'ip' | 'url' | 'domain'>

/** What all events of the report have in common. */
function draftFrame(members: LooseMembers, source: LooseMembers, place: LegacyLocation): Frame {
  const type = memberText(members, 'reporttype', 'type', 'attacktype')
  const subtype = memberText(members, 'reportsubtype', 'subtype')
  const eventType = findLegacyXarfType(type, subtype)
  const date = memberText(members, ...TIME_KEYS)
  const atMs = parseReportTime(date)
  return {
    eventType: eventType ?? 'Unknown',
    eventSubtypes: listSubtypes(members, eventType === null ? [type, subtype] : [subtype]),
    atMs,
    details: detailsOf(members, source, place),
    findings: [
      ...found(
        '/event_type',
        eventType ?? 'Unknown',
        members,
        ['reporttype', 'type', 'attacktype'],
        place,
      ),
      ...found(
        '/event_date',
        atMs === null ? null : new Date(atMs).toISOString(),
        members,
        TIME_KEYS,
        place,
      ),
    ],
  }
}

function listSubtypes(members: LooseMembers, words: readonly string[]): readonly string[] {
  const cve = memberText(members, 'cve', 'cveid')
  return [...words, memberText(members, 'service'), cve].filter((word) => word !== '')
}

function listAddresses(
  members: LooseMembers,
  source: LooseMembers,
  { pointer }: LegacyLocation,
  problems: FieldProblem[],
): readonly string[] {
  const texts = [...listTexts(members, ...IP_KEYS), ...listTexts(source, 'ip', ...IP_KEYS)]
    .flatMap((text) => text.slice(0, 4_000).split(/[\s,;]+/))
    .filter((text) => text !== '')
  const name = findMember(members, ...IP_KEYS)?.name ?? 'SourceIp'
  return [...new Set(texts)].flatMap((text) => {
    // A network stands for its first address; a port behind an address is the source's.
    const address = text.replace(/\/\d{1,3}$/, '')
    const ip = reportableIp(address) ?? reportableIp(address.replace(/:\d{1,5}$/, ''))
    if (ip !== null) return [ip]
    addProblem(problems, `${pointer}/${name}`, 'must be a public IPv4 or IPv6 address')
    return []
  })
}

/** The first of the members that holds a text, or a list of texts. */
function listTexts(members: LooseMembers, ...keys: readonly string[]): readonly string[] {
  for (const key of keys) {
    const value = members.get(key)?.value
    const values: readonly unknown[] = Array.isArray(value) ? value : [value]
    const texts = values
      .slice(0, VALUES_MAX)
      .map(plainText)
      .filter((text) => text !== '')
    if (texts.length > 0) return texts
  }
  return []
}

// What has a place of its own; everything else that is plain goes to `xarf.fields`.
const PLACED = new Set([
  ...IP_KEYS,
  ...URL_KEYS,
  ...DOMAIN_KEYS,
  ...TIME_KEYS,
  'reportclass',
  'reporttype',
  'type',
  'attacktype',
  'reportsubtype',
  'subtype',
  'sourceport',
  'protocol',
  'transportprotocol',
  'destinationip',
  'destinationport',
  'destinationurl',
  'service',
  'reportercaseid',
  'caseid',
  'reporternotes',
  'notes',
  'attackcount',
  'count',
])

function detailsOf(
  members: LooseMembers,
  source: LooseMembers,
  { version }: LegacyLocation,
): Readonly<Record<string, JsonValue | undefined>> {
  const type = memberText(members, 'reporttype', 'type', 'attacktype')
  return {
    port: memberPort(members, 'sourceport') ?? memberPort(source, 'port', 'sourceport'),
    protocol: textOrAbsent(members, 'protocol', 'transportprotocol')?.toLowerCase(),
    target: emptyToAbsent({
      ip: textOrAbsent(members, 'destinationip'),
      port: memberPort(members, 'destinationport'),
      url: textOrAbsent(members, 'destinationurl'),
      service: textOrAbsent(members, 'service'),
    }),
    external_case_id: textOrAbsent(members, 'reportercaseid', 'caseid'),
    on_behalf_of: namedParty(findMember(members, 'onbehalfof')?.value),
    description: textOrAbsent(members, 'reporternotes', 'notes'),
    count: memberCount(members, 'attackcount', 'count'),
    first_seen: timeOrAbsent(members, 'firstseen'),
    last_seen: timeOrAbsent(members, 'lastseen'),
    // Pictures of abused children must not be kept; text says nothing that the report does not.
    sample: type.toLowerCase().startsWith('child') ? undefined : readSample(members),
    xarf: emptyToAbsent({
      legacy_version: version.slice(0, 20),
      class: textOrAbsent(members, 'reportclass'),
      type: type === '' ? undefined : type,
      subtype: textOrAbsent(members, 'reportsubtype', 'subtype'),
      fields: listPlainMembers(members, PLACED),
    }),
  }
}

function textOrAbsent(members: LooseMembers, ...keys: readonly string[]): string | undefined {
  const text = memberText(members, ...keys)
  return text === '' ? undefined : text
}

function timeOrAbsent(members: LooseMembers, key: string): string | undefined {
  const ms = parseReportTime(memberText(members, key))
  return ms === null ? undefined : new Date(ms).toISOString()
}

function emptyToAbsent(
  members: Readonly<Record<string, JsonValue | undefined>>,
): JsonValue | undefined {
  const present: [string, JsonValue][] = []
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined) present.push([name, value])
  }
  return present.length === 0 ? undefined : Object.fromEntries(present)
}

/** A name, or an object with some members that name somebody. */
function namedParty(value: unknown): JsonValue | undefined {
  const text = plainText(value)
  if (text !== '') return text
  return isJsonObject(value) ? listPlainMembers(readMembers(value), new Set()) : undefined
}

const SAMPLE_LENGTH_MAX = 4_000

/** The first sample that is text. */
function readSample(members: LooseMembers): string | undefined {
  const list = findMember(members, 'samples', 'sample', 'evidence')?.value
  const samples: readonly unknown[] = Array.isArray(list) ? list.slice(0, 20) : [list]
  for (const sample of samples) {
    const parts = isJsonObject(sample) ? readMembers(sample) : NO_MEMBERS
    const mediaType = memberText(parts, 'contenttype', 'mimetype') || 'text/plain'
    const payload = plainText(sample) || memberText(parts, 'payload', 'content', 'data')
    if (payload === '' || !/^(?:text|message)\//i.test(mediaType)) continue
    const isEncoded = findMember(parts, 'base64encoded', 'isbase64')?.value === true
    const text = isEncoded ? Buffer.from(payload.slice(0, 8_000), 'base64').toString() : payload
    return text.slice(0, SAMPLE_LENGTH_MAX)
  }
  return undefined
}

function found(
  field: string,
  value: string | null,
  members: LooseMembers,
  keys: readonly string[],
  { pointer, part }: LegacyLocation,
): readonly Finding[] {
  const member = findMember(members, ...keys)
  if (value === null || member === null) return []
  const excerpt = `"${member.name}": ${JSON.stringify(member.value)}`
  const reason = `XARF names it in the member ${pointer}/${member.name}.`
  return [{ field, value, part, line: null, excerpt, role: null, rank: null, reason }]
}
