// Operating errors of second factors. See docs/reference/errors.md.

import { OperatingError } from '../../kernel/operating-error.ts'

/** The same for a wrong code, a used one, and a factor that the person does not have. */
export function factorRefused(): OperatingError {
  return new OperatingError({
    code: 'APP_FACTOR_REFUSED',
    status: 401,
    publicMessage:
      'This code is wrong, or was used already. A code of an app is good once: wait for the next one.',
    headers: { 'www-authenticate': 'Bearer realm="casework"' },
  })
}

export function oneFactorNeeded(): OperatingError {
  return new OperatingError({
    code: 'APP_ONE_FACTOR_NEEDED',
    status: 400,
    publicMessage: 'Give exactly one proof.',
  })
}

/** A change of factors needs a proof that is fresh. */
export function proofNeeded(): OperatingError {
  return new OperatingError({
    code: 'APP_PROOF_NEEDED',
    status: 403,
    publicMessage:
      'Prove first that it is you, by POST /beta/session/proof with your password or a factor: the last proof is older than ten minutes.',
  })
}

export function factorNotFound(): OperatingError {
  return new OperatingError({
    code: 'APP_FACTOR_NOT_FOUND',
    status: 404,
    publicMessage: 'You have no such second factor.',
  })
}

export function factorPresent(): OperatingError {
  return new OperatingError({
    code: 'APP_FACTOR_PRESENT',
    status: 409,
    publicMessage: 'You have an authenticator app already; remove it first.',
  })
}

export function factorRequired(): OperatingError {
  return new OperatingError({
    code: 'APP_FACTOR_REQUIRED',
    status: 409,
    publicMessage:
      'This instance or a tenant of yours requires a second factor, and this is your last one; set up another one first.',
  })
}

/** The session can do nothing else before. */
export function factorNotSetUp(): OperatingError {
  return new OperatingError({
    code: 'APP_FACTOR_MUST_BE_SET_UP',
    status: 403,
    publicMessage:
      'A second factor is required here: set up one first, by POST /beta/session/factors/totp.',
  })
}

/** Recovery codes stand in for a factor, so they need one. */
export function factorMissing(): OperatingError {
  return new OperatingError({
    code: 'APP_FACTOR_MISSING',
    status: 409,
    publicMessage: 'Recovery codes stand in for a second factor; set up one first.',
  })
}
