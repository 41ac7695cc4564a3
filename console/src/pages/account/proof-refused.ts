// Whether the server refused what the person typed. It answers 401 then, as it does to a session
// that has ended, which leads to the sign-in page.

import { CaseworkError } from 'casework/client'

const CODES = new Set(['APP_SIGN_IN_REFUSED', 'APP_FACTOR_REFUSED'])

export function isProofRefused(error: unknown): boolean {
  return error instanceof CaseworkError && CODES.has(error.code ?? '')
}
