// The signature of a message that another system gets, as Standard Webhooks has it
// (github.com/standard-webhooks/standard-webhooks, spec 1.0.0).

import { createHmac, randomBytes } from 'node:crypto'

const SECRET_PREFIX = 'whsec_'
// The specification asks for 24 to 64 bytes.
const SECRET_BYTES = 32
const SECRET = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/

/** The text of a new secret, as receivers configure it. */
export function createSigningSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`
}

/** Whether a text that somebody else made can sign: `whsec_` and 24 to 64 bytes in base64. */
export function isSigningSecret(text: string): boolean {
  return SECRET.test(text)
}

interface Message {
  readonly id: string
  readonly atMs: number
  readonly body: string
}

/** The three headers of a message, signed with each of the secrets, the newest first. */
export function signMessage(
  { id, atMs, body }: Message,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const seconds = String(Math.floor(atMs / 1_000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': signatures.join(' '),
  }
}
