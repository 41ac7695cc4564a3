// Operating errors of the desk; docs/reference/errors.md lists them.

import { defineErrors, retryAfter } from '../../kernel/define-errors.ts'
import type { FieldProblem } from '../../values/field-problem.ts'

export const {
  viewNotFound,
  viewNotValid,
  tooManyViews,
  tooManyStreams,
  statsTooWide,
  statsBusy,
  statsTooSlow,
} = defineErrors({
  viewNotFound: [
    404,
    'CASEWORK_VIEW_NOT_FOUND',
    'There is no such view; GET /beta/casework/views lists them.',
  ],
  viewNotValid: [
    400,
    'CASEWORK_VIEW_NOT_VALID',
    (problems: readonly FieldProblem[]) => ({
      text: 'The list would refuse this view; nothing was stored.',
      fields: problems,
    }),
  ],
  tooManyViews: [
    409,
    'CASEWORK_TOO_MANY_VIEWS',
    (max: number) => `There are ${max} views already, which is the limit; delete one first.`,
  ],
  tooManyStreams: [
    429,
    'CASEWORK_TOO_MANY_STREAMS',
    'This token, this address or this server has as many open streams of changes as it may; close one first.',
    retryAfter(5),
  ],
  statsTooWide: [
    400,
    'CASEWORK_STATS_TOO_WIDE',
    (max: number) =>
      `There are more than ${max} records in this time, which is the limit; take less time at once, or narrow it down by customer_id, case_group or event_type.`,
  ],
  statsBusy: [
    503,
    'CASEWORK_STATS_BUSY',
    'Too many statistics are being counted on this node; try again shortly.',
    retryAfter(2),
  ],
  statsTooSlow: [
    503,
    'CASEWORK_STATS_TOO_SLOW',
    (maxMs: number, cause: unknown) => ({
      text: `Counting took longer than ${maxMs / 1_000} s, which is the limit; take less time at once, or try again when the database is less busy.`,
      cause,
    }),
    retryAfter(10),
  ],
})
