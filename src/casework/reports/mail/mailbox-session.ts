// One connection to a mailbox. It fetches, stores, and marks or moves the mails one by one, then
// waits for new mail (IDLE, RFC 2177).

import type { ImapFlow } from 'imapflow'
import { keepMail, type MailIngest } from './keep-mail.ts'
import type { MailboxLocation } from './mailbox-location.ts'

export interface MailboxSession {
  /**
   * Stores present and new mails until `signal` aborts. Rejects when the connection breaks, with
   * the reason.
   */
  readonly pull: (intake: MailIngest, signal: AbortSignal) => Promise<void>
}

export interface SessionOptions {
  readonly authorities?: string
  readonly bytesMax: number
}

// Poll interval, for servers without IDLE and servers whose notification gets lost.
const POLL_MS = 30_000
const IDLE_DELAY_MS = 500
const CONNECT_MS = 20_000
const SILENCE_MS = 120_000
// Room for the data beside the mail itself: flags and unsolicited responses.
const RESPONSE_BYTES_EXTRA = 1_048_576

/** Rejects when the mailbox cannot be opened; the connection is closed then. */
export async function openMailboxSession(
  location: MailboxLocation,
  options: SessionOptions,
  signal: AbortSignal,
): Promise<MailboxSession> {
  const address = await location.findAddress(signal)
  // Loaded on demand: it is a twelfth of all modules, and most installations have no mailbox.
  const imap = await import('imapflow')
  const client = new imap.ImapFlow({
    host: address,
    port: location.port,
    secure: location.isSecure,
    ...(location.isSecure ? {} : { doSTARTTLS: true }),
    ...(location.host === address ? {} : { servername: location.host }),
    auth: { user: location.user, pass: location.password },
    tls: {
      // Explicit, because the default follows NODE_TLS_REJECT_UNAUTHORIZED.
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ...(options.authorities === undefined ? {} : { ca: options.authorities }),
    },
    logger: false,
    // A compressed response could expand without limit.
    disableCompression: true,
    autoIdleDelay: IDLE_DELAY_MS,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    maxLiteralSize: options.bytesMax,
    maxResponseSize: options.bytesMax + RESPONSE_BYTES_EXTRA,
  })
  let trouble: Error | null = null
  client.on('error', (error: Error) => {
    trouble = error
  })
  const close = (): void => client.close()
  signal.addEventListener('abort', close, { once: true })
  try {
    signal.throwIfAborted()
    await client.connect()
    if (location.moveTo !== null) await client.mailboxCreate(location.moveTo)
    await client.mailboxOpen(location.folder)
  } catch (error) {
    signal.removeEventListener('abort', close)
    client.close()
    throw error
  }
  return {
    async pull(intake, stop) {
      try {
        // `usable` becomes false when the connection ends. A search finds mails again that could
        // not be fetched or flagged, so it follows at once only after mails that were dealt with.
        while (!stop.aborted && client.usable) {
          // oxlint-disable-next-line eslint/no-await-in-loop
          const doneCount = await pullAll(client, location, options, intake, stop)
          // oxlint-disable-next-line eslint/no-await-in-loop
          if (doneCount === 0) await waitForMail(client, stop)
        }
      } finally {
        signal.removeEventListener('abort', close)
        client.close()
      }
      if (!stop.aborted) throw trouble ?? new Error('the server closed the connection')
    },
  }
}

/**
 * Returns the number of mails that were stored or flagged. A mail that cannot be stored stays
 * unmarked, and its error ends the session.
 */
async function pullAll(
  client: ImapFlow,
  location: MailboxLocation,
  { bytesMax }: SessionOptions,
  intake: MailIngest,
  stop: AbortSignal,
): Promise<number> {
  // A mail that is too large was flagged, and is skipped from then on.
  const wanted = location.moveTo === null ? { seen: false, flagged: false } : { flagged: false }
  const uids = await client.search(wanted, { uid: true })
  if (!uids) return 0
  let doneCount = 0
  for (const uid of uids) {
    if (stop.aborted) break
    // One by one, because each mail is in memory as a whole.
    // oxlint-disable-next-line eslint/no-await-in-loop
    if (await pullOne(client, location, uid, bytesMax, intake)) doneCount += 1
  }
  return doneCount
}

/** False when the server does not give the mail or keeps no flag: a search finds it again. */
async function pullOne(
  client: ImapFlow,
  location: MailboxLocation,
  uid: number,
  bytesMax: number,
  intake: MailIngest,
): Promise<boolean> {
  const byUid = { uid: true }
  const known = await client.fetchOne(String(uid), { size: true }, byUid)
  // The mail was removed in the meantime.
  if (!known) return false
  if ((known.size ?? 0) > bytesMax) {
    intake.metrics.refused.inc({ via: 'imap', reason: 'too_large' })
    intake.log.warn('A mail in the mailbox is too large; it was flagged and left where it is', {
      mailbox: location.name,
      uid,
      bytes: known.size,
    })
    return await client.messageFlagsAdd(String(uid), ['\\Flagged'], byUid)
  }
  const fetched = await client.fetchOne(String(uid), { source: true }, byUid)
  if (!fetched || fetched.source === undefined) {
    intake.log.warn('The server does not give a mail in the mailbox; it is tried again later', {
      mailbox: location.name,
      uid,
    })
    return false
  }
  await keepMail(intake, [{ tenantId: location.tenantId }], {
    via: 'imap',
    bytes: fetched.source,
    receivedBy: `imap:${location.user}@${location.host}`,
    envelope: { from: null, to: [], remoteAddress: null, helo: null },
  })
  const isDone =
    location.moveTo === null
      ? await client.messageFlagsAdd(String(uid), ['\\Seen'], byUid)
      : await client.messageMove(String(uid), location.moveTo, byUid)
  // Without the error the same mail would be stored again and again.
  if (isDone === false) throw new Error('the server does not mark or move mails')
  return true
}

/** Resolves on new mail, at the end of the connection, at the stop, or after the poll interval. */
async function waitForMail(client: ImapFlow, stop: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, POLL_MS)
    function done(): void {
      clearTimeout(timer)
      client.off('exists', done)
      client.off('close', done)
      stop.removeEventListener('abort', done)
      resolve()
    }
    client.on('exists', done)
    client.on('close', done)
    stop.addEventListener('abort', done, { once: true })
  })
}
