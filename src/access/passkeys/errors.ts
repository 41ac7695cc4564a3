// Operating errors of passkeys. See docs/reference/errors.md.

import { OperatingError } from '../../kernel/operating-error.ts'

/** Whatever is not as it should be: challenge, origin, host name, person, count, signature. */
export function passkeyRefused(cause?: unknown): OperatingError {
  return new OperatingError({
    code: 'APP_PASSKEY_REFUSED',
    status: 401,
    publicMessage:
      'This passkey is not known here, or did not sign what it was asked to; try again from the beginning.',
    headers: { 'www-authenticate': 'Bearer realm="casework"' },
    cause,
  })
}

export function passkeysNotHere(reason: string): OperatingError {
  return new OperatingError({ code: 'APP_PASSKEYS_NOT_HERE', status: 409, publicMessage: reason })
}

export function passkeyNotTaken(): OperatingError {
  return new OperatingError({
    code: 'APP_PASSKEY_NOT_TAKEN',
    status: 409,
    publicMessage: 'This passkey is registered already, or you have 20; remove one first.',
  })
}

export function passkeyNotFound(): OperatingError {
  return new OperatingError({
    code: 'APP_PASSKEY_NOT_FOUND',
    status: 404,
    publicMessage: 'You have no passkey of this id.',
  })
}

export function challengesTooMany(): OperatingError {
  return new OperatingError({
    code: 'APP_CHALLENGES_TOO_MANY',
    status: 429,
    publicMessage: 'Too many sign-ins by passkey were begun from this address; wait some minutes.',
    headers: { 'retry-after': '300' },
  })
}
