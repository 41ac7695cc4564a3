// The kinds of values that members of a XARF v4 report have, as questions about one value.

import { parseDomain } from '../../values/domain.ts'
import { isEmailAddress } from '../../values/email.ts'
import { parseTimestamp } from '../../values/timestamp.ts'
import { isUrl } from '../../vocabulary/target.ts'
import type { FieldKind } from './xarf-v4-fields.ts'

export const TAGS_MAX = 20
export const ORG_LENGTH_MAX = 200
export const TEXT_RULE = 'must be a text of 1 to 2,048 characters'

const TAG = /^[a-z0-9][a-z0-9_+-]*:[a-z0-9][a-z0-9_+.-]*$/
const CVE_ID = /^CVE-\d{4}-\d+$/

/** The rule that `value` breaks, null when it is of the kind. */
export function explainWrongKind(kind: FieldKind, value: unknown): string | null {
  switch (kind.is) {
    case 'text':
      return isText(value) ? null : TEXT_RULE
    case 'email':
      return isEmail(value) ? null : 'must be an e-mail address'
    case 'url':
      return typeof value === 'string' && isUrl(value) ? null : 'must be an absolute URL'
    case 'date_time':
      return isTimestamp(value) ? null : 'must be an ISO 8601 date-time with a zone'
    case 'port':
      return isPort(value) ? null : 'must be a port number from 1 to 65535'
    case 'cve_id':
      return isTextLike(value, CVE_ID) ? null : 'must be of the form CVE-2026-12345'
    case 'integer':
      return Number.isSafeInteger(value) && Number(value) >= kind.min
        ? null
        : `must be a whole number of at least ${kind.min}`
    case 'text_list':
      return Array.isArray(value) && value.length >= kind.countMin && value.every(isText)
        ? null
        : `must be a list of at least ${kind.countMin} texts`
  }
}

export function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= 2_048
}

export function isTextLike(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && value.length <= 200 && pattern.test(value)
}

function isTimestamp(value: unknown): boolean {
  return typeof value === 'string' && parseTimestamp(value) !== null
}

export function isEmail(value: unknown): boolean {
  return typeof value === 'string' && isEmailAddress(value)
}

export function isDomain(value: unknown): boolean {
  return typeof value === 'string' && parseDomain(value) !== null
}

export function isOrg(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= ORG_LENGTH_MAX
}

export function isPort(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65_535
}

export function isConfidence(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1
}

export function isTags(value: unknown): boolean {
  if (!Array.isArray(value) || value.length > TAGS_MAX) return false
  return value.every((tag) => typeof tag === 'string' && tag.length <= 100 && TAG.test(tag))
}
