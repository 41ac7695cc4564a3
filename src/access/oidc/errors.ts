// Operating errors of sign-in with a provider. A browser gets their code behind
// `/sign-in#error=`. See docs/reference/errors.md.

import { defineErrors, retryAfter } from '../../kernel/define-errors.ts'

export const {
  providerNotFound,
  providerSilent,
  providerRefused,
  providerAnswerNotValid,
  providerTryNotValid,
  providerTriesTooMany,
  identityNotLinked,
  identityTaken,
  identityNotFound,
  personDisabled,
} = defineErrors({
  providerNotFound: [404, 'APP_PROVIDER_NOT_FOUND', 'There is no provider of this id.'],
  providerSilent: [
    503,
    'APP_PROVIDER_SILENT',
    (cause: unknown) => ({
      text: 'The provider does not answer. Try again later, or sign in by password; the log of the server has the reason.',
      cause,
    }),
    retryAfter(30),
  ],
  providerRefused: [
    401,
    'APP_PROVIDER_REFUSED',
    (cause: unknown) => ({ text: 'The provider has refused this sign-in; begin it anew.', cause }),
  ],
  providerAnswerNotValid: [
    401,
    'APP_PROVIDER_ANSWER_NOT_VALID',
    (cause: unknown) => ({
      text: 'The answer of the provider is not valid for this sign-in; the log of the server has the reason.',
      cause,
    }),
  ],
  /** Of another browser, of a provider that was not asked, used, or older than ten minutes. */
  providerTryNotValid: [
    401,
    'APP_PROVIDER_TRY_NOT_VALID',
    'This sign-in was begun elsewhere, was used already, or has ended.',
  ],
  providerTriesTooMany: [
    429,
    'APP_PROVIDER_TRIES_TOO_MANY',
    'Too many sign-ins with a provider are under way; try again in ten minutes.',
    retryAfter(600),
  ],
  identityNotLinked: [
    403,
    'APP_IDENTITY_NOT_LINKED',
    'Nobody here is linked to this account of the provider. Use your invitation, or sign in by password and link it.',
  ],
  identityTaken: [
    409,
    'APP_IDENTITY_TAKEN',
    'This account of the provider is linked to another person.',
  ],
  identityNotFound: [404, 'APP_IDENTITY_NOT_FOUND', 'There is no such link to a provider.'],
  personDisabled: [403, 'APP_PERSON_DISABLED', 'Your account is disabled; ask your administrator.'],
})
