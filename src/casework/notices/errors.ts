// Operating errors of notices; docs/reference/errors.md lists them.

import { OperatingError } from '../../kernel/operating-error.ts'
import type { FieldProblem } from '../../values/field-problem.ts'

export function templateNotFound(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_TEMPLATE_NOT_FOUND',
    status: 404,
    publicMessage: 'There is no such template.',
  })
}

export function templateNotValid(problems: readonly FieldProblem[]): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_TEMPLATE_NOT_VALID',
    status: 400,
    publicMessage: 'The template cannot be used; nothing was stored or sent.',
    fields: problems,
  })
}

export function tooManyTemplates(max: number): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_TOO_MANY_TEMPLATES',
    status: 409,
    publicMessage: `There are ${max} templates already, which is the limit; delete one first.`,
  })
}

export function noticeNotFound(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_NOTICE_NOT_FOUND',
    status: 404,
    publicMessage: 'There is no such notice.',
  })
}

export function noticeNotPossible(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_NOTICE_NOT_POSSIBLE',
    status: 409,
    publicMessage: 'There is no address to which the notice could be sent.',
  })
}

export function noticeWaits(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_NOTICE_WAITS',
    status: 409,
    publicMessage: 'The notice waits to be sent already.',
  })
}

export function cancelNotPossible(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_NOTICE_NOT_CANCELLABLE',
    status: 409,
    publicMessage:
      'Only a notice that is held or waits can be cancelled, and not one that is being sent or is in a digest.',
  })
}

export function noticeLimitsNotValid(problems: readonly FieldProblem[]): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_NOTICE_LIMITS_NOT_VALID',
    status: 400,
    publicMessage: 'The limits cannot be used; nothing was changed.',
    fields: problems,
  })
}

export function relayNotSet(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_RELAY_NOT_SET',
    status: 409,
    publicMessage: 'No relay is set (CASEWORK_RELAY_URL and CASEWORK_MAIL_FROM): nothing is sent.',
  })
}

export function testMailNotValid(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_TEST_MAIL_NOT_VALID',
    status: 400,
    publicMessage: 'A test mail goes to one e-mail address.',
    fields: [{ path: '/to', reason: 'is no e-mail address' }],
  })
}

export function suppressedAddressNotValid(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_SUPPRESSED_ADDRESS_NOT_VALID',
    status: 400,
    publicMessage: 'The path must name an e-mail address.',
  })
}

export function suppressedAddressNotFound(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_SUPPRESSED_ADDRESS_NOT_FOUND',
    status: 404,
    publicMessage: 'This address is not on the list.',
  })
}
