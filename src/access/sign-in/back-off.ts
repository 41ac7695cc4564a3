// What wrong passwords are counted by, so that guessing is slow and nobody can lock another person
// out: a browser in which the person has signed in before has a count of its own, which guesses
// from elsewhere do not touch.

import { createHash } from 'node:crypto'
import { groupAddress } from '../../values/address-group.ts'
import type { BackOffKey } from './back-off-store.ts'

// A person tries the passwords that come to mind.
const FREE_OF_ACCOUNT_AND_ADDRESS = 5
// An office behind one address.
const FREE_OF_ADDRESS = 30
// NIST SP 800-63B section 5.2.2: no more than 100 failures of one account in a row.
const FREE_OF_ACCOUNT = 100

export interface SignInTry {
  readonly email: string
  readonly remoteAddress: string
  /** The secret of a browser that this account has signed in with; null for any other. */
  readonly knownDevice: string | null
}

export interface BackOffKeys {
  readonly all: readonly BackOffKey[]
  /** Those that the right password clears. An address is not: a guesser may have an account. */
  readonly ofAccount: readonly Buffer[]
}

export function listBackOffKeys({ email, remoteAddress, knownDevice }: SignInTry): BackOffKeys {
  const account = email.trim().toLowerCase()
  if (knownDevice !== null) {
    const key = buildKey('device', account, knownDevice)
    return {
      all: [{ hash: key, freeFailures: FREE_OF_ACCOUNT_AND_ADDRESS }],
      ofAccount: [key],
    }
  }
  const address = groupAddress(remoteAddress)
  const both = buildKey('account and address', account, address)
  const alone = buildKey('account', account)
  return {
    all: [
      { hash: both, freeFailures: FREE_OF_ACCOUNT_AND_ADDRESS },
      { hash: buildKey('address', address), freeFailures: FREE_OF_ADDRESS },
      { hash: alone, freeFailures: FREE_OF_ACCOUNT },
    ],
    ofAccount: [both, alone],
  }
}

/** Hashed, so that the table names neither addresses nor accounts. */
function buildKey(...parts: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}
