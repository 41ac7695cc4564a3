// What wrong passwords are counted by, so that guessing is slow and nobody can lock another person
// out: a browser in which the person has signed in before has a count of its own, which guesses
// from elsewhere do not touch.

import { createHash } from 'node:crypto'
import { groupAddress } from '../../values/address-group.ts'
import { foldEmail } from '../../values/email.ts'
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
  const account = foldEmail(email)
  if (knownDevice !== null) {
    const key = buildBackOffKey('device', account, knownDevice)
    return {
      all: [{ hash: key, freeFailures: FREE_OF_ACCOUNT_AND_ADDRESS }],
      ofAccount: [key],
    }
  }
  const address = groupAddress(remoteAddress)
  const both = buildBackOffKey('account and address', account, address)
  const alone = buildBackOffKey('account', account)
  return {
    all: [
      { hash: both, freeFailures: FREE_OF_ACCOUNT_AND_ADDRESS },
      { hash: buildBackOffKey('address', address), freeFailures: FREE_OF_ADDRESS },
      { hash: alone, freeFailures: FREE_OF_ACCOUNT },
    ],
    ofAccount: [both, alone],
  }
}

// Mails that somebody gets who did not ask for them.
const FREE_MAILS_OF_ACCOUNT = 3
const FREE_MAILS_OF_ADDRESS = 10

/** What mails with links are counted by: whom they go to, and where they are asked for. */
export function listMailKeys({
  email,
  remoteAddress,
}: Pick<SignInTry, 'email' | 'remoteAddress'>): readonly BackOffKey[] {
  const account = foldEmail(email)
  const address = groupAddress(remoteAddress)
  return [
    { hash: buildBackOffKey('mail to', account), freeFailures: FREE_MAILS_OF_ACCOUNT },
    { hash: buildBackOffKey('mail from', address), freeFailures: FREE_MAILS_OF_ADDRESS },
  ]
}

// Somebody who sets up a relay tries a few times.
const FREE_TEST_MAILS = 5

export function listTestMailKeys(): readonly BackOffKey[] {
  return [{ hash: buildBackOffKey('test mail'), freeFailures: FREE_TEST_MAILS }]
}

/** Hashed, so that the table names neither addresses nor accounts. */
export function buildBackOffKey(...parts: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}
