// Operating errors of the administration. See docs/reference/errors.md.

import { OperatingError } from '../kernel/operating-error.ts'
import { type FieldProblem } from '../values/field-problem.ts'

export function tokenNotValid(problems: readonly FieldProblem[]): OperatingError {
  return new OperatingError({
    code: 'APP_TOKEN_NOT_VALID',
    status: 400,
    publicMessage: 'The token cannot be made as described.',
    fields: problems,
  })
}

/** For a grant that the caller does not hold itself; whether the tenant exists stays open. */
export function grantBeyondOwn(what: string): OperatingError {
  return new OperatingError({
    code: 'APP_GRANT_NOT_HELD',
    status: 403,
    publicMessage: `You cannot grant or revoke rights that you do not hold: ${what}.`,
  })
}

export function tokenNotFound(): OperatingError {
  return new OperatingError({
    code: 'APP_TOKEN_NOT_FOUND',
    status: 404,
    publicMessage: 'There is no live token of this id.',
  })
}

export function tokensTooMany(limit: number): OperatingError {
  return new OperatingError({
    code: 'APP_TOKENS_TOO_MANY',
    status: 409,
    publicMessage: `This tenant has ${limit} live tokens already; revoke some that are no longer used.`,
  })
}

export function lastAdministratorToken(): OperatingError {
  return new OperatingError({
    code: 'APP_LAST_ADMINISTRATOR_TOKEN',
    status: 409,
    publicMessage:
      'No other live token has the scope instance:admin. Create another one first, or force the revocation (force=true, --force).',
  })
}

export function tenantNotFound(): OperatingError {
  return new OperatingError({
    code: 'APP_TENANT_NOT_FOUND',
    status: 404,
    publicMessage: 'There is no tenant of this id.',
  })
}

export function tenantTaken(): OperatingError {
  return new OperatingError({
    code: 'APP_TENANT_TAKEN',
    status: 409,
    publicMessage: 'There is a tenant of this id already.',
  })
}

export function reportAddressNotValid(problem: FieldProblem): OperatingError {
  return new OperatingError({
    code: 'APP_REPORT_ADDRESS_NOT_VALID',
    status: 400,
    publicMessage: 'The address cannot be assigned to this tenant.',
    fields: [problem],
  })
}

export function reportAddressNotFound(): OperatingError {
  return new OperatingError({
    code: 'APP_REPORT_ADDRESS_NOT_FOUND',
    status: 404,
    publicMessage: 'This address belongs to no tenant.',
  })
}

export function ownerResolverNotValid(problems: readonly FieldProblem[]): OperatingError {
  return new OperatingError({
    code: 'APP_OWNER_RESOLVER_NOT_VALID',
    status: 400,
    publicMessage: 'The resolver is not valid; nothing was changed.',
    fields: problems,
  })
}

export function ownerResolverNotFound(): OperatingError {
  return new OperatingError({
    code: 'APP_OWNER_RESOLVER_NOT_FOUND',
    status: 404,
    publicMessage: 'This tenant has no resolver.',
  })
}

export function adminCursorNotValid(): OperatingError {
  return new OperatingError({
    code: 'APP_CURSOR_NOT_VALID',
    status: 400,
    publicMessage:
      'The cursor does not belong to this list and these parameters; start again without it.',
    fields: [{ path: '/cursor', reason: 'is not valid here' }],
  })
}
