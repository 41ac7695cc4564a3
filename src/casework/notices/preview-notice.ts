// What a notice would be: it is queued and taken back, so that the preview cannot differ from the
// notice. Its evidence is built as the sender builds it.

import { sql } from 'kysely'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { EvidenceFile, RedactionProfile } from './notice.ts'
import { findEvidenceProfile, findNotice, type NoticeDetail } from './notice-store.ts'
import {
  type NoticeRequest,
  type QueueNoticeDeps,
  type QueueOutcome,
  queueNotice,
} from './queue-notice.ts'

export interface PreviewNoticeDeps extends QueueNoticeDeps {
  readonly db: Db
  readonly buildEvidence: (request: {
    readonly tenantId: string
    readonly caseId: string
    readonly profile: RedactionProfile
    readonly recipient: string
  }) => Promise<readonly EvidenceFile[]>
}

/** The notice, or why there would be none. Nothing is stored or sent. */
export async function previewNotice(
  deps: PreviewNoticeDeps,
  scope: TenantScope,
  request: NoticeRequest,
): Promise<NoticeDetail | Extract<QueueOutcome, { kind: 'refused' }>> {
  const made = await inTransaction(deps.db, async (tx) => {
    await sql`savepoint preview`.execute(tx)
    const outcome = await queueNotice(tx, deps, scope, request)
    if (outcome.kind === 'refused') return outcome
    const notice = await findNotice(tx, scope, outcome.notice.id)
    const profile = await findEvidenceProfile(tx, scope, outcome.notice.id)
    await sql`rollback to savepoint preview`.execute(tx)
    if (notice === null) throw new Error('a queued notice is there')
    return { kind: 'queued' as const, notice, profile }
  })
  if (made.kind === 'refused') return made
  const { notice, profile } = made
  if (profile === null) return notice
  const { recipient } = notice
  const asked = { tenantId: scope.tenantId, caseId: request.caseId, profile, recipient }
  return { ...notice, evidence: await deps.buildEvidence(asked) }
}
