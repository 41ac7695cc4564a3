// Operating errors of the casework area. See docs/reference/errors.md. What belongs to another
// tenant gives the same error as what is not there, so none of these may tell an id that the caller
// did not send.

import { OperatingError } from '../../kernel/operating-error.ts'
import { type FieldProblem } from '../../values/field-problem.ts'

export function caseNotFound(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_CASE_NOT_FOUND',
    status: 404,
    publicMessage: 'There is no case of this id.',
  })
}

export function eventNotFound(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_EVENT_NOT_FOUND',
    status: 404,
    publicMessage: 'There is no event of this id.',
  })
}

export function reportNotFound(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_REPORT_NOT_FOUND',
    status: 404,
    publicMessage: 'There is no report of this id.',
  })
}

export function reportNotReadYet(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_REPORT_NOT_READ_YET',
    status: 409,
    publicMessage: 'The report has not been read yet; try again in some minutes.',
  })
}

export function reportIsCorrected(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_REPORT_IS_CORRECTED',
    status: 409,
    publicMessage:
      'A person corrected what was read out of this report, so it is not read again. Correct it once more instead.',
  })
}

export function tooManyCorrections(max: number): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_TOO_MANY_CORRECTIONS',
    status: 409,
    publicMessage: `The report was corrected ${max} times already, the most that are kept.`,
  })
}

export function noRegressionCase(why: string): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_NO_REGRESSION_CASE',
    status: 409,
    publicMessage: `No test case can be made of this report: ${why}.`,
  })
}

export function reportIsNoAnswer(why: string): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_REPORT_IS_NO_ANSWER',
    status: 409,
    publicMessage: `This report cannot be taken as an answer: ${why}.`,
  })
}

export function answerTakesNoPath(why: string): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_ANSWER_TAKES_NO_PATH',
    status: 409,
    publicMessage: `Nothing was stored, because the answer can take no path: ${why}. Take it without a path, and trigger the playbook.`,
  })
}

export function rawReportNotKept(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_RAW_REPORT_NOT_KEPT',
    status: 410,
    publicMessage:
      'The bytes of this report are no longer stored: their retention time is over, or an address in them was erased.',
  })
}

export function caseGroupNotFound(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_CASE_GROUP_NOT_FOUND',
    status: 404,
    publicMessage: 'There is no case group of this id; GET /beta/casework/case-groups lists them.',
  })
}

export function eventNotValid(problems: readonly FieldProblem[]): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_EVENT_NOT_VALID',
    status: 400,
    publicMessage: 'The event is not valid.',
    fields: problems,
  })
}

export function eventsNotReadable(publicMessage: string): OperatingError {
  return new OperatingError({ code: 'CASEWORK_EVENTS_NOT_READABLE', status: 400, publicMessage })
}

export function changeNotValid(problem: FieldProblem): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_CHANGE_NOT_VALID',
    status: 400,
    publicMessage: 'The change is not valid.',
    fields: [problem],
  })
}

export function versionIsStale(record: 'case' | 'report' = 'case'): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_VERSION_IS_STALE',
    status: 412,
    publicMessage: `The ${record} was changed after the version you name; read it again and repeat the change.`,
  })
}

export function moveNotAllowed(from: string, to: string): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_MOVE_NOT_ALLOWED',
    status: 409,
    publicMessage: `A case cannot go from ${from} to ${to}.`,
  })
}

export function changeNotAllowed(member: string, why: string): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_CHANGE_NOT_ALLOWED',
    status: 409,
    publicMessage: `${member} cannot be changed to this value: ${why}.`,
  })
}

export function caseIsMerged(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_CASE_IS_MERGED',
    status: 409,
    publicMessage: 'The case was merged into another one; work on that one, or undo the merge.',
  })
}

export function keyHasOpenCase(openCaseId: string): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_SLOT_IS_TAKEN',
    status: 409,
    publicMessage: `The case cannot be opened again while ${openCaseId} is open for the same key.`,
  })
}

export function caseGroupDeleted(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_CASE_GROUP_DELETED',
    status: 409,
    publicMessage:
      'The case group of this case was deleted, so none of its cases can be open. Merge the case into an open case instead.',
  })
}

export function bulkChangeNotFound(days: number): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_BULK_CHANGE_NOT_FOUND',
    status: 404,
    publicMessage: `There is no bulk change of this id that can be undone; each can be for ${days} days.`,
  })
}

export function mergeNotAllowed(why: string): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_MERGE_NOT_ALLOWED',
    status: 409,
    publicMessage: `Nothing was merged, unmerged or split: ${why}.`,
  })
}

export function ingestBusy(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_INTAKE_BUSY',
    status: 503,
    publicMessage:
      'The queue of events on this node is full. Nothing was stored; try again shortly.',
    headers: { 'retry-after': '1' },
  })
}

/** A report that was handed in is kept by then, and the sweep of unread reports reads it. */
export function readersBusy(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_READERS_BUSY',
    status: 503,
    publicMessage:
      'The queue of reports on this node is full. A report that was sent is stored and will be read within some minutes; try a dry run again shortly.',
    headers: { 'retry-after': '5' },
  })
}
