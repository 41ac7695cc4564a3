// What a mail listener says at each step of a conversation: who may connect, which recipients are
// taken, what became of a mail.

import type { SMTPServerOptions } from 'smtp-server'
import { withDeadline } from '../../../kernel/async/deadline.ts'
import { createClientLimits } from './client-limits.ts'
import { findRecipientTenant } from './find-recipient-tenant.ts'
import type { MailListenerOptions } from './mail-listener.ts'
import { MailRefusal, notStored, repeatedRecipient, unknownRecipient } from './mail-refusal.ts'
import { type ComingMail, receiveMail } from './receive-mail.ts'

/** One connection as we follow it. */
export interface Visit {
  /** Of the recipients that were taken, by their address in lower case. */
  readonly tenants: Map<string, string>
  unknownRecipients: number
  /** Set while a mail is coming in or being stored. */
  receiving: Promise<void> | null
  readonly timer: NodeJS.Timeout
}

type Conversation = Pick<
  SMTPServerOptions,
  'onConnect' | 'onClose' | 'onMailFrom' | 'onRcptTo' | 'onData'
>

/** `end` closes a connection, with 421. */
export function createConversation(
  options: MailListenerOptions,
  visits: Map<string, Visit>,
  end: (sessionId: string) => void,
): Conversation {
  const { limits, via, intake } = options
  const { metrics } = intake
  // LMTP comes from your own mail server, which has limits of its own.
  const clients = via === 'lmtp' ? null : createClientLimits({ ...limits, clock: options.clock })
  const note = (refusal: MailRefusal | null): MailRefusal | null => {
    if (refusal !== null) metrics.refused.inc({ via, reason: refusal.reason })
    return refusal
  }
  return {
    onConnect(session, callback) {
      const refusal = note(clients?.enter(session.id, session.remoteAddress) ?? null)
      if (refusal === null) {
        visits.set(
          session.id,
          openVisit(() => end(session.id), limits.connectionMs),
        )
        metrics.connections.set({ via }, visits.size)
      }
      callback(refusal)
    },
    onClose(session) {
      clients?.leave(session.id)
      clearTimeout(visits.get(session.id)?.timer)
      visits.delete(session.id)
      metrics.connections.set({ via }, visits.size)
    },
    onMailFrom(_, session, callback) {
      visits.get(session.id)?.tenants.clear()
      callback(note(clients?.countMail(session.remoteAddress) ?? null))
    },
    onRcptTo(recipient, session, callback) {
      const visit = visits.get(session.id)
      const answer = async (): Promise<void> => {
        callback(note(await takeRecipient(options, visit, recipient.address)))
        const unknown = visit?.unknownRecipients ?? 0
        if (unknown >= limits.unknownRecipientsMax) end(session.id)
      }
      void answer()
    },
    onData(stream, session, callback) {
      const visit = visits.get(session.id)
      if (visit === undefined) {
        callback(notStored('no visit'))
        return
      }
      const coming = { session, stream, tenants: visit.tenants }
      visit.receiving = takeMail(options, coming, callback, end).finally(() => {
        visit.receiving = null
      })
    },
  }
}

function openVisit(end: () => void, connectionMs: number): Visit {
  const timer = setTimeout(end, connectionMs)
  timer.unref()
  return { tenants: new Map(), unknownRecipients: 0, receiving: null, timer }
}

/** Never rejects: null when the recipient is taken. */
async function takeRecipient(
  { intake, via }: MailListenerOptions,
  visit: Visit | undefined,
  address: string,
): Promise<MailRefusal | null> {
  try {
    const { db } = intake.reports
    const tenantId = await withDeadline(intake.storeMs, () => findRecipientTenant(db, address))
    if (visit === undefined) return notStored('no visit')
    if (tenantId === null) {
      visit.unknownRecipients += 1
      return unknownRecipient()
    }
    // LMTP owes an answer for each that was taken (RFC 2033 section 4.2), and smtp-server counts a
    // repeated one once.
    if (via === 'lmtp' && visit.tenants.has(address.toLowerCase())) return repeatedRecipient()
    visit.tenants.set(address.toLowerCase(), tenantId)
    return null
  } catch (error) {
    return notStored(error)
  }
}

/** Never rejects. */
async function takeMail(
  options: MailListenerOptions,
  coming: ComingMail,
  callback: (error: Error | null, answers?: string | (string | Error)[]) => void,
  end: (sessionId: string) => void,
): Promise<void> {
  const { session, stream } = coming
  try {
    callback(null, await receiveMail(options, coming))
  } catch (error) {
    const refusal = noteTrouble(options, error)
    // What is still to come of it may never come, and no reply can be given before.
    if (stream.readableEnded || stream.destroyed) callback(refusal)
    else end(session.id)
  }
}

function noteTrouble({ via, intake }: MailListenerOptions, error: unknown): MailRefusal {
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
