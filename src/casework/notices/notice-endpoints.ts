// The endpoints of notices: POST and GET …/cases/{caseId}/notices, GET /beta/casework/notices, and
// GET of one.

import { type Static, Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { AuditLog } from '../../access/audit/audit-log.ts'
import { byId, listRoute, showRows } from '../../access/list-route.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import type { CursorSealer } from '../../kernel/http/cursor.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { isUuid } from '../../values/uuid.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { PAGE_PARAMETERS } from '../../vocabulary/page-wire.ts'
import { requireCase } from '../cases/case-store.ts'
import type { Actor } from '../cases/case-tables.ts'
import { noticeNotFound, noticeNotPossible, templateNotFound, templateNotValid } from './errors.ts'
import { listReplies } from './notice-reply-store.ts'
import {
  ANY_NOTICE,
  findNotice,
  listAttempts,
  listNotices,
  type NoticeDetail,
} from './notice-store.ts'
import {
  NewNoticeBody,
  NoticeList,
  NoticePreview,
  NoticeWithAttempts,
  presentNotice,
  presentNoticeDetail,
  presentNoticePreview,
} from './notice-wire.ts'
import { type PreviewNoticeDeps, previewNotice } from './preview-notice.ts'
import { type NoticeRequest, type QueueOutcome, queueNotice } from './queue-notice.ts'
import { NoticeFilters, readNoticeFilter } from './read-notice-filter.ts'

export interface NoticeEndpointDeps extends PreviewNoticeDeps {
  readonly audit: AuditLog
  readonly cursors: CursorSealer
}

const OF_CASE = '/beta/casework/cases/{caseId}/notices'
export const NOTICE_PATH = '/beta/casework/notices/{noticeId}'
const CaseParams = Type.Object({ caseId: Type.String() })
export const NoticeParams = Type.Object({ noticeId: Type.String() })

export async function requireNotice(db: Db, scope: TenantScope, id: string): Promise<NoticeDetail> {
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
    access: { kind: 'scope', scope: 'notices:send' },
    operationId: 'sendNotice',
    idempotency: 'kept',
    summary: 'Send a notice about a case',
    description:
      'The notice is stored, and sent at once by a worker; its state tells whether it went out. Without a relay it is held, and so is a notice above the limit of its recipient, until the next digest.',
    params: CaseParams,
    query: Type.Object({
      preview: Type.Optional(
        Type.Boolean({ description: 'True: nothing is stored or sent; answers with the notice.' }),
      ),
    }),
    body: NewNoticeBody,
    responses: {
      200: { description: 'The notice as it would be, of a preview.', schema: NoticePreview },
      202: { description: 'The notice.', schema: NoticeWithAttempts },
      400: { description: 'The template fails for this case, or is not for this party.' },
      404: { description: 'There is no such case or template.' },
      409: { description: 'The case has no address to which it could be sent.' },
    },
    async handle({ caller, params, query, body, requestId }) {
      const { tenantId, tokenId, name } = requireCaller(caller)
      const scope = { tenantId }
      const { id: caseId } = await requireCase(db, scope, params.caseId)
      const actor: Actor = { kind: 'token', id: tokenId, name }
      const request = { ...readRequest(body), caseId, actor, causeId: requestId }
      if (query.preview === true) {
        const preview = await previewNotice(deps, scope, request)
        if ('kind' in preview) throw refusalOf(preview)
        return { status: 200, json: presentNoticePreview(preview) }
      }
      const outcome = await inTransaction(db, (tx) => queueNotice(tx, deps, scope, request))
      if (outcome.kind === 'refused') throw refusalOf(outcome)
      const notice = await requireNotice(db, scope, outcome.notice.id)
      return { status: 202, json: presentNoticeDetail(notice, [], []) }
    },
  })
}

function readRequest(
  body: Static<typeof NewNoticeBody>,
): Omit<NoticeRequest, 'caseId' | 'actor' | 'causeId'> {
  return {
    template: body.template,
    party: body.party,
    recipient: body.address ?? null,
    language: body.language ?? null,
    contactPurpose: body.contact_purpose ?? null,
    text: body.text ?? '',
    reasons: body.reasons ?? {},
    isUrgent: body.urgent ?? false,
    hasEvidence: body.evidence ?? false,
    effectKey: null,
  }
}

function refusalOf({ reason, problems }: Extract<QueueOutcome, { kind: 'refused' }>): Error {
  switch (reason) {
    case 'no_template':
      return templateNotFound()
    case 'template_failed':
      return templateNotValid(problems)
    case 'template_not_for_party':
      return templateNotValid([
        { path: '/template', reason: 'has a profile that shows more than this party may see' },
      ])
    case 'no_case':
    case 'no_recipient':
      return noticeNotPossible()
  }
}

export function listCaseNoticesRoute({ db, cursors }: NoticeEndpointDeps): Route {
  return listRoute({
    cursors,
    path: OF_CASE,
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'listCaseNotices',
    summary: 'List the notices of a case',
    description: 'The notices about the case, newest first.',
    params: CaseParams,
    query: Type.Object(PAGE_PARAMETERS),
    responses: {
      200: { description: 'A page of notices.', schema: NoticeList },
      404: { description: 'There is no such case.' },
    },
    list: 'case notices',
    sort: 'created_at',
    async open({ caller, params }) {
      const { id: caseId } = await requireCase(db, caller, params.caseId)
      return {
        filters: { caseId },
        find: async (request) =>
          showRows(
            await listNotices(db, caller, { ...ANY_NOTICE, caseId }, request),
            byId,
            presentNotice,
          ),
      }
    },
  })
}

export function listNoticesRoute({ db, cursors }: NoticeEndpointDeps): Route {
  return listRoute({
    cursors,
    path: '/beta/casework/notices',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'listNotices',
    summary: 'List notices',
    description: 'All notices of the tenant, digests too. Filters are combined.',
    query: Type.Object({ ...PAGE_PARAMETERS, ...NoticeFilters }),
    responses: { 200: { description: 'A page of notices.', schema: NoticeList } },
    list: 'notices',
    sort: 'created_at',
    open({ caller, query }) {
      const { limit: _, cursor: __, order: ___, ...filters } = query
      const filter = readNoticeFilter(filters)
      return {
        filters,
        find: async (request) =>
          showRows(await listNotices(db, caller, filter, request), byId, presentNotice),
      }
    },
  })
}

export function getNoticeRoute({ db }: NoticeEndpointDeps): Route {
  return defineRoute({
    method: 'GET',
    path: NOTICE_PATH,
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'getNotice',
    summary: 'Get a notice',
    description: 'The notice with every attempt to send it and every answer to it.',
    params: NoticeParams,
    responses: {
      200: { description: 'The notice.', schema: NoticeWithAttempts },
      404: { description: 'There is no such notice.' },
    },
    async handle({ caller, params }) {
      const scope = requireCaller(caller)
      const notice = await requireNotice(db, scope, params.noticeId)
      const attempts = await listAttempts(db, scope, notice.id)
      return {
        status: 200,
        json: presentNoticeDetail(notice, attempts, await listReplies(db, scope, notice.id)),
      }
    },
  })
}
