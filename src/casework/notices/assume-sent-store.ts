// SQL of a simulation of playbooks, whose transaction is rolled back: the notices of an effect
// count as sent.

import { sql } from 'kysely'
import type { Tx } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'

/**
 * - `marked`: some waited, and now they count as sent.
 * - `known`: the effect has made notices, and none of them waits.
 * - `none`: the effect has made no notice.
 */
export type AssumedSending = 'marked' | 'known' | 'none'

/** The first notice of an effect has its key; the others have its key, `#` and a number. */
export async function assumeNoticesSent(
  tx: Tx,
  scope: TenantScope,
  effectKey: string,
  at: Date,
): Promise<AssumedSending> {
  const marked = await sql`
    update notice set state = 'sent', sent_at = ${at}, changed_at = ${at}
    where tenant_id = ${scope.tenantId} and split_part(effect_key, '#', 1) = ${effectKey} and state = 'waiting'
      and effect_key >= ${effectKey} and effect_key <= ${`${effectKey}#~`}`.execute(tx)
  if ((marked.numAffectedRows ?? 0n) > 0n) return 'marked'
  const known = await sql`
    select from notice where tenant_id = ${scope.tenantId} and effect_key = ${effectKey}`.execute(
    tx,
  )
  return known.rows.length > 0 ? 'known' : 'none'
}
