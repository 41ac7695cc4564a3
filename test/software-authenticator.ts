// An authenticator in software, for tests of passkeys: P-256 keys, attestation "none", and a count
// that tests may turn back (WebAuthn sections 6.1 and 6.5).

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

interface Passkey {
  readonly id: Buffer
  readonly privateKey: KeyObject
  readonly rpId: string
  readonly userHandle: string
  count: number
}

/** What is used of the options of `navigator.credentials.create`. */
interface RegistrationOptions {
  readonly challenge: string
  readonly rp: { readonly id: string }
  readonly user: { readonly id: string }
}

interface SignInOptions {
  readonly challenge: string
  readonly rpId: string
  readonly allowCredentials: readonly { readonly id: string }[]
}

/** What a test changes of an honest answer. */
export interface Lies {
  readonly origin?: string
  readonly rpId?: string
  readonly isVerified?: boolean
  readonly challenge?: string
  readonly count?: number
  readonly userHandle?: string
}

export class SoftwareAuthenticator {
  readonly #origin: string
  readonly #passkeys: Passkey[] = []

  constructor(origin: string) {
    this.#origin = origin
  }

  /** As `navigator.credentials.create`, in JSON. */
  create(options: RegistrationOptions, lies: Lies = {}) {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const id = randomBytes(32)
    const rpId = lies.rpId ?? options.rp.id
    this.#passkeys.push({
      id,
      privateKey,
      rpId: options.rp.id,
      userHandle: options.user.id,
      count: 0,
    })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const key = cborMap([
      [cborInt(1), cborInt(2)],
      [cborInt(3), cborInt(-7)],
      [cborInt(-1), cborInt(1)],
      [cborInt(-2), cborBytes(Buffer.from(x, 'base64url'))],
      [cborInt(-3), cborBytes(Buffer.from(y, 'base64url'))],
    ])
    const length = Buffer.from([0, id.length])
    const attested = Buffer.concat([Buffer.alloc(16), length, id, key])
    const data = Buffer.concat([buildHead(rpId, 0x40, 0, lies), attested])
    const object = cborMap([
      [cborText('fmt'), cborText('none')],
      [cborText('attStmt'), cborMap([])],
      [cborText('authData'), cborBytes(data)],
    ])
    return {
      id: id.toString('base64url'),
      rawId: id.toString('base64url'),
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: this.#say('webauthn.create', options, lies).toString('base64url'),
        attestationObject: object.toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  /** As `navigator.credentials.get`, in JSON, with the newest passkey that is allowed. */
  get(options: SignInOptions, lies: Lies = {}) {
    const allowed = options.allowCredentials
    const passkey = this.#passkeys.findLast(
      ({ id }) =>
        allowed.length === 0 || allowed.some((one) => one.id === id.toString('base64url')),
    )
    if (passkey === undefined) throw new Error('the authenticator has no passkey for this')
    passkey.count = lies.count ?? passkey.count + 1
    const data = buildHead(lies.rpId ?? options.rpId, 0, passkey.count, lies)
    const client = this.#say('webauthn.get', options, lies)
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
    return {
      id: passkey.id.toString('base64url'),
      rawId: passkey.id.toString('base64url'),
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, passkey.privateKey).toString('base64url'),
        userHandle: lies.userHandle ?? passkey.userHandle,
      },
    }
  }

  #say(type: string, { challenge }: { challenge: string }, lies: Lies): Buffer {
    const origin = lies.origin ?? this.#origin
    const said = { type, challenge: lies.challenge ?? challenge, origin, crossOrigin: false }
    return Buffer.from(JSON.stringify(said))
  }
}

/** Hash of the host name, flags (a person was present, and verified), count. */
function buildHead(
  rpId: string,
  flags: number,
  count: number,
  { isVerified = true }: Lies,
): Buffer {
  const counter = Buffer.alloc(4)
  counter.writeUInt32BE(count)
  const all = flags | 0x01 | (isVerified ? 0x04 : 0)
  return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([all]), counter])
}

function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff])
}
const cborInt = (value: number): Buffer =>
  value >= 0 ? cborHead(0, value) : cborHead(1, -1 - value)
const cborBytes = (bytes: Buffer): Buffer => Buffer.concat([cborHead(2, bytes.length), bytes])
const cborText = (text: string): Buffer =>
  Buffer.concat([cborHead(3, Buffer.byteLength(text)), Buffer.from(text)])
const cborMap = (entries: readonly (readonly [Buffer, Buffer])[]): Buffer =>
  Buffer.concat([cborHead(5, entries.length), ...entries.flat()])
