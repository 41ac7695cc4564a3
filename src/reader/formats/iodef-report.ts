// Reader of IODEF documents, version 1 (RFC 5070) and 2 (RFC 7970): an event for each source of an
// incident.

import { emailDomain, isEmailAddress } from '../../values/email.ts'
import type { JsonObject } from '../../values/json-value.ts'
import { toSubtypeSlug } from '../../vocabulary/event-types.ts'
import type { EventDraft } from '../event-draft.ts'
import type { MailFormat, MailReport } from '../mail-format.ts'
import type { Finding, ReportParty, ReportResult } from '../reading.ts'
import { buildResult, explainLargeXml, MACHINE_EVENTS_MAX } from './machine-report.ts'
import { namePart, readPartText } from './part-text.ts'
import { readAddress, readDomain, readPort, readUrl } from './table-cells.ts'
import { readKindWord } from './table-kind.ts'
import { readTableTime } from './table-times.ts'
import {
  findChild,
  listChildren,
  listDescendants,
  parseXmlTree,
  textAt,
  type XmlElement,
} from './xml-tree.ts'

const FORMAT = 'iodef'
const ROOT = /<(?:[\w-]{1,40}:)?IODEF-Document[\s>]/i
const ROOT_SEARCH_LENGTH = 8_192

export const IODEF_FORMAT: MailFormat = { name: FORMAT, read: readIodef }

interface Place {
  readonly part: string
  readonly line: number
}

interface Incident {
  readonly incident: XmlElement
  readonly part: string
  /** Lines of the part above the document, such as that of the XML declaration. */
  readonly lineBefore: number
}

function readIodef(report: MailReport): ReportResult | null {
  const incidents: Incident[] = []
  for (const part of report.mail.parts) {
    const text = readPartText(part)
    if (text === null || !ROOT.test(text.slice(0, ROOT_SEARCH_LENGTH))) continue
    const start = text.search(ROOT)
    const xml = parseXmlTree(text.slice(start))
    if (xml.kind === 'too_large') return explainLargeXml()
    const found = listChildren(findChild(xml.root, 'iodef-document'), 'incident')
    const lineBefore = text.slice(0, start).split('\n').length - 1
    incidents.push(...found.map((incident) => ({ incident, part: namePart(part), lineBefore })))
  }
  const [first] = incidents
  if (first === undefined) return null
  const party = readReporter(first.incident)
  const passedOver = incidents.flatMap(passOverSystems)
  return buildResult(
    {
      format: FORMAT,
      reportId: incidents.length === 1 ? readIncidentId(first.incident) : null,
      reporter: party,
      drafts: incidents.flatMap(draftIncident),
      passedOver,
      emptyReason: passedOver[0]?.reason ?? NO_SOURCE,
    },
    report,
  )
}

const NO_SOURCE = 'The incident names no source that somebody can have on the Internet.'

function readIncidentId(incident: XmlElement): string | null {
  return textAt(incident, 'incidentid')?.slice(0, 200) ?? null
}

// The contact whose role is `creator`; an incident has one by the specification.
function readReporter(incident: XmlElement): ReportParty | null {
  const contacts = listChildren(incident, 'contact')
  const creator = contacts.find((each) => each.attributes.get('role') === 'creator') ?? contacts[0]
  const contact = creator ?? null
  const email = textAt(contact, 'email', 'emailto') ?? textAt(contact, 'email')
  if (email === null || !isEmailAddress(email)) return null
  return {
    org: textAt(contact, 'contactname') ?? '',
    contact: email,
    domain: emailDomain(email),
  }
}

// Incidents about networks list up to some thousand systems.
const SYSTEMS_MAX = MACHINE_EVENTS_MAX + 1

function draftIncident({ incident, part, lineBefore }: Incident): readonly EventDraft[] {
  const systems = listSystems(incident)
  const target = describeTarget(systems.find(({ role }) => role === 'target')?.system ?? null)
  const kind = readKind(incident)
  const time = readTime(incident)
  return systems
    .filter(({ role }) => role === 'source')
    .flatMap(({ system }) =>
      listNames(system).map((name) => ({
        ...draftSystem(system, name, { incident, target, kind, atMs: time }),
        findings: listFindings(name, kind, time, { part, line: lineBefore + system.line }),
      })),
    )
}

interface RoledSystem {
  readonly system: XmlElement
  /** `decoy`: a source that was spoofed. `untold`: perhaps a source, and there are others. */
  readonly role: 'source' | 'target' | 'decoy' | 'untold'
}

