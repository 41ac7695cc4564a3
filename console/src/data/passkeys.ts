// Passkeys in the browser (WebAuthn level 3): what the interface asks for goes to the device, and
// its answer back, both as JSON.

import type { Schemas } from 'casework/client'

type NewCredential = Schemas['NewPasskey']['credential']
type Assertion = Schemas['PasskeySignIn']['credential']

/** The person closed the dialog of the browser, or let it run out. There is nothing to tell. */
export class PasskeyGivenUpError extends Error {
  override readonly name = 'PasskeyGivenUpError'
}

/** The device holds one of this person already. */
export class PasskeyKnownError extends Error {
  override readonly name = 'PasskeyKnownError'
}

export function hasPasskeys(): boolean {
  return (
    typeof PublicKeyCredential === 'function' &&
    'parseCreationOptionsFromJSON' in PublicKeyCredential &&
    'parseRequestOptionsFromJSON' in PublicKeyCredential
  )
}

/** Asks the device for a new passkey. */
export async function createPasskey(
  options: Schemas['PasskeyCreation']['options'],
): Promise<NewCredential> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the browser checks the values
  const json = options as unknown as PublicKeyCredentialCreationOptionsJSON
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json)
  const made = await ask(() => navigator.credentials.create({ publicKey }))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server checks the answer
  return made.toJSON() as unknown as NewCredential
}

/** Asks the device to sign with a passkey that it has. */
export async function signWithPasskey(
  options: Schemas['PasskeyRequest']['options'],
): Promise<Assertion> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the browser checks the values
  const json = options as unknown as PublicKeyCredentialRequestOptionsJSON
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json)
  const signed = await ask(() => navigator.credentials.get({ publicKey }))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server checks the answer
  return signed.toJSON() as unknown as Assertion
}

async function ask(act: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const credential = await act()
    if (credential instanceof PublicKeyCredential) return credential
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    if (name === 'InvalidStateError') throw new PasskeyKnownError()
    // Browsers tell a refusal, a timeout and a device without passkeys alike (section 5.1.3).
    if (name !== 'NotAllowedError' && name !== 'AbortError') throw error
  }
  throw new PasskeyGivenUpError()
}
