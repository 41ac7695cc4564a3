// Queues notices: chooses recipient, language and template of each, renders it, and stores it with
// its row in the history of the case, in the transaction of the caller. A worker sends it
// afterwards. Notices of one tenant are queued together: a statement for each step, not for each
// notice.

import type { Clock } from '../../kernel/clock.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { isEmailAddress } from '../../values/email.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { addHistory } from '../cases/case-history-store.ts'
import type { Actor } from '../cases/case-tables.ts'
import { findContacts, findReporters, type Recipient } from './choose-recipient.ts'
import { findAddressRefusals } from './find-address-refusal.ts'
import { createReplyKey, type MailIdentity } from './mail-identity.ts'
import {
  mayGoTo,
  type NoticeParty,
  type NoticePurpose,
  type NoticeState,
  type RedactionProfile,
  writeCaseTag,
} from './notice.ts'
import { isAboveLimit, isLoop, type NoticeCount } from './notice-limits.ts'
import { countNotices, lockRecipients } from './notice-limits-store.ts'
import {
  findNoticesOfEffects,
  findThreads,
  insertNotices,
  type NewNotice,
  type NoticeOfEffect,
  type NoticeRecord,
  type ThreadPosition,
} from './notice-store.ts'
import { findShownCases, type ShownCase } from './notice-view-store.ts'
import { type ChosenTemplate, chooseTemplates, cleanLine, renderNotices } from './render-notice.ts'

export interface QueueNoticeDeps {
  readonly ids: IdSource
  readonly clock: Clock
  /** Null where no relay is set: notices are held. */
  readonly mail: MailIdentity | null
}

export interface NoticeRequest {
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
  scope: TenantScope,
  request: NoticeRequest,
): Promise<QueueOutcome> {
  const [outcome] = await queueNotices(tx, deps, scope, [request])
  if (outcome === undefined) throw new Error('a notice has an outcome')
  return outcome
}

/** The outcomes in the order of the requests; each request sees those before it as made. */
export async function queueNotices(
  tx: Tx,
  deps: QueueNoticeDeps,
  scope: TenantScope,
  requests: readonly NoticeRequest[],
): Promise<readonly QueueOutcome[]> {
  const all = requests.map((request): Queued => ({ request, outcome: null }))
  await takeEarlier(tx, scope, all)
  const drafts = await draftNotices(tx, deps, scope, all.filter(isOpen))
  if (drafts.length > 0) await storeNotices(tx, deps, scope, drafts)
  return all.map(({ outcome }) => {
    if (outcome === null) throw new Error('a notice has an outcome')
    return outcome
  })
}

/** A request on its way; the outcome is set once. */
interface Queued {
  readonly request: NoticeRequest
  outcome: QueueOutcome | null
}

function isOpen({ outcome }: Queued): boolean {
  return outcome === null
}

/** The empty list leaves the request out of what `flatMap` collects. */
function refuse(
  queued: Queued,
  reason: QueueRefusal,
  problems: readonly FieldProblem[] = [],
): readonly [] {
  queued.outcome = { kind: 'refused', reason, problems }
  return []
}

/** Sets the outcome of those whose effect has a notice already. */
async function takeEarlier(tx: Tx, scope: TenantScope, all: readonly Queued[]): Promise<void> {
  const keys = all.flatMap(({ request }) => request.effectKey ?? [])
  const made = await findNoticesOfEffects(tx, scope, keys)
  const byKey = new Map(made.map((one) => [one.effectKey, one]))
  for (const queued of all) {
    const notice = byKey.get(queued.request.effectKey ?? '')
    if (notice !== undefined) queued.outcome = takeNotice(notice)
  }
}

function takeNotice({ id, state, reason }: NoticeOfEffect): QueueOutcome {
  return { kind: 'queued', isNew: false, notice: { id, state, reason } }
}