/**
 * A system without a category may be the victim or a sensor as well as a source. It is taken for
 * the source where the incident names no other system that could be it.
 */
function listSystems(incident: XmlElement): readonly RoledSystem[] {
  const systems = listDescendants(incident, 'system').slice(0, SYSTEMS_MAX)
  const possible = systems.filter((system) => !isTarget(system))
  return systems.map((system) => {
    if (isTarget(system)) return { system, role: 'target' }
    if (isDecoy(system)) return { system, role: 'decoy' }
    const isTold = readCategory(system) !== '' || possible.length === 1
    return { system, role: isTold ? 'source' : 'untold' }
  })
}

function isTarget(system: XmlElement): boolean {
  return /target|victim|reporter|sensor|infrastructure|intermediate|watchlist-d/i.test(
    readCategory(system),
  )
}

// A category that the specification has no word for stands in an attribute of its own.
function readCategory({ attributes }: XmlElement): string {
  const category = attributes.get('category') ?? ''
  return category === 'ext-value' ? (attributes.get('ext-category') ?? '') : category
}

// `yes` says that the category is most likely wrong, and of a source that it is a decoy (RFC 5070
// section 3.15, RFC 7970 section 3.17).
function isDecoy({ attributes }: XmlElement): boolean {
  return attributes.get('spoofed')?.toLowerCase() === 'yes'
}

const NO_SOURCES = {
  decoy: 'The incident says that this source was spoofed, so nothing came from it.',
  untold: 'The incident does not tell whether this system is a source, and it names others.',
} as const

function passOverSystems({ incident, part, lineBefore }: Incident): readonly Finding[] {
  return listSystems(incident).flatMap(({ system, role }) =>
    role !== 'decoy' && role !== 'untold'
      ? []
      : listNames(system).map(({ ip, domain, url, text }) => ({
          field: ip === null ? '/domain' : '/ip',
          value: ip ?? domain ?? url ?? '',
          part,
          line: lineBefore + system.line,
          excerpt: text,
          role: role === 'decoy' ? 'source' : null,
          rank: null,
          reason: NO_SOURCES[role],
        })),
  )
}

interface SystemName {
  readonly ip: string | null
  readonly domain: string | null
  readonly url: string | null
  readonly text: string
}

const NAMES_MAX = 100

/** An event for each address; a system without one is known by its name or URL. */
function listNames(system: XmlElement): readonly SystemName[] {
  const node = findChild(system, 'node')
  const texts = [
    ...listDescendants(system, 'address').map((each) => each.text),
    ...listChildren(node, 'nodename').map((each) => each.text),
    ...listDescendants(system, 'name').map((each) => each.text),
  ].slice(0, NAMES_MAX)
  const url =
    listDescendants(system, 'url')
      .map((each) => readUrl(each.text))
      .find(isText) ?? null
  const ips = texts.flatMap((text) => {
    const ip = readAddress(text)?.ip ?? null
    return ip === null ? [] : [{ ip, domain: null, url, text }]
  })
  if (ips.length > 0) return ips
  const domain = texts.map(readDomain).find(isText) ?? null
  const urlIn = url ?? texts.map(readUrl).find(isText) ?? null
  return domain === null && urlIn === null
    ? []
    : [{ ip: null, domain, url: urlIn, text: urlIn ?? domain ?? '' }]
}

function isText(value: string | null): value is string {
  return value !== null
}

interface IncidentFrame {
  readonly incident: XmlElement
  readonly target: JsonObject | undefined
  readonly kind: Kind
  readonly atMs: number | null
}

function draftSystem(
  system: XmlElement,
  { ip, domain, url }: SystemName,
  { incident, target, kind, atMs }: IncidentFrame,
): Omit<EventDraft, 'findings'> {
  const seen = (name: string): string | undefined => {
    const ms = readTableTime(textAt(incident, name) ?? '')
    return ms === null ? undefined : new Date(ms).toISOString()
  }
  const service = findChild(system, 'service')
  const counter = findChild(system, 'counter') ?? findChild(findChild(system, 'node'), 'counter')
  const count = counter !== null && /^\d{1,12}$/.test(counter.text) ? Number(counter.text) : null
  return {
    eventType: kind.eventType,
    eventSubtypes: kind.subtypes,
    atMs,
    ip,
    url,
    ...(url === null && domain !== null ? { domain } : {}),
    details: {
      port: readPort(textAt(service, 'port') ?? '') ?? undefined,
      protocol: nameProtocol(
        service?.attributes.get('ip-protocol') ?? service?.attributes.get('ip_protocol'),
      ),
      target,
      count: count ?? undefined,
      first_seen: seen('starttime'),
      last_seen: seen('endtime'),
      external_case_id: readIncidentId(incident) ?? undefined,
      description: textAt(incident, 'description') ?? undefined,
    },
  }
}

