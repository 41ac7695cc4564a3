// SQL of legal holds. While a case is on legal hold, its rows are neither removed
// nor erased. A legal hold covers every case that its case is merged with, in either direction.

import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../kernel/db/database.ts'
import { buildPage, type PageRequest } from '../../../kernel/db/page-request.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { PersonalTable } from '../erasure/personal-columns.ts'

export interface LegalHoldRecord {
  readonly id: string
  readonly caseId: string
  readonly reason: string
  readonly placedAt: Date
  readonly placedBy: string
  /** The legal hold of the case from which events of this case came. */
  readonly extendsId: string | null
  readonly liftedAt: Date | null
  readonly liftedBy: string | null
  readonly liftReason: string | null
}

const COLUMNS = sql`id, case_id as "caseId", reason, placed_at as "placedAt", placed_by as "placedBy",
  extends_id as "extendsId", lifted_at as "liftedAt", lifted_by as "liftedBy", lift_reason as "liftReason"`

/**
 * Taken before any other lock when rows are to be removed or erased: no legal hold is added until
 * the transaction ends, so that the legal holds read afterwards are complete. Removals wait for
 * each other too: on Citus two shared locks of a tenant at once are a deadlock.
 */
export async function blockNewLegalHolds(tx: Tx, { tenantId }: TenantScope): Promise<void> {
  await sql`select from tenant where id = ${tenantId} for no key update`.execute(tx)
}

/** Before a legal hold is added: waits until removals and erasures that run now have ended. */
export async function waitForRemovals(tx: Tx, { tenantId }: TenantScope): Promise<void> {
  await sql`select from tenant where id = ${tenantId} for no key update`.execute(tx)
}

export async function hasLegalHolds(db: Db, { tenantId }: TenantScope): Promise<boolean> {
  const found = await sql`
    select from legal_hold where tenant_id = ${tenantId} and lifted_at is null limit 1`.execute(db)
  return found.rows.length > 0
}

/** Every case that a legal hold covers. Legal holds are few, and each is found by its key. */
export async function listCasesOnLegalHold(db: Db, scope: TenantScope): Promise<readonly string[]> {
  const found = await sql<{ id: string }>`
    with recursive up as (
      select case_id as id from legal_hold where tenant_id = ${scope.tenantId} and lifted_at is null
      union
      select merged_into from up join abuse_case
        on abuse_case.tenant_id = ${scope.tenantId} and abuse_case.id = up.id
      where merged_into is not null
    ), down as (
      select id from up
      union
      select child.id from down join abuse_case as child
        on child.tenant_id = ${scope.tenantId} and child.merged_into = down.id
    )
    select id from down order by id`.execute(db)
  return found.rows.map((row) => row.id)
}

export async function isCaseOnLegalHold(
  db: Db,
  scope: TenantScope,
  caseId: string,
): Promise<boolean> {
  if (!(await hasLegalHolds(db, scope))) return false
  return (await listCasesOnLegalHold(db, scope)).includes(caseId)
}

/** The condition for rows of a table, named `one`, that belong to one of these cases. */
export function isRowOnLegalHold(
  { tenantId }: TenantScope,
  { name, belongsTo }: Pick<PersonalTable, 'name' | 'belongsTo'>,
  caseIds: readonly string[],
): RawBuilder<unknown> {
  if (caseIds.length === 0) return sql`false`
  const cases = sql`any(${[...caseIds]}::text[])`
  const byEvent = (column: string, id: string) => sql`exists (
    select from event as one_event where one_event.tenant_id = ${tenantId}
      and ${sql.ref(`one_event.${column}`)} = ${sql.ref(`one.${id}`)} and one_event.case_id = ${cases})`
  if (name === 'abuse_case') return sql`one.id = ${cases}`
  if (name === 'case_merge') return sql`(one.source_id = ${cases} or one.target_id = ${cases})`
  if (name === 'report') {
    const isAnswer = isAnswerOf(tenantId, sql.ref('one.id'), caseIds)
    return sql`(${byEvent('report_id', 'id')} or ${isAnswer})`
  }
  switch (belongsTo) {
    case 'case_id':
      return sql`one.case_id = ${cases}`
    case 'run_id':
      return sql`exists (select from run where run.tenant_id = ${tenantId} and run.id = one.run_id
        and run.case_id = ${cases})`
    case 'event_id':
    case 'report_id':
      return byEvent(belongsTo, belongsTo)
    case undefined:
      return sql`false`
    default:
      return belongsTo satisfies never
  }
}

