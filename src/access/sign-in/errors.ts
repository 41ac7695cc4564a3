// Operating errors of sign-in, sessions and links. See docs/reference/errors.md.

import { OperatingError } from '../../kernel/operating-error.ts'
import type { FieldProblem } from '../../values/field-problem.ts'

/** The same for an unknown address, a wrong password and a disabled account. */
export function signInRefused(): OperatingError {
  return new OperatingError({
    code: 'APP_SIGN_IN_REFUSED',
    status: 401,
    publicMessage: 'The e-mail address or the password is wrong.',
    headers: { 'www-authenticate': 'Bearer realm="casework"' },
  })
}

/** No cookie, another browser, too late, or used already. */
export function signInNotBegun(): OperatingError {
  return new OperatingError({
    code: 'APP_SIGN_IN_NOT_BEGUN',
    status: 401,
    publicMessage:
      'This browser has begun no sign-in, or took longer than five minutes; begin again.',
    headers: { 'www-authenticate': 'Bearer realm="casework"' },
  })
}

export function signInTooOften(waitSeconds: number): OperatingError {
  return new OperatingError({
    code: 'APP_SIGN_IN_TOO_OFTEN',
    status: 429,
    publicMessage:
      'There were too many wrong passwords or codes for this account. Wait, or use a browser in which you have signed in before, or ask for a new password.',
    headers: { 'retry-after': String(waitSeconds) },
  })
}

export function mailsTooMany(waitSeconds: number): OperatingError {
  return new OperatingError({
    code: 'APP_MAILS_TOO_MANY',
    status: 429,
    publicMessage: 'Too many mails were asked for. Look into the mailbox, or wait.',
    headers: { 'retry-after': String(waitSeconds) },
  })
}

/** The inviter has seen the link too, and must not choose a password for a used account. */
export function accountHasNoPassword(): OperatingError {
  return new OperatingError({
    code: 'APP_ACCOUNT_HAS_NO_PASSWORD',
    status: 409,
    publicMessage:
      'This account has no password: its person signs in with a provider. Accept the invitation with that provider.',
  })
}

export function mailNotSetUp(): OperatingError {
  return new OperatingError({
    code: 'APP_MAIL_NOT_SET_UP',
    status: 409,
    publicMessage:
      'This server sends no mail (CASEWORK_RELAY_URL). An administrator makes a link: `casework user reset` on the machine, or POST /beta/admin/users/{userId}/links.',
  })
}

export function passwordsTooMany(): OperatingError {
  return new OperatingError({
    code: 'APP_PASSWORDS_TOO_MANY',
    status: 503,
    publicMessage: 'Too many people sign in at once; try again shortly.',
    headers: { 'retry-after': '2' },
  })
}

export function signInNotSafe(): OperatingError {
  return new OperatingError({
    code: 'APP_SIGN_IN_NOT_SAFE',
    status: 403,
    publicMessage:
      'Passwords are not taken over plain HTTP, except at http://localhost. Put a reverse proxy with TLS in front, and set CASEWORK_PUBLIC_URL to its https address.',
  })
}

export function originNotOwn(): OperatingError {
  return new OperatingError({
    code: 'APP_ORIGIN_NOT_OWN',
    status: 403,
    publicMessage:
      'This request comes from the page of another site. If it is yours, CASEWORK_PUBLIC_URL must be the address in the browser.',
  })
}

export function csrfTokenMissing(): OperatingError {
  return new OperatingError({
    code: 'APP_CSRF_TOKEN_MISSING',
    status: 403,
    publicMessage:
      'A request by cookie that changes something needs the header casework-csrf with the csrf_token of GET /beta/session.',
  })
}

export function passwordNotValid(problems: readonly FieldProblem[]): OperatingError {
  return new OperatingError({
    code: 'APP_PASSWORD_NOT_VALID',
    status: 400,
    publicMessage: 'This password is not taken.',
    fields: problems,
  })
}

/** Used, ended and unknown links are told apart by nobody. */
export function linkNotValid(): OperatingError {
  return new OperatingError({
    code: 'APP_LINK_NOT_VALID',
    status: 404,
    publicMessage: 'This link was used already, has ended, or never was; ask for a new one.',
  })
}

export function sessionNotFound(): OperatingError {
  return new OperatingError({
    code: 'APP_SESSION_NOT_FOUND',
    status: 404,
    publicMessage: 'There is no such session.',
  })
}

export function tenantMissing(): OperatingError {
  return new OperatingError({
    code: 'APP_TENANT_MISSING',
    status: 403,
    publicMessage: 'You work for no tenant of this id; ask its administrator for an invitation.',
  })
}

export function firstPersonPresent(): OperatingError {
  return new OperatingError({
    code: 'APP_FIRST_PERSON_PRESENT',
    status: 409,
    publicMessage: 'There is a user already; an administrator invites further ones.',
  })
}
