// The SMTP and the LMTP listener (RFC 5321, RFC 2033). A mail is acknowledged as soon as its bytes
// are durable, and never before.

import type { SMTPServer } from 'smtp-server'
import type { Quota } from '../../../kernel/async/quota.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { MailIngest } from './keep-mail.ts'
import { createConversation, type SessionState } from './mail-conversation.ts'
import type { RefusalReason } from './mail-metrics.ts'
import type { MailRefusal } from './mail-refusal.ts'
import type { Certified } from './own-certificate.ts'
import { StrictServer } from './strict-connection.ts'

export interface MailLimits {
  readonly bytesMax: number
  readonly connectionsMax: number
  readonly connectionsPerAddress: number
  /** 0 means no limit. */
  readonly mailsPerMinute: number
  readonly recipientsMax: number
  /** A client that guesses addresses is disconnected after this many unknown recipients. */
  readonly unknownRecipientsMax: number
  /** A client that is refused so often between two kept mails is disconnected. */
  readonly refusalsMax: number
  /** Timeout without a byte from the client. */
  readonly silenceMs: number
  /** Timeout of one mail, from its first byte to its last. */
  readonly mailMs: number
  /** Timeout of a whole connection. */
  readonly connectionMs: number
  /** Timeout of the mails in progress when the listener closes. */
  readonly closeMs: number
}

/** The limits that have no setting. */
export const MAIL_LIMITS = {
  unknownRecipientsMax: 10,
  // As many as recipients of one mail by default. An honest client stops long before.
  refusalsMax: 100,
  // Shorter than the five minutes of RFC 5321 section 4.5.3.2.7: a silent connection occupies one
  // of a limited number.
  silenceMs: 120_000,
  // 25 MiB over a line of 0.4 Mbit/s.
  mailMs: 10 * 60_000,
  connectionMs: 30 * 60_000,
  closeMs: 5_000,
} as const satisfies Partial<MailLimits>

export interface MailListenerOptions {
  readonly via: 'smtp' | 'lmtp'
  readonly address: { readonly host: string; readonly port: number } | { readonly path: string }
  readonly name: string
  readonly certified: Certified
  /** Addresses whose connections begin with a PROXY header. */
  readonly proxies: readonly string[]
  readonly intake: MailIngest
  readonly budget: Quota
  readonly limits: MailLimits
  readonly clock: Clock
}

export interface MailListener {
  /** The port that is bound; null on a Unix socket. */
  readonly port: number | null
  /**
   * Accepts no new connection, waits `closeMs` for mails in progress, and ends the others without
   * an acknowledgement.
   */
  readonly close: () => Promise<void>
}

// Commands are at most 512 bytes (RFC 5321 section 4.5.3.1.4), plus the parameters of extensions. A
// long path in UTF-8 still fits.
const COMMAND_LENGTH_MAX = 4_096

/** Rejects with the system error when the address cannot be bound. */
export async function startMailListener(options: MailListenerOptions): Promise<MailListener> {
  const { via, intake } = options
  const sessions = new Map<string, SessionState>()
  const server = buildServer(options, sessions)
  // Errors of single connections, such as a reset or a failed TLS handshake.
  server.on('error', (error) =>
    intake.log.debug('A mail connection failed', { via, error: error.message }),
  )
  await listen(server, options.address)
  const address = server.server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : null,
    close: () => close(server, sessions),
  }
}

function buildServer(
  options: MailListenerOptions,
  sessions: Map<string, SessionState>,
): SMTPServer {
  const { limits, via, certified } = options
  const count = (reason: RefusalReason) => (): void =>
    options.intake.metrics.refused.inc({ via, reason })
  const settings = {
    name: options.name,
    banner: 'casework',
    lmtp: via === 'lmtp',
    key: certified.key,
    cert: certified.cert,
    logger: false,
    // AUTH: this server relays no mail. The others are debug commands of old servers.
    disabledCommands: ['AUTH', 'WIZ', 'SHELL', 'KILL'],
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: false,
    size: limits.bytesMax,
    rejectOversized: true,
    maxClients: limits.connectionsMax,
    maxRecipients: limits.recipientsMax,
    maxCommandLength: COMMAND_LENGTH_MAX,
    socketTimeout: limits.silenceMs,
    closeTimeout: limits.closeMs,
    useProxy: options.proxies.length > 0 ? [...options.proxies] : false,
    ...createConversation(options, sessions, (sessionId, refusal) =>
      endConnection(server, sessionId, refusal),
    ),
  }
  const server: SMTPServer = new StrictServer(settings, limits, {
    onBareLineFeed: count('bare_line_feed'),
    onTooManyRefusals: count('too_many_refusals'),
  })
  return server
}

/** Answers with the refusal of the mail, else with 421, and closes the connection. */
function endConnection(server: SMTPServer, sessionId: string, refusal: MailRefusal | null): void {
  for (const connection of server.connections) {
    if (connection.id !== sessionId) continue
    // LMTP owes an answer for each recipient (RFC 2033 section 4.2).
    const { lmtp } = server.options
    const answers = lmtp === true ? connection.session.envelope.rcptTo.length : 1
    const isTooLarge = refusal?.reason === 'too_large'
    if (isTooLarge) {
      for (let answer = 0; answer < answers; answer += 1) {
        connection.send(552, refusal.message, 'MESSAGE_TOO_BIG')
      }
      connection.close()
    } else connection.send(421, 'Closing connection')
  }
}

function listen(server: SMTPServer, address: MailListenerOptions['address']): Promise<void> {
  return new Promise((resolve, reject) => {
    server.server.once('error', reject)
    server.listen({ ...address, exclusive: true }, () => {
      server.server.off('error', reject)
      resolve()
    })
  })
}

async function close(
  server: SMTPServer,
  sessions: ReadonlyMap<string, SessionState>,
): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(resolve)
  })
  for (const connection of server.connections) {
    // A mail in progress is answered first.
    const received = sessions.get(connection.id)?.receiving ?? Promise.resolve()
    void received.then(() => connection.send(421, 'Closing, try again in a moment'))
  }
  await closed
  // Mails that are being stored must finish before the database is closed.
  await Promise.all([...sessions.values()].flatMap((state) => state.receiving ?? []))
}
