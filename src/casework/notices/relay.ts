// The relay: the mail server of the operator, which takes our notices (RFC 5321, by nodemailer).

import { createTransport, type SendMailOptions } from 'nodemailer'
import type { MailIdentity } from './mail-identity.ts'
import { type RelaySettings, readRelayOptions, readSigning } from './relay-options.ts'

export type RelayOutcome =
  | { readonly kind: 'sent'; readonly replyCode: number | null }
  /** `isFinal`: the relay refused this mail for good. */
  | {
      readonly kind: 'failed'
      readonly isFinal: boolean
      readonly replyCode: number | null
      /** One public sentence. */
      readonly failure: string
    }

export interface Relay {
  readonly connections: number
  /** Of this process; null: without a limit. */
  readonly ratePerMinute: number | null
  readonly send: (mail: SendMailOptions) => Promise<RelayOutcome>
  /** Connects and logs in, and sends nothing. Null when that went well. */
  readonly probe: () => Promise<RelayOutcome | null>
  readonly close: () => void
}

// A connection ends after so many, as relays ask for.
const MAILS_OF_CONNECTION_MAX = 100

/** Throws when the URL or a file cannot be used. */
export function openRelay(settings: RelaySettings, identity: MailIdentity): Relay {
  const transport = createTransport({
    ...readRelayOptions(settings),
    ...readSigning(settings, identity),
    pool: true,
    maxConnections: settings.relayConnections,
    maxMessages: MAILS_OF_CONNECTION_MAX,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    connections: settings.relayConnections,
    ratePerMinute: settings.relayRate === 0 ? null : settings.relayRate,
    async send(mail) {
      try {
        const { response } = await transport.sendMail(mail)
        return { kind: 'sent', replyCode: readCode(response) }
      } catch (error) {
        return explain(error)
      }
    },
    async probe() {
      try {
        await transport.verify()
        return null
      } catch (error) {
        return explain(error)
      }
    },
    close: () => transport.close(),
  }
}

function readCode(response: string): number | null {
  const code = Number(/^\d{3}/.exec(response)?.[0])
  return Number.isInteger(code) && code > 0 ? code : null
}

// Of the mail itself. A refused log-in or a broken connection is no fault of the mail.
const OF_MAIL: ReadonlySet<string> = new Set(['EENVELOPE', 'EMESSAGE'])

function explain(error: unknown): RelayOutcome {
  const members = new Map<string, unknown>(
    typeof error === 'object' && error !== null ? Object.entries(error) : [],
  )
  const given = members.get('code')
  const code = typeof given === 'string' ? given : ''
  const reply = members.get('responseCode')
  const replyCode = typeof reply === 'number' ? reply : null
  const isFinal = OF_MAIL.has(code) && (replyCode ?? 0) >= 500
  return { kind: 'failed', isFinal, replyCode, failure: describe(code, replyCode) }
}

// The text of a reply may hold addresses and is written by others, so only its code is kept.
function describe(code: string, replyCode: number | null): string {
  if (code === 'EAUTH') return 'The relay refused the log-in.'
  if (code === 'ETLS') return 'The relay offers no TLS that can be used.'
  if (replyCode !== null) return `The relay answered ${replyCode}.`
  return code === '' ? 'The relay could not be used.' : `The relay was not reached (${code}).`
}