interface Addressed {
  readonly queued: Queued
  readonly request: NoticeRequest
  readonly shown: ShownCase
  readonly recipient: Recipient
}

interface Draft extends Addressed {
  readonly template: ChosenTemplate
  readonly subject: string
  readonly text: string
}

/** Those that can be made; the others are refused. */
async function draftNotices(
  tx: Tx,
  { clock }: QueueNoticeDeps,
  scope: TenantScope,
  open: readonly Queued[],
): Promise<readonly Draft[]> {
  const addressed = await chooseRecipients(tx, scope, open)
  const templates = await chooseTemplates(
    tx,
    scope,
    addressed.map(({ request, recipient }) => ({
      name: request.template,
      language: request.language ?? recipient.language ?? '',
    })),
  )
  const chosen = addressed.flatMap((one, at) => {
    const template = templates[at] ?? null
    if (template === null) return refuse(one.queued, 'no_template')
    if (mayGoTo(one.request.party, template.profile)) return [{ ...one, template }]
    return refuse(one.queued, 'template_not_for_party')
  })
  const now = new Date(clock.nowMs())
  const rendered = await renderNotices(
    tx,
    scope,
    chosen.map(({ request, shown, recipient, template }) => ({
      template,
      case: shown,
      party: request.party,
      recipient: recipient.address,
      content: {
        text: request.text ?? '',
        reasons: request.reasons ?? {},
        vars: request.vars ?? {},
        now,
        digest: [],
      },
    })),
  )
  return chosen.flatMap((one, at) => {
    const notice = rendered[at]
    if (notice?.kind === 'rendered') return [{ ...one, ...notice }]
    return refuse(one.queued, 'template_failed', notice?.problems)
  })
}

/** Those whose case and recipient are found; the others are refused. */
async function chooseRecipients(
  tx: Tx,
  scope: TenantScope,
  open: readonly Queued[],
): Promise<readonly Addressed[]> {
  const cases = await findShownCases(tx, scope, [
    ...new Set(open.map(({ request }) => request.caseId)),
  ])
  const found = open.flatMap((queued) => {
    const { request } = queued
    const shown = cases.get(request.caseId)
    return shown === undefined ? refuse(queued, 'no_case') : [{ queued, request, shown }]
  })
  const customers = found.filter(({ request }) => request.party === 'customer')
  const contacts = await findContacts(
    tx,
    scope,
    customers.map(({ request, shown }) => ({
      customerId: shown.customerId,
      purpose: request.contactPurpose ?? null,
    })),
  )
  const reporting = found.filter(({ request }) => request.party === 'reporter')
  const reporters = await findReporters(
    tx,
    scope,
    reporting.map(({ request: { caseId, recipient = null } }) => ({ caseId, address: recipient })),
  )
  const recipients = new Map<Queued, Recipient | null>([
    ...customers.map(({ queued }, at) => [queued, contacts[at] ?? null] as const),
    ...reporting.map(({ queued }, at) => [queued, reporters[at] ?? null] as const),
  ])
  return found.flatMap((one) => {
    const recipient = recipients.get(one.queued) ?? readOther(one.request)
    if (recipient === null || !isEmailAddress(recipient.address)) {
      return refuse(one.queued, 'no_recipient')
    }
    return [{ ...one, recipient }]
  })
}

function readOther({ party, recipient = null }: NoticeRequest): Recipient | null {
  if (party !== 'other' || recipient === null) return null
  return { address: recipient, language: null, obstacle: null, answers: null }
}

/** What becomes of a notice when it is made. */
interface Standing {
  readonly state: NoticeState
  readonly reason: string | null
}

interface Made {
  readonly draft: Draft
  readonly notice: NewNotice
}

