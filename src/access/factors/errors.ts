// Operating errors of second factors. See docs/reference/errors.md.

import { defineErrors } from '../../kernel/define-errors.ts'

export const {
  factorRefused,
  oneFactorNeeded,
  proofNeeded,
  factorNotFound,
  factorPresent,
  factorRequired,
  factorNotSetUp,
  factorMissing,
} = defineErrors({
  /** The same for a wrong code, a used one, and a factor that the person does not have. */
  factorRefused: [
    401,
    'APP_FACTOR_REFUSED',
    'This code is wrong, or was used already. A code of an app is good once: wait for the next one.',
    { 'www-authenticate': 'Bearer realm="casework"' },
  ],
  oneFactorNeeded: [400, 'APP_ONE_FACTOR_NEEDED', 'Give exactly one proof.'],
  /** A change of factors needs a proof that is fresh. */
  proofNeeded: [
    403,
    'APP_PROOF_NEEDED',
    'Prove first that it is you, by POST /beta/session/proof with your password or a factor: the last proof is older than ten minutes.',
  ],
  factorNotFound: [404, 'APP_FACTOR_NOT_FOUND', 'You have no such second factor.'],
  factorPresent: [
    409,
    'APP_FACTOR_PRESENT',
    'You have an authenticator app already; remove it first.',
  ],
  factorRequired: [
    409,
    'APP_FACTOR_REQUIRED',
    'This instance or a tenant of yours requires a second factor, and this is your last one; set up another one first.',
  ],
  /** The session can do nothing else before. */
  factorNotSetUp: [
    403,
    'APP_FACTOR_MUST_BE_SET_UP',
    'A second factor is required here: set up one first, by POST /beta/session/factors/totp.',
  ],
  /** Recovery codes stand in for a factor, so they need one. */
  factorMissing: [
    409,
    'APP_FACTOR_MISSING',
    'Recovery codes stand in for a second factor; set up one first.',
  ],
})
