// Operating errors of device codes (RFC 8628 section 3.5). See docs/reference/errors.md.

import { defineErrors } from '../../kernel/define-errors.ts'

export const {
  devicePending,
  deviceTooFast,
  deviceDenied,
  deviceCodeEnded,
  userCodeNotFound,
  userCodesTooMany,
  deviceCodesTooMany,
} = defineErrors({
  /** `authorization_pending` of RFC 8628. */
  devicePending: [
    400,
    'APP_DEVICE_PENDING',
    (waitSeconds: number) => ({
      text: 'Nobody has decided on this code yet; ask again later.',
      headers: { 'retry-after': String(waitSeconds) },
    }),
  ],
  /** `slow_down` of RFC 8628. */
  deviceTooFast: [
    400,
    'APP_DEVICE_TOO_FAST',
    (waitSeconds: number) => ({
      text: 'You ask too often; wait five seconds more between two requests.',
      headers: { 'retry-after': String(waitSeconds) },
    }),
  ],
  /** `access_denied` of RFC 8628. */
  deviceDenied: [400, 'APP_DEVICE_DENIED', 'The person has denied this login.'],
  /** `expired_token` of RFC 8628; used and unknown codes are answered alike. */
  deviceCodeEnded: [
    400,
    'APP_DEVICE_CODE_ENDED',
    'This code was used already, has ended, or never was; begin the login anew.',
  ],
  userCodeNotFound: [
    404,
    'APP_USER_CODE_NOT_FOUND',
    'No login waits for this code; compare it with the one that the program shows.',
  ],
  userCodesTooMany: [
    429,
    'APP_USER_CODES_TOO_MANY',
    (waitSeconds: number) => ({
      text: 'You have typed too many wrong codes; wait.',
      headers: { 'retry-after': String(waitSeconds) },
    }),
  ],
  deviceCodesTooMany: [
    429,
    'APP_DEVICE_CODES_TOO_MANY',
    (waitSeconds: number) => ({
      text: 'Too many logins wait for a person; decide on these, or wait until they end.',
      headers: { 'retry-after': String(waitSeconds) },
    }),
  ],
})
