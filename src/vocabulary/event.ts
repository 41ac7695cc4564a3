// One normalised event, ready to be stored (interface 2.7 without the members that the service
// adds), and the parser of a pushed one.

import { parseIpAddress } from '../values/address.ts'
import { parseDomain } from '../values/domain.ts'
import { isEmailAddress } from '../values/email.ts'
import type { FieldProblem } from '../values/field-problem.ts'
import {
  addProblem,
  checkJsonObject,
  isJsonObject,
  isStorableText,
  type JsonLimits,
  type JsonObject,
  joinPointer,
} from '../values/json-value.ts'
import { explainWrongTime, parseTimestamp } from '../values/timestamp.ts'
import {
  EVENT_TYPES,
  findXarfClass,
  isSubtypeSlug,
  isXarfCategory,
  SUBTYPE_LENGTH_MAX,
  XARF_CATEGORIES,
  type XarfCategory,
} from './event-types.ts'
import { parseUrlHost } from './target.ts'

export interface NewEvent {
  /** `YYYY-MM-DDTHH:MM:SS.mmmZ`; as text in the order of time. */
  readonly eventDate: string
  /** A word of the vocabulary. */
  readonly eventType: string
  /** Lower-case slugs, each once. */
  readonly eventSubtypes: readonly string[]
  readonly xarfClass: XarfCategory | null
  readonly senderEmail: string
  readonly recipientEmail: string | null
  /** Canonical: dotted decimal, or RFC 5952; never an IPv4-mapped IPv6 address. */
  readonly ip: string | null
  /** Canonical: lower-case A-labels without a trailing dot. */
  readonly domain: string | null
  /** Each once, in the order given. */
  readonly tags: readonly string[]
  readonly details: JsonObject | null
  /** The owner that the sender of the event names; it overrides the owner found by resources. */
  readonly customerId: string | null
  /** Null whenever `customerId` is. */
  readonly contractId: string | null
  /** The id under which its reporter knows the report, part of the event's identity. */
  readonly reportId: string | null
}

export type NewEventResult =
  | { readonly kind: 'valid'; readonly event: NewEvent }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }

export interface EventDefaults {
  /** The default of `sender_email`; null when the caller has no address. */
  readonly senderEmail: string | null
  /** The caller's tenant, the only one that `tenant_id` may name. */
  readonly tenantId: string
  /** The time of this service: an event dated more than a day later has not happened. */
  readonly nowMs: number
}

// Ids of customers, contracts and reports are opaque; the longest in practice are Message-IDs and
// URNs.
export const ID_LENGTH_MAX = 256
export const TAGS_MAX = 50
export const TAG_LENGTH_MAX = 100
export const SUBTYPES_MAX = 20

// Bulk bodies hold up to 1,000 events, so one event's details must stay far below a body's size. A
// log excerpt of some hundred lines fits into one text, a list of a thousand URLs into the whole.
export const DETAILS_LIMITS: JsonLimits = {
  depthMax: 16,
  valuesMax: 5_000,
  textLengthMax: 32_768,
  nameLengthMax: 256,
  totalLengthMax: 131_072,
}

const ACCEPTED_MEMBERS = new Set([
  'event_date',
  'event_type',
  'event_subtypes',
  'xarf_class',
  'sender_email',
  'recipient_email',
  'ip',
  'domain',
  'tags',
  'event_details',
  'customer_id',
  'contract_id',
  'tenant_id',
  'report_id',
])
const SERVICE_MEMBERS = new Set(['event_id', 'create_date', 'case_id', 'resolved'])

/**
 * `event_details.account`: a name or number of the operator's own, as the resource has it; null
 * when there is none of at most `ID_LENGTH_MAX`.
 */
export function readAccount(event: {
  readonly details: Readonly<Record<string, unknown>> | null
}): string | null {
  const account = event.details?.['account']
  if (typeof account !== 'string' || account === '' || account.length > ID_LENGTH_MAX) return null
  return account
}

/** The URL that was reported: `event_details.url` when it is a text. */
export function findReportedUrl(event: NewEvent): string | null {
  const url = event.details?.['url']
  return typeof url === 'string' ? url : null
}

/**
 * Checks one pushed event record. Every fault is reported with its JSON pointer. An optional member
 * is left out when there is no value; null is refused. Where neither `ip` nor `domain` is given,
 * the host of `event_details.url` becomes one of them.
 */
export function parseNewEvent(input: unknown, defaults: EventDefaults): NewEventResult {
  if (!isJsonObject(input)) {
    return { kind: 'invalid', problems: [{ path: '/', reason: 'must be an object' }] }
  }
  const problems: FieldProblem[] = []
  refuseUnknownMembers(input, problems)
  checkTenant(input['tenant_id'], defaults.tenantId, problems)
  const eventDate = readEventDate(input['event_date'], defaults.nowMs, problems)
  const eventType = readEventType(input['event_type'], problems)
  const senderEmail = readSenderEmail(input['sender_email'], defaults.senderEmail, problems)
  const details = readDetails(input['event_details'], problems)
  const target = readTarget(input['ip'], input['domain'], details, problems)
  const customerId = readId(input['customer_id'], '/customer_id', problems)
  const contractId = readId(input['contract_id'], '/contract_id', problems)
  if (contractId !== null && input['customer_id'] === undefined) {
    addProblem(problems, '/contract_id', 'needs the customer_id it belongs to')
  }
  const event = {
    eventSubtypes: readSubtypes(input['event_subtypes'], problems),
    xarfClass: readXarfClass(input['xarf_class'], eventType, problems),
    recipientEmail: readRecipientEmail(input['recipient_email'], problems),
    ip: target.ip,
    domain: target.domain,
    tags: readTags(input['tags'], problems),
    details,
    customerId,
    contractId,
    reportId: readId(input['report_id'], '/report_id', problems),
  }
  if (problems.length > 0 || eventDate === null || eventType === null || senderEmail === null) {
    return { kind: 'invalid', problems }
  }
  return { kind: 'valid', event: { eventDate, eventType, senderEmail, ...event } }
}

