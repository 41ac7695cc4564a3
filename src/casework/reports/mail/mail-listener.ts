// The SMTP and the LMTP listener (RFC 5321, RFC 2033): a mail is acknowledged when its bytes are
// durable, and not before. Nothing that goes wrong later loses it, and nothing that goes wrong
// before is acknowledged.

import { SMTPServer } from 'smtp-server'
import type { Quota } from '../../../kernel/async/quota.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { MailIntake } from './keep-mail.ts'
import { createConversation, type Visit } from './mail-conversation.ts'
import type { Certified } from './own-certificate.ts'

export interface MailLimits {
  readonly bytesMax: number
  readonly connectionsMax: number
  readonly connectionsPerAddress: number
  /** 0 means no limit. */
  readonly mailsPerMinute: number
  readonly recipientsMax: number
  /** Unknown recipients after which a client is sent away: it guesses. */
  readonly unknownRecipientsMax: number
  /** Without a byte from the client. */
  readonly silenceMs: number
  /** For one mail from its first byte to its last. */
  readonly mailMs: number
  /** For a whole connection. */
  readonly connectionMs: number
  /** How long a mail that is under way may take at the stop. */
  readonly closeMs: number
}

/** Those that no setting changes. */
export const MAIL_LIMITS = {
  unknownRecipientsMax: 10,
  // Shorter than the five minutes of RFC 5321 section 4.5.3.2.7, which come from a slower net: a
  // held connection costs everybody else one.
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
  /** Whose connections begin with a PROXY header. */
  readonly proxies: readonly string[]
  readonly intake: MailIntake
  readonly budget: Quota
  readonly limits: MailLimits
  readonly clock: Clock
}

export interface MailListener {
  /** The port that was really taken; null on a Unix socket. */
  readonly port: number | null
  /**
   * Takes nothing new, waits a little for mails under way, and ends the rest without an
   * acknowledgement.
   */
  readonly close: () => Promise<void>
}

// Commands are at most 512 bytes (RFC 5321 section 4.5.3.1.4) and what extensions add; a long path
// in UTF-8 still fits.
const COMMAND_LENGTH_MAX = 4_096

/** Listens, or rejects with the error of the system. */
export async function startMailListener(options: MailListenerOptions): Promise<MailListener> {
  const { via, intake } = options
  const visits = new Map<string, Visit>()
  const server = buildServer(options, visits)
  // Of single connections: a client that vanished, a handshake that failed.
  server.on('error', (error) =>
    intake.log.debug('A mail connection had trouble', { via, error: error.message }),
  )
  await listen(server, options.address)
  const address = server.server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : null,
    close: () => close(server, visits),
  }
}

function buildServer(options: MailListenerOptions, visits: Map<string, Visit>): SMTPServer {
  const { limits, via, certified } = options
  const server = new SMTPServer({
    name: options.name,
    banner: 'casework',
    lmtp: via === 'lmtp',
    key: certified.key,
    cert: certified.cert,
    logger: false,
    // Nobody sends through us; and the toys of old servers.
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
    ...createConversation(options, visits, (sessionId) => endConnection(server, sessionId)),
  })
  return server
}

/** 421, and the connection is closed. */
function endConnection(server: SMTPServer, sessionId: string): void {
  for (const connection of server.connections) {
    if (connection.id === sessionId) connection.send(421, 'Closing connection')
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

async function close(server: SMTPServer, visits: ReadonlyMap<string, Visit>): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(resolve)
  })
  for (const connection of server.connections) {
    // Its mail is answered first.
    const whenFree = visits.get(connection.id)?.receiving ?? Promise.resolve()
    void whenFree.then(() => connection.send(421, 'Closing, try again in a moment'))
  }
  await closed
  // What is being stored at this moment ends before the database is closed.
  await Promise.all([...visits.values()].flatMap((visit) => visit.receiving ?? []))
}