/** The condition for rows of `report` from which no event of these cases came. */
export function isReportWithoutLegalHold(
  { tenantId }: TenantScope,
  caseIds: readonly string[],
): RawBuilder<unknown> {
  if (caseIds.length === 0) return sql`true`
  return sql`not exists (
    select from event as one_event where one_event.tenant_id = ${tenantId}
      and one_event.report_id = report.id and one_event.case_id = any(${[...caseIds]}::text[]))
    and not ${isAnswerOf(tenantId, sql.ref('report.id'), caseIds)}`
}

/** The condition for the id of a report whose mail is a comment of one of these cases. */
function isAnswerOf(
  tenantId: string,
  id: RawBuilder<unknown>,
  caseIds: readonly string[],
): RawBuilder<unknown> {
  return sql`exists (
    select from case_comment as one_comment where one_comment.tenant_id = ${tenantId}
      and one_comment.report_id = ${id} and one_comment.case_id = any(${[...caseIds]}::text[]))`
}

/** Of these contents of reports: the contents that a report of one of these cases has. */
export async function listContentsOnLegalHold(
  db: Db,
  { tenantId }: TenantScope,
  sha256s: readonly Buffer[],
  caseIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (caseIds.length === 0 || sha256s.length === 0) return new Set()
  const found = await sql<{ sha256: string }>`
    select distinct encode(sha256, 'hex') as sha256 from report
    where tenant_id = ${tenantId} and sha256 = any(${[...sha256s]}::bytea[]) and not is_raw_removed and (exists (
      select from event where event.tenant_id = ${tenantId} and event.report_id = report.id
        and event.case_id = any(${[...caseIds]}::text[])) or ${isAnswerOf(tenantId, sql.ref('report.id'), caseIds)})`.execute(
    db,
  )
  return new Set(found.rows.map((row) => row.sha256))
}

/** False when the case has a legal hold already. */
export async function insertLegalHold(
  tx: Tx,
  { tenantId }: TenantScope,
  hold: Pick<LegalHoldRecord, 'id' | 'caseId' | 'reason' | 'placedAt' | 'placedBy' | 'extendsId'>,
): Promise<boolean> {
  const { id, caseId, reason, placedAt, placedBy, extendsId } = hold
  const inserted = await sql`
    insert into legal_hold (tenant_id, id, case_id, reason, placed_at, placed_by, extends_id)
    values (${tenantId}, ${id}, ${caseId}, ${reason}, ${placedAt}, ${placedBy}, ${extendsId})
    on conflict (tenant_id, case_id) where lifted_at is null do nothing`.execute(tx)
  return inserted.numAffectedRows === 1n
}

/** The legal hold after it was lifted; null when the case has none. */
export async function endLegalHold(
  tx: Tx,
  { tenantId }: TenantScope,
  { caseId, at, by, reason }: { caseId: string; at: Date; by: string; reason: string },
): Promise<LegalHoldRecord | null> {
  const ended = await sql<LegalHoldRecord>`
    update legal_hold set lifted_at = ${at}, lifted_by = ${by}, lift_reason = ${reason}
    where tenant_id = ${tenantId} and case_id = ${caseId} and lifted_at is null returning ${COLUMNS}`.execute(
    tx,
  )
  return ended.rows[0] ?? null
}

/** The legal hold in force on this very case; null without one. */
export async function findLegalHold(
  db: Db,
  { tenantId }: TenantScope,
  caseId: string,
): Promise<LegalHoldRecord | null> {
  const found = await sql<LegalHoldRecord>`
    select ${COLUMNS} from legal_hold
    where tenant_id = ${tenantId} and case_id = ${caseId} and lifted_at is null`.execute(db)
  return found.rows[0] ?? null
}

export interface LegalHoldFilter {
  readonly caseId?: string
  readonly isInForce: boolean
}

/** Up to `limit` rows and one more. */
export async function listLegalHolds(
  db: Db,
  { tenantId }: TenantScope,
  { caseId, isInForce }: LegalHoldFilter,
  page: PageRequest,
): Promise<readonly LegalHoldRecord[]> {
  const keyset = buildPage([{ name: 'id', type: 'uuid' }], page)
  const conditions = [
    sql`tenant_id = ${tenantId}`,
    ...(caseId === undefined ? [] : [sql`case_id = ${caseId}`]),
    ...(isInForce ? [sql`lifted_at is null`] : []),
    ...keyset.conditions,
  ]
  const found = await sql<LegalHoldRecord>`
    select ${COLUMNS} from legal_hold where ${sql.join(conditions, sql` and `)} ${keyset.orderAndLimit}`.execute(
    db,
  )
  return found.rows
}
