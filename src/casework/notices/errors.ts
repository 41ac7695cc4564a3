// Operating errors of notices; docs/reference/errors.md lists them.

import { defineErrors } from '../../kernel/define-errors.ts'
import type { FieldProblem } from '../../values/field-problem.ts'

export const {
  templateNotFound,
  templateNotValid,
  tooManyTemplates,
  noticeNotFound,
  noticeNotPossible,
  noticeWaits,
  cancelNotPossible,
  noticeLimitsNotValid,
  relayNotSet,
  testMailNotValid,
  suppressedAddressNotValid,
  suppressedAddressNotFound,
} = defineErrors({
  templateNotFound: [404, 'CASEWORK_TEMPLATE_NOT_FOUND', 'There is no such template.'],
  templateNotValid: [
    400,
    'CASEWORK_TEMPLATE_NOT_VALID',
    (problems: readonly FieldProblem[]) => ({
      text: 'The template cannot be used; nothing was stored or sent.',
      fields: problems,
    }),
  ],
  tooManyTemplates: [
    409,
    'CASEWORK_TOO_MANY_TEMPLATES',
    (max: number) => `There are ${max} templates already, which is the limit; delete one first.`,
  ],
  noticeNotFound: [404, 'CASEWORK_NOTICE_NOT_FOUND', 'There is no such notice.'],
  noticeNotPossible: [
    409,
    'CASEWORK_NOTICE_NOT_POSSIBLE',
    'There is no address to which the notice could be sent.',
  ],
  noticeWaits: [409, 'CASEWORK_NOTICE_WAITS', 'The notice waits to be sent already.'],
  cancelNotPossible: [
    409,
    'CASEWORK_NOTICE_NOT_CANCELLABLE',
    'Only a notice that is held or waits can be cancelled, and not one that is being sent or is in a digest.',
  ],
  noticeLimitsNotValid: [
    400,
    'CASEWORK_NOTICE_LIMITS_NOT_VALID',
    (problems: readonly FieldProblem[]) => ({
      text: 'The limits cannot be used; nothing was changed.',
      fields: problems,
    }),
  ],
  relayNotSet: [
    409,
    'CASEWORK_RELAY_NOT_SET',
    'No relay is set (CASEWORK_RELAY_URL and CASEWORK_MAIL_FROM): nothing is sent.',
  ],
  testMailNotValid: [
    400,
    'CASEWORK_TEST_MAIL_NOT_VALID',
    {
      text: 'A test mail goes to one e-mail address.',
      fields: [{ path: '/to', reason: 'is no e-mail address' }],
    },
  ],
  suppressedAddressNotValid: [
    400,
    'CASEWORK_SUPPRESSED_ADDRESS_NOT_VALID',
    'The path must name an e-mail address.',
  ],
  suppressedAddressNotFound: [
    404,
    'CASEWORK_SUPPRESSED_ADDRESS_NOT_FOUND',
    'This address is not on the list.',
  ],
})
