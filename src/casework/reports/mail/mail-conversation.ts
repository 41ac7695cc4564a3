// Answers a mail client at each step of an SMTP session: connect, sender, recipients, mail.

import type { SMTPServerOptions } from 'smtp-server'
import { withDeadline } from '../../../kernel/async/deadline.ts'
import { inInstance } from '../../../kernel/db/instance-acts.ts'
import { createClientLimits } from './client-limits.ts'
import { findRecipientTenant } from './find-recipient-tenant.ts'
import type { MailListenerOptions } from './mail-listener.ts'
import { MailRefusal, notStored, repeatedRecipient, unknownRecipient } from './mail-refusal.ts'
import { type ComingMail, receiveMail } from './receive-mail.ts'

/** The state of one SMTP or LMTP session. */
export interface SessionState {
  /** Tenants of the accepted recipients, by address in lower case. */
  readonly tenants: Map<string, string>
  unknownRecipients: number
  /** Set while a mail is received or stored. */
  receiving: Promise<void> | null
  readonly timer: NodeJS.Timeout
}

type Conversation = Pick<
  SMTPServerOptions,
  'onConnect' | 'onClose' | 'onMailFrom' | 'onRcptTo' | 'onData'
>

/** Closes a connection: with 421, or with the refusal of a mail that is never retried. */
export type EndConnection = (sessionId: string, refusal: MailRefusal | null) => void

export function createConversation(
  options: MailListenerOptions,
  sessions: Map<string, SessionState>,
  end: EndConnection,
): Conversation {
  const { limits, via, intake } = options
  const { metrics } = intake
  // LMTP comes from your own mail server, which has its own limits.
  const clients = via === 'lmtp' ? null : createClientLimits({ ...limits, clock: options.clock })
  const countRefusal = (refusal: MailRefusal | null): MailRefusal | null => {
    if (refusal !== null) metrics.refused.inc({ via, reason: refusal.reason })
    return refusal
  }
  return {
    onConnect(session, callback) {
      const refusal = countRefusal(clients?.enter(session.id, session.remoteAddress) ?? null)
      if (refusal === null) {
        sessions.set(
          session.id,
          openSession(() => end(session.id, null), limits.connectionMs),
        )
        metrics.connections.set({ via }, sessions.size)
      }
      callback(refusal)
    },
    onClose(session) {
      clients?.leave(session.id)
      clearTimeout(sessions.get(session.id)?.timer)
      sessions.delete(session.id)
      metrics.connections.set({ via }, sessions.size)
    },
    onMailFrom(_, session, callback) {
      sessions.get(session.id)?.tenants.clear()
      callback(countRefusal(clients?.countMail(session.remoteAddress) ?? null))
    },
    onRcptTo(recipient, session, callback) {
      const state = sessions.get(session.id)
      const answer = async (): Promise<void> => {
        callback(countRefusal(await acceptRecipient(options, state, recipient.address)))
        const unknown = state?.unknownRecipients ?? 0
        if (unknown >= limits.unknownRecipientsMax) end(session.id, null)
      }
      void answer()
    },
    onData(stream, session, callback) {
      const state = sessions.get(session.id)
      if (state === undefined) {
        callback(notStored('no session'))
        return
      }
      const coming = { session, stream, tenants: state.tenants }
      state.receiving = acceptMail(options, coming, callback, end).finally(() => {
        state.receiving = null
      })
    },
  }
}

function openSession(end: () => void, connectionMs: number): SessionState {
  const timer = setTimeout(end, connectionMs)
  timer.unref()
  return { tenants: new Map(), unknownRecipients: 0, receiving: null, timer }
}

/** Null when the recipient is accepted. Never rejects. */
async function acceptRecipient(
  { intake, via }: MailListenerOptions,
  state: SessionState | undefined,
  address: string,
): Promise<MailRefusal | null> {
  try {
    const { db, replies } = intake.reports
    const tenantId = await withDeadline(intake.storeMs, () =>
      inInstance('find the tenant of a mail', () => findRecipientTenant(db, address, replies)),
    )
    if (state === undefined) return notStored('no session')
    if (tenantId === null) {
      state.unknownRecipients += 1
      return unknownRecipient()
    }
    // LMTP owes one answer for each accepted recipient (RFC 2033 section 4.2), but smtp-server
    // counts a repeated recipient once.
    if (via === 'lmtp' && state.tenants.has(address.toLowerCase())) return repeatedRecipient()
    state.tenants.set(address.toLowerCase(), tenantId)
    return null
  } catch (error) {
    return notStored(error)
  }
}

/** Never rejects. */
async function acceptMail(
  options: MailListenerOptions,
  coming: ComingMail,
  callback: (error: Error | null, answers?: string | (string | Error)[]) => void,
  end: EndConnection,
): Promise<void> {
  const { session, stream } = coming
  try {
    callback(null, await receiveMail(options, coming))
  } catch (error) {
    const refusal = recordRefusal(options, error)
    // The end of the mail, after which the reply would stand, may never come: close the connection.
    if (stream.readableEnded || stream.destroyed) callback(refusal)
    else end(session.id, refusal)
  }
}

function recordRefusal({ via, intake }: MailListenerOptions, error: unknown): MailRefusal {
  const refusal = error instanceof MailRefusal ? error : notStored(error)
  intake.metrics.refused.inc({ via, reason: refusal.reason })
  if (refusal.reason === 'not_stored') {
    intake.log.warn('A mail could not be stored and was refused for now', {
      via,
      error: String(refusal.cause),
    })
  }
  return refusal
}
