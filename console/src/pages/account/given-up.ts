// Whether the person stopped the act themselves, which is no failure to tell.

import { PasskeyGivenUpError } from '../../data/passkeys.ts'
import { ProofGivenUpError } from '../../data/proof.ts'

export function isGivenUp(error: unknown): boolean {
  return error instanceof ProofGivenUpError || error instanceof PasskeyGivenUpError
}
