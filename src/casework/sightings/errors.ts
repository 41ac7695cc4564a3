// Operating errors of the reporters that a tenant trusts; docs/reference/errors.md lists them.

import { defineErrors } from '../../kernel/define-errors.ts'

export const { trustedReporterNotValid, trustedReporterNotFound, tooManyTrustedReporters } =
  defineErrors({
    trustedReporterNotValid: [
      400,
      'CASEWORK_TRUSTED_REPORTER_NOT_VALID',
      {
        text: 'A trusted reporter is an e-mail address, or a domain that somebody can register.',
        fields: [
          { path: '/reporter', reason: 'is neither an e-mail address nor a registrable domain' },
        ],
      },
    ],
    trustedReporterNotFound: [
      404,
      'CASEWORK_TRUSTED_REPORTER_NOT_FOUND',
      'This reporter is not on the list of trusted reporters.',
    ],
    tooManyTrustedReporters: [
      409,
      'CASEWORK_TOO_MANY_TRUSTED_REPORTERS',
      (reportersMax: number) => `There are ${reportersMax} trusted reporters already; remove one.`,
    ],
  })
