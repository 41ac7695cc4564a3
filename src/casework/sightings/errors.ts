// Operating errors of the reporters that a tenant trusts; docs/reference/errors.md lists them.

import { OperatingError } from '../../kernel/operating-error.ts'

export function trustedReporterNotValid(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_TRUSTED_REPORTER_NOT_VALID',
    status: 400,
    publicMessage:
      'A trusted reporter is an e-mail address, or a domain that somebody can register.',
    fields: [
      { path: '/reporter', reason: 'is neither an e-mail address nor a registrable domain' },
    ],
  })
}

export function trustedReporterNotFound(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_TRUSTED_REPORTER_NOT_FOUND',
    status: 404,
    publicMessage: 'This reporter is not on the list of trusted reporters.',
  })
}

export function tooManyTrustedReporters(reportersMax: number): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_TOO_MANY_TRUSTED_REPORTERS',
    status: 409,
    publicMessage: `There are ${reportersMax} trusted reporters already; remove one.`,
  })
}
