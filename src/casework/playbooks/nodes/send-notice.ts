// Sends notices for the nodes Email, Notify Reporter and Statement of Reasons. A notice is queued
// once under the key of the visit. The token then waits for what becomes of it: the sender writes a
// row of history, which wakes the token.

import type { Tx } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { addHistory } from '../../cases/case-history-store.ts'
import { findReporters } from '../../notices/choose-recipient.ts'
import {
  findNoticesOfEffects,
  giveUpNotice,
  type NoticeOfEffect,
} from '../../notices/notice-store.ts'
import { type NoticeRequest, type QueueOutcome, queueNotices } from '../../notices/queue-notice.ts'
import type { Facts } from '../case-facts.ts'
import type { ApplyDeps, Due, EarlyLeave, Outcome, Refused } from '../node-kind.ts'
import type { NoticePlan } from './notice-config.ts'
import { createValueReader, refuseValue, type ValueReader } from './value-config.ts'

export interface NoticeNode {
  /** May throw ValueTrouble. As many plans as `noticesMax` at most; none has no recipient. */
  readonly plan: (values: ValueReader, facts: Facts) => readonly NoticePlan[]
  readonly noticesMax: number
  /** How long a notice that was sent may come back; null does not wait for it. */
  readonly bounceSeconds: number | null
}

// The attempts of a notice end within two days and a half (send-notices.ts).
const SEND_SECONDS_MAX = 3 * 86_400
// Longer than an attempt to send takes.
const ATTEMPT_SECONDS = 300
const PROBLEMS_MAX = 5
const SENT_PATH = 'sent'
const BOUNCED_PATH = 'bounced'

/** The outcomes in the order of the dues. */
export async function sendNotices(
  tx: Tx,
  deps: ApplyDeps,
  dues: readonly Due<NoticeNode>[],
): Promise<readonly Outcome[]> {
  const [first] = dues
  if (first === undefined) return []
  const known = await findNoticesOfEffects(tx, first.scope, dues.flatMap(listKeys))
  const byKey = new Map(known.map((one) => [one.effectKey, one]))
  const queued = await queue(
    tx,
    deps,
    first.scope,
    dues.filter((due) => !listKeys(due).some((key) => byKey.has(key))),
  )
  const outcomes: Outcome[] = []
  for (const due of dues) {
    const made = listKeys(due).flatMap((key) => byKey.get(key) ?? [])
    // One after the other on one connection.
    // oxlint-disable-next-line eslint/no-await-in-loop
    outcomes.push(queued.get(due) ?? (await follow(tx, deps, due, made)))
  }
  return outcomes
}

/** The keys of the notices of a visit: the key of the effect, and numbers behind it. */
function listKeys({ key, config }: Due<NoticeNode>): readonly string[] {
  return Array.from({ length: config.noticesMax }, (_, at) => writeKey(key, at))
}

function writeKey(key: string, at: number): string {
  return at === 0 ? key : `${key}#${at + 1}`
}

/** What is known of a notice, and shown with the visit; without an id, it could not be made. */
interface Told {
  readonly notice_id?: string
  readonly state: string
  readonly reason: string | null
  readonly problems?: readonly object[]
}

/** A notice that a visit asks for. */
interface Asked {
  readonly due: Due<NoticeNode>
  readonly plan: NoticePlan
  readonly effectKey: string
}

/** Makes the notices of visits that have made none. */
async function queue(
  tx: Tx,
  deps: ApplyDeps,
  scope: TenantScope,
  dues: readonly Due<NoticeNode>[],
): Promise<ReadonlyMap<Due<NoticeNode>, Outcome>> {
  const refused = new Map<Due<NoticeNode>, Outcome>()
  const asked = dues.flatMap((due): readonly Asked[] => {
    const plans = makePlans(due)
    if (!('kind' in plans)) {
      return plans
        .slice(0, due.config.noticesMax)
        .map((plan, at) => ({ due, plan, effectKey: writeKey(due.key, at) }))
    }
    refused.set(due, plans)
    return []
  })
  const parties = await chooseParties(tx, scope, asked)
  const outcomes = await queueNotices(
    tx,
    deps,
    scope,
    asked.map(({ due: { caseId, actor, key }, plan, effectKey }, at): NoticeRequest => {
      const party = parties[at] ?? plan.party
      return { ...plan, party, caseId, actor, effectKey, causeId: key }
    }),
  )
  const told = Map.groupBy(
    outcomes.map((outcome, at) => ({ due: asked[at]?.due, told: describe(outcome) })),
    ({ due }) => due,
  )
  return new Map(
    dues.map((due) => [
      due,
      refused.get(due) ?? conclude(due, told.get(due)?.map((one) => one.told) ?? []),
    ]),
  )
}

/**
 * An address that a value gives may be that of a reporter of the case, who then gets no text that
 * is written for the customer. In the order of what is asked.
 */
async function chooseParties(
  tx: Tx,
  scope: TenantScope,
  asked: readonly Asked[],
): Promise<readonly NoticePlan['party'][]> {
  const named = asked.flatMap((one) => {
    const { party, recipient = null } = one.plan
    return party === 'other' && recipient !== null ? [{ one, recipient }] : []
  })
  const found = await findReporters(
    tx,
    scope,
    named.map(({ one, recipient }) => ({ caseId: one.due.caseId, address: recipient })),
  )
  const reporters = new Set(
    named.flatMap(({ one }, at) => ((found[at] ?? null) === null ? [] : [one])),
  )
  return asked.map((one) => (reporters.has(one) ? 'reporter' : one.plan.party))
}

