// Sends the mails about accounts in a process with the role worker. The link is made with each
// attempt and stands in the mail alone; a former one of its kind stops working.

import type { Clock } from '../../kernel/clock.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { inInstance } from '../../kernel/db/instance-acts.ts'
import type { Log } from '../../kernel/log.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { findUser, type UserRecord } from '../people/user-store.ts'
import { makeLink } from '../sign-in/make-link.ts'
import { findTenant } from '../tenant-store.ts'
import {
  claimAccountMails,
  type DueMail,
  delayAccountMail,
  deleteAccountMail,
} from './account-mail-store.ts'
import { type WrittenMail, writeAccountMail } from './write-account-mail.ts'

export interface SendMailsDeps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly audit: AuditLog
  readonly readPublicUrl: () => string
  readonly send: (to: string, mail: WrittenMail) => Promise<SendOutcome>
}

export type SendOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'failed'; readonly isFinal: boolean; readonly failure: string }

const BATCH = 10
// Longer than the time in which a relay answers or is given up.
const LEASE_SECONDS = 120
const FIRST_PAUSE_MS = 30_000
const PAUSE_MAX_MS = 900_000
// A link for a new password that comes a day later is no help any more.
const AGE_MAX_MS = 24 * 3_600_000

/** One pass over the mails that are due. */
export async function sendAccountMails(deps: SendMailsDeps): Promise<void> {
  await inInstance('know people', async () => {
    for (;;) {
      const now = new Date(deps.clock.nowMs())
      const claim = { now, count: BATCH, leaseSeconds: LEASE_SECONDS }
      const mails = await claimAccountMails(deps.db, claim)
      for (const mail of mails) await sendOne(deps, mail)
      if (mails.length < BATCH) return
    }
  })
}

async function sendOne(deps: SendMailsDeps, mail: DueMail): Promise<void> {
  const { db, clock, log } = deps
  const outcome = await trySending(deps, mail)
  if (outcome === null || outcome.kind === 'sent') return await deleteAccountMail(db, mail.id)
  const nowMs = clock.nowMs()
  const isTooOld = nowMs - mail.createdAt.getTime() > AGE_MAX_MS
  if (outcome.isFinal || isTooOld) {
    log.warn('A mail about an account was not sent', { kind: mail.kind, reason: outcome.failure })
    return await deleteAccountMail(db, mail.id)
  }
  const pauseMs = Math.min(PAUSE_MAX_MS, FIRST_PAUSE_MS * 2 ** (mail.attempts - 1))
  await delayAccountMail(db, mail.id, new Date(nowMs + pauseMs))
}

/** Null for a mail that has lost its reason. Whatever one mail throws, the others go out. */
async function trySending(deps: SendMailsDeps, mail: DueMail): Promise<SendOutcome | null> {
  try {
    const made = await prepare(deps, mail)
    return made === null ? null : await deps.send(made.to, made.mail)
  } catch (error) {
    deps.log.error('A mail about an account could not be made', {
      kind: mail.kind,
      error: String(error),
    })
    return { kind: 'failed', isFinal: false, failure: 'it could not be made' }
  }
}

/** Null when the mail has lost its reason: no such person, disabled, or accepted meanwhile. */
async function prepare(
  { db, clock, audit, readPublicUrl }: SendMailsDeps,
  { kind, userId, invitedTo, language }: DueMail,
): Promise<{ readonly to: string; readonly mail: WrittenMail } | null> {
  const user = userId === null ? null : await findUser(db, userId)
  if (user === null || user.isDisabled || !isWanted(user, invitedTo)) return null
  const tenant = invitedTo === null ? null : await findTenant(db, invitedTo)
  const link = await inTransaction(db, async (tx) => {
    const made = await makeLink(
      tx,
      { kind, userId: user.id, tenantId: invitedTo },
      { publicUrl: readPublicUrl(), nowMs: clock.nowMs() },
    )
    const by = { kind: 'program', id: 'account-mail' } as const
    await audit.record(tx, 'user.link', { tenantId: invitedTo, id: user.id, after: { kind }, by })
    return made
  })
  const invited = user.memberships.find(({ tenantId }) => tenantId === invitedTo)
  const name = invited?.invitedName ?? user.name
  const tenantName = tenant?.name ?? invitedTo
  const { url, expiresAt } = link
  const mail = writeAccountMail({ kind, language, name, link: url, expiresAt, tenantName })
  return { to: user.email, mail }
}

/** A new password is for who works here; an invitation for who has not accepted it yet. */
function isWanted({ memberships }: UserRecord, invitedTo: string | null): boolean {
  return invitedTo === null
    ? memberships.some(({ isAccepted }) => isAccepted)
    : memberships.some(({ tenantId, isAccepted }) => tenantId === invitedTo && !isAccepted)
}
