// Makes digests: one mail a day to each recipient for whom a limit held notices. The digest, its
// notices and the history of their cases are one transaction, with a key that no second one has.

import type { Clock } from '../../kernel/clock.ts'
import { type Db, inTransaction, type Tx } from '../../kernel/db/database.ts'
import { inInstance } from '../../kernel/db/instance-acts.ts'
import { workOrPassOver } from '../../kernel/db/pass-over-tenant.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { addHistory } from '../cases/case-history-store.ts'
import { lockRows } from '../cases/case-locks.ts'
import type { NoticeContent } from './build-view.ts'
import {
  type DueDigest,
  endPendingNotices,
  listDueDigests,
  listPendingNotices,
  lockPendingNotices,
  type PendingNotice,
} from './digest-store.ts'
import { findAddressRefusal } from './find-address-refusal.ts'
import { createReplyKey, type MailIdentity } from './mail-identity.ts'
import type { NoticeState } from './notice.ts'
import { lockRecipients, removeOldRecipients } from './notice-limits-store.ts'
import { insertNotices, type NewNotice } from './notice-store.ts'
import { findTenantName } from './notice-view-store.ts'
import { chooseTemplate, cleanLine, type RenderedNotice, renderNotice } from './render-notice.ts'
import { findShippedTemplate } from './shipped-templates.ts'

export interface MakeDigestsDeps {
  readonly db: Db
  readonly log: Log
  readonly ids: IdSource
  readonly clock: Clock
  readonly mail: MailIdentity
}

// The pass a minute later makes the others.
const DIGESTS_MAX = 500
// Notices above this number wait for the digest of the next day.
const NOTICES_MAX = 200
// All texts together. A notice whose text does not fit is listed by its subject alone.
const TEXTS_LENGTH_MAX = 40_000

/** Makes the digests that are due, up to a bound. Returns how many. */
export async function makeDigests(deps: MakeDigestsDeps, signal: AbortSignal): Promise<number> {
  const act = 'make digests'
  await inInstance(act, () => removeOldRecipients(deps))
  let made = 0
  for (const due of await inInstance(act, () => listDueDigests(deps.db, DIGESTS_MAX))) {
    if (signal.aborted) break
    // Each in a transaction of its own: the failure of one is logged, and the others go on.
    const make = () => inTransaction(deps.db, (tx) => makeDigest(tx, deps, due))
    // oxlint-disable-next-line eslint/no-await-in-loop
    const isMade = await workOrPassOver(deps.log, due, 'A digest could not be made', make)
    if (isMade === true) made += 1
  }
  return made
}

/** False when another process made it. */
async function makeDigest(tx: Tx, deps: MakeDigestsDeps, due: DueDigest): Promise<boolean> {
  const seen = await listPendingNotices(tx, due, NOTICES_MAX)
  // The cases before the recipient, the recipient before the notices, as in queue-notice.ts.
  await lockRows(tx, due, [...new Set(seen.map(({ caseId }) => caseId))])
  await lockRecipients(tx, due, [{ address: due.recipient, customerId: null }])
  const held = await lockPendingNotices(
    tx,
    due,
    seen.map(({ id }) => id),
  )
  const newest = held.at(-1)
  if (newest === undefined) return false
  const obstacle = await findAddressRefusal(tx, due, deps.mail, newest)
  if (obstacle !== null) {
    await endHeld(tx, deps, due, held, { state: 'suppressed', reason: obstacle, digestId: null })
    return false
  }
  const digestId = deps.ids.nextUuid()
  if (!(await storeDigest(tx, deps, due, { digestId, held, newest }))) return false
  await endHeld(tx, deps, due, held, { state: 'held', reason: 'in_digest', digestId })
  return true
}

interface NewDigest {
  readonly digestId: string
  readonly held: readonly PendingNotice[]
  /** The last of them, to whose recipient the digest goes. */
  readonly newest: PendingNotice
}

async function storeDigest(
  tx: Tx,
  deps: MakeDigestsDeps,
  due: DueDigest,
  { digestId: id, held, newest }: NewDigest,
): Promise<boolean> {
  const { party, recipient } = newest
  const { template, language, subject, text } = await renderDigest(tx, deps, due, held, newest)
  const { key, hash } = createReplyKey(deps.mail)
  const messageId = `${id}@${deps.mail.domain}`
  const customers = new Set(held.map(({ customerId }) => customerId))
  const notice: NewNotice = {
    id,
    caseId: null,
    purpose: 'digest',
    template,
    language,
    party,
    customerId: customers.size === 1 ? newest.customerId : null,
    recipient,
    subject: cleanLine(subject),
    text,
    state: 'waiting',
    reason: null,
    messageId,
    // A thread of its own: it is about several cases.
    thread: messageId,
    inReplyTo: null,
    effectKey: due.effectKey,
    replyKey: key,
    replyKeyHash: hash,
    evidenceProfile: null,
    createdBy: ACTOR.id,
  }
  return (await insertNotices(tx, due, [notice])).has(id)
}

/** In the language of the newest notice, which is that of the contact if there is a template. */
async function renderDigest(
  tx: Tx,
  { clock }: Pick<MakeDigestsDeps, 'clock'>,
  scope: TenantScope,
  held: readonly PendingNotice[],
  { language, recipient }: PendingNotice,
) {
  const content = {
    text: '',
    vars: {},
    reasons: {},
    now: new Date(clock.nowMs()),
    digest: cutTexts(held),
    providerName: await findTenantName(tx, scope),
  }
  const shipped =
    findShippedTemplate(TEMPLATE_NAME, language) ?? findShippedTemplate(TEMPLATE_NAME, 'en')
  const own = await chooseTemplate(tx, scope, TEMPLATE_NAME, language)
  // The digest of a tenant whose own template fails must not wait for ever.
  for (const template of [own, shipped]) {
    if (template === null) continue
    // At most two.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const rendered: RenderedNotice = await renderNotice(tx, scope, {
      template,
      case: null,
      party: 'other',
      recipient,
      content,
    })
    if (rendered.kind === 'rendered') {
      const { subject, text } = rendered
      return { template: template.name, language: template.language, subject, text }
    }
  }
  throw new Error('the digest that ships with the program could not be rendered')
}

const TEMPLATE_NAME = 'digest'

function cutTexts(held: readonly PendingNotice[]): NoticeContent['digest'] {
  let left = TEXTS_LENGTH_MAX
  return held.map(({ subject, text, hasEvidence }) => {
    const isShown = text.length <= left
    if (isShown) left -= text.length
    return { subject, text: isShown ? text : '', has_evidence: hasEvidence }
  })
}

const ACTOR = { kind: 'system', id: 'notices', name: 'notices' } as const

/** Gives the held notices their state, and their cases an entry of history for each. */
async function endHeld(
  tx: Tx,
  { ids, clock }: MakeDigestsDeps,
  due: DueDigest,
  held: readonly PendingNotice[],
  ended: { readonly state: NoticeState; readonly reason: string; readonly digestId: string | null },
): Promise<void> {
  await endPendingNotices(
    tx,
    due,
    held.map(({ id }) => id),
    ended,
  )
  const { state, reason, digestId } = ended
  const entries = held.map(({ id, caseId, purpose, party }) => ({
    caseId,
    kind: 'notice' as const,
    actor: ACTOR,
    at: new Date(clock.nowMs()),
    reason: null,
    causeId: digestId,
    changes: {
      notice_id: id,
      purpose,
      party,
      state,
      reason,
      ...(digestId === null ? {} : { digest_id: digestId }),
    },
  }))
  await addHistory(tx, ids, due, entries)
}
