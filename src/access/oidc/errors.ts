// Operating errors of sign-in with a provider. A browser gets their code behind
// `/sign-in#error=`. See docs/reference/errors.md.

import { OperatingError } from '../../kernel/operating-error.ts'

export function providerNotFound(): OperatingError {
  return new OperatingError({
    code: 'APP_PROVIDER_NOT_FOUND',
    status: 404,
    publicMessage: 'There is no provider of this id.',
  })
}

export function providerSilent(cause: unknown): OperatingError {
  return new OperatingError({
    code: 'APP_PROVIDER_SILENT',
    status: 503,
    publicMessage:
      'The provider does not answer. Try again later, or sign in by password; the log of the server has the reason.',
    headers: { 'retry-after': '30' },
    cause,
  })
}

export function providerRefused(cause: unknown): OperatingError {
  return new OperatingError({
    code: 'APP_PROVIDER_REFUSED',
    status: 401,
    publicMessage: 'The provider has refused this sign-in; begin it anew.',
    cause,
  })
}

export function providerAnswerNotValid(cause: unknown): OperatingError {
  return new OperatingError({
    code: 'APP_PROVIDER_ANSWER_NOT_VALID',
    status: 401,
    publicMessage:
      'The answer of the provider is not valid for this sign-in; the log of the server has the reason.',
    cause,
  })
}

/** Of another browser, of a provider that was not asked, used, or older than ten minutes. */
export function providerTryNotValid(): OperatingError {
  return new OperatingError({
    code: 'APP_PROVIDER_TRY_NOT_VALID',
    status: 401,
    publicMessage: 'This sign-in was begun elsewhere, was used already, or has ended.',
  })
}

export function providerTriesTooMany(): OperatingError {
  return new OperatingError({
    code: 'APP_PROVIDER_TRIES_TOO_MANY',
    status: 429,
    publicMessage: 'Too many sign-ins with a provider are under way; try again in ten minutes.',
    headers: { 'retry-after': '600' },
  })
}

export function identityNotLinked(): OperatingError {
  return new OperatingError({
    code: 'APP_IDENTITY_NOT_LINKED',
    status: 403,
    publicMessage:
      'Nobody here is linked to this account of the provider. Use your invitation, or sign in by password and link it.',
  })
}

export function identityTaken(): OperatingError {
  return new OperatingError({
    code: 'APP_IDENTITY_TAKEN',
    status: 409,
    publicMessage: 'This account of the provider is linked to another person.',
  })
}

export function identityNotFound(): OperatingError {
  return new OperatingError({
    code: 'APP_IDENTITY_NOT_FOUND',
    status: 404,
    publicMessage: 'There is no such link to a provider.',
  })
}

export function personDisabled(): OperatingError {
  return new OperatingError({
    code: 'APP_PERSON_DISABLED',
    status: 403,
    publicMessage: 'Your account is disabled; ask your administrator.',
  })
}
