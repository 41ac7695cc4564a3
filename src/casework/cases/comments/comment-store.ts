// SQL of comments. A comment is added together with its row in the history of the case and is never
// changed.

import { strict as assert } from 'node:assert'
import { sql } from 'kysely'
import { type Db, seeTables, type Tx } from '../../../kernel/db/database.ts'
import { NOT_COPIED } from '../../../kernel/db/not-copied.ts'
import type { PageRequest } from '../../../kernel/db/page-request.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { addHistory, type ChangeOrigin, pickOrigin } from '../case-history-store.ts'
import type { Actor } from '../case-tables.ts'

interface CommentTables {
  case_comment: {
    tenant_id: string
    case_id: string
    id: string
    text: string
    author: string
    author_user_id: string | null
    created_at: Date
    party: CommentLetter['party'] | null
    is_automatic: boolean
    quoted: string | null
    report_id: string | null
    attachments: readonly CommentFile[] | null
  }
}

export interface CommentFile {
  /** Its position in the mail: `2`, `1.2`. */
  readonly path: string
  readonly mediaType: string
  readonly fileName: string | null
  readonly byteLength: number
}

/** Of a comment that came by mail: text of a stranger. */
interface CommentLetter {
  /** Who answered. The address is in the mail only. */
  readonly party: 'customer' | 'reporter' | 'other'
  readonly isAutomatic: boolean
  readonly quoted: string
  /** The mail, kept like a report. */
  readonly reportId: string
  readonly attachments: readonly CommentFile[]
}

export interface CommentRecord {
  readonly id: string
  readonly text: string
  readonly author: string
  /** Of a person who signed in: `author` is this id as well, and the name is looked up. */
  readonly authorUserId: string | null
  readonly createdAt: Date
  readonly party: CommentLetter['party'] | null
  readonly isAutomatic: boolean
  readonly quoted: string | null
  readonly reportId: string | null
  readonly attachments: readonly CommentFile[] | null
}

export interface NewComment extends ChangeOrigin {
  readonly caseId: string
  readonly text: string
  /** Left out for a comment of our own. */
  readonly letter?: CommentLetter
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
    .select(['id', 'text', 'author', 'created_at as createdAt', 'party', 'quoted', 'attachments'])
    .select(['is_automatic as isAutomatic', 'report_id as reportId'])
    .select('author_user_id as authorUserId')
    .where('tenant_id', '=', scope.tenantId)
    .where('case_id', '=', caseId)
    .orderBy('id', page.order)
    .limit(page.limit + 1)
  const id = page.position?.[0]
  if (id !== undefined) query = query.where('id', page.order === 'asc' ? '>' : '<', id)
  return await query.execute()
}

/** The first comment that was made of this mail; null when none was. */
export async function findCommentOfReport(
  db: Db,
  scope: TenantScope,
  reportId: string,
): Promise<(Pick<CommentRecord, 'id' | 'party'> & { readonly caseId: string }) | null> {
  const found = await seeTables<CommentTables>(db)
    .selectFrom('case_comment')
    .select(['id', 'case_id as caseId', 'party'])
    .where('tenant_id', '=', scope.tenantId)
    .where('report_id', '=', reportId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return found ?? null
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
    ...describeAuthor(comment.actor),
    createdAt: comment.at,
    party: comment.letter?.party ?? null,
    isAutomatic: comment.letter?.isAutomatic ?? false,
    quoted: comment.letter?.quoted || null,
    reportId: comment.letter?.reportId ?? null,
    attachments: comment.letter?.attachments ?? null,
  }))
  await seeTables<CommentTables>(tx)
    .insertInto('case_comment')
    .columns(['tenant_id', 'case_id', 'id', 'text', 'author', 'created_at', 'author_user_id'])
    .expression(
      sql`select ${scope.tenantId}, * from unnest(
        ${comments.map((comment) => comment.caseId)}::text[], ${records.map((record) => record.id)}::uuid[],
        ${records.map((record) => record.text)}::text[], ${records.map((record) => record.author)}::text[],
        ${records.map((record) => record.createdAt)}::timestamptz[],
        ${records.map((record) => record.authorUserId)}::text[])
        ${NOT_COPIED}`,
    )
    .execute()
  await writeLetters(tx, scope, records)
  const history = comments.map((comment, at) => ({
    caseId: comment.caseId,
    kind: 'comment' as const,
    changes: { comment_id: records[at]?.id },
    ...pickOrigin(comment),
  }))
  await addHistory(tx, ids, scope, history)
  return records
}

function describeAuthor({ kind, id, name }: Actor) {
  const isPerson = kind === 'token' && id.startsWith('usr_')
  return isPerson ? { author: id, authorUserId: id } : { author: name, authorUserId: null }
}

async function writeLetters(
  tx: Tx,
  { tenantId }: TenantScope,
  records: readonly CommentRecord[],
): Promise<void> {
  for (const { id, party, isAutomatic, quoted, reportId, attachments } of records) {
    if (party === null) continue
    // An answer comes alone.
    // oxlint-disable-next-line eslint/no-await-in-loop
    await sql`
      update case_comment set party = ${party}, is_automatic = ${isAutomatic}, quoted = ${quoted}, report_id = ${reportId}::uuid,
        attachments = ${JSON.stringify(attachments)}::jsonb
      where tenant_id = ${tenantId} and id = ${id}::uuid`.execute(tx)
  }
}
