// Operating errors of the casework area. See docs/reference/errors.md. What belongs to another
// tenant gives the same error as what is not there, so none of these may tell an id that the caller
// did not send.

import { defineErrors, retryAfter } from '../../kernel/define-errors.ts'
import { type FieldProblem } from '../../values/field-problem.ts'

export const {
  caseNotFound,
  eventNotFound,
  reportNotFound,
  reportNotReadYet,
  reportIsCorrected,
  tooManyCorrections,
  noRegressionCase,
  reportIsNoAnswer,
  answerTakesNoPath,
  rawReportNotKept,
  caseGroupNotFound,
  eventNotValid,
  eventsNotReadable,
  changeNotValid,
  versionIsStale,
  moveNotAllowed,
  changeNotAllowed,
  caseIsMerged,
  keyHasOpenCase,
  caseGroupDeleted,
  bulkChangeNotFound,
  mergeNotAllowed,
  ingestBusy,
  readersBusy,
} = defineErrors({
  caseNotFound: [404, 'CASEWORK_CASE_NOT_FOUND', 'There is no case of this id.'],
  eventNotFound: [404, 'CASEWORK_EVENT_NOT_FOUND', 'There is no event of this id.'],
  reportNotFound: [404, 'CASEWORK_REPORT_NOT_FOUND', 'There is no report of this id.'],
  reportNotReadYet: [
    409,
    'CASEWORK_REPORT_NOT_READ_YET',
    'The report has not been read yet; try again in some minutes.',
  ],
  reportIsCorrected: [
    409,
    'CASEWORK_REPORT_IS_CORRECTED',
    'A person corrected what was read out of this report, so it is not read again. Correct it once more instead.',
  ],
  tooManyCorrections: [
    409,
    'CASEWORK_TOO_MANY_CORRECTIONS',
    (max: number) => `The report was corrected ${max} times already, the most that are kept.`,
  ],
  noRegressionCase: [
    409,
    'CASEWORK_NO_REGRESSION_CASE',
    (why: string) => `No test case can be made of this report: ${why}.`,
  ],
  reportIsNoAnswer: [
    409,
    'CASEWORK_REPORT_IS_NO_ANSWER',
    (why: string) => `This report cannot be taken as an answer: ${why}.`,
  ],
  answerTakesNoPath: [
    409,
    'CASEWORK_ANSWER_TAKES_NO_PATH',
    (why: string) =>
      `Nothing was stored, because the answer can take no path: ${why}. Take it without a path, and trigger the playbook.`,
  ],
  rawReportNotKept: [
    410,
    'CASEWORK_RAW_REPORT_NOT_KEPT',
    'The bytes of this report are no longer stored: their retention time is over, or an address in them was erased.',
  ],
  caseGroupNotFound: [
    404,
    'CASEWORK_CASE_GROUP_NOT_FOUND',
    'There is no case group of this id; GET /beta/casework/case-groups lists them.',
  ],
  eventNotValid: [
    400,
    'CASEWORK_EVENT_NOT_VALID',
    (problems: readonly FieldProblem[]) => ({ text: 'The event is not valid.', fields: problems }),
  ],
  eventsNotReadable: [
    400,
    'CASEWORK_EVENTS_NOT_READABLE',
    (publicMessage: string) => publicMessage,
  ],
  changeNotValid: [
    400,
    'CASEWORK_CHANGE_NOT_VALID',
    (problem: FieldProblem) => ({ text: 'The change is not valid.', fields: [problem] }),
  ],
  versionIsStale: [
    412,
    'CASEWORK_VERSION_IS_STALE',
    (record: 'case' | 'report' = 'case') =>
      `The ${record} was changed after the version you name; read it again and repeat the change.`,
  ],
  moveNotAllowed: [
    409,
    'CASEWORK_MOVE_NOT_ALLOWED',
    (from: string, to: string) => `A case cannot go from ${from} to ${to}.`,
  ],
  changeNotAllowed: [
    409,
    'CASEWORK_CHANGE_NOT_ALLOWED',
    (member: string, why: string) => `${member} cannot be changed to this value: ${why}.`,
  ],
  caseIsMerged: [
    409,
    'CASEWORK_CASE_IS_MERGED',
    'The case was merged into another one; work on that one, or undo the merge.',
  ],
  keyHasOpenCase: [
    409,
    'CASEWORK_SLOT_IS_TAKEN',
    (openCaseId: string) =>
      `The case cannot be opened again while ${openCaseId} is open for the same key.`,
  ],
  caseGroupDeleted: [
    409,
    'CASEWORK_CASE_GROUP_DELETED',
    'The case group of this case was deleted, so none of its cases can be open. Merge the case into an open case instead.',
  ],
  bulkChangeNotFound: [
    404,
    'CASEWORK_BULK_CHANGE_NOT_FOUND',
    (days: number) =>
      `There is no bulk change of this id that can be undone; each can be for ${days} days.`,
  ],
  mergeNotAllowed: [
    409,
    'CASEWORK_MERGE_NOT_ALLOWED',
    (why: string) => `Nothing was merged, unmerged or split: ${why}.`,
  ],
  ingestBusy: [
    503,
    'CASEWORK_INTAKE_BUSY',
    'The queue of events on this node is full. Nothing was stored; try again shortly.',
    retryAfter(1),
  ],
  /** A report that was handed in is kept by then, and the sweep of unread reports reads it. */
  readersBusy: [
    503,
    'CASEWORK_READERS_BUSY',
    'The queue of reports on this node is full. A report that was sent is stored and will be read within some minutes; try a dry run again shortly.',
    retryAfter(5),
  ],
})