function makePlans({ config, facts }: Due<NoticeNode>): readonly NoticePlan[] | Refused {
  try {
    return config.plan(createValueReader(facts), facts)
  } catch (error) {
    return refuseValue(error)
  }
}

function describe(outcome: QueueOutcome): Told {
  if (outcome.kind === 'refused') {
    const { reason, problems } = outcome
    const shown = problems.slice(0, PROBLEMS_MAX)
    return { state: 'refused', reason, ...(shown.length === 0 ? {} : { problems: shown }) }
  }
  return tell(outcome.notice)
}

function tell({ id, state, reason }: Pick<NoticeOfEffect, 'id' | 'state' | 'reason'>): Told {
  return { notice_id: id, state, reason }
}

/** What has become of the notices that an earlier call of this visit has made. */
async function follow(
  tx: Tx,
  deps: ApplyDeps,
  due: Due<NoticeNode>,
  made: readonly NoticeOfEffect[],
): Promise<Outcome> {
  const isLate =
    due.timerRang || due.now.getTime() >= addSeconds(due.enteredAt, SEND_SECONDS_MAX).getTime()
  const late = isLate ? made.filter(({ state }) => state === 'waiting') : []
  const ended = new Set<string>()
  for (const { id } of late) {
    // One after the other on one connection.
    // oxlint-disable-next-line eslint/no-await-in-loop
    if (await giveUp(tx, deps, due, id)) ended.add(id)
  }
  // An attempt is under way, and its end decides.
  if (ended.size < late.length) return wait(addSeconds(due.now, ATTEMPT_SECONDS))
  const told = made.map((one) =>
    ended.has(one.id) ? { notice_id: one.id, state: 'failed', reason: NOT_SENT } : tell(one),
  )
  const [only] = made
  const bounceAt = made.length === 1 && only !== undefined ? chooseBounceEnd(deps, due, only) : null
  if (bounceAt !== null) {
    // The mail is out, so the case waits for whom the next node waits, who may answer at once.
    const waitsFor = due.partyBehind(SENT_PATH) ?? 'timer'
    const output = present(told)
    const early: EarlyLeave = { path: SENT_PATH, output, vars: { [due.nodeId]: output } }
    return { kind: 'wait', waitsFor, timerAt: bounceAt, watchesCase: true, memo: { early } }
  }
  return conclude(due, told)
}

/** Until when a notice that was sent may come back; null when nothing is awaited. */
function chooseBounceEnd(
  { mail }: ApplyDeps,
  { config: { bounceSeconds }, isConnected, now, timerRang }: Due<NoticeNode>,
  { state, sentAt }: NoticeOfEffect,
): Date | null {
  if (state !== 'sent' || sentAt === null || bounceSeconds === null || timerRang) return null
  if (mail?.takesAnswers !== true || !isConnected(BOUNCED_PATH)) return null
  const end = addSeconds(sentAt, bounceSeconds)
  return end.getTime() > now.getTime() ? end : null
}

/** Of the memo of a node that waits for a bounce; null for any other wait. */
export function readEarlyLeave(memo: MemoOfNotice): EarlyLeave | null {
  return memo.early ?? null
}

interface MemoOfNotice {
  readonly early?: EarlyLeave
}

const NOT_SENT = 'not_sent_in_time'

/** A notice that is told of as not sent must not go out later. False while an attempt is made. */
async function giveUp(
  tx: Tx,
  { ids, clock }: ApplyDeps,
  { scope, caseId, actor, key }: Due<NoticeNode>,
  noticeId: string,
): Promise<boolean> {
  const notice = await giveUpNotice(tx, scope, noticeId, NOT_SENT)
  if (notice === null) return false
  const { purpose, party } = notice
  const changes = { notice_id: noticeId, purpose, party, state: 'failed', reason: NOT_SENT }
  const at = new Date(clock.nowMs())
  await addHistory(tx, ids, scope, [
    { caseId, kind: 'notice', actor, at, reason: null, causeId: key, changes },
  ])
  return true
}

function wait(timerAt: Date): Outcome {
  return { kind: 'wait', waitsFor: null, timerAt, watchesCase: true }
}

/** Waits while the relay has not got all of them; then the path, by what has become of them. */
function conclude(due: Due<NoticeNode>, told: readonly Told[]): Outcome {
  if (told.some(({ state }) => state === 'waiting')) {
    return wait(addSeconds(due.enteredAt, SEND_SECONDS_MAX))
  }
  const output = present(told)
  if (told.some(isOnItsWay)) return leave(due, SENT_PATH, output)
  const [first] = told
  if (first?.state === 'bounced' && due.isConnected(BOUNCED_PATH)) {
    return leave(due, BOUNCED_PATH, output)
  }
  const reason = first?.reason ?? first?.state ?? 'no_recipient'
  return { kind: 'refused', reason, output }
}

function leave({ nodeId }: Due<NoticeNode>, path: string, output: object): Outcome {
  return { kind: 'done', path, output, vars: { [nodeId]: output } }
}

/** A digest brings a notice that a limit holds back. */
const TAKEN_UP: ReadonlySet<string | null> = new Set(['throttled', 'in_digest'])

function isOnItsWay({ state, reason }: Told): boolean {
  return state === 'sent' || (state === 'held' && TAKEN_UP.has(reason))
}

function present(told: readonly Told[]): object {
  const shown = told.map(({ reason, ...rest }) => ({
    ...rest,
    ...(reason === null ? {} : { reason }),
  }))
  if (shown.length <= 1) return shown[0] ?? { state: 'refused', reason: 'no_recipient' }
  return { sent: told.filter(isOnItsWay).length, notices: shown }
}

function addSeconds(from: Date, seconds: number): Date {
  return new Date(from.getTime() + seconds * 1_000)
}