// The numbers of IANA's registry that abuse is about.
const PROTOCOLS: ReadonlyMap<string, string> = new Map([
  ['1', 'icmp'],
  ['6', 'tcp'],
  ['17', 'udp'],
])

function nameProtocol(number: string | undefined): string | undefined {
  return number === undefined ? undefined : PROTOCOLS.get(number)
}

function describeTarget(system: XmlElement | null): JsonObject | undefined {
  if (system === null) return undefined
  const addresses = listDescendants(system, 'address').map((each) => readAddress(each.text)?.ip)
  const ip = addresses.find((each) => each !== undefined)
  const port = readPort(textAt(system, 'service', 'port') ?? '')
  const target: Record<string, string | number> = {}
  if (ip !== undefined) target['ip'] = ip
  if (port !== null) target['port'] = port
  return Object.keys(target).length === 0 ? undefined : target
}

interface Kind {
  readonly eventType: string
  readonly subtypes: readonly string[]
  readonly excerpt: string
}

// Impact types of the two versions that say what happened, beside those that only say how bad it
// was (`dos` does, `admin` does not).
const IMPACTS: ReadonlyMap<string, string> = new Map([
  ['dos', 'DDos'],
  ['recon', 'PortScan'],
  ['social-engineering', 'Phishing'],
  ['extortion', 'Fraud'],
  ['takeover-account', 'CompromisedAccount'],
  ['takeover-service', 'CompromisedServer'],
  ['takeover-system', 'CompromisedServer'],
])

// What was done is told in several places: the class of the incident, the method, the impact, and
// last the description.
function readKind(incident: XmlElement): Kind {
  const references = ['incidentcategory', 'classification', 'method', 'description'].flatMap(
    (name) => listDescendants(incident, name),
  )
  const words = references.flatMap((element) => [
    element.attributes.get('text') ?? '',
    element.attributes.get('category') ?? '',
    element.text,
    textAt(element, 'description') ?? '',
  ])
  const impacts = ['impact', 'systemimpact'].flatMap((name) => listDescendants(incident, name))
  for (const impact of impacts) {
    const type = impact.attributes.get('type') ?? ''
    const eventType = IMPACTS.get(type) ?? readKindWord(impact.text)
    if (eventType !== null) return kindOf(eventType, type || impact.text)
  }
  for (const word of words) {
    const eventType = readKindWord(word)
    if (eventType !== null) return kindOf(eventType, word)
  }
  return kindOf('MaliciousActivity', impacts[0]?.attributes.get('type') ?? 'Incident')
}

function kindOf(eventType: string, excerpt: string): Kind {
  const cve = /\bcve-\d{4}-\d{4,7}\b/i.exec(excerpt)?.[0]
  const slug = cve === undefined ? null : toSubtypeSlug(cve)
  return { eventType, subtypes: slug === null ? [] : [slug], excerpt }
}

function readTime(incident: XmlElement): number | null {
  const times = ['detecttime', 'starttime', 'endtime', 'reporttime'].flatMap((name) => [
    textAt(incident, name),
    textAt(incident, 'eventdata', name),
  ])
  return times.map((text) => readTableTime(text ?? '')).find((ms) => ms !== null) ?? null
}

function listFindings(
  { ip, domain, url, text }: SystemName,
  kind: Kind,
  atMs: number | null,
  place: Place,
): readonly Finding[] {
  const found = (
    field: string,
    value: string | null,
    excerpt: string,
    reason: string,
  ): Finding[] =>
    value === null
      ? []
      : [
          {
            field,
            value,
            ...place,
            excerpt,
            role: field === '/ip' ? 'source' : null,
            rank: null,
            reason,
          },
        ]
  const date = atMs === null ? null : new Date(atMs).toISOString()
  return [
    ...found('/ip', ip, text, 'The incident names it as a source.'),
    ...found('/domain', url === null ? domain : null, text, 'The incident names it as a source.'),
    ...found('/event_details/url', url, text, 'The incident names it as a source.'),
    ...found('/event_date', date, date ?? '', 'The time of the incident.'),
    ...found('/event_type', kind.eventType, kind.excerpt, 'By its impact, method or description.'),
  ]
}
