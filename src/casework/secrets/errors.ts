// Operating errors of stored secrets; docs/reference/errors.md lists them.

import { OperatingError } from '../../kernel/operating-error.ts'

export function secretNotFound(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_SECRET_NOT_FOUND',
    status: 404,
    publicMessage: 'There is no secret of this name.',
  })
}

export function tooManySecrets(max: number): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_TOO_MANY_SECRETS',
    status: 409,
    publicMessage: `There are ${max} secrets already, which is the limit; delete one that nothing uses.`,
  })
}
