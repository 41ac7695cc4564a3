// Sends the mails about accounts through the relay, in a process with the role worker.

import { type SendOutcome, sendAccountMails } from '../access/account-mail/send-account-mails.ts'
import type { WrittenMail } from '../access/account-mail/write-account-mail.ts'
import { type MailIdentity, readMailIdentity } from '../casework/notices/mail-identity.ts'
import { openRelay, type Relay } from '../casework/notices/relay.ts'
import { every } from '../kernel/async/every.ts'
import type { Services } from './compose.ts'

// A person waits for the mail.
const SEND_MS = 2_000

interface AccountMailSender {
  readonly send: () => Promise<void>
  readonly close: () => void
}

/** Null without a relay: then no mail about an account is taken. */
export function openAccountMails({
  foundation,
  signIn,
}: Pick<Services, 'foundation' | 'signIn'>): AccountMailSender | null {
  const { config, database, clock, log, audit } = foundation
  const identity = readMailIdentity(config)
  if (identity === null) return null
  const relay = openRelay({ ...config, relayConnections: 1 }, identity)
  const deps = { db: database.kysely, clock, log, audit, readPublicUrl: signIn.readPublicUrl }
  const send = (to: string, mail: WrittenMail): Promise<SendOutcome> =>
    sendOne(relay, identity, to, mail)
  return { send: () => sendAccountMails({ ...deps, send }), close: () => relay.close() }
}

/** Returns the function that stops it. */
export function startAccountMails(
  services: Pick<Services, 'foundation' | 'signIn'>,
): () => Promise<void> {
  const sender = openAccountMails(services)
  if (sender === null) return async () => undefined
  const stop = every(SEND_MS, sender.send, (error) =>
    services.foundation.log.warn('Mails about accounts could not be sent', {
      error: String(error),
    }),
  )
  return async () => {
    await stop()
    sender.close()
  }
}

async function sendOne(
  relay: Relay,
  { from }: MailIdentity,
  to: string,
  { subject, text }: WrittenMail,
): Promise<SendOutcome> {
  return await relay.send({
    from,
    to: { name: '', address: to },
    envelope: { from: from.address, to: [to] },
    subject,
    text,
    headers: { 'Auto-Submitted': 'auto-generated' },
  })
}
