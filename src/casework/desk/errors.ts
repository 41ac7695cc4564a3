// Operating errors of the desk; docs/reference/errors.md lists them.

import { OperatingError } from '../../kernel/operating-error.ts'
import type { FieldProblem } from '../../values/field-problem.ts'

export function viewNotFound(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_VIEW_NOT_FOUND',
    status: 404,
    publicMessage: 'There is no such view; GET /beta/casework/views lists them.',
  })
}

export function viewNotValid(problems: readonly FieldProblem[]): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_VIEW_NOT_VALID',
    status: 400,
    publicMessage: 'The list would refuse this view; nothing was stored.',
    fields: problems,
  })
}

export function tooManyViews(max: number): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_TOO_MANY_VIEWS',
    status: 409,
    publicMessage: `There are ${max} views already, which is the limit; delete one first.`,
  })
}

export function tooManyStreams(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_TOO_MANY_STREAMS',
    status: 429,
    publicMessage:
      'This token, this address or this server has as many open streams of changes as it may; close one first.',
    headers: { 'retry-after': '5' },
  })
}

export function statsTooWide(max: number): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_STATS_TOO_WIDE',
    status: 400,
    publicMessage: `There are more than ${max} records in this time, which is the limit; take less time at once, or narrow it down by customer_id, case_group or event_type.`,
  })
}

export function statsBusy(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_STATS_BUSY',
    status: 503,
    publicMessage: 'Too many statistics are being counted on this node; try again shortly.',
    headers: { 'retry-after': '2' },
  })
}

export function statsTooSlow(maxMs: number, cause: unknown): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_STATS_TOO_SLOW',
    status: 503,
    publicMessage: `Counting took longer than ${maxMs / 1_000} s, which is the limit; take less time at once, or try again when the database is less busy.`,
    headers: { 'retry-after': '10' },
    cause,
  })
}
