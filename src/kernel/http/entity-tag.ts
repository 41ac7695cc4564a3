// The version a change was decided on: from `If-Match` (RFC 9110 section 13.1.1), or the member
// `version` of the body.

import type { FieldProblem } from '../../values/field-problem.ts'
import { requestNotValid } from '../errors.ts'
import type { OperatingError } from '../operating-error.ts'

/**
 * Null for `*`, which takes any. Throws `refuse` of the problem when neither names one, or both
 * name different ones.
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