function refuseUnknownMembers(input: Record<string, unknown>, problems: FieldProblem[]): void {
  for (const name of Object.keys(input)) {
    if (ACCEPTED_MEMBERS.has(name)) continue
    const reason = SERVICE_MEMBERS.has(name)
      ? 'is given by the service; leave it out'
      : 'is not known here'
    addProblem(problems, joinPointer('', name), reason)
  }
}

function checkTenant(value: unknown, tenantId: string, problems: FieldProblem[]): void {
  if (value === undefined || value === tenantId) return
  addProblem(problems, '/tenant_id', 'must be your own tenant, or be left out')
}

function readEventDate(value: unknown, nowMs: number, problems: FieldProblem[]): string | null {
  if (value === undefined) {
    addProblem(problems, '/event_date', 'is missing')
    return null
  }
  const text = typeof value === 'string' ? parseTimestamp(value) : null
  // True of nearly every event, whose time is then parsed once.
  if (text !== null && Date.parse(text) <= nowMs) return text
  const reason = explainWrongTime(value, nowMs)
  if (reason !== null) addProblem(problems, '/event_date', reason)
  return reason === null ? text : null
}

function readEventType(value: unknown, problems: FieldProblem[]): string | null {
  if (typeof value === 'string' && EVENT_TYPES.has(value)) return value
  const reason =
    value === undefined ? 'is missing' : 'must be a known event type, such as LoginAttack'
  addProblem(problems, '/event_type', reason)
  return null
}

function readSenderEmail(
  value: unknown,
  fallback: string | null,
  problems: FieldProblem[],
): string | null {
  if (value !== undefined) return readEmail(value, '/sender_email', problems)
  if (fallback === null) {
    addProblem(problems, '/sender_email', 'is missing, and your token has no address to stand in')
  }
  return fallback
}

function readRecipientEmail(value: unknown, problems: FieldProblem[]): string | null {
  return value === undefined ? null : readEmail(value, '/recipient_email', problems)
}

function readEmail(value: unknown, path: string, problems: FieldProblem[]): string | null {
  if (typeof value === 'string' && isEmailAddress(value)) return value
  addProblem(problems, path, 'must be an e-mail address')
  return null
}

function readDetails(value: unknown, problems: FieldProblem[]): JsonObject | null {
  if (value === undefined) return null
  return checkJsonObject(value, '/event_details', DETAILS_LIMITS, problems) ? value : null
}

function readTarget(
  ipValue: unknown,
  domainValue: unknown,
  details: JsonObject | null,
  problems: FieldProblem[],
): { readonly ip: string | null; readonly domain: string | null } {
  const ip = typeof ipValue === 'string' ? parseIpAddress(ipValue) : null
  if (ip === null && ipValue !== undefined) {
    addProblem(problems, '/ip', 'must be an IPv4 or IPv6 address')
  }
  const domain = typeof domainValue === 'string' ? parseDomain(domainValue) : null
  if (domain === null && domainValue !== undefined) {
    addProblem(problems, '/domain', 'must be a domain name')
  }
  const url = details?.['url']
  if (domain !== null || typeof url !== 'string') return { ip, domain }
  const host = parseUrlHost(url)
  return { ip: ip ?? host.ip, domain: host.domain }
}

function readXarfClass(
  value: unknown,
  eventType: string | null,
  problems: FieldProblem[],
): XarfCategory | null {
  if (value === undefined) return eventType === null ? null : findXarfClass(eventType)
  if (typeof value === 'string' && isXarfCategory(value)) return value
  addProblem(problems, '/xarf_class', `must be one of ${XARF_CATEGORIES.join(', ')}`)
  return null
}

function readId(value: unknown, path: string, problems: FieldProblem[]): string | null {
  if (value === undefined) return null
  if (typeof value === 'string' && value !== '' && value.length <= ID_LENGTH_MAX) {
    if (isStorableText(value)) return value
    addProblem(problems, path, 'has U+0000 or a lone surrogate')
  } else {
    addProblem(problems, path, `must be a text of 1 to ${ID_LENGTH_MAX} characters`)
  }
  return null
}

function readSubtypes(value: unknown, problems: FieldProblem[]): readonly string[] {
  const reason = `must be a lower-case slug of at most ${SUBTYPE_LENGTH_MAX} characters, such as cve-2021-44228`
  return readWords(value, '/event_subtypes', SUBTYPES_MAX, isSubtypeSlug, reason, problems)
}

function readTags(value: unknown, problems: FieldProblem[]): readonly string[] {
  const reason = `must be a text of 1 to ${TAG_LENGTH_MAX} characters without U+0000 or a lone surrogate`
  return readWords(value, '/tags', TAGS_MAX, isTag, reason, problems)
}

function isTag(text: string): boolean {
  return text !== '' && text.length <= TAG_LENGTH_MAX && isStorableText(text)
}

function readWords(
  value: unknown,
  path: string,
  countMax: number,
  isWord: (text: string) => boolean,
  reason: string,
  problems: FieldProblem[],
): readonly string[] {
  if (value === undefined) return []
  if (!Array.isArray(value) || value.length > countMax) {
    addProblem(problems, path, `must be a list of at most ${countMax} entries`)
    return []
  }
  const words: string[] = []
  for (const [at, word] of value.entries()) {
    if (typeof word !== 'string' || !isWord(word)) addProblem(problems, `${path}/${at}`, reason)
    else if (!words.includes(word)) words.push(word)
  }
  return words
}
