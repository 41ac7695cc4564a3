// One connection to a mailbox: mails are fetched, kept, and marked or moved, one after the other;
// then it waits for new ones (IDLE, RFC 2177).

import type { ImapFlow } from 'imapflow'
import { keepMail, type MailIntake } from './keep-mail.ts'
import type { MailboxPlace } from './mailbox-location.ts'

export interface MailboxSession {
  /**
   * Keeps what is there and what comes, until `signal` aborts or the connection breaks; rejects
   * with the reason of the latter.
   */
  readonly pull: (intake: MailIntake, signal: AbortSignal) => Promise<void>
}

export interface SessionOptions {
  readonly authorities?: string
  readonly bytesMax: number
}

// A server without IDLE, or one that forgets to tell, is asked so often.
const POLL_MS = 30_000
const IDLE_DELAY_MS = 500
const CONNECT_MS = 20_000
const SILENCE_MS = 120_000
// What a server sends beside the mail itself: flags, and answers that nobody asked for.
const RESPONSE_BYTES_EXTRA = 1_048_576

/** Rejects when the mailbox cannot be opened; leaves nothing open then. */
export async function openMailboxSession(
  place: MailboxPlace,
  options: SessionOptions,
  signal: AbortSignal,
): Promise<MailboxSession> {
  const address = await place.findAddress(signal)
  // A twelfth of all the modules of a start, of which most have no mailbox (146 of 1,923, measured
  // 2026-11-22).
  const imap = await import('imapflow')
  const client = new imap.ImapFlow({
    host: address,
    port: place.port,
    secure: place.isSecure,
    ...(place.isSecure ? {} : { doSTARTTLS: true }),
    ...(place.host === address ? {} : { servername: place.host }),
    auth: { user: place.user, pass: place.password },
    tls: {
      // Said here, because the default follows NODE_TLS_REJECT_UNAUTHORIZED.
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ...(options.authorities === undefined ? {} : { ca: options.authorities }),
    },
    logger: false,
    // A few bytes could otherwise become many.
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
    if (place.moveTo !== null) await client.mailboxCreate(place.moveTo)
    await client.mailboxOpen(place.folder)
  } catch (error) {
    signal.removeEventListener('abort', close)
    client.close()
    throw error
  }
  return {
    async pull(intake, stop) {
      try {
        // Ends with the connection.
        while (!stop.aborted && client.usable) {
          // oxlint-disable-next-line eslint/no-await-in-loop
          const count = await pullAll(client, place, options, intake, stop)
          // oxlint-disable-next-line eslint/no-await-in-loop
          if (count === 0) await waitForNews(client, stop)
        }
      } finally {
        signal.removeEventListener('abort', close)
        client.close()
      }
      if (!stop.aborted) throw trouble ?? new Error('the server closed the connection')
    },
  }
}

/** How many there were. What could not be kept stays as it was, and ends the session. */
async function pullAll(
  client: ImapFlow,
  place: MailboxPlace,
  { bytesMax }: SessionOptions,
  intake: MailIntake,
  stop: AbortSignal,
): Promise<number> {
  // Flagged is how one that is too large is passed over.
  const wanted = place.moveTo === null ? { seen: false, flagged: false } : { flagged: false }
  const uids = await client.search(wanted, { uid: true })
  if (!uids) return 0
  for (const uid of uids) {
    if (stop.aborted) break
    // One after the other: each is in memory as a whole.
    // oxlint-disable-next-line eslint/no-await-in-loop
    await pullOne(client, place, uid, bytesMax, intake)
  }
  return uids.length
}

async function pullOne(
  client: ImapFlow,
  place: MailboxPlace,
  uid: number,
  bytesMax: number,
  intake: MailIntake,
): Promise<void> {
  const byUid = { uid: true }
  const known = await client.fetchOne(String(uid), { size: true }, byUid)
  // Somebody else removed it.
  if (!known) return
  if ((known.size ?? 0) > bytesMax) {
    intake.metrics.refused.inc({ via: 'imap', reason: 'too_large' })
    intake.log.warn('A mail in the mailbox is too large; it was flagged and left where it is', {
      mailbox: place.name,
      uid,
      bytes: known.size,
    })
    await client.messageFlagsAdd(String(uid), ['\\Flagged'], byUid)
    return
  }
  const fetched = await client.fetchOne(String(uid), { source: true }, byUid)
  if (!fetched || fetched.source === undefined) return
  await keepMail(intake, [{ tenantId: place.tenantId }], {
    via: 'imap',
    bytes: fetched.source,
    bringer: `imap:${place.user}@${place.host}`,
    envelope: { from: null, to: [], remoteAddress: null, helo: null },
  })
  const isDone =
    place.moveTo === null
      ? await client.messageFlagsAdd(String(uid), ['\\Seen'], byUid)
      : await client.messageMove(String(uid), place.moveTo, byUid)
  // Else it would be pulled again and again, at full speed.
  if (isDone === false) throw new Error('the server does not mark or move mails')
}

/** Until the server tells of a mail, the connection ends, or it is time to ask. */
async function waitForNews(client: ImapFlow, stop: AbortSignal): Promise<void> {
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
