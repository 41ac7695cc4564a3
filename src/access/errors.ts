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

export function tokenOfSetting(): OperatingError {
  return new OperatingError({
    code: 'APP_TOKEN_NOT_ROTATABLE',
    status: 409,
    publicMessage:
      'This token is the setting CASEWORK_BOOTSTRAP_TOKEN: change the setting and start again.',
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

export function roleNotValid(problems: readonly FieldProblem[]): OperatingError {
  return new OperatingError({
    code: 'APP_ROLE_NOT_VALID',
    status: 400,
    publicMessage: 'The role cannot be stored as described.',
    fields: problems,
  })
}

export function roleNotFound(): OperatingError {
  return new OperatingError({
    code: 'APP_ROLE_NOT_FOUND',
    status: 404,
    publicMessage: 'There is no role of this name.',
  })
}

export function roleTaken(): OperatingError {
  return new OperatingError({
    code: 'APP_ROLE_TAKEN',
    status: 409,
    publicMessage: 'There is a role of this name already.',
  })
}

export function roleIsShipped(): OperatingError {
  return new OperatingError({
    code: 'APP_ROLE_IS_SHIPPED',
    status: 409,
    publicMessage:
      'This role comes with the program and cannot be changed; create one of another name.',
  })
}

export function roleInUse(count: number): OperatingError {
  return new OperatingError({
    code: 'APP_ROLE_IN_USE',
    status: 409,
    publicMessage: `The role is named by live tokens (${count}); revoke them first.`,
  })
}

export function rolesTooMany(limit: number): OperatingError {
  return new OperatingError({
    code: 'APP_ROLES_TOO_MANY',
    status: 409,
    publicMessage: `This tenant has ${limit} roles already; delete some that are no longer used.`,
  })
}

export function serviceAccountNotFound(): OperatingError {
  return new OperatingError({
    code: 'APP_SERVICE_ACCOUNT_NOT_FOUND',
    status: 404,
    publicMessage: 'There is no service account of this id.',
  })
}

export function serviceAccountTaken(): OperatingError {
  return new OperatingError({
    code: 'APP_SERVICE_ACCOUNT_TAKEN',
    status: 409,
    publicMessage: 'There is a service account of this id already.',
  })
}

export function serviceAccountsTooMany(limit: number): OperatingError {
  return new OperatingError({
    code: 'APP_SERVICE_ACCOUNTS_TOO_MANY',
    status: 409,
    publicMessage: `This tenant has ${limit} service accounts already; delete some that are no longer used.`,
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
