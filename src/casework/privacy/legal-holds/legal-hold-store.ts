// Legal holds (migration 0024): cases that are neither removed nor erased while they are held, with
// all that hangs on them. A hold covers whatever its case was merged with, in either direction.

import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../kernel/db/database.ts'
import { buildPage, type PageRequest } from '../../../kernel/db/page-request.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'

export interface LegalHold {
  readonly id: string
  readonly caseId: string
  readonly reason: string
  readonly placedAt: Date
  readonly placedBy: string
  /** The hold of the case that events of this one came out of. */
  readonly extendsId: string | null
  readonly liftedAt: Date | null
  readonly liftedBy: string | null
  readonly liftReason: string | null
}

const COLUMNS = sql`id, case_id as "caseId", reason, placed_at as "placedAt", placed_by as "placedBy",
  extends_id as "extendsId", lifted_at as "liftedAt", lifted_by as "liftedBy", lift_reason as "liftReason"`

/**
 * Before anything is removed or erased, first of all locks: no hold is placed until the transaction
 * ends. Whoever reads the holds after it knows them all.
 */
export async function keepHoldsOut(tx: Tx, { tenantId }: TenantScope): Promise<void> {
  await sql`select from tenant where id = ${tenantId} for share`.execute(tx)
}

/** Before a hold is placed: what is being removed or erased just now ends first. */
export async function waitForRemovals(tx: Tx, { tenantId }: TenantScope): Promise<void> {
  await sql`select from tenant where id = ${tenantId} for no key update`.execute(tx)
}

export async function hasHolds(db: Db, { tenantId }: TenantScope): Promise<boolean> {
  const found = await sql`
    select from legal_hold where tenant_id = ${tenantId} and lifted_at is null limit 1`.execute(db)
  return found.rows.length > 0
}

/** Every case that a hold covers. Holds are few, and each is found by its key. */
export async function listHeldCases(db: Db, scope: TenantScope): Promise<readonly string[]> {
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

export async function isHeldCase(db: Db, scope: TenantScope, caseId: string): Promise<boolean> {
  if (!(await hasHolds(db, scope))) return false
  return (await listHeldCases(db, scope)).includes(caseId)
}

/** The condition for rows (`one`) that hang on one of these cases. */
export function isHeldRow(
  { tenantId }: TenantScope,
  { name, references }: { readonly name: string; readonly references: readonly string[] },
  held: readonly string[],
): RawBuilder<unknown> {
  if (held.length === 0) return sql`false`
  const cases = sql`any(${[...held]}::text[])`
  const byEvent = (column: string, id: string) => sql`exists (
    select from event as held_event where held_event.tenant_id = ${tenantId}
      and ${sql.ref(`held_event.${column}`)} = ${sql.ref(`one.${id}`)} and held_event.case_id = ${cases})`
  if (name === 'abuse_case') return sql`one.id = ${cases}`
  if (name === 'case_merge') return sql`(one.source_id = ${cases} or one.target_id = ${cases})`
  if (name === 'report') return byEvent('report_id', 'id')
  if (references.includes('case_id')) return sql`one.case_id = ${cases}`
  if (references.includes('run_id')) {
    return sql`exists (select from run where run.tenant_id = ${tenantId} and run.id = one.run_id
      and run.case_id = ${cases})`
  }
  if (references.includes('event_id')) return byEvent('event_id', 'event_id')
  return references.includes('report_id') ? byEvent('report_id', 'report_id') : sql`false`
}

/** The condition for rows of `report` that no event of these cases came out of. */
export function isFreeReport(
  { tenantId }: TenantScope,
  held: readonly string[],
): RawBuilder<unknown> {
  if (held.length === 0) return sql`true`
  return sql`not exists (
    select from event as held_event where held_event.tenant_id = ${tenantId}
      and held_event.report_id = report.id and held_event.case_id = any(${[...held]}::text[]))`
}

/** Of these contents of reports: those that a report of one of these cases has. */
export async function listHeldContents(
  db: Db,
  { tenantId }: TenantScope,
  sha256s: readonly Buffer[],
  held: readonly string[],
): Promise<ReadonlySet<string>> {
  if (held.length === 0 || sha256s.length === 0) return new Set()
  const found = await sql<{ sha256: string }>`
    select distinct encode(sha256, 'hex') as sha256 from report
    where tenant_id = ${tenantId} and sha256 = any(${[...sha256s]}::bytea[]) and not is_raw_removed and exists (
      select from event where event.tenant_id = ${tenantId} and event.report_id = report.id
        and event.case_id = any(${[...held]}::text[]))`.execute(db)
  return new Set(found.rows.map((row) => row.sha256))
}

/** False when the case is held already. */
export async function insertHold(
  tx: Tx,
  { tenantId }: TenantScope,
  hold: Pick<LegalHold, 'id' | 'caseId' | 'reason' | 'placedAt' | 'placedBy' | 'extendsId'>,
): Promise<boolean> {
  const { id, caseId, reason, placedAt, placedBy, extendsId } = hold
  const inserted = await sql`
    insert into legal_hold (tenant_id, id, case_id, reason, placed_at, placed_by, extends_id)
    values (${tenantId}, ${id}, ${caseId}, ${reason}, ${placedAt}, ${placedBy}, ${extendsId})
    on conflict (tenant_id, case_id) where lifted_at is null do nothing`.execute(tx)
  return inserted.numAffectedRows === 1n
}

/** The hold as it is afterwards; null when the case is not held. */
export async function endHold(
  tx: Tx,
  { tenantId }: TenantScope,
  { caseId, at, by, reason }: { caseId: string; at: Date; by: string; reason: string },
): Promise<LegalHold | null> {
  const ended = await sql<LegalHold>`
    update legal_hold set lifted_at = ${at}, lifted_by = ${by}, lift_reason = ${reason}
    where tenant_id = ${tenantId} and case_id = ${caseId} and lifted_at is null returning ${COLUMNS}`.execute(
    tx,
  )
  return ended.rows[0] ?? null
}

/** The hold on this very case that is in force. */
export async function findHold(
  db: Db,
  { tenantId }: TenantScope,
  caseId: string,
): Promise<LegalHold | null> {
  const found = await sql<LegalHold>`
    select ${COLUMNS} from legal_hold
    where tenant_id = ${tenantId} and case_id = ${caseId} and lifted_at is null`.execute(db)
  return found.rows[0] ?? null
}

export interface HoldFilter {
  readonly caseId?: string
  readonly isInForce: boolean
}

/** Up to `limit` rows and one more. */
export async function listHolds(
  db: Db,
  { tenantId }: TenantScope,
  { caseId, isInForce }: HoldFilter,
  page: PageRequest,
): Promise<readonly LegalHold[]> {
  const keyset = buildPage([{ name: 'id', type: 'uuid' }], page)
  const conditions = [
    sql`tenant_id = ${tenantId}`,
    ...(caseId === undefined ? [] : [sql`case_id = ${caseId}`]),
    ...(isInForce ? [sql`lifted_at is null`] : []),
    ...keyset.conditions,
  ]
  const found = await sql<LegalHold>`
    select ${COLUMNS} from legal_hold where ${sql.join(conditions, sql` and `)} ${keyset.orderAndLimit}`.execute(
    db,
  )
  return found.rows
}
