// One mail of a listener: its bytes collected within the limits, kept, and answered, in LMTP for
// each recipient on its own (RFC 2033 section 4.2).

import type { Readable } from 'node:stream'
import type { SMTPServerSession } from 'smtp-server'
import { DeadlinePassed } from '../../../kernel/async/deadline.ts'
import type { Envelope } from '../report-tables.ts'
import type { ReportCopy } from '../submit-report.ts'
import { collectMail } from './collect-mail.ts'
import { type ArrivedMail, keepMail, type MailIntake } from './keep-mail.ts'
import type { MailListenerOptions } from './mail-listener.ts'
import { MailRefusal } from './mail-refusal.ts'

export interface ComingMail {
  readonly session: SMTPServerSession
  readonly stream: Readable
  /** By recipient, in lower case. */
  readonly tenants: ReadonlyMap<string, string>
}

/**
 * What the client is told, in LMTP for each recipient. Rejects with the `MailRefusal` for all of
 * them.
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
      bringer: `${via}:${session.remoteAddress || 'socket'}`,
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

/** One for each tenant, with its own recipients. */
function listCopies(
  recipients: readonly string[],
  tenants: ReadonlyMap<string, string>,
): readonly Required<ReportCopy>[] {
  const copies = Map.groupBy(recipients, (address) => tenants.get(address.toLowerCase()) ?? '')
  return [...copies].map(([tenantId, to]) => ({ tenantId, to }))
}

/** The tenants do not hang together here: one that could not be served leaves the others theirs. */
async function keepForEach(
  intake: MailIntake,
  copies: readonly Required<ReportCopy>[],
  mail: ArrivedMail,
): Promise<(string | MailRefusal)[]> {
  const answers = new Map<string, string | MailRefusal>()
  let silence: MailRefusal | null = null
  for (const copy of copies) {
    // A few tenants at most, and each answer is needed. A database that said nothing is not waited
    // for again.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const answer: string | MailRefusal = silence ?? (await keepOrRefuse(intake, copy, mail))
    if (answer instanceof MailRefusal && answer.cause instanceof DeadlinePassed) silence = answer
    for (const address of copy.to) answers.set(address, answer)
  }
  return mail.envelope.to.map((address) => answers.get(address) ?? '')
}

async function keepOrRefuse(
  intake: MailIntake,
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
    // Over LMTP that is your own mail server, of which SPF says nothing.
    remoteAddress: via === 'lmtp' ? null : session.remoteAddress || null,
    helo: session.hostNameAppearsAs || null,
  }
}
