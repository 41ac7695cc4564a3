// Queues a notice: chooses recipient, language and template, renders it, and stores it with its row
// in the history of the case, in the transaction of the caller. A worker sends it afterwards.

import type { Clock } from '../../kernel/clock.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { isEmailAddress } from '../../values/email.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { addHistory } from '../cases/case-history-store.ts'
import type { Actor } from '../cases/case-tables.ts'
import { findContact, findReporter, type Recipient } from './choose-recipient.ts'
import { findAddressRefusal } from './find-address-refusal.ts'
import { createReplyKey, type MailIdentity } from './mail-identity.ts'
import {
  mayGoTo,
  type NoticeParty,
  type NoticePurpose,
  type NoticeState,
  type RedactionProfile,
  writeCaseTag,
} from './notice.ts'
import { isAboveLimit, isLoop } from './notice-limits.ts'
import { countNotices, lockRecipient } from './notice-limits-store.ts'
import {
  findNoticeOfEffect,
  findThread,
  insertNotice,
  type NoticeRecord,
  orderEvidence,
} from './notice-store.ts'
import { findShownCase, type ShownCase } from './notice-view-store.ts'
import { type ChosenTemplate, chooseTemplate, cleanLine, renderNotice } from './render-notice.ts'

export interface QueueNoticeDeps {
  readonly ids: IdSource
  readonly clock: Clock
  /** Null where no relay is set: notices are held. */
  readonly mail: MailIdentity | null
}

export interface NoticeRequest {
  readonly scope: TenantScope
  readonly caseId: string
  /** The name of a template; that of a purpose is its purpose. */
  readonly template: string
  readonly party: NoticeParty
  /** Needed for `other`; for a reporter, one of several. */
  readonly recipient?: string | null
  /** That of the contact when left out. */
  readonly language?: string | null
  /** Of the contact: abuse when left out. */
  readonly contactPurpose?: string | null
  readonly text?: string
  readonly reasons?: Readonly<Record<string, unknown>>
  /** With what its reports enclose, redacted for the profile of the template. */
  readonly hasEvidence?: boolean
  readonly vars?: Readonly<Record<string, unknown>>
  /** True: the limit of the recipient does not hold it back. */
  readonly isUrgent?: boolean
  /** The same key never makes a second notice; null makes one each time. */
  readonly effectKey: string | null
  readonly actor: Actor
  readonly causeId: string | null
}

type QueueRefusal =
  | 'no_case'
  | 'no_recipient'
  | 'no_template'
  | 'template_not_for_party'
  | 'template_failed'

export type QueueOutcome =
  | {
      readonly kind: 'queued'
      /** False: the effect key had made it before. */
      readonly isNew: boolean
      readonly notice: Pick<NoticeRecord, 'id' | 'state' | 'reason'>
    }
  | {
      readonly kind: 'refused'
      readonly reason: QueueRefusal
      readonly problems: readonly FieldProblem[]
    }

export async function queueNotice(
  tx: Tx,
  deps: QueueNoticeDeps,
  request: NoticeRequest,
): Promise<QueueOutcome> {
  const { scope, caseId, effectKey } = request
  const earlier = effectKey === null ? null : await findNoticeOfEffect(tx, scope, effectKey)
  if (earlier !== null) return { kind: 'queued', isNew: false, notice: earlier }
  const shown = await findShownCase(tx, scope, caseId)
  if (shown === null) return refuse('no_case')
  const recipient = await findRecipient(tx, request, shown)
  if (recipient === null || !isEmailAddress(recipient.address)) return refuse('no_recipient')
  const language = request.language ?? recipient.language ?? ''
  const template = await chooseTemplate(tx, scope, request.template, language)
  if (template === null) return refuse('no_template')
  if (!mayGoTo(request.party, template.profile)) return refuse('template_not_for_party')
  const rendered = await renderNotice(tx, scope, {
    template,
    case: shown,
    party: request.party,
    recipient: recipient.address,
    content: {
      text: request.text ?? '',
      reasons: request.reasons ?? {},
      vars: request.vars ?? {},
      now: new Date(deps.clock.nowMs()),
      digest: [],
    },
  })
  if (rendered.kind === 'trouble') return refuse('template_failed', rendered.problems)
  return await store(tx, deps, request, { shown, recipient, template, ...rendered })
}

