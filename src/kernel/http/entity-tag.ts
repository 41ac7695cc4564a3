// The version of a record as ETag (RFC 9110 section 8.8.3): shown with the record, and read from
// `If-Match` or the member `version` of a change.

import type { FieldProblem } from '../../values/field-problem.ts'
import { requestNotValid } from '../errors.ts'
import type { OperatingError } from '../operating-error.ts'

/**
 * A strong validator of the decisions about a record. Events that arrive for a case do not change
 * it.
 */
export function presentEtag(version: number): string {
  return `"${version}"`
}

/**
 * The version that a change was decided on: from `If-Match` (section 13.1.1), or the member
 * `version` of the body. Null for `*`, which stands for any version. Throws `refuse` of the problem
 * when neither names one, or when the two differ.
 */
export function readExpectedVersion(
  ifMatch: string | string[] | undefined,
  version: number | undefined,
  refuse: (problem: FieldProblem) => OperatingError,
): number | null {
  if (ifMatch === undefined) {
    if (version !== undefined) return version
    throw refuse({ path: '/version', reason: 'is missing; send it, or If-Match' })
  }
  if (ifMatch === '*') return version ?? null
  const tag = typeof ifMatch === 'string' ? /^"(\d{1,9})"$/.exec(ifMatch.trim())?.[1] : undefined
  if (tag === undefined) throw requestNotValid('If-Match must be the ETag of the record, or *.')
  if (version !== undefined && version !== Number(tag)) {
    throw refuse({ path: '/version', reason: 'is another than the one of If-Match' })
  }
  return Number(tag)
}
