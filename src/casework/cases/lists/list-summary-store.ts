// SQL of the summaries by which a desk sorts and decides: those of one page in one statement.

import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { chooseEventMonths } from '../../../kernel/db/months/event-months.ts'
import { PLANNED_ALONE } from '../../../kernel/db/planner.ts'
import { writeWords } from '../../../kernel/db/write-arrays.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { CustomerStatus, Severity, WaitingOn } from '../case-tables.ts'

// A list shows how busy a case is; the exact number of comments beyond this decides nothing.
const LISTED_COMMENTS_MAX = 1_000

export interface ListSummaryRow {
  readonly id: string
  readonly version: number
  readonly case_group_id: string
  readonly severity: Severity | null
  readonly due_at: Date | null
  readonly assignee_user_id: string | null
  readonly waiting_on: WaitingOn
  readonly customer_status: CustomerStatus
  readonly tags: readonly string[]
  readonly event_types: readonly string[]
  readonly event_count: number
  readonly ip_count: number
  readonly reporter_count: number
  readonly comment_count: number
  readonly reopen_count: number
  readonly last_event: ListedEvent | null
  /** Null when the customer is not recorded, or has no name. */
  readonly customer_name: string | null
}

interface ListedEvent {
  readonly event_id: string
  readonly event_type: string
  readonly ip: string | null
  readonly domain: string | null
}

/**
 * By id. A case that retention removed since has none. One probe of an index for
 * each case and part, whatever the planner believes about the number of ids.
 */
export async function findListSummaries(
  db: Db,
  { tenantId }: TenantScope,
  caseIds: readonly string[],
): Promise<ReadonlyMap<string, ListSummaryRow>> {
  if (caseIds.length === 0) return new Map()
  const months = await chooseEventMonths(db, { tenantId }, 'case', caseIds)
  const found = await sql<ListSummaryRow>`
    select one.*, (
        select count(*)::int from (
          select from case_comment where tenant_id = ${tenantId} and case_id = given.id limit ${LISTED_COMMENTS_MAX}
        ) as comment
      ) as comment_count,
      (
        select jsonb_build_object('event_id', event_id, 'event_type', event_type, 'ip', ip, 'domain', domain)
        from event where tenant_id = ${tenantId} and case_id = given.id and ${months}
        order by event_date desc, event_id desc limit 1
      ) as last_event,
      (
        select name from customer where customer.tenant_id = ${tenantId} and customer.id = one.customer_id
      ) as customer_name
    from unnest(${writeWords(caseIds)}::text[]) as given (id)
    cross join lateral (
      select id, version, case_group_id, severity, due_at, assignee_user_id, waiting_on, customer_status, tags, event_types,
        event_count, cardinality(event_ips) as ip_count, cardinality(event_reporters) as reporter_count, reopen_count,
        customer_id
      from abuse_case where tenant_id = ${tenantId} and id = given.id ${PLANNED_ALONE}
    ) as one`.execute(db)
  return new Map(found.rows.map((row) => [row.id, row]))
}
