// SQL of comments. A comment is added together with its row in the history of the case and is never
// changed.

import { strict as assert } from 'node:assert'
import { sql } from 'kysely'
import { type Db, seeTables, type Tx } from '../../../kernel/db/database.ts'
import type { PageRequest } from '../../../kernel/db/page-request.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { addHistory, type ChangeOrigin, pickOrigin } from '../case-history-store.ts'

interface CommentTables {
  case_comment: {
    tenant_id: string
    case_id: string
    id: string
    text: string
    author: string
    created_at: Date
  }
}

export interface CommentRecord {
  readonly id: string
  readonly text: string
  readonly author: string
  readonly createdAt: Date
}

export interface NewComment extends ChangeOrigin {
  readonly caseId: string
  readonly text: string
}

/** The comments of a case. Ids are UUIDv7, so the order of ids is the order of time. */
export async function listComments(
  db: Db,
  scope: TenantScope,
  caseId: string,
  page: PageRequest,
): Promise<readonly CommentRecord[]> {
  let query = seeTables<CommentTables>(db)
    .selectFrom('case_comment')
    .select(['id', 'text', 'author', 'created_at as createdAt'])
    .where('tenant_id', '=', scope.tenantId)
    .where('case_id', '=', caseId)
    .orderBy('id', page.order)
    .limit(page.limit + 1)
  const id = page.position?.[0]
  if (id !== undefined) query = query.where('id', page.order === 'asc' ? '>' : '<', id)
  return await query.execute()
}

/** Adds one comment; see `addComments`. */
export async function addComment(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  comment: NewComment,
): Promise<CommentRecord> {
  const [record] = await addComments(tx, ids, scope, [comment])
  assert.ok(record !== undefined, 'every comment has a record')
  return record
}

/**
 * Adds comments with their history rows, in one statement each. The caller has made sure that the
 * cases belong to the tenant. The records are in the order of the comments.
 */
export async function addComments(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  comments: readonly NewComment[],
): Promise<readonly CommentRecord[]> {
  if (comments.length === 0) return []
  const records = comments.map((comment) => ({
    id: ids.nextUuid(),
    text: comment.text,
    author: comment.actor.name,
    createdAt: comment.at,
  }))
  await seeTables<CommentTables>(tx)
    .insertInto('case_comment')
    .columns(['tenant_id', 'case_id', 'id', 'text', 'author', 'created_at'])
    .expression(
      sql`select ${scope.tenantId}, * from unnest(
        ${comments.map((comment) => comment.caseId)}::text[], ${records.map((record) => record.id)}::uuid[],
        ${records.map((record) => record.text)}::text[], ${records.map((record) => record.author)}::text[],
        ${records.map((record) => record.createdAt)}::timestamptz[])`,
    )
    .execute()
  const history = comments.map((comment, at) => ({
    caseId: comment.caseId,
    kind: 'comment' as const,
    changes: { comment_id: records[at]?.id },
    ...pickOrigin(comment),
  }))
  await addHistory(tx, ids, scope, history)
  return records
}
