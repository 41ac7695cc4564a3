// Parses the text of list filters. An invalid value is refused with the name of its parameter, and
// nothing is guessed (design section 5.4).

import { parseIpAddress } from '../../values/address.ts'
import { type AddressSpan, parseAddressSpan } from '../../values/address-span.ts'
import { parseDomain } from '../../values/domain.ts'
import { isEmailAddress } from '../../values/email.ts'
import { isStorableText } from '../../values/json-value.ts'
import { parseTimestamp } from '../../values/timestamp.ts'
import { parseCaseId } from '../../values/uuid.ts'
import { EVENT_TYPES } from '../../vocabulary/event-types.ts'
import type { TimeRange } from '../db/page-request.ts'
import { filterNotValid } from '../errors.ts'

/** The range `[after, before)` of the parameters `<name>_after` and `<name>_before`. */
export function readTimeRange(
  name: string,
  after: string | undefined,
  before: string | undefined,
): TimeRange {
  return {
    ...(after === undefined ? {} : { after: readTime(`${name}_after`, after) }),
    ...(before === undefined ? {} : { before: readTime(`${name}_before`, before) }),
  }
}

/** The time in ISO 8601 with milliseconds; throws filterNotValid. */
export function readTime(name: string, text: string): string {
  return requireValue(name, parseTimestamp(text), 'must be an ISO 8601 date-time with a zone')
}

export function readCaseIdFilter(text: string): string {
  return requireValue('case_id', parseCaseId(text), 'must be a case id')
}

export function readEventTypeFilter(text: string): string {
  return requireValue(
    'event_type',
    EVENT_TYPES.has(text) ? text : null,
    'must be a known event type',
  )
}

export function readIpFilter(text: string): string {
  return requireValue('ip', parseIpAddress(text), 'must be an IPv4 or IPv6 address')
}

export function readDomainFilter(text: string): string {
  return requireValue('domain', parseDomain(text), 'must be a domain name')
}

/** A CIDR block, an address, or `first-last`. */
export function readRangeFilter(text: string): AddressSpan {
  const span = parseAddressSpan(text)
  if (typeof span !== 'string') return span
  throw filterNotValid({ path: '/range', reason: span })
}

/** In lower case. */
export function readEmailFilter(name: string, text: string): string {
  const address = isEmailAddress(text) ? text.toLowerCase() : null
  return requireValue(name, address, 'must be an e-mail address')
}

/** Text with at least one letter or digit. */
export function readTextFilter(text: string): string {
  const words = /[\p{L}\p{N}]/u.test(text) && isStorableText(text) ? text.trim() : null
  return requireValue('text', words, 'must have a letter or digit')
}

export function requireValue<Value>(name: string, value: Value | null, reason: string): Value {
  if (value === null) throw filterNotValid({ path: `/${name}`, reason })
  return value
}
