// The addresses and hosts that the events of a case name.

import { sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { chooseMonthsOfCase } from '../cases/case-months.ts'

export interface CaseItems {
  /** Those of most events first. */
  readonly items: readonly { readonly item: string; readonly eventCount: number }[]
  readonly itemCount: number
}

// Index pages only, some 10 ms.
const EVENTS_MAX = 10_000

/** Of the newest events of the case. */
export async function listCaseItems(
  db: Db,
  scope: TenantScope,
  caseId: string,
  limit: number,
): Promise<CaseItems> {
  const months = await chooseMonthsOfCase(db, scope, caseId)
  const found = await sql<{ item: string; eventCount: number; itemCount: number }>`
    select item, count(*) as "eventCount", count(*) over () as "itemCount"
    from (
      select ip, domain from event where tenant_id = ${scope.tenantId} and case_id = ${caseId} and ${months}
      order by event_date desc, event_id desc limit ${EVENTS_MAX}
    ) as newest cross join lateral (values (ip), (domain)) as named (item)
    where item is not null
    group by item order by count(*) desc, item limit ${limit}`.execute(db)
  return {
    items: found.rows.map(({ item, eventCount }) => ({ item, eventCount })),
    itemCount: found.rows[0]?.itemCount ?? 0,
  }
}
