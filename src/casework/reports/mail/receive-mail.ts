// Receives one mail of a listener: collects its bytes within the limits, stores it, and returns the
// answer. LMTP has one answer for each recipient (RFC 2033 section 4.2).

import type { Readable } from 'node:stream'
import type { SMTPServerSession } from 'smtp-server'
import { DeadlinePassed } from '../../../kernel/async/deadline.ts'
import type { Share } from '../../../kernel/async/quota.ts'
import type { Envelope } from '../report-tables.ts'
import type { ReportCopy } from '../submit-report.ts'
import { type ArrivedMail, keepMail, type MailIngest } from './keep-mail.ts'
import type { MailListenerOptions } from './mail-listener.ts'
import { brokenOff, MailRefusal, noMemory, tooLarge, tooSlow } from './mail-refusal.ts'

export interface ComingMail {
  readonly session: SMTPServerSession
  readonly stream: Readable
  /** Tenant by recipient address in lower case. */
  readonly tenants: ReadonlyMap<string, string>
}

/**
 * The reply to the client; for LMTP one for each recipient. Rejects with the `MailRefusal` of the
 * whole mail.
 */
export async function receiveMail(
  options: MailListenerOptions,
  { session, stream, tenants }: ComingMail,
): Promise<string | (string | MailRefusal)[]> {
  const { intake, via, limits } = options
  const share = options.budget.open(via === 'lmtp' ? null : session.remoteAddress)
  try {
    const recipients = session.envelope.rcptTo.map(({ address }) => address)
    const collecting = { bytesMax: limits.bytesMax, timeoutMs: limits.mailMs }
    const bytes = await collectMail(stream, share, collecting)
    const mail = {
      via,
      bytes,
      receivedBy: `${via}:${session.remoteAddress || 'socket'}`,
      envelope: readEnvelope(session, via, recipients),
    }
    const copies = listCopies(recipients, tenants)
    if (via === 'lmtp') return await keepForEach(intake, copies, mail)
    const kept = await keepMail(intake, copies, mail)
    return `Kept as ${kept[0]?.id ?? ''}`
  } finally {
    share.giveBack()
  }
}

/** One copy for each tenant, with the recipients of that tenant only. */
function listCopies(
  recipients: readonly string[],
  tenants: ReadonlyMap<string, string>,
): readonly Required<ReportCopy>[] {
  const copies = Map.groupBy(recipients, (address) => tenants.get(address.toLowerCase()) ?? '')
  return [...copies].map(([tenantId, to]) => ({ tenantId, to }))
}

/** Stores each tenant's copy on its own: when one fails, the others are still stored. */
async function keepForEach(
  intake: MailIngest,
  copies: readonly Required<ReportCopy>[],
  mail: ArrivedMail,
): Promise<(string | MailRefusal)[]> {
  const answers = new Map<string, string | MailRefusal>()
  let silence: MailRefusal | null = null
  for (const copy of copies) {
    // A few tenants at most, and each answer is needed. After one timeout of the database, the
    // remaining copies are refused at once.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const answer: string | MailRefusal = silence ?? (await keepOrRefuse(intake, copy, mail))
    if (answer instanceof MailRefusal && answer.cause instanceof DeadlinePassed) silence = answer
    for (const address of copy.to) answers.set(address, answer)
  }
  return mail.envelope.to.map((address) => answers.get(address) ?? '')
}

async function keepOrRefuse(
  intake: MailIngest,
  copy: ReportCopy,
  mail: ArrivedMail,
): Promise<string | MailRefusal> {
  try {
    const [kept] = await keepMail(intake, [copy], mail)
    return `Kept as ${kept?.id ?? ''}`
  } catch (error) {
    if (!(error instanceof MailRefusal)) throw error
    intake.metrics.refused.inc({ via: mail.via, reason: error.reason })
    return error
  }
}

function readEnvelope(
  session: SMTPServerSession,
  via: 'smtp' | 'lmtp',
  to: readonly string[],
): Envelope {
  const { mailFrom } = session.envelope
  return {
    from: mailFrom === false ? null : mailFrom.address,
    to,
    // Over LMTP the client is your own mail server, and SPF does not apply.
    remoteAddress: via === 'lmtp' ? null : session.remoteAddress || null,
    helo: session.hostNameAppearsAs || null,
  }
}

interface CollectLimits {
  readonly bytesMax: number
  /**
   * For the whole mail. A client that sends a byte now and then never reaches the silence timeout.
   */
  readonly timeoutMs: number
}

// A client that sends this much more than the limit is cut off instead of read to the end.
const FLOOD_FACTOR = 2

/**
 * The bytes of one mail. Rejects with a `MailRefusal`. The memory stays counted in `share`; the
 * caller gives it back. The rest of a refused mail is read and dropped: SMTP has no other way to
 * stop a client in the middle of its mail than to close the connection.
 */
async function collectMail(stream: Readable, share: Share, limits: CollectLimits): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  let refusal: MailRefusal | null = null
  const drop = (why: MailRefusal): void => {
    refusal = why
    chunks.length = 0
    share.giveBack()
  }
  return await new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // More of it may come until the connection is closed. The caller has given the share back by
      // then, and would not give back what is counted later.
      drop(tooSlow())
      reject(tooSlow())
    }, limits.timeoutMs)
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > limits.bytesMax * FLOOD_FACTOR) {
        clearTimeout(timer)
        reject(tooLarge(limits.bytesMax))
      }
      if (refusal !== null) return
      if (length > limits.bytesMax) drop(tooLarge(limits.bytesMax))
      else if (share.take(chunk.length)) chunks.push(chunk)
      else drop(noMemory())
    })
    stream.once('end', () => {
      clearTimeout(timer)
      if (refusal === null) resolve(Buffer.concat(chunks, length))
      else reject(refusal)
    })
    // A client that disconnects destroys the stream, with or without an error.
    stream.once('error', (error) => {
      clearTimeout(timer)
      reject(brokenOff(error))
    })
    stream.once('close', () => {
      clearTimeout(timer)
      reject(brokenOff('closed'))
    })
  })
}
