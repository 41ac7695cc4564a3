// Operating errors of device codes (RFC 8628 section 3.5). See docs/reference/errors.md.

import { OperatingError } from '../../kernel/operating-error.ts'

/** `authorization_pending` of RFC 8628. */
export function devicePending(waitSeconds: number): OperatingError {
  return new OperatingError({
    code: 'APP_DEVICE_PENDING',
    status: 400,
    publicMessage: 'Nobody has decided on this code yet; ask again later.',
    headers: { 'retry-after': String(waitSeconds) },
  })
}

/** `slow_down` of RFC 8628. */
export function deviceTooFast(waitSeconds: number): OperatingError {
  return new OperatingError({
    code: 'APP_DEVICE_TOO_FAST',
    status: 400,
    publicMessage: 'You ask too often; wait five seconds more between two requests.',
    headers: { 'retry-after': String(waitSeconds) },
  })
}

/** `access_denied` of RFC 8628. */
export function deviceDenied(): OperatingError {
  return new OperatingError({
    code: 'APP_DEVICE_DENIED',
    status: 400,
    publicMessage: 'The person has denied this login.',
  })
}

/** `expired_token` of RFC 8628; used and unknown codes are answered alike. */
export function deviceCodeEnded(): OperatingError {
  return new OperatingError({
    code: 'APP_DEVICE_CODE_ENDED',
    status: 400,
    publicMessage: 'This code was used already, has ended, or never was; begin the login anew.',
  })
}

export function userCodeNotFound(): OperatingError {
  return new OperatingError({
    code: 'APP_USER_CODE_NOT_FOUND',
    status: 404,
    publicMessage: 'No login waits for this code; compare it with the one that the program shows.',
  })
}

export function userCodesTooMany(waitSeconds: number): OperatingError {
  return new OperatingError({
    code: 'APP_USER_CODES_TOO_MANY',
    status: 429,
    publicMessage: 'You have typed too many wrong codes; wait.',
    headers: { 'retry-after': String(waitSeconds) },
  })
}

export function deviceCodesTooMany(waitSeconds: number): OperatingError {
  return new OperatingError({
    code: 'APP_DEVICE_CODES_TOO_MANY',
    status: 429,
    publicMessage: 'Too many logins wait for a person; decide on these, or wait until they end.',
    headers: { 'retry-after': String(waitSeconds) },
  })
}