async function storeNotices(
  tx: Tx,
  deps: QueueNoticeDeps,
  scope: TenantScope,
  drafts: readonly Draft[],
): Promise<void> {
  const standings = await chooseStandings(tx, deps, scope, drafts)
  // After the locks of the recipients, so that two notices at once are one thread.
  const earlier = await findThreads(
    tx,
    scope,
    drafts.map(({ request: { caseId }, recipient }) => ({ caseId, recipient: recipient.address })),
  )
  const threads = new Map<string, ThreadPosition>()
  const made = drafts.map((one, at): Made => {
    const standing = standings[at]
    if (standing === undefined) throw new Error('a notice has a state')
    const key = JSON.stringify([one.request.caseId, one.recipient.address.toLowerCase()])
    const notice = buildNotice(deps, one, standing, threads.get(key) ?? earlier[at] ?? null)
    threads.set(key, notice)
    return { draft: one, notice }
  })
  const stored = await insertNotices(
    tx,
    scope,
    made.map(({ notice }) => notice),
  )
  const fresh = made.filter(({ notice }) => stored.has(notice.id))
  for (const { draft: one, notice } of fresh) {
    const { id, state, reason } = notice
    one.queued.outcome = { kind: 'queued', isNew: true, notice: { id, state, reason } }
  }
  // Another transaction made them at the same time; the insert waited for its commit.
  await takeEarlier(tx, scope, drafts.map(({ queued }) => queued).filter(isOpen))
  await noteInHistory(tx, deps, scope, fresh)
}

async function noteInHistory(
  tx: Tx,
  { ids, clock }: QueueNoticeDeps,
  scope: TenantScope,
  made: readonly Made[],
): Promise<void> {
  const at = new Date(clock.nowMs())
  const entries = made.map(({ draft: { request }, notice }) => ({
    caseId: request.caseId,
    kind: 'notice' as const,
    actor: request.actor,
    at,
    reason: null,
    causeId: request.causeId,
    changes: {
      notice_id: notice.id,
      purpose: notice.purpose,
      party: notice.party,
      state: notice.state,
      ...(notice.reason === null ? {} : { reason: notice.reason }),
    },
  }))
  await addHistory(tx, ids, scope, entries)
}

function buildNotice(
  { ids, mail }: QueueNoticeDeps,
  { request, shown, recipient, template, subject, text }: Draft,
  { state, reason }: Standing,
  earlier: ThreadPosition | null,
): NewNotice {
  const { caseId, party, effectKey, actor } = request
  const id = ids.nextUuid()
  const messageId = `${id}@${mail?.domain ?? 'held.invalid'}`
  const inReplyTo = earlier?.messageId ?? recipient.answers
  const { key, hash } = createReplyKey(mail)
  const tag = writeCaseTag(caseId)
  return {
    id,
    caseId,
    purpose: template.purpose,
    template: template.name,
    language: template.language,
    party,
    customerId: findCustomerId(request, shown),
    recipient: recipient.address,
    subject: cleanLine(subject.includes(tag) ? subject : `${tag} ${subject}`),
    text,
    state,
    reason,
    messageId,
    thread: earlier?.thread ?? inReplyTo ?? messageId,
    inReplyTo,
    effectKey,
    replyKey: key,
    replyKeyHash: hash,
    evidenceProfile: request.hasEvidence === true ? chooseProfile(party, template) : null,
    createdBy: actor.id,
  }
}

/** Only a notice to the customer counts for it, whichever of its contacts has it. */
function findCustomerId({ party }: NoticeRequest, { customerId }: ShownCase): string | null {
  return party === 'customer' ? customerId : null
}

// Evidence is redacted for its reader: the party, or the reader of the template where a person
// named the address and the party may be anybody.
function chooseProfile(party: NoticeParty, { profile }: ChosenTemplate): RedactionProfile {
  if (party === 'other') return profile
  return party
}

