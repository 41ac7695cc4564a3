// POST /beta/casework/notices/{noticeId}/resend and …/cancel: a person sends a notice now, or drops
// it.

import { requireCaller } from '../../access/admit-request.ts'
import { inTransaction, type Tx } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { Caller, TenantScope } from '../../vocabulary/caller.ts'
import { addHistory } from '../cases/case-history-store.ts'
import { lockRows } from '../cases/case-locks.ts'
import { endDigestItems, listDigestItems } from './digest-store.ts'
import { cancelNotPossible, noticeNotPossible, noticeWaits, relayNotSet } from './errors.ts'
import { findAddressRefusal } from './find-address-refusal.ts'
import { createReplyKey } from './mail-identity.ts'
import {
  NOTICE_PATH,
  type NoticeEndpointDeps,
  NoticeParams,
  requireNotice,
} from './notice-endpoints.ts'
import { listReplies } from './notice-reply-store.ts'
import { awakeNotice, cancelNotice, listAttempts, type NoticeDetail } from './notice-store.ts'
import { NoticeWithAttempts, presentNoticeDetail } from './notice-wire.ts'

export function resendNoticeRoute(deps: NoticeEndpointDeps): Route {
  const { db, mail } = deps
  return defineRoute({
    method: 'POST',
    path: `${NOTICE_PATH}/resend`,
    group: 'casework',
    access: { kind: 'scope', scope: 'notices:send' },
    operationId: 'resendNotice',
    idempotency: 'kept',
    summary: 'Send a notice again',
    description:
      'The same text, to the same recipient, with the same Message-ID. Limits do not hold it.',
    params: NoticeParams,
    responses: {
      202: { description: 'The notice, which waits to be sent.', schema: NoticeWithAttempts },
      404: { description: 'There is no such notice.' },
      409: { description: 'It waits already, no relay is set, or its recipient gets no mail.' },
    },
    async handle({ caller, params, requestId }) {
      const { tenantId, ...actor } = requireCaller(caller)
      const scope = { tenantId }
      const notice = await requireNotice(db, scope, params.noticeId)
      if (mail === null) throw relayNotSet()
      if ((await findAddressRefusal(db, scope, mail, notice)) !== null) throw noticeNotPossible()
      await inTransaction(db, async (tx) => {
        await lockCasesOf(tx, scope, notice)
        const key = { domain: mail.domain, ...createReplyKey(mail) }
        if (!(await awakeNotice(tx, scope, notice.id, key))) throw noticeWaits()
        await note(tx, deps, scope, notice, { actor, requestId, state: 'waiting' })
      })
      return await answer(deps, scope, notice.id, 202)
    },
  })
}

export function cancelNoticeRoute(deps: NoticeEndpointDeps): Route {
  const { db } = deps
  return defineRoute({
    method: 'POST',
    path: `${NOTICE_PATH}/cancel`,
    group: 'casework',
    access: { kind: 'scope', scope: 'notices:send' },
    operationId: 'cancelNotice',
    summary: 'Cancel a notice',
    description:
      'It is suppressed, with the reason cancelled. A digest is cancelled with all notices in it.',
    params: NoticeParams,
    responses: {
      200: { description: 'The notice.', schema: NoticeWithAttempts },
      404: { description: 'There is no such notice.' },
      409: { description: 'It was sent, is being sent, or is in a digest.' },
    },
    async handle({ caller, params, requestId }) {
      const { tenantId, ...actor } = requireCaller(caller)
      const scope = { tenantId }
      const notice = await requireNotice(db, scope, params.noticeId)
      await inTransaction(db, async (tx) => {
        await lockCasesOf(tx, scope, notice)
        if (!(await cancelNotice(tx, scope, notice.id))) throw cancelNotPossible()
        await note(tx, deps, scope, notice, {
          actor,
          requestId,
          state: 'suppressed',
          reason: 'cancelled',
        })
        await endDigestItems(tx, scope, [notice.id])
      })
      return await answer(deps, scope, notice.id, 200)
    },
  })
}

async function lockCasesOf(
  tx: Tx,
  scope: TenantScope,
  { id, caseId }: NoticeDetail,
): Promise<void> {
  const items = caseId === null ? await listDigestItems(tx, scope, [id]) : []
  const caseIds = caseId === null ? items.map((one) => one.caseId) : [caseId]
  await lockRows(tx, scope, [...new Set(caseIds)])
}

interface NotedEnd {
  readonly actor: Pick<Caller, 'tokenId' | 'name'>
  readonly requestId: string
  readonly state: 'waiting' | 'suppressed'
  readonly reason?: string
}

/** In the history of the case; for a digest, in those of the cases of its notices. */
async function note(
  tx: Tx,
  { ids, clock }: NoticeEndpointDeps,
  scope: TenantScope,
  { id, caseId, purpose, party }: NoticeDetail,
  { actor, requestId, state, reason }: NotedEnd,
): Promise<void> {
  const notices =
    caseId === null ? await listDigestItems(tx, scope, [id]) : [{ id, caseId, purpose, party }]
  const entries = notices.map((one) => ({
    caseId: one.caseId,
    kind: 'notice' as const,
    actor: { kind: 'token' as const, id: actor.tokenId, name: actor.name },
    at: new Date(clock.nowMs()),
    reason: null,
    causeId: requestId,
    changes: {
      notice_id: one.id,
      purpose: one.purpose,
      party: one.party,
      state,
      ...(reason === undefined ? {} : { reason }),
      ...(caseId === null ? { digest_id: id } : {}),
    },
  }))
  await addHistory(tx, ids, scope, entries)
}

async function answer<Status extends number>(
  { db }: NoticeEndpointDeps,
  scope: TenantScope,
  id: string,
  status: Status,
) {
  const notice = await requireNotice(db, scope, id)
  const attempts = await listAttempts(db, scope, id)
  const replies = await listReplies(db, scope, id)
  return { status, json: presentNoticeDetail(notice, attempts, replies) }
}
