// Operating errors of sign-in, sessions and links. See docs/reference/errors.md.

import { defineErrors, retryAfter } from '../../kernel/define-errors.ts'
import type { FieldProblem } from '../../values/field-problem.ts'

export const {
  signInRefused,
  signInNotBegun,
  signInTooOften,
  mailsTooMany,
  accountHasNoPassword,
  mailNotSetUp,
  passwordsTooMany,
  signInNotSafe,
  originNotOwn,
  csrfTokenMissing,
  passwordNotValid,
  linkNotValid,
  sessionNotFound,
  tenantMissing,
  firstPersonPresent,
} = defineErrors({
  /** The same for an unknown address, a wrong password and a disabled account. */
  signInRefused: [
    401,
    'APP_SIGN_IN_REFUSED',
    'The e-mail address or the password is wrong.',
    { 'www-authenticate': 'Bearer realm="casework"' },
  ],
  /** No cookie, another browser, too late, or used already. */
  signInNotBegun: [
    401,
    'APP_SIGN_IN_NOT_BEGUN',
    'This browser has begun no sign-in, or took longer than five minutes; begin again.',
    { 'www-authenticate': 'Bearer realm="casework"' },
  ],
  signInTooOften: [
    429,
    'APP_SIGN_IN_TOO_OFTEN',
    (waitSeconds: number) => ({
      text: 'There were too many wrong passwords or codes for this account. Wait, or use a browser in which you have signed in before, or ask for a new password.',
      headers: { 'retry-after': String(waitSeconds) },
    }),
  ],
  mailsTooMany: [
    429,
    'APP_MAILS_TOO_MANY',
    (waitSeconds: number) => ({
      text: 'Too many mails were asked for. Look into the mailbox, or wait.',
      headers: { 'retry-after': String(waitSeconds) },
    }),
  ],
  /** The inviter has seen the link too, and must not choose a password for a used account. */
  accountHasNoPassword: [
    409,
    'APP_ACCOUNT_HAS_NO_PASSWORD',
    'This account has no password: its person signs in with a provider. Accept the invitation with that provider.',
  ],
  mailNotSetUp: [
    409,
    'APP_MAIL_NOT_SET_UP',
    'This server sends no mail (CASEWORK_RELAY_URL). An administrator makes a link: `casework user reset` on the machine, or POST /beta/admin/users/{userId}/links.',
  ],
  passwordsTooMany: [
    503,
    'APP_PASSWORDS_TOO_MANY',
    'Too many people sign in at once; try again shortly.',
    retryAfter(2),
  ],
  signInNotSafe: [
    403,
    'APP_SIGN_IN_NOT_SAFE',
    'Passwords are not taken over plain HTTP, except at http://localhost. Put a reverse proxy with TLS in front, and set CASEWORK_PUBLIC_URL to its https address.',
  ],
  originNotOwn: [
    403,
    'APP_ORIGIN_NOT_OWN',
    'This request comes from the page of another site. If it is yours, CASEWORK_PUBLIC_URL must be the address in the browser.',
  ],
  csrfTokenMissing: [
    403,
    'APP_CSRF_TOKEN_MISSING',
    'A request by cookie that changes something needs the header casework-csrf with the csrf_token of GET /beta/session.',
  ],
  passwordNotValid: [
    400,
    'APP_PASSWORD_NOT_VALID',
    (problems: readonly FieldProblem[]) => ({
      text: 'This password is not taken.',
      fields: problems,
    }),
  ],
  /** Used, ended and unknown links are told apart by nobody. */
  linkNotValid: [
    404,
    'APP_LINK_NOT_VALID',
    'This link was used already, has ended, or never was; ask for a new one.',
  ],
  sessionNotFound: [404, 'APP_SESSION_NOT_FOUND', 'There is no such session.'],
  tenantMissing: [
    403,
    'APP_TENANT_MISSING',
    'You work for no tenant of this id; ask its administrator for an invitation.',
  ],
  firstPersonPresent: [
    409,
    'APP_FIRST_PERSON_PRESENT',
    'There is a user already; an administrator invites further ones.',
  ],
})
