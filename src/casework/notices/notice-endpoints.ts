// The endpoints of notices: POST and GET …/cases/{caseId}/notices, GET /beta/casework/notices, GET
// of one, and POST …/resend.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import type { CursorSealer } from '../../kernel/http/cursor.ts'
import { readPage } from '../../kernel/http/read-page.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { isUuid } from '../../values/uuid.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { PAGE_PARAMETERS } from '../../vocabulary/page-wire.ts'
import { addHistory } from '../cases/case-history-store.ts'
import { requireCase } from '../cases/case-store.ts'
import {
  noticeNotFound,
  noticeNotPossible,
  noticeWaits,
  relayNotSet,
  templateNotFound,
  templateNotValid,
} from './errors.ts'
import { createReplyKey } from './mail-identity.ts'
import {
  awakeNotice,
  findNotice,
  listAttempts,
  listNotices,
  type NoticeDetail,
} from './notice-store.ts'
import {
  NewNoticeBody,
  NoticeList,
  NoticeStateMember,
  NoticeWithAttempts,
  presentNotice,
  presentNoticeDetail,
} from './notice-wire.ts'
import { type QueueNoticeDeps, type QueueOutcome, queueNotice } from './queue-notice.ts'
import { isSuppressed } from './suppression-store.ts'

export interface NoticeEndpointDeps extends QueueNoticeDeps {
  readonly db: Db
  readonly cursors: CursorSealer
}

const OF_CASE = '/beta/casework/cases/{caseId}/notices'
const ONE = '/beta/casework/notices/{noticeId}'
const CaseParams = Type.Object({ caseId: Type.String() })
const NoticeParams = Type.Object({ noticeId: Type.String() })

async function requireNotice(db: Db, scope: TenantScope, id: string): Promise<NoticeDetail> {
  const found = isUuid(id) ? await findNotice(db, scope, id) : null
  if (found === null) throw noticeNotFound()
  return found
}

export function sendNoticeRoute(deps: NoticeEndpointDeps): Route {
  const { db } = deps
  return defineRoute({
    method: 'POST',
    path: OF_CASE,
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:write' },
    operationId: 'sendNotice',
    summary: 'Send a notice about a case',
    description:
      'The notice is stored, and sent at once by a worker; its state tells whether it went out. Without a relay it is held.',
    params: CaseParams,
    body: NewNoticeBody,
    responses: {
      202: { description: 'The notice.', schema: NoticeWithAttempts },
      400: { description: 'The template fails for this case, or is not for this party.' },
      404: { description: 'There is no such case or template.' },
      409: { description: 'The case has no address to which it could be sent.' },
    },
    async handle({ caller, params, body, requestId }) {
      const { tenantId, tokenId, name } = requireCaller(caller)
      const scope = { tenantId }
      const { id: caseId } = await requireCase(db, scope, params.caseId)
      const outcome = await inTransaction(db, (tx) =>
        queueNotice(tx, deps, {
          scope,
          caseId,
          template: body.template,
          party: body.party,
          recipient: body.address ?? null,
          language: body.language ?? null,
          contactPurpose: body.contact_purpose ?? null,
          text: body.text ?? '',
          reasons: body.reasons ?? {},
          effectKey: null,
          actor: { kind: 'token', id: tokenId, name },
          causeId: requestId,
        }),
      )
      const notice = await requireNotice(db, scope, readQueued(outcome))
      return { status: 202, json: presentNoticeDetail(notice, []) }
    },
  })
}

function readQueued(outcome: QueueOutcome): string {
  if (outcome.kind === 'queued') return outcome.notice.id
  switch (outcome.reason) {
    case 'no_template':
      throw templateNotFound()
    case 'template_failed':
      throw templateNotValid(outcome.problems)
    case 'template_not_for_party':
      throw templateNotValid([
        { path: '/template', reason: 'has a profile that shows more than this party may see' },
      ])
    case 'no_case':
    case 'no_recipient':
      throw noticeNotPossible()
  }
}

