// One ACNS notice of copyright infringement (`<Infringement>`, http://www.acns.net/ACNS) as drafts
// of events, one a source.

import { emailDomain, isEmailAddress } from '../../values/email.ts'
import type { JsonObject, JsonValue } from '../../values/json-value.ts'
import { reportableIp } from '../../vocabulary/reportable-ip.ts'
import { type EventDraft } from '../event-draft.ts'
import type { Finding, ReportParty } from '../reading.ts'
import { reportCut } from './machine-report.ts'
import { readTableTime } from './table-times.ts'
import { findChild, listChildren, textAt, type XmlElement } from './xml-tree.ts'

// A notice names the works that one connection shared; the longest lists seen are of some dozen
// files.
const ITEMS_MAX = 100
const SOURCES_MAX = 100

export interface AcnsNotice {
  readonly caseId: string | null
  readonly complainant: ReportParty | null
  readonly drafts: readonly EventDraft[]
  readonly passedOver: readonly Finding[]
}

/** `lineBefore` is the number of lines that stand before the notice in its part. */
export function readAcnsNotice(
  notice: XmlElement,
  place: { readonly part: string; readonly lineBefore: number },
): AcnsNotice {
  const caseId = textAt(notice, 'case', 'id')
  const all = listChildren(notice, 'source')
  const sources = all.slice(0, SOURCES_MAX)
  const refusal = explainRefusal(notice)
  const drafts: EventDraft[] = []
  const passedOver: Finding[] = []
  for (const source of sources) {
    const at = { part: place.part, line: place.lineBefore + source.line }
    const ip = reportableIp(textAt(source, 'ip_address') ?? '')
    const url = findSourceUrl(source, notice)
    if (refusal === null && (ip !== null || url !== null)) {
      drafts.push(draftSource({ notice, source, caseId, ip, url }, at))
    } else {
      passedOver.push(passOver(source, refusal, at))
    }
  }
  const cuts = [
    ...tellCutOf(all, SOURCES_MAX, 'sources', place),
    ...tellCutOf(listItems(notice), ITEMS_MAX, 'items', place),
  ]
  return {
    caseId,
    complainant: readComplainant(notice),
    drafts,
    passedOver: [...cuts, ...passedOver],
  }
}

function tellCutOf(
  elements: readonly XmlElement[],
  countMax: number,
  what: string,
  { part, lineBefore }: { readonly part: string; readonly lineBefore: number },
): readonly Finding[] {
  const first = elements[countMax]
  if (first === undefined) return []
  const reason = `Of the ${elements.length} ${what} of the notice the first ${countMax} were read.`
  return [reportCut(part, lineBefore + first.line, reason)]
}

// A notice may take back an earlier one (attribute Retraction of Type); that accuses nobody. A
// boolean of XML has two words for true.
function explainRefusal(notice: XmlElement): string | null {
  const retraction = findChild(notice, 'type')?.attributes.get('retraction')?.toLowerCase()
  const isRetraction = retraction === 'true' || retraction === '1'
  return isRetraction ? 'The notice takes back an earlier one.' : null
}

function readComplainant(notice: XmlElement): ReportParty | null {
  const complainant = findChild(notice, 'complainant')
  const email = textAt(complainant, 'email')
  if (email === null || !isEmailAddress(email)) return null
  const domain = emailDomain(email)
  return { org: textAt(complainant, 'entity') ?? '', contact: email, domain }
}

interface SourceOf {
  readonly notice: XmlElement
  readonly source: XmlElement
  readonly caseId: string | null
  readonly ip: string | null
  readonly url: string | null
}

interface Place {
  readonly part: string
  readonly line: number
}

function draftSource({ notice, source, caseId, ip, url }: SourceOf, place: Place): EventDraft {
  const items = listItems(notice).slice(0, ITEMS_MAX)
  const [item] = items
  const atMs = readTableTime(textAt(source, 'timestamp') ?? textAt(item ?? null, 'timestamp') ?? '')
  const urls = items.flatMap((each) => textAt(each, 'url') ?? []).filter((each) => each !== url)
  const port = readNumber(textAt(source, 'port'))
  return {
    eventType: 'Copyright',
    eventSubtypes: isPeerToPeer(source) ? ['p2p'] : [],
    atMs,
    ip,
    url,
    details: {
      urls: urls.length === 0 ? undefined : urls,
      port: port ?? undefined,
      protocol: readProtocol(source) ?? undefined,
      file: item === undefined ? undefined : readFile(item),
      external_case_id: caseId ?? undefined,
      organisation: textAt(notice, 'complainant', 'entity') ?? undefined,
      on_behalf_of: findRightsOwner(notice) ?? undefined,
      acns: describeNotice(notice, source, items),
    },
    findings: listFindings({ notice, source, caseId, ip, url }, atMs, place),
  }
}

