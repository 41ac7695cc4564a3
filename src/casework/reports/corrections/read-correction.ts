// Reads the body of a correction: canonical values, or the problem with its place. Pure.

import { parseIpAddress } from '../../../values/address.ts'
import { parseDomain } from '../../../values/domain.ts'
import { isEmailAddress } from '../../../values/email.ts'
import { explainWrongTime, parseTimestamp } from '../../../values/timestamp.ts'
import { parseRecordId } from '../../../values/uuid.ts'
import { EVENT_TYPES } from '../../../vocabulary/event-types.ts'
import { parseUrlHost } from '../../../vocabulary/target.ts'
import { changeNotValid } from '../../cases/errors.ts'
import type { CorrectionRequest } from './correction-body-wire.ts'
import type { ContentChange, Subject } from './event-content.ts'

interface ChangedEvent extends ContentChange {
  readonly eventId: string
  readonly isWithdrawn: boolean
}

interface AddedEvent {
  readonly eventType: string
  readonly subject: Subject
  readonly target: Subject | null
  /** Null: that of another event, or of the report. */
  readonly eventDate: string | null
  readonly senderEmail: string | null
}

export interface ReadCorrection {
  /** Null: all events are withdrawn. */
  readonly events: readonly ChangedEvent[] | null
  readonly added: readonly AddedEvent[]
}

/** Throws `changeNotValid`. */
export function readCorrection(body: CorrectionRequest, nowMs: number): ReadCorrection {
  const { events = [], add = [], withdraw_all: withdrawsAll = false } = body
  if (withdrawsAll && events.length > 0) {
    throw refuse('/events', 'must be left out with withdraw_all')
  }
  if (!withdrawsAll && events.length === 0 && add.length === 0) {
    throw refuse('/events', 'is missing; name events, add some, or withdraw all')
  }
  const changed = events.map((event, at) => readChanged(event, `/events/${at}`))
  const ids = changed.map(({ eventId }) => eventId)
  const twice = ids.findIndex((id, at) => ids.indexOf(id) !== at)
  if (twice !== -1) throw refuse(`/events/${twice}/event_id`, 'is named twice')
  return {
    events: withdrawsAll ? null : changed,
    added: add.map((event, at) => readAdded(event, `/add/${at}`, nowMs)),
  }
}

function readChanged(
  event: NonNullable<CorrectionRequest['events']>[number],
  path: string,
): ChangedEvent {
  const eventId = parseRecordId(event.event_id)
  if (eventId === null) throw refuse(`${path}/event_id`, NOT_OF_REPORT)
  const { withdraw: isWithdrawn = false, event_type: eventType, subject, target } = event
  const isChanged = eventType !== undefined || subject !== undefined || target !== undefined
  if (isWithdrawn && isChanged) {
    throw refuse(`${path}/withdraw`, 'must stand alone: a withdrawn event says nothing more')
  }
  return {
    eventId,
    isWithdrawn,
    ...(eventType === undefined ? {} : { eventType: readType(eventType, `${path}/event_type`) }),
    ...(subject === undefined ? {} : { subject: readSubject(subject, `${path}/subject`) }),
    ...(target === undefined
      ? {}
      : { target: target === null ? null : readSubject(target, `${path}/target`) }),
  }
}

export const NOT_OF_REPORT = 'is no event that this report brought'

function readAdded(
  event: NonNullable<CorrectionRequest['add']>[number],
  path: string,
  nowMs: number,
): AddedEvent {
  const { event_date: date, sender_email: senderEmail = null, target } = event
  if (senderEmail !== null && !isEmailAddress(senderEmail)) {
    throw refuse(`${path}/sender_email`, 'must be an e-mail address')
  }
  const wrongTime = date === undefined ? null : explainWrongTime(date, nowMs)
  if (wrongTime !== null) throw refuse(`${path}/event_date`, wrongTime)
  return {
    eventType: readType(event.event_type, `${path}/event_type`),
    subject: readSubject(event.subject, `${path}/subject`),
    target: target === undefined ? null : readSubject(target, `${path}/target`),
    eventDate: date === undefined ? null : parseTimestamp(date),
    senderEmail,
  }
}

function readType(eventType: string, path: string): string {
  if (EVENT_TYPES.has(eventType)) return eventType
  throw refuse(path, 'must be a known event type, such as LoginAttack')
}

interface GivenSubject {
  readonly ip?: string
  readonly domain?: string
  readonly url?: string
  readonly urls?: readonly string[]
}

function readSubject(given: GivenSubject, path: string): Subject {
  const ip = given.ip === undefined ? null : parseIpAddress(given.ip)
  if (given.ip !== undefined && ip === null) {
    throw refuse(`${path}/ip`, 'must be an IPv4 or IPv6 address')
  }
  const domain = given.domain === undefined ? null : parseDomain(given.domain)
  if (given.domain !== undefined && domain === null) {
    throw refuse(`${path}/domain`, 'must be a domain name')
  }
  const { url = null, urls = [] } = given
  const host = url === null ? { ip: null, domain: null } : readHost(url, `${path}/url`)
  for (const [at, each] of urls.entries()) readHost(each, `${path}/urls/${at}`)
  const subject = { ip: ip ?? host.ip, domain: domain ?? host.domain, url, urls }
  if (subject.ip === null && subject.domain === null) {
    throw refuse(path, 'names nothing; give ip, domain or url')
  }
  return subject
}

function readHost(url: string, path: string): ReturnType<typeof parseUrlHost> {
  const host = parseUrlHost(url)
  if (host.ip === null && host.domain === null) throw refuse(path, 'must be a link with a host')
  return host
}

function refuse(path: string, reason: string): ReturnType<typeof changeNotValid> {
  return changeNotValid({ path, reason })
}
