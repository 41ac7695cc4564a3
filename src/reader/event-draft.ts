// Makes an event that can be stored from the findings of a format: canonical names, bounded
// details, a time that can be true.

import { parseDomain } from '../values/domain.ts'
import {
  checkJsonObject,
  isStorableText,
  type JsonObject,
  type JsonValue,
} from '../values/json-value.ts'
import {
  DETAILS_LIMITS,
  type NewEvent,
  SUBTYPES_MAX,
  TAG_LENGTH_MAX,
  TAGS_MAX,
} from '../vocabulary/event.ts'
import {
  findXarfClass,
  isSubtypeSlug,
  toSubtypeSlug,
  type XarfCategory,
} from '../vocabulary/event-types.ts'
import { reportableIp } from '../vocabulary/reportable-ip.ts'
import { parseUrlHost } from '../vocabulary/target.ts'
import { completeFindings } from './complete-findings.ts'
import type { Finding, ReadEvent } from './reading.ts'

export interface EventDraft {
  /** A word of the vocabulary. */
  readonly eventType: string
  /** Any words; each becomes a slug or is left out. */
  readonly eventSubtypes?: readonly string[]
  /** Left out: the category the event type belongs to. */
  readonly xarfClass?: XarfCategory | null
  /**
   * When it happened; null when the report states no time. The event then takes the report's time.
   */
  readonly atMs: number | null
  /** The address that is complained about, in any spelling. */
  readonly ip?: string | null
  /** The domain that is complained about; left out, it is the host of `url`. */
  readonly domain?: string | null
  /** The reported URL, or a bare host where the report names only that; refanged. */
  readonly url?: string | null
  readonly tags?: readonly string[]
  readonly recipientEmail?: string | null
  /**
   * Further facts of the report, by the common names (`port`, `protocol`, `target`, `file`,
   * `external_case_id` …); undefined members are left out.
   */
  readonly details?: Readonly<Record<string, JsonValue | undefined>>
  readonly findings: readonly Finding[]
}

export interface DraftFrame {
  readonly senderEmail: string
  readonly reportId: string
  /** The time of the report, for events without one: the mail's Date; null when it has none. */
  readonly reportedAtMs: number | null
  /** The text of that Date header, for the finding. */
  readonly dateText?: string | null
  /** When the report arrived: the time of an event if there is no other. */
  readonly receivedAtMs: number
}

// A time further ahead of our clock cannot be true: the sender's clock or zone is wrong (as in
// explainWrongTime).
const AHEAD_MAX_MS = 24 * 60 * 60 * 1_000
const EXCERPT_LENGTH_MAX = 200

/** Always gives an event. Values that cannot be stored are left out; long values are cut. */
export function finishDraft(draft: EventDraft, frame: DraftFrame): ReadEvent {
  const ip = draft.ip ? reportableIp(draft.ip) : null
  const host = draft.url ? readHost(draft.url) : { ip: null, domain: null }
  const domain = draft.domain ? parseDomain(draft.domain) : host.domain
  const hostIp = host.ip === null ? null : reportableIp(host.ip)
  const statedMs = chooseStatedTime(draft.atMs, frame)
  const event: NewEvent = {
    eventDate: new Date(statedMs ?? frame.receivedAtMs).toISOString(),
    eventType: draft.eventType,
    eventSubtypes: listSlugs(draft.eventSubtypes ?? []),
    xarfClass: draft.xarfClass === undefined ? findXarfClass(draft.eventType) : draft.xarfClass,
    senderEmail: frame.senderEmail,
    recipientEmail: draft.recipientEmail ?? null,
    ip: ip ?? hostIp,
    domain,
    tags: listTags(draft.tags ?? []),
    details: boundDetails({ url: draft.url ?? undefined, ...draft.details }),
    customerId: null,
    contractId: null,
    reportId: frame.reportId,
  }
  const findings = completeFindings(event, draft.findings, frame).map(boundFinding)
  return { event, findings, isTimeStated: statedMs !== null }
}

function readHost(url: string): ReturnType<typeof parseUrlHost> {
  return parseUrlHost(url.includes('://') ? url : `http://${url}`)
}

/** The first time that can be true; null when the report states none. */
function chooseStatedTime(
  atMs: number | null,
  { reportedAtMs, receivedAtMs }: DraftFrame,
): number | null {
  const limitMs = receivedAtMs + AHEAD_MAX_MS
  const stated = [atMs, reportedAtMs].find(
    (ms) => ms !== null && Number.isFinite(ms) && ms >= 0 && ms <= limitMs,
  )
  return stated ?? null
}

function listSlugs(words: readonly string[]): readonly string[] {
  const slugs = words.map(toSubtypeSlug).filter((slug) => slug !== null)
  return [...new Set(slugs.filter(isSubtypeSlug))].slice(0, SUBTYPES_MAX)
}

function listTags(tags: readonly string[]): readonly string[] {
  const kept = tags.filter(
    (tag) => tag !== '' && tag.length <= TAG_LENGTH_MAX && isStorableText(tag),
  )
  return [...new Set(kept)].slice(0, TAGS_MAX)
}

/**
 * Null when there are no details. Texts are cut, and characters that cannot be stored are replaced.
 * When the details are too large together, the largest members are dropped.
 */
function boundDetails(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject | null {
  const entries = Object.entries(members)
    .filter((entry): entry is [string, JsonValue] => entry[1] !== undefined && entry[1] !== null)
    .map(([name, value]) => ({
      name,
      value: boundValue(value),
      size: JSON.stringify(value).length,
    }))
  for (;;) {
    const details = Object.fromEntries(entries.map(({ name, value }) => [name, value]))
    if (entries.length === 0) return null
    if (checkJsonObject(details, '', DETAILS_LIMITS, [])) return details
    const largest = Math.max(...entries.map(({ size }) => size))
    entries.splice(
      entries.findIndex(({ size }) => size === largest),
      1,
    )
  }
}

function boundValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return storableText(value, DETAILS_LIMITS.textLengthMax)
  if (Array.isArray(value)) return value.map(boundValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      storableText(name, DETAILS_LIMITS.nameLengthMax),
      boundValue(member),
    ]),
  )
}

function boundFinding(finding: Finding): Finding {
  const value = storableText(finding.value, EXCERPT_LENGTH_MAX)
  const part = storableText(finding.part, EXCERPT_LENGTH_MAX)
  const excerpt = storableText(finding.excerpt, EXCERPT_LENGTH_MAX)
  const isKept = value === finding.value && part === finding.part && excerpt === finding.excerpt
  return isKept ? finding : { ...finding, value, part, excerpt }
}

/** The text as PostgreSQL keeps it (values/json-value.ts), cut to `lengthMax`. */
export function storableText(text: string, lengthMax: number): string {
  const isStorable = text.length <= lengthMax && text.isWellFormed() && !text.includes('\u0000')
  return isStorable ? text : text.slice(0, lengthMax).toWellFormed().replaceAll('\u0000', '\uFFFD')
}
