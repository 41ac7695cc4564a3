// SQL of the idempotency keys of accepted triggers. A key belongs to one API token and is kept for
// 24 hours.

import { sql } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import { type DueRows, type TenantPass, workByTenant } from '../../../kernel/db/due-tenants.ts'
import { moveTime } from '../../../kernel/db/move-time.ts'

export interface TriggerKey {
  readonly tenantId: string
  /** The API token that sent the trigger; another token may use the same key. */
  readonly tokenId: string
  readonly key: string
}

interface SentTrigger {
  readonly caseId: string
  readonly node: string
  readonly path: string
  /** Of the form that went along; null for none. */
  readonly formHash: string | null
}

export interface KeyedTrigger extends SentTrigger {
  readonly runId: string
  /** False for the first of two decisions. */
  readonly isDecided: boolean
}

const KEPT_HOURS = 24

/**
 * The trigger that was accepted under this key within the last 24 hours; null when there is none.
 */
export async function findKeyedTrigger(tx: Tx, key: TriggerKey): Promise<KeyedTrigger | null> {
  const found = await sql<KeyedTrigger>`
    select case_id as "caseId", node, path, run_id as "runId", form_hash as "formHash", is_decided as "isDecided" from trigger_key
    where tenant_id = ${key.tenantId} and token_id = ${key.tokenId} and key = ${key.key}
      and created_at > now() - ${KEPT_HOURS} * interval '1 hour'`.execute(tx)
  return found.rows[0] ?? null
}

/**
 * Stores the trigger that is being accepted. False when another request with this key was committed
 * in the meantime; then this one must be decided again.
 */
export async function storeKeyedTrigger(
  tx: Tx,
  key: TriggerKey,
  trigger: KeyedTrigger,
): Promise<boolean> {
  const stored = await sql`
    insert into trigger_key (tenant_id, token_id, key, case_id, node, path, run_id, form_hash, is_decided)
    values (${key.tenantId}, ${key.tokenId}, ${key.key}, ${trigger.caseId}, ${trigger.node}, ${trigger.path}, ${trigger.runId},
      ${trigger.formHash}, ${trigger.isDecided})
    on conflict (tenant_id, token_id, key) do update
      set case_id = excluded.case_id, node = excluded.node, path = excluded.path, run_id = excluded.run_id,
          form_hash = excluded.form_hash, is_decided = excluded.is_decided,
          created_at = excluded.created_at
      where trigger_key.created_at <= ${moveTime(sql`excluded.created_at`, sql`${-KEPT_HOURS} * interval '1 hour'`)}`.execute(
    tx,
  )
  return (stored.numAffectedRows ?? 0n) > 0n
}

// Of one statement, so that it holds its locks for a moment only.
const REMOVED_MAX = 10_000

/** Removes expired keys, at most 10,000 of each tenant a call. */
export async function removeOldTriggerKeys(
  pass: TenantPass,
): Promise<{ readonly isMore: boolean }> {
  const { db } = pass
  return await workByTenant(pass, OLD_KEYS, REMOVED_MAX, async (tenantId, limit) => {
    const { numAffectedRows } = await sql`
      delete from trigger_key using (
        select token_id, key from trigger_key
        where tenant_id = ${tenantId} and ${OLD_KEYS.isDue}
        order by created_at limit ${limit}
        for update skip locked
      ) as old
      where trigger_key.tenant_id = ${tenantId} and trigger_key.token_id = old.token_id
        and trigger_key.key = old.key`.execute(db)
    return Number(numAffectedRows ?? 0)
  })
}

const OLD_KEYS: DueRows = {
  table: 'trigger_key',
  isDue: sql`created_at <= now() - ${sql.lit(KEPT_HOURS)} * interval '1 hour'`,
  since: sql`created_at`,
}
