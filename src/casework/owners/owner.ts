// Canonical values of customers, contracts and resources, and the faults of values that were sent.
// The schemas have checked the shapes before.

import { parseAddressSpan } from '../../values/address-span.ts'
import { parseDomain } from '../../values/domain.ts'
import { isEmailAddress } from '../../values/email.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import {
  addProblem,
  checkJsonObject,
  type JsonLimits,
  type JsonObject,
} from '../../values/json-value.ts'
import { parseTimestamp } from '../../values/timestamp.ts'

export type ResourceKind = 'ip_range' | 'domain' | 'account'

/** ISO 8601: valid from `from` on and before `until`; null stands for no limit. */
export interface Validity {
  readonly from: string | null
  readonly until: string | null
}

// Metadata holds ids of other systems, not documents.
const METADATA_LIMITS: JsonLimits = {
  depthMax: 8,
  valuesMax: 500,
  textLengthMax: 4_096,
  nameLengthMax: 256,
  totalLengthMax: 32_768,
}

/** The member as it is stored; none where nothing was sent, or where it breaks the limits. */
export function readMetadata(
  metadata: unknown,
  problems: FieldProblem[],
): { readonly metadata?: JsonObject } {
  if (metadata === undefined) return {}
  return checkJsonObject(metadata, '/metadata', METADATA_LIMITS, problems) ? { metadata } : {}
}

export function checkContacts(
  contacts: readonly { readonly email: string }[],
  problems: FieldProblem[],
): void {
  for (const [index, { email }] of contacts.entries()) {
    if (!isEmailAddress(email)) {
      addProblem(problems, `/contacts/${index}/email`, 'must be an e-mail address')
    }
  }
}

export interface ValidityInput {
  readonly valid_from?: string | null
  readonly valid_until?: string | null
}

/** A limit that is missing or wrong is null; a wrong one is among the problems. */
export function readValidity(input: ValidityInput, problems: FieldProblem[]): Validity {
  const from = readTime('/valid_from', input.valid_from, problems)
  const until = readTime('/valid_until', input.valid_until, problems)
  if (from !== null && until !== null && from >= until) {
    addProblem(problems, '/valid_until', 'must be later than valid_from')
  }
  return { from, until }
}

const DATE = /^\d{4}-\d\d-\d\d$/

function readTime(
  path: string,
  text: string | null | undefined,
  problems: FieldProblem[],
): string | null {
  if (text === undefined || text === null) return null
  const time = parseTimestamp(DATE.test(text) ? `${text}T00:00:00Z` : text)
  if (time === null) {
    addProblem(problems, path, 'must be a date, or an ISO 8601 date-time with a zone')
  }
  return time
}

/** The canonical value of a resource; null when it does not fit its kind, which adds a problem. */
export function readResourceValue(
  kind: ResourceKind,
  value: string,
  problems: FieldProblem[],
): string | null {
  switch (kind) {
    case 'ip_range': {
      const span = parseAddressSpan(value)
      if (typeof span !== 'string') return span.text
      addProblem(problems, '/value', span)
      return null
    }
    case 'domain': {
      const domain = parseDomain(value)
      if (domain === null) addProblem(problems, '/value', 'must be a domain name')
      return domain
    }
    case 'account':
      return value
  }
}

/** Customer to parent; null, or absent, without one. */
export type Parents = ReadonlyMap<string, string | null>

/** Resellers of resellers exist, but not chains of this length. */
const PARENTS_MAX = 16

/** The customers above `id`, nearest first: at most one more than there may be. */
export function listParents(id: string, parents: Parents): readonly string[] {
  const above: string[] = []
  let at = parents.get(id) ?? null
  while (at !== null && above.length <= PARENTS_MAX) {
    above.push(at)
    at = parents.get(at) ?? null
  }
  return above
}

/** True when `parents` leads from `id` back to itself, or up too many levels. */
export function isParentLoop(id: string, parents: Parents): boolean {
  const above = listParents(id, parents)
  return above.length > PARENTS_MAX || above.includes(id)
}
