// What an event says as far as a person may correct it: its type, what it is about, and what was
// attacked. Pure.

import type { JsonObject, JsonValue } from '../../../values/json-value.ts'
import type { NewEvent } from '../../../vocabulary/event.ts'
import { findXarfClass } from '../../../vocabulary/event-types.ts'
import { withoutCorrelationTags } from '../../events/event-tags.ts'

/** What an event is about, or what was attacked: canonical, at least one of them. */
export interface Subject {
  readonly ip: string | null
  readonly domain: string | null
  readonly url: string | null
  /** Further links of a subject. */
  readonly urls: readonly string[]
}

/** The correction of one event; a member that is left out stays as it is. */
export interface ContentChange {
  readonly eventType?: string
  readonly subject?: Subject
  /** Null: nothing is said to be attacked. */
  readonly target?: Subject | null
}

/** The event as it is from then on; itself when nothing changes. */
export function changeContent(event: NewEvent, change: ContentChange): NewEvent {
  const { eventType = event.eventType, subject, target } = change
  const isOfType = eventType === event.eventType
  const isAbout = subject === undefined ? event : subject
  const details = changeDetails(event.details, change)
  const changed: NewEvent = {
    ...event,
    eventType,
    // They are of the former type.
    eventSubtypes: isOfType ? event.eventSubtypes : [],
    xarfClass: isOfType ? event.xarfClass : findXarfClass(eventType),
    ip: isAbout.ip,
    domain: isAbout.domain,
    details: target === undefined && subject === undefined ? event.details : details,
    tags: withoutCorrelationTags(event.tags),
  }
  if (isSameContent(event, changed)) return event
  const isSameItem = changed.ip === event.ip && changed.domain === event.domain
  // Another address or domain has perhaps another owner.
  return isSameItem ? changed : { ...changed, customerId: null, contractId: null }
}

function changeDetails(
  details: JsonObject | null,
  { subject, target }: ContentChange,
): JsonObject | null {
  const { url, urls, target: formerTarget, ...others } = details ?? {}
  const links: Record<string, JsonValue | undefined> =
    subject === undefined ? { url, urls } : describeLinks(subject)
  const attacked = target === undefined ? formerTarget : describeTarget(target)
  const members = Object.entries({ ...links, ...others, target: attacked }).filter(
    (entry): entry is [string, JsonValue] => entry[1] !== undefined,
  )
  return members.length === 0 ? null : Object.fromEntries(members)
}

function describeLinks({ url, urls }: Subject): Record<string, JsonValue | undefined> {
  return { url: url ?? undefined, urls: urls.length === 0 ? undefined : urls }
}

/** As the reader writes it into `event_details.target`. */
function describeTarget(target: Subject | null): JsonObject | undefined {
  if (target === null) return undefined
  const { ip, domain, url } = target
  return {
    ...(ip === null ? {} : { ip }),
    ...(domain === null ? {} : { domain }),
    ...(url === null ? {} : { url }),
  }
}

/** The details of an event that a person adds. */
export function buildDetails(subject: Subject, target: Subject | null): JsonObject | null {
  return changeDetails(null, { subject, target })
}

function isSameContent(one: NewEvent, other: NewEvent): boolean {
  return JSON.stringify(describeContent(one)) === JSON.stringify(describeContent(other))
}

/** As a correction shows an event before and after. */
export interface EventContent {
  readonly event_type: string
  readonly ip?: string
  readonly domain?: string
  readonly url?: string
  readonly urls?: string[]
  readonly target?: JsonObject
}

export function describeContent({ eventType, ip, domain, details }: NewEvent): EventContent {
  const { url, urls, target } = details ?? {}
  return {
    event_type: eventType,
    ...(ip === null ? {} : { ip }),
    ...(domain === null ? {} : { domain }),
    ...(typeof url === 'string' ? { url } : {}),
    ...(Array.isArray(urls) ? { urls: urls.map(String) } : {}),
    ...(isObject(target) ? { target } : {}),
  }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