function refuse(reason: QueueRefusal, problems: readonly FieldProblem[] = []): QueueOutcome {
  return { kind: 'refused', reason, problems }
}

async function findRecipient(
  tx: Tx,
  { scope, caseId, party, recipient = null, contactPurpose }: NoticeRequest,
  shown: ShownCase,
): Promise<Recipient | null> {
  switch (party) {
    case 'customer':
      return await findContact(tx, scope, shown.customerId, contactPurpose ?? undefined)
    case 'reporter':
      return await findReporter(tx, scope, caseId, recipient)
    case 'other':
      if (recipient === null) return null
      return { address: recipient, language: null, obstacle: null, answers: null }
  }
}

interface Draft {
  readonly shown: ShownCase
  readonly recipient: Recipient
  readonly template: ChosenTemplate
  readonly subject: string
  readonly text: string
}

async function store(
  tx: Tx,
  deps: QueueNoticeDeps,
  request: NoticeRequest,
  { shown, recipient, template, subject, text }: Draft,
): Promise<QueueOutcome> {
  const { scope, caseId, party, effectKey, actor } = request
  const id = deps.ids.nextUuid()
  const { state, reason } = await chooseState(tx, deps, request, recipient, template.purpose)
  const thread = await findThread(tx, scope, caseId, recipient.address)
  const messageId = `${id}@${deps.mail?.domain ?? 'held.invalid'}`
  const inReplyTo = thread?.messageId ?? recipient.answers
  const { key, hash } = createReplyKey(deps.mail)
  const tag = writeCaseTag(caseId)
  const isNew = await insertNotice(tx, scope, {
    id,
    caseId,
    purpose: template.purpose,
    template: template.name,
    language: template.language,
    party,
    customerId: party === 'customer' ? shown.customerId : null,
    recipient: recipient.address,
    subject: cleanLine(subject.includes(tag) ? subject : `${tag} ${subject}`),
    text,
    state,
    reason,
    messageId,
    thread: thread?.thread ?? inReplyTo ?? messageId,
    inReplyTo,
    effectKey,
    replyKey: key,
    replyKeyHash: hash,
    createdBy: actor.id,
  })
  if (!isNew) return await readEarlier(tx, request)
  if (request.hasEvidence === true) {
    await orderEvidence(tx, scope, id, chooseProfile(party, template))
  }
  const purpose: NoticePurpose = template.purpose
  await addHistory(tx, deps.ids, scope, [
    {
      caseId,
      kind: 'notice',
      actor,
      at: new Date(deps.clock.nowMs()),
      reason: null,
      causeId: request.causeId,
      changes: { notice_id: id, purpose, party, state, ...(reason === null ? {} : { reason }) },
    },
  ])
  return { kind: 'queued', isNew: true, notice: { id, state, reason } }
}

// A person names any other party, who may be the customer or anybody.
function chooseProfile(party: NoticeParty, { profile }: ChosenTemplate): RedactionProfile {
  if (party === 'other') return profile
  return party
}

/** Another transaction made it at the same time; the insert waited for its commit. */
async function readEarlier(tx: Tx, request: NoticeRequest): Promise<QueueOutcome> {
  const earlier = await findNoticeOfEffect(tx, request.scope, request.effectKey ?? '')
  if (earlier === null) throw new Error('a notice of this effect key was there a moment ago')
  return { kind: 'queued', isNew: false, notice: earlier }
}

async function chooseState(
  tx: Tx,
  { mail }: QueueNoticeDeps,
  { scope, caseId, party, isUrgent = false }: NoticeRequest,
  { address, obstacle }: Recipient,
  purpose: NoticePurpose,
): Promise<{ readonly state: NoticeState; readonly reason: string | null }> {
  const found =
    obstacle ?? (await findAddressRefusal(tx, scope, mail, { recipient: address, party }))
  if (found !== null) return { state: 'suppressed', reason: found }
  if (mail === null) return { state: 'held', reason: 'no_relay' }
  const limits = await lockRecipient(tx, scope, address)
  const recent = await countNotices(tx, scope, { address, caseId, purpose })
  if (isLoop(purpose, recent)) return { state: 'suppressed', reason: 'too_many' }
  const isHeld = !isUrgent && isAboveLimit(limits, purpose, recent)
  return isHeld ? { state: 'held', reason: 'throttled' } : { state: 'waiting', reason: null }
}