async function chooseStandings(
  tx: Tx,
  { mail }: QueueNoticeDeps,
  scope: TenantScope,
  drafts: readonly Draft[],
): Promise<readonly Standing[]> {
  const questions = drafts.map(({ request, shown, recipient, template }) => ({
    // The same address, as the two stores below name it.
    recipient: recipient.address,
    address: recipient.address,
    customerId: findCustomerId(request, shown),
    party: request.party,
    caseId: request.caseId,
    purpose: template.purpose,
  }))
  const refusals = await findAddressRefusals(tx, scope, mail, questions)
  const obstacles = drafts.map(({ recipient }, at) => recipient.obstacle ?? refusals[at] ?? null)
  const mayGo = (_: unknown, at: number): boolean => mail !== null && obstacles[at] === null
  const going = questions.filter(mayGo)
  const limits = await lockRecipients(tx, scope, going)
  const counts = await countNotices(tx, scope, going)
  const recent = new Map(going.map((one, at) => [one, counts[at] ?? NOTHING_COUNTED]))
  const before = new Map<string, Counted[]>()
  return drafts.map((one, at) => {
    const question = questions[at]
    if (question === undefined) throw new Error('a notice has a question')
    const ofRecipient = listOf(before, `address ${question.address.toLowerCase()}`)
    const { customerId } = question
    const ofCustomer = customerId === null ? [] : listOf(before, `customer ${customerId}`)
    const count = addCounts(
      recent.get(question) ?? NOTHING_COUNTED,
      { ofRecipient, ofCustomer },
      question,
    )
    const standing = chooseStanding({
      obstacle: obstacles[at] ?? null,
      hasRelay: mail !== null,
      isLooping: isLoop(question.purpose, count),
      isAbove: one.request.isUrgent !== true && isAboveLimit(limits, question.purpose, count),
    })
    const counted = { ...question, wentOut: standing.state === 'waiting' }
    ofRecipient.push(counted)
    ofCustomer.push(counted)
    return standing
  })
}

function chooseStanding({
  obstacle,
  hasRelay,
  isLooping,
  isAbove,
}: {
  readonly obstacle: string | null
  readonly hasRelay: boolean
  readonly isLooping: boolean
  readonly isAbove: boolean
}): Standing {
  if (obstacle !== null) return { state: 'suppressed', reason: obstacle }
  if (!hasRelay) return { state: 'held', reason: 'no_relay' }
  if (isLooping) return { state: 'suppressed', reason: 'too_many' }
  return isAbove ? { state: 'held', reason: 'throttled' } : { state: 'waiting', reason: null }
}

/** A notice of the batch, which the counts of the database have not seen. */
interface Counted {
  readonly caseId: string
  readonly purpose: NoticePurpose
  readonly wentOut: boolean
}

const NOTHING_COUNTED: NoticeCount = {
  ofThread: 0,
  ofRecipient: 0,
  ofCasePurpose: 0,
  ofPurpose: 0,
  ofCustomerCase: 0,
  ofCustomer: 0,
}

function addCounts(
  count: NoticeCount,
  before: Readonly<Record<'ofRecipient' | 'ofCustomer', readonly Counted[]>>,
  { caseId, purpose }: Omit<Counted, 'wentOut'>,
): NoticeCount {
  const isOfCase = (one: Counted): boolean => one.caseId === caseId
  const isLimited = (one: Counted): boolean => one.wentOut && one.purpose === purpose
  const ofPurpose = before.ofRecipient.filter(isLimited)
  const ofCustomer = before.ofCustomer.filter(isLimited)
  return {
    ofThread: count.ofThread + before.ofRecipient.filter(isOfCase).length,
    ofRecipient: count.ofRecipient + before.ofRecipient.length,
    ofCasePurpose: count.ofCasePurpose + ofPurpose.filter(isOfCase).length,
    ofPurpose: count.ofPurpose + ofPurpose.length,
    ofCustomerCase: count.ofCustomerCase + ofCustomer.filter(isOfCase).length,
    ofCustomer: count.ofCustomer + ofCustomer.length,
  }
}

function listOf(lists: Map<string, Counted[]>, key: string): Counted[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}
