// Operating errors of passkeys. See docs/reference/errors.md.

import { defineErrors, retryAfter } from '../../kernel/define-errors.ts'

export const {
  passkeyRefused,
  passkeysNotHere,
  passkeyNotTaken,
  passkeyNotFound,
  challengesTooMany,
} = defineErrors({
  /** Whatever is not as it should be: challenge, origin, host name, person, count, signature. */
  passkeyRefused: [
    401,
    'APP_PASSKEY_REFUSED',
    (cause?: unknown) => ({
      text: 'This passkey is not known here, or did not sign what it was asked to; try again from the beginning.',
      cause,
    }),
    { 'www-authenticate': 'Bearer realm="casework"' },
  ],
  passkeysNotHere: [409, 'APP_PASSKEYS_NOT_HERE', (reason: string) => reason],
  passkeyNotTaken: [
    409,
    'APP_PASSKEY_NOT_TAKEN',
    'This passkey is registered already, or you have 20; remove one first.',
  ],
  passkeyNotFound: [404, 'APP_PASSKEY_NOT_FOUND', 'You have no passkey of this id.'],
  challengesTooMany: [
    429,
    'APP_CHALLENGES_TOO_MANY',
    'Too many sign-ins by passkey were begun from this address; wait some minutes.',
    retryAfter(300),
  ],
})