function listItems(notice: XmlElement): readonly XmlElement[] {
  const contents = listChildren(notice, 'content')
  return contents.flatMap((content) => listChildren(content, 'item'))
}

// Where the work was shared by a web server, the source names its URL; peers of a swarm have none,
// and the URL of an item is then the page about the work or a magnet link.
function findSourceUrl(source: XmlElement, notice: XmlElement): string | null {
  const own = textAt(source, 'url')
  if (own !== null) return own
  if (isPeerToPeer(source)) return null
  const items = listItems(notice).slice(0, ITEMS_MAX)
  const urls = items.flatMap((item) => textAt(item, 'url') ?? [])
  return urls.find((url) => /^(?:https?|ftp):\/\//i.test(url)) ?? null
}

const PEER_TO_PEER = /p2p|peer|torrent|edonkey|emule|gnutella|kad\b|ares|dc\+\+|soulseek/i

function isPeerToPeer(source: XmlElement): boolean {
  return PEER_TO_PEER.test([textAt(source, 'type') ?? '', readProtocol(source) ?? ''].join(' '))
}

// `<SubType BaseType="P2P" Protocol="BITTORRENT"/>`, or the name as its text.
function readProtocol(source: XmlElement): string | null {
  const subType = findChild(source, 'subtype')
  const named = subType?.attributes.get('protocol') ?? textAt(subType)
  const name = named ?? textAt(source, 'type')
  return name === null || name === '' ? null : name
}

function readFile(item: XmlElement): JsonObject {
  return withoutNull({
    name: textAt(item, 'filename') ?? textAt(item, 'title'),
    size: readNumber(textAt(item, 'filesize')),
    hash: textAt(item, 'hash'),
    hash_type: findChild(item, 'hash')?.attributes.get('type') ?? null,
  })
}

function findRightsOwner(notice: XmlElement): string | null {
  const [item] = listItems(notice)
  return (
    textAt(notice, 'complainant', 'rights_owner') ??
    textAt(item ?? null, 'rights_owner') ??
    textAt(item ?? null, 'artist')
  )
}

function describeNotice(
  notice: XmlElement,
  source: XmlElement,
  items: readonly XmlElement[],
): JsonObject {
  return withoutNull({
    status: textAt(notice, 'case', 'status'),
    severity: textAt(notice, 'case', 'severity'),
    reference: textAt(notice, 'case', 'ref_url'),
    contact: textAt(notice, 'complainant', 'contact'),
    service_provider: textAt(notice, 'service_provider', 'entity'),
    type: textAt(source, 'type'),
    user_name: textAt(source, 'username') ?? textAt(source, 'user_name'),
    dns_name: textAt(source, 'dns_name'),
    repeated: textAt(source, 'deja_vu'),
    files: readNumber(textAt(source, 'number_files')),
    title: textAt(items[0] ?? null, 'title'),
    items: items.length < 2 ? null : items.map((item) => ({ ...readFile(item), ...titleOf(item) })),
    notes: textAt(notice, 'notes'),
  })
}

function titleOf(item: XmlElement): JsonObject {
  return withoutNull({ title: textAt(item, 'title'), url: textAt(item, 'url') })
}

function readNumber(text: string | null): number | null {
  const value = text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null
  return value
}

function withoutNull(members: Readonly<Record<string, JsonValue>>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))
}

function passOver(source: XmlElement, refusal: string | null, place: Place): Finding {
  const value = textAt(source, 'ip_address') ?? ''
  const reason = refusal ?? 'The source has no address that somebody can have on the Internet.'
  const excerpt = `IP_Address ${value}`
  return { field: '/ip', value, ...place, excerpt, role: 'source', rank: null, reason }
}

function listFindings(of: SourceOf, atMs: number | null, place: Place): readonly Finding[] {
  const found = (field: string, value: string | null, member: string): readonly Finding[] => {
    if (value === null) return []
    const role = field === '/ip' ? 'source' : null
    const excerpt = `${member} ${value}`
    const reason = `The notice names it as ${member}.`
    return [{ field, value, ...place, excerpt, role, rank: null, reason }]
  }
  const type = textAt(of.source, 'type') ?? 'Infringement'
  return [
    ...found('/ip', of.ip, 'Source/IP_Address'),
    ...found('/event_details/url', of.url, 'URL'),
    ...found('/event_date', atMs === null ? null : new Date(atMs).toISOString(), 'TimeStamp'),
    ...found('/event_details/external_case_id', of.caseId, 'Case/ID'),
    {
      field: '/event_type',
      value: 'Copyright',
      ...place,
      excerpt: type,
      role: null,
      rank: null,
      reason: 'An ACNS notice is about copyright.',
    },
  ]
}
