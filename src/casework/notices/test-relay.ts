// Sends one test mail through the relay, and says for each step of the conversation whether it went
// well. Nothing of it is stored.

import { lookup } from 'node:dns/promises'
import { createTransport } from 'nodemailer'
import type { MailIdentity } from './mail-identity.ts'
import { type RelaySettings, readRelayOptions, readSigning } from './relay-options.ts'

/**
 * - `dns`: the address of the relay. `connect`: TCP, greeting and EHLO. `tls`: its certificate.
 * - `login`, `sender` (MAIL), `recipient` (RCPT) and `content` (DATA): its replies.
 */
const RELAY_STEPS = ['dns', 'connect', 'tls', 'login', 'sender', 'recipient', 'content'] as const
type StepName = (typeof RELAY_STEPS)[number]

export interface RelayStep {
  readonly step: StepName
  /** `off`: not used by these settings, or not reached. */
  readonly state: 'ok' | 'failed' | 'off'
  readonly detail: string
}

/** The steps in their order. Throws when the settings cannot be used. */
export async function testRelay(
  settings: RelaySettings,
  identity: MailIdentity,
  to: string,
): Promise<readonly RelayStep[]> {
  const options = readRelayOptions(settings)
  const dkim = readSigning(settings, identity)
  const used = describeUse(options, 'dkim' in dkim)
  let address: string
  try {
    address = (await lookup(options.host)).address
  } catch {
    return writeSteps(used, { step: 'dns', detail: `${options.host} has no address.` })
  }
  used.dns = `${options.host} is ${address}, port ${options.port}.`
  const transport = createTransport({ ...options, ...dkim })
  try {
    const { response } = await transport.sendMail({
      from: identity.from,
      to: { name: '', address: to },
      envelope: { from: identity.from.address, to: [to] },
      subject: 'Test of the relay of Casework',
      text: `This mail was sent to test the relay of Casework. The relay ${options.host} took it.\n`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    used.content = `The relay took the mail: ${response}`
    return writeSteps(used, null)
  } catch (error) {
    return writeSteps(used, explain(error))
  } finally {
    transport.close()
  }
}

type Use = Record<StepName, string | null>

/** What each step says when it went well; null for a step that is not used. */
function describeUse(
  { secure, requireTLS, auth }: ReturnType<typeof readRelayOptions>,
  isSigned: boolean,
): Use {
  const tls = secure ? 'TLS from the start.' : 'TLS by STARTTLS.'
  return {
    dns: null,
    connect: 'The relay answers.',
    tls: secure || requireTLS ? `${tls} The certificate is valid.` : null,
    login: auth === undefined ? null : `The relay took the log-in of ${auth.user}.`,
    sender: 'The relay took the sender.',
    recipient: 'The relay took the recipient.',
    content: isSigned ? 'The relay took the signed mail.' : 'The relay took the mail.',
  }
}

interface Failure {
  readonly step: StepName
  readonly detail: string
}

function writeSteps(used: Use, failure: Failure | null): readonly RelayStep[] {
  const failedAt = failure === null ? RELAY_STEPS.length : RELAY_STEPS.indexOf(failure.step)
  return RELAY_STEPS.map((step, at) => {
    if (failure !== null && at === failedAt) {
      return { step, state: 'failed', detail: failure.detail }
    }
    if (at > failedAt) return { step, state: 'off', detail: 'Not reached.' }
    const detail = used[step]
    return detail === null
      ? { step, state: 'off', detail: 'Not used by these settings.' }
      : { step, state: 'ok', detail }
  })
}

const STEP_OF_COMMAND: readonly (readonly [RegExp, StepName])[] = [
  [/^STARTTLS/, 'tls'],
  [/^AUTH/, 'login'],
  [/^MAIL/, 'sender'],
  [/^RCPT/, 'recipient'],
  [/^DATA/, 'content'],
]
const CERTIFICATE = /certificate|self-signed|altnames|SSL|TLS/i

function explain(error: unknown): Failure {
  const members = new Map<string, unknown>(
    typeof error === 'object' && error !== null ? Object.entries(error) : [],
  )
  const read = (name: string): string => {
    const value = members.get(name)
    return typeof value === 'string' ? value : ''
  }
  const message = error instanceof Error ? error.message : ''
  const detail = read('response') === '' ? message : `The relay answered: ${read('response')}`
  if (read('code') === 'EAUTH') return { step: 'login', detail }
  if (read('code') === 'ETLS') return { step: 'tls', detail }
  const found = STEP_OF_COMMAND.find(([pattern]) => pattern.test(read('command')))
  if (found !== undefined) return { step: found[1], detail }
  const step = read('code') === 'ESOCKET' && CERTIFICATE.test(message) ? 'tls' : 'connect'
  return { step, detail }
}
