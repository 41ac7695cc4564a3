// Operating errors of the administration. See docs/reference/errors.md.

import { defineErrors } from '../kernel/define-errors.ts'
import { type FieldProblem } from '../values/field-problem.ts'

export const {
  tokenNotValid,
  grantBeyondOwn,
  tokenNotFound,
  tokenOfSetting,
  tokensTooMany,
  lastAdministratorToken,
  roleNotValid,
  roleNotFound,
  roleTaken,
  roleIsShipped,
  roleInUse,
  rolesTooMany,
  serviceAccountNotFound,
  serviceAccountTaken,
  serviceAccountsTooMany,
  tenantNotFound,
  tenantTaken,
  reportAddressNotValid,
  reportAddressNotFound,
  ownerResolverNotValid,
  ownerResolverNotFound,
  adminCursorNotValid,
} = defineErrors({
  tokenNotValid: [
    400,
    'APP_TOKEN_NOT_VALID',
    (problems: readonly FieldProblem[]) => ({
      text: 'The token cannot be made as described.',
      fields: problems,
    }),
  ],
  /** For a grant that the caller does not hold itself; whether the tenant exists stays open. */
  grantBeyondOwn: [
    403,
    'APP_GRANT_NOT_HELD',
    (what: string) => `You cannot grant or revoke rights that you do not hold: ${what}.`,
  ],
  tokenNotFound: [404, 'APP_TOKEN_NOT_FOUND', 'There is no live token of this id.'],
  tokenOfSetting: [
    409,
    'APP_TOKEN_NOT_ROTATABLE',
    'This token is the setting CASEWORK_BOOTSTRAP_TOKEN: change the setting and start again.',
  ],
  tokensTooMany: [
    409,
    'APP_TOKENS_TOO_MANY',
    (limit: number) =>
      `This tenant has ${limit} live tokens already; revoke some that are no longer used.`,
  ],
  lastAdministratorToken: [
    409,
    'APP_LAST_ADMINISTRATOR_TOKEN',
    'No other live token has the scope instance:admin. Create another one first, or force the revocation (force=true, --force).',
  ],
  roleNotValid: [
    400,
    'APP_ROLE_NOT_VALID',
    (problems: readonly FieldProblem[]) => ({
      text: 'The role cannot be stored as described.',
      fields: problems,
    }),
  ],
  roleNotFound: [404, 'APP_ROLE_NOT_FOUND', 'There is no role of this name.'],
  roleTaken: [409, 'APP_ROLE_TAKEN', 'There is a role of this name already.'],
  roleIsShipped: [
    409,
    'APP_ROLE_IS_SHIPPED',
    'This role comes with the program and cannot be changed; create one of another name.',
  ],
  roleInUse: [
    409,
    'APP_ROLE_IN_USE',
    (tokens: number, users: number) =>
      `The role is named by live tokens (${tokens}) and users (${users}); revoke the tokens and give the users other roles first.`,
  ],
  rolesTooMany: [
    409,
    'APP_ROLES_TOO_MANY',
    (limit: number) =>
      `This tenant has ${limit} roles already; delete some that are no longer used.`,
  ],
  serviceAccountNotFound: [
    404,
    'APP_SERVICE_ACCOUNT_NOT_FOUND',
    'There is no service account of this id.',
  ],
  serviceAccountTaken: [
    409,
    'APP_SERVICE_ACCOUNT_TAKEN',
    'There is a service account of this id already.',
  ],
  serviceAccountsTooMany: [
    409,
    'APP_SERVICE_ACCOUNTS_TOO_MANY',
    (limit: number) =>
      `This tenant has ${limit} service accounts already; delete some that are no longer used.`,
  ],
  tenantNotFound: [404, 'APP_TENANT_NOT_FOUND', 'There is no tenant of this id.'],
  tenantTaken: [409, 'APP_TENANT_TAKEN', 'There is a tenant of this id already.'],
  reportAddressNotValid: [
    400,
    'APP_REPORT_ADDRESS_NOT_VALID',
    (problem: FieldProblem) => ({
      text: 'The address cannot be assigned to this tenant.',
      fields: [problem],
    }),
  ],
  reportAddressNotFound: [
    404,
    'APP_REPORT_ADDRESS_NOT_FOUND',
    'This address belongs to no tenant.',
  ],
  ownerResolverNotValid: [
    400,
    'APP_OWNER_RESOLVER_NOT_VALID',
    (problems: readonly FieldProblem[]) => ({
      text: 'The resolver is not valid; nothing was changed.',
      fields: problems,
    }),
  ],
  ownerResolverNotFound: [404, 'APP_OWNER_RESOLVER_NOT_FOUND', 'This tenant has no resolver.'],
  adminCursorNotValid: [
    400,
    'APP_CURSOR_NOT_VALID',
    {
      text: 'The cursor does not belong to this list and these parameters; start again without it.',
      fields: [{ path: '/cursor', reason: 'is not valid here' }],
    },
  ],
})
