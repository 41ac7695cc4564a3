// SQL of what messages tell: the cases and events of a batch of changes, as they are now.
// No addresses of people and no free texts: a receiver that may see them asks for the record.

import { sql } from 'kysely'
import type { Tx } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'

export interface CaseOfMessage {
  readonly id: string
  readonly state: string
  readonly severity: string | null
  readonly case_group: string
  readonly customer_id: string
  readonly contract_id: string | null
  readonly event_count: number
  readonly event_types: readonly string[]
  readonly waiting_on: string
}

export async function findCasesOfMessages(
  tx: Tx,
  { tenantId }: TenantScope,
  caseIds: readonly string[],
): Promise<ReadonlyMap<string, CaseOfMessage>> {
  if (caseIds.length === 0) return new Map()
  const found = await sql<CaseOfMessage>`
    select id, state, severity, case_group_id as case_group, customer_id, contract_id, event_count, event_types, waiting_on
    from abuse_case where tenant_id = ${tenantId} and id = any(${[...caseIds]}::text[])`.execute(tx)
  return new Map(found.rows.map((row) => [row.id, row]))
}

export interface EventOfMessage {
  readonly event_id: string
  readonly event_type: string
  readonly event_date: Date
  readonly ip: string | null
  readonly domain: string | null
  readonly customer_id: string | null
  readonly contract_id: string | null
  readonly case_id: string | null
  readonly report_id: string | null
  /** Of its case. */
  readonly case_group: string | null
}

export async function findEventsOfMessages(
  tx: Tx,
  { tenantId }: TenantScope,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, EventOfMessage>> {
  if (eventIds.length === 0) return new Map()
  const found = await sql<EventOfMessage>`
    select event_id, event_type, event_date, ip, domain, event.customer_id, event.contract_id, case_id, report_id,
      case_group_id as case_group
    from event left join abuse_case on abuse_case.tenant_id = event.tenant_id and abuse_case.id = event.case_id
    where event.tenant_id = ${tenantId} and event_id = any(${[...eventIds]}::uuid[])`.execute(tx)
  return new Map(found.rows.map((row) => [row.event_id, row]))
}
