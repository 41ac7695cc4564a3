// Reads the members of a change of a case, for one case and for many alike.

import { checkJsonObject } from '../../values/json-value.ts'
import { parseTimestamp } from '../../values/timestamp.ts'
import type { CaseCommand } from './apply-case-change.ts'
import { METADATA_LIMITS } from './case-change-store.ts'
import type { CaseChangeBody } from './case-change-wire.ts'
import { changeNotValid } from './errors.ts'

const CLOCK_SKEW_MS = 300_000

/** `place`: the JSON pointer of the change in the body; empty for the body itself. */
export function readCaseChange(
  body: CaseChangeBody,
  place: string,
  nowMs: number,
): Pick<CaseCommand, 'move' | 'patch'> {
  const { state, resolution = null, close_reason: closeReason = null } = body
  if (state === undefined && (resolution ?? closeReason) !== null) {
    const reason = 'is missing; a resolution belongs to a move'
    throw changeNotValid({ path: `${place}/state`, reason })
  }
  return {
    move: state === undefined ? null : { target: state, resolution, closeReason },
    patch: readPatch(body, place, nowMs),
  }
}

function readPatch(body: CaseChangeBody, place: string, nowMs: number): CaseCommand['patch'] {
  if (body.metadata !== undefined) checkMetadata(body.metadata, place)
  return {
    ...(body.severity === undefined ? {} : { severity: body.severity }),
    ...(body.assignee_user_id === undefined ? {} : { assigneeUserId: body.assignee_user_id }),
    ...(body.metadata === undefined ? {} : { metadata: { ...body.metadata } }),
    ...(body.waiting_on === undefined ? {} : { waitingOn: body.waiting_on }),
    ...(body.customer_status === undefined ? {} : { customerStatus: body.customer_status }),
    ...(body.tags === undefined ? {} : { tags: body.tags }),
    ...(body.add_tags === undefined ? {} : { addTags: body.add_tags }),
    ...(body.remove_tags === undefined ? {} : { removeTags: body.remove_tags }),
    ...(body.aware_at === undefined ? {} : { awareAt: readAwareAt(body.aware_at, place, nowMs) }),
    ...(body.deadline_at === undefined
      ? {}
      : { deadlineAt: readTime(`${place}/deadline_at`, body.deadline_at) }),
    ...(body.deadlines_met === undefined ? {} : { deadlinesMet: body.deadlines_met }),
  }
}

function checkMetadata(metadata: object, place: string): void {
  const problems: { path: string; reason: string }[] = []
  checkJsonObject({ ...metadata }, `${place}/metadata`, METADATA_LIMITS, problems)
  if (problems[0] !== undefined) throw changeNotValid(problems[0])
}

/** Null removes the time. */
function readTime(path: string, text: string | null): Date | null {
  if (text === null) return null
  const time = parseTimestamp(text)
  if (time !== null) return new Date(time)
  throw changeNotValid({ path, reason: 'must be an ISO 8601 date-time with a zone' })
}

/** Not in the future; clocks differ a little. */
function readAwareAt(text: string | null, place: string, nowMs: number): Date | null {
  const path = `${place}/aware_at`
  const time = readTime(path, text)
  if (time === null || time.getTime() <= nowMs + CLOCK_SKEW_MS) return time
  throw changeNotValid({ path, reason: 'must not be in the future' })
}