export function listCaseNoticesRoute({ db, cursors }: NoticeEndpointDeps): Route {
  return defineRoute({
    method: 'GET',
    path: OF_CASE,
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'listCaseNotices',
    summary: 'List the notices of a case',
    params: CaseParams,
    query: Type.Object(PAGE_PARAMETERS),
    responses: {
      200: { description: 'A page of notices.', schema: NoticeList },
      404: { description: 'There is no such case.' },
    },
    async handle({ caller, params, query }) {
      const scope = requireCaller(caller)
      const { id: caseId } = await requireCase(db, scope, params.caseId)
      const view = { list: 'case notices', sort: 'created_at', filters: { caseId } }
      const page = readPage(cursors, scope, view, query)
      const notices = await listNotices(db, scope, { caseId, state: null }, page.request)
      return { status: 200, json: page.present(notices, ({ id }) => [id], presentNotice) }
    },
  })
}

export function listNoticesRoute({ db, cursors }: NoticeEndpointDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/notices',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'listNotices',
    summary: 'List notices',
    query: Type.Object({ ...PAGE_PARAMETERS, state: Type.Optional(NoticeStateMember) }),
    responses: { 200: { description: 'A page of notices.', schema: NoticeList } },
    async handle({ caller, query }) {
      const scope = requireCaller(caller)
      const { state = null } = query
      const view = { list: 'notices', sort: 'created_at', filters: { state } }
      const page = readPage(cursors, scope, view, query)
      const notices = await listNotices(db, scope, { caseId: null, state }, page.request)
      return { status: 200, json: page.present(notices, ({ id }) => [id], presentNotice) }
    },
  })
}

export function getNoticeRoute({ db }: NoticeEndpointDeps): Route {
  return defineRoute({
    method: 'GET',
    path: ONE,
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'getNotice',
    summary: 'Get a notice, with its attempts',
    params: NoticeParams,
    responses: {
      200: { description: 'The notice.', schema: NoticeWithAttempts },
      404: { description: 'There is no such notice.' },
    },
    async handle({ caller, params }) {
      const scope = requireCaller(caller)
      const notice = await requireNotice(db, scope, params.noticeId)
      const attempts = await listAttempts(db, scope, notice.id)
      return { status: 200, json: presentNoticeDetail(notice, attempts) }
    },
  })
}

export function resendNoticeRoute({ db, ids, clock, mail }: NoticeEndpointDeps): Route {
  return defineRoute({
    method: 'POST',
    path: `${ONE}/resend`,
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:write' },
    operationId: 'resendNotice',
    summary: 'Send a notice again',
    description: 'The same text, to the same recipient, with the same Message-ID.',
    params: NoticeParams,
    responses: {
      202: { description: 'The notice, which waits to be sent.', schema: NoticeWithAttempts },
      404: { description: 'There is no such notice.' },
      409: { description: 'It waits already, no relay is set, or its recipient gets no mail.' },
    },
    async handle({ caller, params, requestId }) {
      const { tenantId, tokenId, name } = requireCaller(caller)
      const scope = { tenantId }
      const { id, caseId, recipient, purpose, party, state } = await requireNotice(
        db,
        scope,
        params.noticeId,
      )
      if (mail === null) throw relayNotSet()
      if (state === 'waiting') throw noticeWaits()
      if (await isSuppressed(db, scope, recipient)) throw noticeNotPossible()
      await inTransaction(db, async (tx) => {
        await awakeNotice(tx, scope, id, createReplyKey(mail))
        if (caseId === null) return
        const entry = {
          caseId,
          kind: 'notice' as const,
          actor: { kind: 'token' as const, id: tokenId, name },
          at: new Date(clock.nowMs()),
          reason: null,
          causeId: requestId,
          changes: { notice_id: id, purpose, party, state: 'waiting' },
        }
        await addHistory(tx, ids, scope, [entry])
      })
      const notice = await requireNotice(db, scope, id)
      return { status: 202, json: presentNoticeDetail(notice, await listAttempts(db, scope, id)) }
    },
  })
}
